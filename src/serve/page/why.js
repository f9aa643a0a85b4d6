// "Why?": the known decisions that a verdict resembles, beside its claim.

import {relabel} from './changes.js';
import {guarded, h, number, plural} from './dom.js';
import {classOf, decisionOf, kindWords, LABELS, wordOf} from './labels.js';
import {session, whyReadOnly} from './session.js';

const kShown = 3;

function evidence(sentences) {
  const others = sentences.length - kShown;
  return h('ul', {class: 'small plain'}, sentences.slice(0, kShown).map((sentence) =>
    h('li', {}, h('span', {class: 'soft'}, `${sentence.title}, ${sentence.number}: `), sentence.text)),
  others > 0 && h('li', {class: 'soft'}, `and ${plural(others, 'other sentence')}`));
}

function labelSelect(exemplar, act) {
  const id = `exemplar-${exemplar.id}`;
  const select = h('select', {id, disabled: whyReadOnly() !== null},
    LABELS.map((label) =>
      h('option', {value: label, selected: label === exemplar.gold_label}, wordOf(label))));
  select.addEventListener('change', guarded(async () => {
    try {
      await act(() => relabel(exemplar, select.value));
    } catch (error) {
      select.value = exemplar.gold_label;
      throw error;
    }
  }));
  return [h('label', {for: id}, 'Right label'), select];
}

function exemplarItem(exemplar, label, act) {
  const relabelled = exemplar.first_gold_label !== exemplar.gold_label;
  return h('li', {class: `exemplar ${classOf(exemplar.gold_label)}`},
    h('p', {class: 'claim-text'}, exemplar.claim),
    evidence(exemplar.evidence),
    h('p', {class: 'small'}, kindWords(exemplar, label)),
    h('div', {class: 'row small'}, labelSelect(exemplar, act),
      h('span', {class: 'soft'}, `The model had said “${wordOf(exemplar.predicted_label)}”.`),
      relabelled && h('span', {class: 'flag edited'}, `was “${wordOf(exemplar.first_gold_label)}”`)),
    h('p', {class: 'soft small figures'},
      h('span', {}, 'Distance ', h('b', {}, number(exemplar.distance))),
      h('span', {}, `from ${exemplar.tag}`)));
}

function nothing() {
  return session.info.exemplars
    ? 'There are no known decisions yet. Those that you correct become the first ones.'
    : 'This server has no exemplars: start it with --exemplars to see which known decisions a verdict resembles.';
}

export function whyPanel(verdict, act) {
  const audit = verdict.exemplars;
  const model = decisionOf(verdict).model;
  const near = audit ? audit.nearest : [];
  return h('section', {class: 'panel', 'aria-labelledby': 'why-title'},
    h('h2', {id: 'why-title', tabindex: '-1'}, 'Why?'),
    h('p', {class: 'soft'}, 'The known decisions that this one resembles most. A wrong one can be relabelled.'),
    h('div', {class: 'sides'},
      h('div', {class: 'side known'},
        h('h3', {}, 'This claim'),
        h('p', {class: 'claim-text'}, verdict.claim),
        evidence(verdict.evidence),
        h('p', {class: 'small'}, `The model says “${wordOf(model)}”.`)),
      h('div', {class: 'side'},
        h('h3', {}, 'Nearest known decisions'),
        near.length === 0 ? h('p', {}, nothing())
          : h('ol', {class: 'plain exemplars'}, near.map((exemplar) => exemplarItem(exemplar, model, act))))));
}
