// The page's scorer and its reader of claim files, without a browser.

import assert from 'node:assert/strict';
import test from 'node:test';

// `run` copies the page to where Node takes its files for modules.
const source = `${process.cwd()}/${process.env.PAGE_BUILD ?? 'build/page'}/source`;
const {parseClaims, predictionOf} = await import(`${source}/claims.js`);
const {feverScore, withNfcTitles} = await import(`${source}/score.js`);

const row = (label, evidence, predicted_label, predicted_evidence) =>
  ({label, evidence, predicted_label, predicted_evidence});
const entry = (title, number) => [null, null, title, number];

test('a right label without a complete gold set is accurate and no FEVER point', () => {
  const score = feverScore([
    row('SUPPORTS', [[entry('A', 0), entry('B', 1)], [entry('C', 2)]], 'SUPPORTS', [['A', 0], ['D', 0]]),
    row('REFUTES', [[entry('A', 0), entry('B', 1)]], 'REFUTES', [['B', 1], ['A', 0], ['D', 0], ['D', 1]]),
  ]);
  assert.equal(score.accuracy, 1);
  assert.equal(score.fever_score, 0.5);
  assert.equal(score.recall, 0.5);
  assert.equal(score.precision, 0.5);
  assert.equal(score.f1, 0.5);
});

test('only the first five sentences count, repeated ones each time', () => {
  const late = [['D', 0], ['D', 0], ['D', 0], ['D', 0], ['D', 0], ['A', 0]];
  assert.equal(feverScore([row('SUPPORTS', [[entry('A', 0)]], 'SUPPORTS', late)]).fever_score, 0);
  const twice = [['A', 0], ['A', 0], ['D', 0], ['D', 1]];
  assert.equal(feverScore([row('SUPPORTS', [[entry('A', 0)]], 'SUPPORTS', twice)]).precision, 0.5);
});

test('unverifiable claims need the label only, in any case of letters', () => {
  const score = feverScore([row('not enough info', undefined, 'NOT ENOUGH INFO', [])]);
  assert.deepEqual([score.accuracy, score.fever_score, score.precision, score.recall], [1, 1, 1, 0]);
});

test('an empty gold set is complete, one with null never is, none at all counts for recall only', () => {
  const of = (evidence) => feverScore([row('SUPPORTS', evidence, 'SUPPORTS', [['A', 0]])]);
  assert.deepEqual([of([[]]).fever_score, of([[]]).recall], [1, 1]);
  const nulled = of([[entry('A', 0), entry(null, null)]]);
  assert.deepEqual([nulled.fever_score, nulled.recall, nulled.precision], [0, 0, 1]);
  assert.deepEqual([of([]).fever_score, of([]).recall], [0, 1]);
});

test('titles are compared as they stand, and in form C where asked', () => {
  const rows = [row('SUPPORTS', [[entry('Beyonce\u0301', 0)]], 'SUPPORTS', [['Beyonc\u00e9', 0]])];
  assert.equal(feverScore(rows).fever_score, 0);
  assert.equal(feverScore(withNfcTitles(rows)).fever_score, 1);
});

test('a bad line of a claim file is named', () => {
  assert.equal(parseClaims('\uFEFF{"claim": "a"}\r\n\n{"claim": "b", "label": "supports"}', 'f').length, 2);
  assert.throws(() => parseClaims('{"claim": "a"}\n{"claim":', 'dev.jsonl'), /dev\.jsonl:2: not JSON/);
  assert.throws(() => parseClaims('{"claim": " "}', 'f'), /f:1: field ‘claim’/);
  assert.throws(() => parseClaims('{"claim": "a", "label": "MAYBE"}', 'f'), /MAYBE/);
  assert.throws(() => parseClaims('{"claim": "a", "label": "SUPPORTS", "evidence": [["x"]]}', 'f'), /evidence/);
  assert.throws(() => parseClaims('\n', 'f'), /no claim/);
});

test('a prediction is what memmatch predict writes', () => {
  const verdict = {label: 'REFUTES', evidence: [{title: 'Moon', raw_title: 'Moon_', number: 2}],
    admission: {admitted: false, confidence: 0.25}};
  assert.equal(JSON.stringify(predictionOf({id: 7, claim: 'x'}, verdict)),
    '{"id":7,"predicted_label":"REFUTES","predicted_evidence":[["Moon_",2]],"admitted":false,"confidence":0.25}');
});
