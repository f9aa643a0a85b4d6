"""Called by run, which says what this measures."""

import json
import subprocess
import sys
import time
from pathlib import Path

import memmatch

PROGRAM, MODEL, FOLDER, TURNS = sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])
STORE, CLAIMS = FOLDER / "s.db", FOLDER / "claims.jsonl"
ENGINE = {"precision": "int8", "threads": 1}


def predict(claims: Path) -> float:
    """How many seconds the program takes for a claim file."""
    out = FOLDER / "predictions.jsonl"
    out.unlink(missing_ok=True)
    begin = time.perf_counter()
    subprocess.run([PROGRAM, "predict", "--claims", claims, "--out", out, "--store", STORE,
                    "--model", MODEL, "--precision", "int8", "--threads", "1"],
                   check=True, capture_output=True)
    return time.perf_counter() - begin


def main() -> None:
    texts = [json.loads(line)["claim"] for line in CLAIMS.read_text().splitlines()]
    nothing = FOLDER / "nothing.jsonl"
    nothing.write_text("")
    predict(CLAIMS)  # makes the vectors that are missing
    verifier = memmatch.Verifier(STORE, model=MODEL, admit="none", **ENGINE)
    verifier.verify(texts[:10])
    loading, program, ours = [], [], []
    for _ in range(TURNS):
        loading.append(predict(nothing))
        program.append(predict(CLAIMS))
        begin = time.perf_counter()
        verifier.verify(texts)
        ours.append(time.perf_counter() - begin)
    program_rate = len(texts) / (min(program) - min(loading))
    our_rate = len(texts) / min(ours)
    print(f"predict: {program_rate:.2f} claims/s; Python: {our_rate:.2f} claims/s; "
          f"ratio {our_rate / program_rate:.3f} (to hold: 0.95)")


main()
