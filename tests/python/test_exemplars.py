import pytest

import memmatch
from conftest import MODEL, kind_of

CLAIM = "Ada Lovelace was born in London."


@pytest.fixture
def exemplars(tmp_path):
    with memmatch.Exemplars(tmp_path / "exemplars.db") as opened:
        yield opened


def test_a_correction_is_shown_with_the_next_verdict(demo, verifier, exemplars, tmp_path):
    added = exemplars.add(CLAIM, "REFUTES", verifier)
    assert (added.label, added.predicted, added.tag) == ("REFUTES", "SUPPORTS", "corrections")
    assert added.evidence[0].title == "Ada Lovelace"
    with memmatch.Verifier(demo, model=MODEL, exemplars=tmp_path / "exemplars.db",
                           exa_tp=True, admit="none") as audited:
        verdict = audited.verify(CLAIM)
        nearest = verdict.to_dict()["exemplars"]["nearest"][0]
        assert nearest["id"] == added.id and not verdict.admitted
        exemplars.relabel(added.id, "SUPPORTS")
        assert audited.verify(CLAIM).admitted


def test_exemplars_are_listed_relabelled_and_removed(verifier, exemplars):
    first = exemplars.add(CLAIM, "REFUTES", verifier)
    second = exemplars.add("The pool is open.", "SUPPORTS", verifier, tag="mine",
                           evidence=("Pool", "The pool is open."))
    assert [one.id for one in exemplars.list()] == [first.id, second.id]
    assert [one.id for one in exemplars.list("mine")] == [second.id]
    assert [one.id for one in exemplars.list(label="REFUTES")] == [first.id]
    assert exemplars.relabel(first.id, memmatch.Label.SUPPORTS).first_label == "REFUTES"
    assert [one["tag"] for one in exemplars.sources()] == ["corrections", "mine"]
    assert exemplars.remove(first.id).claim == CLAIM
    assert exemplars.remove_source("mine") == 1
    assert exemplars.list() == [] and exemplars.check() == []


def test_what_is_not_there_is_said(verifier, exemplars, tmp_path):
    assert kind_of(exemplars.get, 17)[0] == "not_found"
    assert kind_of(exemplars.relabel, 17, "REFUTES")[0] == "not_found"
    kind, message = kind_of(exemplars.add, CLAIM, "maybe", verifier)
    assert kind == "invalid_argument" and "'maybe'" in message
    assert kind_of(memmatch.Exemplars, tmp_path / "none.db", read_only=True)[0] == "not_found"
