// FEVER's claim and prediction files.

import {LABELS} from './labels.js';

function check(row, where) {
  const fail = (what) => { throw new Error(`${where}: ${what}`); };
  if (row === null || typeof row !== 'object' || Array.isArray(row)) fail('not a JSON object');
  if (typeof row.claim !== 'string' || row.claim.trim() === '') fail('field ‘claim’ is missing or empty');
  if (row.label === undefined || row.label === null) return;
  if (typeof row.label !== 'string' || !LABELS.includes(row.label.toUpperCase()))
    fail(`label ‘${row.label}’ is none of ${LABELS.join(', ')}`);
  if (!Array.isArray(row.evidence)) return;
  const entry = (value) => Array.isArray(value) && value.length >= 4;
  if (!row.evidence.every((set) => Array.isArray(set) && set.every(entry)))
    fail('each entry of ‘evidence’ must be a list of [annotation, id, title, number]');
}

// Rows with at least `claim`. Throws Error naming file and line of the first bad one.
export function parseClaims(text, name) {
  const rows = [];
  text.replace(/^\uFEFF/, '').split('\n').forEach((line, at) => {
    if (line.trim() === '') return;
    const where = `${name}:${at + 1}`;
    let row;
    try {
      row = JSON.parse(line);
    } catch {
      throw new Error(`${where}: not JSON; there must be one object a line`);
    }
    check(row, where);
    rows.push(row);
  });
  if (rows.length === 0) throw new Error(`${name}: there is no claim in it`);
  return rows;
}

// Whether the official score can be had: only claims that may be unverifiable lack gold sets.
export const hasGold = (row) =>
  row.label.toUpperCase() === 'NOT ENOUGH INFO' || Array.isArray(row.evidence);

export function predictionOf(row, verdict) {
  const prediction = row.id === undefined || row.id === null ? {} : {id: row.id};
  prediction.predicted_label = verdict.label;
  prediction.predicted_evidence =
    verdict.evidence.map((sentence) => [sentence.raw_title, sentence.number]);
  if (verdict.admission || verdict.exemplars) {
    prediction.admitted = (verdict.admission?.admitted ?? true) && (verdict.exemplars?.admitted ?? true);
  }
  if (typeof verdict.admission?.confidence === 'number')
    prediction.confidence = verdict.admission.confidence;
  return prediction;
}

export const toLines = (predictions) =>
  predictions.map((prediction) => JSON.stringify(prediction) + '\n').join('');
