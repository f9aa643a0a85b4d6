// Labels and verdicts in words.

export const LABELS = ['SUPPORTS', 'REFUTES', 'NOT ENOUGH INFO'];

const kWords = {SUPPORTS: 'Supported', REFUTES: 'Refuted', 'NOT ENOUGH INFO': 'Not enough info'};
const kClasses = {SUPPORTS: 'supports', REFUTES: 'refutes', 'NOT ENOUGH INFO': 'unverifiable'};

export const wordOf = (label) => kWords[label] ?? label;
export const classOf = (label) => kClasses[label] ?? '';

// An exemplar of the very same decision is at no distance but for rounding.
const kSame = 0.001;

// What holds, and on whose word: 'model'; 'update', where ExA_update took a correction's label;
// 'correction', where a person has said of this very decision that another label is right.
export function decisionOf(verdict) {
  const audit = verdict.exemplars;
  if (!audit) return {label: verdict.label, model: verdict.label, by: 'model'};
  if (audit.update.length > 0)
    return {label: verdict.label, model: audit.model_label, by: 'update', exemplar: audit.update[0]};
  const [nearest] = audit.nearest;
  if (nearest && nearest.distance < kSame && nearest.gold_label !== verdict.label)
    return {label: nearest.gold_label, model: verdict.label, by: 'correction', exemplar: nearest};
  return {label: verdict.label, model: verdict.label, by: 'model'};
}

const kRules = {mean: 'both distances are below the average of right ones'};

export function ruleWords(rule) {
  if (kRules[rule]) return kRules[rule];
  const [name, share] = rule.split(':');
  const percent = `${Math.round(Number(share) * 100)} %`;
  if (name === 'confidence') return `the confidence is at least ${percent}`;
  if (name === 'quantile') return `the distances are within those of ${percent} of right ones`;
  return rule;
}

// Whether to rely on a verdict: {admitted: true, false or null, words, reasons}.
export function trustOf(verdict, info) {
  const {admission, exemplars} = verdict;
  const decision = decisionOf(verdict);
  if (decision.by !== 'model') {
    return {admitted: true, words: 'Corrected', reasons: [
      `The model says “${wordOf(decision.model)}”; ` + (decision.by === 'update'
        ? 'the evidence was edited, and the nearest correction says otherwise.'
        : 'a known decision, this very one, was corrected.')]};
  }
  const known = exemplars && exemplars.nearest.length > 0
    ? [`the nearest known decision ${exemplars.true_positive ? 'speaks' : 'does not speak'} for it`] : [];
  const reasons = [...(admission?.reasons ?? [])];
  if (exemplars && !exemplars.admitted && known.length === 0) reasons.push('there is no known decision that it resembles');
  if (admission?.admitted === false || exemplars?.admitted === false)
    return {admitted: false, words: 'Not admitted', reasons: [...reasons, ...known], ...confidenceOf(admission)};
  if (admission) {
    return {admitted: true, words: 'Admitted', reasons: [ruleWords(admission.rule), ...known],
      ...confidenceOf(admission)};
  }
  const why = info.calibrated ? 'no rule of admission is chosen'
    : 'the model is not calibrated, so nothing says how far to trust it';
  return {admitted: null, words: 'Not judged', reasons: [why, ...known]};
}

function confidenceOf(admission) {
  const confidence = admission?.confidence;
  return confidence === null || confidence === undefined ? {}
    : {confidence: `confidence ${Math.round(confidence * 100)} %`};
}

// What an exemplar says about the verdict's label.
export function kindWords(exemplar, label) {
  const right = exemplar.gold_label === exemplar.predicted_label;
  if (exemplar.kind === 'tp') return `Rightly decided “${wordOf(label)}”: it speaks for this verdict.`;
  if (exemplar.kind === 'fp') return `The model said “${wordOf(label)}” there too, and was wrong.`;
  if (exemplar.kind === 'fn') return `“${wordOf(label)}” was right there; the model had said otherwise.`;
  return right ? `Rightly decided, with another label than “${wordOf(label)}”.`
    : `Wrongly decided, and neither label is “${wordOf(label)}”.`;
}
