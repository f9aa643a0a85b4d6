import ast
import inspect
import re
import subprocess
from pathlib import Path

import memmatch
from memmatch import _memmatch
from conftest import MODEL, ROOT

PACKAGE = Path(memmatch.__file__).parent


def test_every_public_name_is_documented():
    for name in memmatch.__all__:
        if name == "__version__":
            continue
        thing = getattr(memmatch, name)
        assert inspect.getdoc(thing), name
        if not inspect.isclass(thing) or issubclass(thing, (Exception, memmatch.Label)):
            continue
        for member, value in vars(thing).items():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert inspect.getdoc(value) is not None or name in (
                    "Alignment", "Sentence", "Document", "Exemplar", "GivenEvidence"), (
                        name, member)


def test_the_stub_names_what_the_extension_has():
    tree = ast.parse((PACKAGE / "_memmatch.pyi").read_text())
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            members = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
            there = {name for name in vars(getattr(_memmatch, node.name))
                     if not name.startswith("_")}
            assert members - {"__init__"} == there, node.name
        elif isinstance(node, ast.FunctionDef):
            assert hasattr(_memmatch, node.name), node.name
    assert (PACKAGE / "py.typed").exists()


def test_the_extension_shows_nothing_but_its_entry():
    symbols = subprocess.run(["nm", "-D", "--defined-only", _memmatch.__file__],
                             capture_output=True, text=True, check=True).stdout
    assert re.findall(r" [A-Z] (\S+)", symbols) == ["PyInit__memmatch"]


def test_the_tutorials_code_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEMMATCH_MODEL", str(MODEL))
    tutorial = (ROOT / "docs" / "python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", tutorial, re.DOTALL | re.MULTILINE)
    assert len(blocks) > 5
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
