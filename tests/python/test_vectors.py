import gc
import json
import subprocess

import numpy
import pytest

import memmatch
from conftest import PROGRAM, TINY, kind_of

TEXTS = ["Ada Lovelace was born in London.", "", "An engine", "x"]


@pytest.mark.parametrize("pooling, role", [("mean", "query"), ("level1", "query"),
                                           ("level1", "support"), ("level3", "query")])
def test_vectors_are_those_that_embed_prints(tiny, program, pooling, role):
    printed = subprocess.run(
        [PROGRAM, "embed", "--model", TINY, "--pooling", pooling, "--role", role, "--normalize"],
        input="\n".join(TEXTS) + "\n", capture_output=True, text=True, check=True)
    theirs = numpy.array([json.loads(line)["vector"] for line in printed.stdout.splitlines()],
                         dtype=numpy.float32)
    ours = tiny.embed(TEXTS, pooling=pooling, role=role, normalize=True)
    assert ours.dtype == numpy.float32 and ours.flags.c_contiguous
    numpy.testing.assert_array_equal(ours, theirs)


def test_an_array_outlives_the_verifier_that_made_it(store):
    with memmatch.Verifier(store=store, model=TINY) as verifier:
        vectors = verifier.embed(TEXTS)
        before = vectors.copy()
    del verifier
    gc.collect()
    numpy.testing.assert_array_equal(vectors, before)
    assert not vectors.flags.owndata  # the memory that the engine has written to


def test_no_texts_are_no_rows(tiny):
    assert tiny.embed([]).shape == (0, tiny.embed("x").shape[1])


def test_a_difference_vector_is_the_verdicts_own_memory(tiny):
    verdict = tiny.verify("Ada Lovelace was born in London.", difference=True)
    difference = verdict.difference
    assert difference.dtype == numpy.float32 and len(difference) > 0
    assert difference.__array_interface__["data"] == verdict.difference.__array_interface__["data"]
    with pytest.raises(ValueError):
        difference[0] = 1
    kept = difference.copy()
    del verdict
    gc.collect()
    numpy.testing.assert_array_equal(difference, kept)


def test_distances_are_the_papers(tiny):
    queries = tiny.embed(TEXTS, pooling="level1")
    supports = tiny.embed(TEXTS[:2], pooling="level1", role="support")
    expected = numpy.linalg.norm(queries[:, None] - supports[None] + 1e-6, axis=2)
    numpy.testing.assert_allclose(memmatch.distances(queries, supports), expected, rtol=1e-5)


def test_arrays_that_cannot_be_compared_are_refused(tiny):
    good = tiny.embed(TEXTS, pooling="level1")
    bad = good.copy()
    bad[2, 0] = numpy.nan
    kind, message = kind_of(memmatch.distances, good, bad)
    assert kind == "invalid_argument" and "supports: row 2" in message
    bad[2, 0] = numpy.inf
    assert "queries: row 2" in kind_of(memmatch.distances, bad, good)[1]
    for wrong in (good.astype(numpy.float64), [[1.0]], "text", None):
        with pytest.raises(TypeError, match="float32"):
            memmatch.distances(wrong, good)
    for wrong in (good[0], good[:, ::2], good.T, good[:, :3].copy()):
        assert kind_of(memmatch.distances, wrong, good)[0] == "invalid_argument"
