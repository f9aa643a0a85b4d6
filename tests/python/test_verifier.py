import json
import pathlib

import pytest

import memmatch
from conftest import MODEL, ROOT, kind_of

REFUTED = "Ada Lovelace was born in Paris."
SUPPORTED = "Ada Lovelace was born in London."
CLAIMS = [SUPPORTED, REFUTED, "Yuri Gagarin had two daughters.", "Alan Turing spoke French."]


def without_times(verdict):
    return {name: value for name, value in verdict.items() if name != "seconds"}


def test_a_verdict_names_label_confidence_and_evidence(verifier):
    verdict = verifier.verify(SUPPORTED)
    assert verdict.label == "SUPPORTS" and verdict.label is memmatch.Label.SUPPORTS
    assert f"{verdict.label}" == "SUPPORTS"
    assert 0 < verdict.confidence <= 1
    assert verdict.evidence[0].title == "Ada Lovelace"
    assert verdict.evidence[0].text == "She was born in London in 1815."
    assert verdict.distances["SUPPORTS"] == min(verdict.distances.values())
    assert verdict.warnings == []


def test_a_verdict_is_what_the_program_prints(verifier, demo, program):
    printed = program("verify", SUPPORTED, REFUTED, "--store", demo, "--model", MODEL, "--json")
    ours = [verifier.verify(claim) for claim in (SUPPORTED, REFUTED)]
    assert [without_times(one.to_dict()) for one in ours] == [without_times(p) for p in printed]
    assert json.loads(ours[0].to_json()) == ours[0].to_dict()


def test_given_evidence_is_judged_as_the_program_does(verifier, program):
    text = "The pool opens at nine."
    (printed,) = program("verify", "The pool is open at ten.", "--evidence", text, "--model", MODEL,
                         "--json")
    ours = verifier.verify("The pool is open at ten.", evidence=[text])
    assert without_times(ours.to_dict()) == without_times(printed)
    assert ours.origin == "given"


def test_many_claims_together_are_the_same_as_one_by_one(verifier):
    together = verifier.verify(CLAIMS * 20)
    one_by_one = [verifier.verify(claim) for claim in CLAIMS] * 20
    assert [without_times(v.to_dict()) for v in together] == [
        without_times(v.to_dict()) for v in one_by_one]
    assert verifier.verify([]) == []


def test_each_claim_of_a_list_has_evidence_of_its_own(verifier):
    first, second = verifier.verify(
        ["The bridge is red.", "The bridge is red."],
        evidence=["The bridge is red.", [("Bridges", "The bridge is blue."), "It is long."]])
    assert first.evidence[0].text == "The bridge is red."
    assert {one.text for one in second.evidence} == {"The bridge is blue.", "It is long."}
    assert second.evidence[0].title in ("Bridges", "")


def test_documents_and_paths_need_no_datastore(tmp_path):
    notes = tmp_path / "pool.txt"
    notes.write_text("The pool is closed on Mondays. It opens at nine.")
    for source in ({"documents": [("Pool", notes.read_text())]}, {"paths": [notes]}):
        with memmatch.Verifier(**source, model=MODEL) as verifier:
            verdict = verifier.verify("The pool is closed on Mondays.")
            assert verdict.label == "SUPPORTS"
            assert verdict.evidence[0].text == "The pool is closed on Mondays."


def test_what_was_not_read_of_a_folder_is_a_warning(tmp_path):
    (tmp_path / "pool.txt").write_text("The pool is closed on Mondays.")
    (tmp_path / "pool.png").write_bytes(b"x")
    with pytest.warns(UserWarning, match="1 .png"):
        memmatch.Verifier(paths=[tmp_path], model=MODEL).close()


def test_search_options_hold_for_the_verifier_or_for_one_call(demo):
    with memmatch.Verifier(store=demo, model=MODEL, z=2, two_class=True, admit="none") as narrow:
        assert len(narrow.verify(REFUTED).evidence) == 2
        assert len(narrow.verify(REFUTED, z=1).evidence) == 1
        assert set(narrow.verify(REFUTED).distances) == {"SUPPORTS", "REFUTES"}
        assert set(narrow.verify(REFUTED, two_class=False).distances) == set(memmatch.Label)
        assert narrow.rule == "none" and narrow.verify(REFUTED).confidence is None
        assert "beams" in narrow.verify(REFUTED, explain=True).to_dict()


def test_int8_is_another_precision_with_a_calibration_of_its_own(store):
    with memmatch.Verifier(store=store, model=MODEL, precision="int8") as verifier:
        assert verifier.verify(SUPPORTED).label == "SUPPORTS"
        assert verifier.rule == "confidence:0.8"


def test_check_judges_sentences_and_leaves_out_questions(verifier):
    sentences = verifier.check(f"{SUPPORTED} Was she a poet?")
    assert [one.text for one in sentences] == [SUPPORTED, "Was she a poet?"]
    assert sentences[0].verdict.label == "SUPPORTS" and sentences[0].not_judged is None
    assert sentences[1].verdict is None and sentences[1].not_judged == "it is a question"


def test_a_checked_text_is_what_the_program_prints(verifier, demo, program, tmp_path):
    text = f"{SUPPORTED} Was she a poet?\n"
    (tmp_path / "draft.txt").write_text(text)
    printed = program("check", tmp_path / "draft.txt", "--store", demo, "--model", MODEL, "--json")
    ours = [one.to_dict() for one in verifier.check(text)]
    for one in (*printed, *ours):
        one.pop("file", None)  # which has a name there
        one.get("verdict", {}).pop("seconds", None)
    assert ours == printed


def test_check_takes_documents_in_one_call():
    sentences = memmatch.check("The pool is closed on Mondays.",
                               documents=["The pool is closed on Mondays."], model=MODEL)
    assert [one.verdict.label for one in sentences] == ["SUPPORTS"]


def test_score_has_minichecks_shape(verifier):
    document = "The pool is closed on Mondays. It opens at nine."
    labels, probabilities = verifier.score(
        docs=[document, document], claims=["The pool is closed on Mondays.", "The pool has a sauna."])
    assert labels == [1, 0]
    assert probabilities[0] > 0.5 > probabilities[1] >= 0
    with_model = memmatch.score([document], ["The pool is closed on Mondays."], model=MODEL)
    assert with_model == (labels[:1], probabilities[:1])


def test_evaluate_compares_with_labels(verifier):
    claims = [json.loads(line) for line in
              (ROOT / "examples" / "demo" / "claims.jsonl").read_text().splitlines()][:20]
    texts = [claim["claim"] for claim in claims]
    labels = [claim["label"] for claim in claims]
    figures = verifier.evaluate(texts, labels, kinds=["first"] * 10 + ["second"] * 10)
    right = sum(v.label == label for v, label in zip(verifier.verify(texts), labels))
    assert figures["claims"] == 20
    assert figures["accuracy"] == pytest.approx(100 * right / 20)
    assert figures["kinds"]["first"]["claims"] == 10


def test_align_says_which_words_met(verifier, demo, program):
    alignment = verifier.align(SUPPORTED)
    (printed,) = program("align", SUPPORTED, "--store", demo, "--model", MODEL, "--json")
    assert alignment.to_dict() == printed["alignments"][0]
    assert any("London" in words.query and words.support.startswith("London")
               for words in alignment.words)
    assert verifier.align(SUPPORTED, level=3, label="REFUTES").level == 3
    assert kind_of(verifier.align, SUPPORTED, evidence=9)[0] == "invalid_argument"


def test_rerank_puts_the_nearest_first(verifier):
    ranked = verifier.rerank("Who was born in London?",
                             ["Bees make honey.", ("Ada Lovelace", "She was born in London.")])
    assert [one.index for one in ranked] == [1, 0]
    assert 1 >= ranked[0].relevance > ranked[1].relevance > 0
    assert len(verifier.rerank("Bees", ["Bees make honey.", "Rain falls."], top=1)) == 1


def test_an_edit_is_seen_by_a_verifier_that_is_open(store):
    claim = "Yuri Gagarin had two daughters."
    with memmatch.Verifier(store=store, model=MODEL) as verifier:
        assert verifier.verify(claim).label == "NOT ENOUGH INFO"
        with memmatch.Datastore(store, "write") as facts:
            facts.add("Yuri Gagarin", "He had two daughters.")
        assert verifier.verify(claim).label == "SUPPORTS"


def test_the_shipped_model_is_found_without_being_named(monkeypatch, demo):
    monkeypatch.setenv("MEMMATCH_MODEL", str(MODEL))
    assert memmatch.default_model() == pathlib.Path(MODEL)
    with memmatch.Verifier(demo) as verifier:
        assert verifier.verify(SUPPORTED).label == "SUPPORTS"
