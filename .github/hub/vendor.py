"""Copy what metrics share into the folders that need it: python .github/hub/vendor.py"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("", "_statistics", "_hub", "_bert", "_minilm", "_prompts", "_judge", "_llm")
CHAT = tuple(f"common{part}.py" for part in PARTS)
FILES = ("common.py", "common_files.py", "common_write.py", "common_page.py", "common_statistics.py")
NEEDED = {
    "metrics/melasss": CHAT,
    "metrics/morpheval": (*FILES, "common_hub.py"),
    "metrics/muc_b3_ceaf_entropy": (*FILES, "common_templates.py"),
    "metrics/parapluie": (*CHAT, "common_write.py", "common_templates.py"),
}


def copies() -> dict[Path, str]:
    """{path of a copy: its text}, a header and the source."""
    texts = {}
    for folder, names in NEEDED.items():
        for name in names:
            source = Path(folder).parent / "_common" / name
            header = f"# Copied from {source.as_posix()}: edit there, then run make vendor.\n"
            texts[ROOT / folder / name] = header + (ROOT / source).read_text(encoding="utf-8")
    return texts


if __name__ == "__main__":
    for path, text in copies().items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))
