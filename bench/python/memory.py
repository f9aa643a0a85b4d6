"""Whether memory stays flat over many calls:
    PYTHONPATH=build/python/package /usr/bin/python3 bench/python/memory.py MODEL [CALLS]
A model that is small makes the calls cheap: tests/data/golden_model_v1."""

import sys
import tempfile
from pathlib import Path

import memmatch

MODEL = sys.argv[1]
CALLS = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
CLAIM = "Ada Lovelace was born in London."


def resident_kb() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


def refused(action) -> None:
    try:
        action()
    except memmatch.Error:
        return
    raise AssertionError("was not refused")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "facts.db"
        with memmatch.Datastore(file, "create") as facts:
            facts.import_documents([("Ada Lovelace", ["She was born in London.", "She wrote."])])
        facts = memmatch.Datastore(file)
        verifier = memmatch.Verifier(file, model=MODEL, threads=1)
        calls = [
            lambda: verifier.verify(CLAIM).to_dict(),
            lambda: verifier.verify(CLAIM, difference=True).difference.sum(),
            lambda: verifier.verify(CLAIM, evidence=("Ada", "She was born in London.")),
            lambda: verifier.embed([CLAIM, "Bees"]),
            lambda: verifier.rerank("Ada", ["Ada was born.", "Bees"]),
            lambda: verifier.check("Ada was born in London. Was she?"),
            lambda: verifier.align(CLAIM),
            lambda: facts.sentences("Ada Lovelace"),
            lambda: refused(lambda: verifier.verify(3)),
            lambda: refused(lambda: facts.document("none")),
        ]
        for turn in range(CALLS + 1):
            if turn % (CALLS // 10) == 0:
                print(f"{turn} calls: {resident_kb()} kB")
            calls[turn % len(calls)]()


main()
