// A verdict as elements.

import {h, number, plural} from './dom.js';
import {classOf, decisionOf, LABELS, trustOf, wordOf} from './labels.js';
import {session} from './session.js';

export const farthest = (verdict) =>
  Math.max(0, ...LABELS.map((label) => verdict.label_distances[label] ?? 0));

// The three labels' distances; `scale` is the longest bar's.
export function bars(verdict, scale = farthest(verdict)) {
  const decision = decisionOf(verdict);
  const none = verdict.evidence.length === 0 ? '–' : 'left out';
  return h('ul', {class: 'bars', 'aria-label': 'Distances of the labels; the nearest one is the model’s verdict'},
    LABELS.map((label) => {
      const distance = verdict.label_distances[label];
      const width = distance === null || scale === 0 ? 0 : 100 * distance / scale;
      return h('li', {class: `${classOf(label)} ${label === decision.model ? 'nearest' : ''}`},
        h('span', {class: 'bar-name'}, wordOf(label)),
        h('span', {class: 'track', 'aria-hidden': 'true'},
          h('span', {class: 'bar', vars: {'--width': `${width}%`}})),
        h('span', {class: 'figure'}, distance === null ? none : number(distance)));
    }));
}

// A whole sentence ends with a stop, whoever wrote it.
const sentence = (text) => {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…”]$/.test(first) ? first : `${first}.`;
};

export function trustLine(verdict) {
  const trust = trustOf(verdict, session.info);
  const state = trust.admitted === null ? 'unknown' : trust.admitted ? 'yes' : 'no';
  return h('p', {class: `trust ${state}`},
    h('strong', {}, trust.words), trust.confidence && ` · ${trust.confidence}`,
    h('span', {class: 'soft reasons'}, trust.reasons.map(sentence).join(' ')));
}

export const labelName = (verdict, tag = 'p') => {
  const {label} = decisionOf(verdict);
  return h(tag, {class: `label ${classOf(label)}`, tabindex: tag === 'h2' ? '-1' : null}, wordOf(label));
};

export function searchedLine(verdict) {
  const {origin, count} = verdict.candidates;
  const sentences = plural(count, 'sentence');
  const where = {
    auto: `${sentences} that the claim names or shares words with`,
    words: `${sentences} that share words with the claim`,
    cover: `${sentences} of the documents that the claim names`,
    all: `${sentences}, the whole datastore`,
    fallback: `${sentences}, the whole datastore, since no title or word of the claim was found`,
    given: 'the evidence that was given',
  }[origin] ?? sentences;
  const seconds = Object.values(verdict.seconds ?? {}).reduce((sum, part) => sum + part, 0);
  return h('p', {class: 'soft small'},
    `Chosen from ${where}, in ${seconds < 1 ? `${Math.max(1, Math.round(seconds * 1000))} ms` : `${number(seconds, 1)} s`}.`,
    (verdict.warnings ?? []).map((warning) => ` ${sentence(warning)}`));
}

function flags(sentence) {
  const flag = (text, why, kind = '') => h('span', {class: `flag ${kind}`, title: why}, text);
  return [
    sentence.edited && flag('edited', 'The text is not the one that was imported', 'edited'),
    sentence.pieces_seen === 0 && flag('not read', 'It did not fit into what level 3 reads'),
    sentence.pieces_seen > 0 && sentence.pieces_seen < sentence.pieces &&
      flag('cut', `Level 3 read ${sentence.pieces_seen} of its ${sentence.pieces} word pieces`),
  ];
}

export const documentLink = (title, raw, number_) =>
  `#/document?${new URLSearchParams({title: raw ?? title, ...(number_ === undefined ? {} : {sentence: number_})})}`;

// One sentence of the evidence. `tools`, where given, makes its buttons from the paragraph.
export function evidenceItem(sentence, tools) {
  const paragraph = h('p', {class: 'sentence'}, sentence.text);
  return h('li', {tabindex: '-1', 'data-sentence': sentence.id},
    h('p', {class: 'source'},
      h('a', {href: documentLink(sentence.title, sentence.raw_title, sentence.number)}, sentence.title),
      h('span', {class: 'soft'}, ` sentence ${sentence.number}`), flags(sentence)),
    paragraph,
    h('div', {class: 'foot'},
      h('p', {class: 'soft small figures'},
        h('span', {}, 'Level 2 ', h('b', {}, number(sentence.level2_distance))),
        h('span', {}, 'Level 1 ', h('b', {}, number(sentence.level1_distance)),
          ` (rank ${sentence.level1_rank + 1})`),
        h('span', {}, 'Shared letters ', h('b', {}, sentence.shared_letters))),
      tools && tools(sentence, paragraph)));
}
