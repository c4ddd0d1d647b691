"""Copy what metrics share into the folders that need it: python .github/hub/vendor.py"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCORES = ("common", "common_statistics", "common_comparison")
FILES = ("common_files", "common_write", "common_page")
MODELS = ("hub", "bert", "minilm", "turns", "thinking", "prompts", "judge", "llm")
CHAT = tuple(f"common_{part}" for part in MODELS)
NEEDED = {
    "metrics/melasss": (*SCORES, *CHAT),
    "metrics/morpheval": (*SCORES, *FILES, "common_hub"),
    "metrics/muc_b3_ceaf_entropy": (*SCORES, *FILES, "common_templates"),
    "metrics/parapluie": (*SCORES, *CHAT, "common_write", "common_templates"),
}


def copies() -> dict[Path, str]:
    """{path of a copy: its text}, a header and the source."""
    texts = {}
    for folder, names in NEEDED.items():
        for name in names:
            source = Path(folder).parent / "_common" / f"{name}.py"
            header = f"# Copied from {source.as_posix()}: edit there, then run make vendor.\n"
            texts[ROOT / folder / source.name] = header + (ROOT / source).read_text(encoding="utf-8")
    return texts


if __name__ == "__main__":
    for path, text in copies().items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))
