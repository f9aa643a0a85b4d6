"""Whatever is passed, an exception says what to do, and the interpreter and the object go on."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import memmatch
from conftest import TINY, kind_of

CLAIM = "Ada Lovelace was born in London."


@pytest.mark.parametrize("wrong", [None, 3, b"bytes", 2.5, {"claim": 1}, [1, 2], [CLAIM, None],
                                   object()])
def test_claims_of_other_types_are_refused(tiny, wrong):
    with pytest.raises(memmatch.WrongType, match="must be a") as raised:
        tiny.verify(wrong)
    assert isinstance(raised.value, TypeError) and raised.value.kind == "invalid_argument"


@pytest.mark.parametrize("wrong, message", [
    ({"k1": 0}, "k1 is 0; it must be from 1"), ({"z": -1}, "z is -1"), ({"k1": 2**70}, "k1 is"),
    ({"candidates": "some"}, "auto, cover, words, all"), ({"precision": "fp8"}, "fp32, int8"),
    ({"threads": -1}, "threads"), ({"admit": "surely"}, "surely"),
    ({"exa_max_distance": float("nan")}, "exa_max_distance is nan"),
    ({"memory_limit": -5}, "memory_limit"), ({"store": ""}, "no path"),
    ({"store": "a\0b"}, "no path"), ({"store": "x.db", "documents": ["x"]}, "give one of"),
    ({"documents": []}, ""), ({"documents": [" "]}, "")])
def test_settings_that_make_no_sense_are_named(wrong, message):
    kind, said = kind_of(memmatch.Verifier, model=TINY, **wrong)
    assert kind == "invalid_argument" and message in said


@pytest.mark.parametrize("wrong", [
    {"k1": "5"}, {"k1": 2.0}, {"k1": True}, {"two_class": 1}, {"store": 3}, {"store": b"x.db"},
    {"threads": None}, {"documents": "text"}, {"documents": [3]}, {"documents": [("a", "b", "c")]},
    {"admit": 0.8}, {"exa_max_distance": "near"}, {"model": 3}, {"paths": "notes"}])
def test_settings_of_other_types_are_refused(wrong):
    with pytest.raises(memmatch.WrongType, match=next(iter(wrong))):
        memmatch.Verifier(**{"model": TINY, **wrong})


def test_files_that_are_not_there_are_named(tmp_path, demo):
    kind, message = kind_of(memmatch.Verifier, tmp_path / "none.db", model=TINY)
    assert kind == "not_found" and "none.db" in message
    kind, message = kind_of(memmatch.Verifier, demo, model=tmp_path / "none")
    assert kind == "not_found" and "none" in message
    assert kind_of(memmatch.Verifier, demo, model=TINY, exemplars=tmp_path / "no.db")[0] == (
        "not_found")


@pytest.mark.parametrize("claim", ["", "   ", "\ud800", "a\udfffb"])
def test_claims_without_a_text_are_refused(tiny, claim):
    assert kind_of(tiny.verify, claim)[0] == "invalid_argument"


@pytest.mark.parametrize("claim", ["\0", "a\0b", "\x1b[31m", "🙂" * 50, "x" * 100_000, "a " * 5000,
                                   "ﷺ", "e\u0301", "\u202e"])
def test_odd_claims_have_verdicts(tiny, claim):
    try:
        assert tiny.verify(claim).label in memmatch.Label
    except memmatch.Error as error:
        assert error.kind == "invalid_argument"


def test_evidence_and_labels_must_be_as_many_as_claims(tiny):
    for action in (lambda: tiny.verify([CLAIM], evidence=[]),
                   lambda: tiny.verify(CLAIM, evidence=[]),
                   lambda: tiny.verify(CLAIM, evidence=" "),
                   lambda: tiny.score(["x"], []),
                   lambda: tiny.evaluate([CLAIM], []),
                   lambda: tiny.evaluate([], []),
                   lambda: tiny.evaluate([CLAIM], ["perhaps"]),
                   lambda: tiny.evaluate([CLAIM], ["SUPPORTS"], kinds=["a", "b"])):
        assert kind_of(action)[0] == "invalid_argument"


def test_a_score_needs_a_calibration(tiny):
    kind, message = kind_of(tiny.score, ["The pool is open."], ["The pool is open."])
    assert kind == "not_found" and "calibrat" in message


def test_without_a_store_evidence_must_come_with_the_claim():
    with memmatch.Verifier(model=TINY) as alone:
        assert kind_of(alone.verify, CLAIM)[0] == "invalid_argument"
        assert alone.verify(CLAIM, evidence="She was born in London.").label in memmatch.Label


def test_what_was_closed_says_so(store, tmp_path):
    verifier = memmatch.Verifier(store, model=TINY)
    facts = memmatch.Datastore(store)
    exemplars = memmatch.Exemplars(tmp_path / "e.db")
    for opened in (verifier, facts, exemplars):
        opened.close()
        opened.close()
        assert opened.closed
    for action in (lambda: verifier.verify(CLAIM), lambda: verifier.embed(["x"]),
                   lambda: verifier.check("x is y."), lambda: verifier.align(CLAIM),
                   lambda: verifier.rerank("x", ["y"]), verifier.index, lambda: verifier.rule,
                   facts.stats, exemplars.list):
        kind, message = kind_of(action)
        assert kind == "invalid_argument" and "was closed" in message


def test_half_made_objects_do_no_harm():
    for type_ in (memmatch.Verdict, memmatch.Evidence, memmatch.Sentence):
        with pytest.raises(TypeError):
            type_()
        with pytest.raises(TypeError):
            type_.__new__(type_).text


def test_threads_take_turns_on_one_verifier(tiny):
    claims = [CLAIM, "Bees make honey.", "Alan Turing spoke French."]
    expected = [one.label for one in tiny.verify(claims)]
    failures = []

    def work():
        for _ in range(20):
            found = [one.label for one in tiny.verify(claims)]
            if found != expected:
                failures.append(found)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_closing_while_another_thread_works_ends_in_an_error(store):
    verifier = memmatch.Verifier(store, model=TINY, threads=1)
    errors = []

    def work():
        try:
            while True:
                verifier.verify(CLAIM)
        except memmatch.Error as error:
            errors.append(error.kind)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.1)
    verifier.close()
    for thread in threads:
        thread.join()
    assert errors == ["invalid_argument"] * 3


def test_other_threads_run_while_the_engine_works(verifier):
    counted = [0]
    done = threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    verifier.verify([CLAIM] * 64)
    during = counted[0] - before
    done.set()
    thread.join()
    assert during > 1000


def test_ctrl_c_ends_a_batch_and_the_verifier_goes_on(tiny):
    pressed = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        tiny.verify([CLAIM] * 100_000)
    pressed.join()
    assert tiny.verify(CLAIM).label in memmatch.Label


def test_ctrl_c_while_waiting_for_another_thread(tiny):
    thread = threading.Thread(target=lambda: tiny.verify([CLAIM] * 2560))
    thread.start()
    time.sleep(0.05)
    pressed = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    pressed.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100_000):
            tiny.verify([CLAIM] * 64)
    pressed.join()
    thread.join()
    assert tiny.verify(CLAIM).label in memmatch.Label


def test_a_handler_of_signals_that_uses_the_verifier_is_told_not_to(tiny):
    def handler(*_):
        tiny.verify(CLAIM)

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)  # the first may come before the work
    try:
        kind, message = kind_of(tiny.verify, [CLAIM] * 100_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert kind == "conflict" and "handler of signals" in message


def test_a_fork_is_told_to_open_its_own(tiny):
    child = os.fork()
    if child == 0:
        try:
            tiny.verify(CLAIM)
        except memmatch.Error as error:
            os._exit(0 if error.kind == "conflict" else 1)
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert tiny.verify(CLAIM).label in memmatch.Label


@pytest.mark.parametrize("script", [
    "import memmatch, sys; v = memmatch.Verifier(sys.argv[1], model=sys.argv[2]); v.verify('Bees')",
    # Ends while a thread is at work.
    "import memmatch, sys, threading\n"
    "v = memmatch.Verifier(sys.argv[1], model=sys.argv[2])\n"
    "threading.Thread(target=lambda: v.verify(['Bees make honey.'] * 300)).start()",
    # A child that ends as processes do.
    "import memmatch, sys, os\n"
    "v = memmatch.Verifier(sys.argv[1], model=sys.argv[2])\n"
    "v.verify('Bees make honey.')\n"
    "child = os.fork()\n"
    "if child: sys.exit(os.waitpid(child, 0)[1])"])
def test_programs_end_well_with_a_verifier_open(store, script):
    done = subprocess.run([sys.executable, "-c", script, store, TINY], capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 0, done.stderr
