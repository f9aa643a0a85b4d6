// The FEVER shared task's five numbers, by its scorer's definitions (docs/evaluation.md, src/eval).

const kMostEvidence = 5;

const same = (a, b) => a[0] === b[0] && a[1] === b[1];
const within = (sentences, one) => sentences.some((sentence) => same(sentence, one));
const share = (part, whole, ifNone) => (whole === 0 ? ifNone : part / whole);

// A gold set as the official scorer sees it: no prediction contains a sentence named by null.
function setOf(entries) {
  const sentences = entries.map((entry) => [entry[2], entry[3]]);
  return {
    sentences: sentences.filter(([title, number]) => title !== null && number !== null),
    unreachable: sentences.some(([title, number]) => title === null || number === null),
  };
}

// rows: {label, evidence, predicted_label, predicted_evidence}, `label` and `evidence` as in a claim
// file, predictions as in a prediction file.
export function feverScore(rows) {
  let correct = 0, strict = 0, verifiable = 0, recalled = 0, precision = 0;
  for (const row of rows) {
    const gold = row.label.toUpperCase();
    const right = gold === row.predicted_label.toUpperCase();
    correct += right;
    if (gold === 'NOT ENOUGH INFO') {
      strict += right;
      continue;
    }
    const sets = (Array.isArray(row.evidence) ? row.evidence : []).map(setOf);
    const predicted = row.predicted_evidence.slice(0, kMostEvidence);
    const complete = sets.some((set) => !set.unreachable &&
      set.sentences.every((sentence) => within(predicted, sentence)));
    const hits = predicted.filter((one) => sets.some((set) => within(set.sentences, one))).length;
    ++verifiable;
    strict += right && complete;
    recalled += complete || sets.length === 0;
    precision += share(hits, predicted.length, 1);
  }
  const score = {
    claims: rows.length,
    verifiable,
    fever_score: share(strict, rows.length, 0),
    accuracy: share(correct, rows.length, 0),
    precision: share(precision, verifiable, 1),
    recall: share(recalled, verifiable, 0),
  };
  const sum = score.precision + score.recall;
  score.f1 = sum === 0 ? 0 : 2 * score.precision * score.recall / sum;
  return score;
}

// The same rows with titles in Unicode's form C: claim files and dumps spell some differently.
export function withNfcTitles(rows) {
  const nfc = (title) => (typeof title === 'string' ? title.normalize('NFC') : title);
  return rows.map((row) => ({
    ...row,
    evidence: Array.isArray(row.evidence)
      ? row.evidence.map((set) => set.map((entry) => [entry[0], entry[1], nfc(entry[2]), entry[3]]))
      : row.evidence,
    predicted_evidence: row.predicted_evidence.map(([title, number]) => [nfc(title), number]),
  }));
}
