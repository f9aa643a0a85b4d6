"""A datastore of the demo's corpus, and models: the shipped one, and a tiny one for what is only a
matter of form."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import memmatch

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "models" / "default"
TINY = ROOT / "tests" / "data" / "golden_model_v1"
PROGRAM = os.environ.get("MEMMATCH_PROGRAM", str(ROOT / "build" / "memmatch"))


@pytest.fixture(scope="session")
def pristine(tmp_path_factory):
    """The demo's corpus as a datastore that nobody opens, so that its file alone is all of it."""
    file = tmp_path_factory.mktemp("pristine") / "demo.db"
    with memmatch.Datastore(file, "create") as store:
        store.import_files(ROOT / "examples" / "demo" / "corpus.jsonl")
    return file


@pytest.fixture(scope="session")
def demo(pristine, tmp_path_factory):
    """A copy whose facts stay as they are; vectors are kept in it."""
    return Path(shutil.copy(pristine, tmp_path_factory.mktemp("demo") / "demo.db"))


@pytest.fixture
def store(pristine, tmp_path):
    """A copy to be changed."""
    return Path(shutil.copy(pristine, tmp_path / "facts.db"))


@pytest.fixture(scope="session")
def verifier(demo):
    with memmatch.Verifier(store=demo, model=MODEL) as opened:
        yield opened


@pytest.fixture
def tiny(store):
    with memmatch.Verifier(store=store, model=TINY, threads=1) as opened:
        yield opened


@pytest.fixture(scope="session")
def program():
    if not Path(PROGRAM).exists():
        pytest.skip(f"{PROGRAM} is not there")

    def run(*arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def kind_of(action, *arguments, **named):
    """The kind of the Error that the action raises, and what it says."""
    with pytest.raises(memmatch.Error) as raised:
        action(*arguments, **named)
    return raised.value.kind, str(raised.value)
