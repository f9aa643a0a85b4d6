// What the page says of verdicts, without a browser.

import assert from 'node:assert/strict';
import test from 'node:test';

const source = `${process.cwd()}/${process.env.PAGE_BUILD ?? 'build/page'}/source`;
const {decisionOf, trustOf} = await import(`${source}/labels.js`);

const near = (gold_label, distance) => ({gold_label, predicted_label: 'REFUTES', distance});
const verdict = (nearest, more = {}) => ({
  label: 'REFUTES',
  exemplars: {admitted: true, model_label: 'REFUTES', true_positive: false, update: [], nearest, ...more},
});

test('a correction of the very same decision holds, one of a similar decision does not', () => {
  assert.deepEqual(decisionOf(verdict([near('SUPPORTS', 4e-5)])).label, 'SUPPORTS');
  assert.equal(decisionOf(verdict([near('SUPPORTS', 4e-5)])).by, 'correction');
  assert.equal(decisionOf(verdict([near('SUPPORTS', 0.2)])).by, 'model');
  assert.equal(decisionOf(verdict([near('REFUTES', 4e-5)])).by, 'model');
  assert.equal(decisionOf({label: 'REFUTES'}).by, 'model');
});

test('where ExA_update gave the label, the model’s is still known', () => {
  const updated = verdict([], {update: [near('SUPPORTS', 2)]});
  updated.label = 'SUPPORTS';
  assert.deepEqual([decisionOf(updated).label, decisionOf(updated).model, decisionOf(updated).by],
    ['SUPPORTS', 'REFUTES', 'update']);
});

test('a verdict is admitted if neither rule refuses it, and says why not', () => {
  const admitted = {rule: 'confidence:0.8', admitted: true, confidence: 0.93, reasons: []};
  const refused = {rule: 'mean', admitted: false, confidence: null, reasons: ['too far']};
  const info = {calibrated: true};
  assert.deepEqual(trustOf({label: 'REFUTES', admission: admitted}, info),
    {admitted: true, words: 'Admitted', reasons: ['the confidence is at least 80 %'], confidence: 'confidence 93 %'});
  assert.deepEqual(trustOf({label: 'REFUTES', admission: refused}, info),
    {admitted: false, words: 'Not admitted', reasons: ['too far']});
  const unlike = verdict([near('SUPPORTS', 2)], {admitted: false});
  assert.equal(trustOf({...unlike, admission: admitted}, info).admitted, false);
  assert.equal(trustOf({label: 'REFUTES'}, {calibrated: false}).admitted, null);
});
