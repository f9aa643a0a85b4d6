// Which words of a claim and of an evidence sentence the model matched (GET /v1/align, level 1).

import {call, query} from './api.js';
import {h} from './dom.js';

const kSteps = [0.08, 0.3, 0.65];  // shares of the strongest, for a faint, a middle, a strong mark
const kWord = /[\p{L}\p{N}]/u;         // stops and dashes meet often, and tell nothing
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const known = new WeakMap();

// A verdict's alignments are asked for once.
export function alignments(verdict, signal) {
  if (!known.has(verdict)) {
    const found = align(verdict, signal);
    known.set(verdict, found);
    found.catch(() => known.delete(verdict));
  }
  return known.get(verdict);
}

// By sentence id: {claim: [[begin, end, step], …], title: […], sentence: […]} in bytes of these texts.
async function align(verdict, signal) {
  const ids = verdict.evidence.map((sentence) => sentence.id).filter((id) => id > 0).slice(0, 50);
  const found = new Map();
  if (ids.length === 0) return found;
  const path = `v1/align?${query({claim: verdict.claim, level: 1, sentence: ids})}`;
  const answer = await call('GET', path, undefined, {signal});
  for (const alignment of answer.alignments) {
    const sentence = verdict.evidence.find(({id}) => id === alignment.sentences[0]);
    if (sentence) found.set(sentence.id, marksOf(alignment, verdict.claim, sentence));
  }
  return found;
}

function marksOf(alignment, claim, {title, number, text}) {
  const {query: asked, support, groups} = alignment;
  const claimStrengths = new Map();
  const supportStrengths = new Map();
  const add = (map, word, strength) => map.set(word, (map.get(word) ?? 0) + strength);
  for (const group of groups) {
    add(supportStrengths, group.support, group.strength);
    const share = group.strength / (group.last - group.first);
    for (let word = group.first; word < group.last; ++word) add(claimStrengths, word, share);
  }
  const [claimPlaces] = placesOf(asked, claimStrengths, [claim, '']);
  const [titlePlaces, textPlaces] =
    placesOf(support, supportStrengths, [title, `, sentence ${number}: `], [text, '']);
  return {claim: claimPlaces, title: titlePlaces, sentence: textPlaces};
}

// A sequence ends with these parts, each a text to be marked and what follows it: the marks of each.
function placesOf(sequence, strengths, ...parts) {
  const bytes = encoder.encode(sequence.text);
  const length = (text) => encoder.encode(text).length;
  const tail = parts.flat().join('');
  if (!sequence.text.endsWith(tail)) return parts.map(() => []);
  let at = bytes.length - length(tail);
  const spans = parts.map(([text, after]) => {
    const span = [at, at + length(text)];
    at = span[1] + length(after);
    return span;
  });
  const inside = ([begin, last]) => [...strengths].filter(([word]) => {
    const [from, to] = sequence.words[word];
    return from >= begin && to <= last && kWord.test(decoder.decode(bytes.subarray(from, to)));
  }).sort(([a], [b]) => a - b);
  const strongest = Math.max(0, ...spans.flatMap(inside).map(([, strength]) => strength));
  return spans.map((span) => inside(span).map(([word, strength]) => {
    const [from, to] = sequence.words[word];
    return [from - span[0], to - span[0], stepOf(strength / strongest)];
  }).filter(([, , step]) => step > 0));
}

const stepOf = (share) => kSteps.filter((least) => share >= least).length;

// The text as nodes, with marks at these places.
export function marked(text, places) {
  const bytes = encoder.encode(text);
  const slice = (begin, end) => decoder.decode(bytes.subarray(begin, end));
  const nodes = [];
  let at = 0;
  for (const [begin, end, step] of places) {
    if (begin < at) continue;
    nodes.push(slice(at, begin), h('mark', {class: `m${step}`}, slice(begin, end)));
    at = end;
  }
  nodes.push(slice(at, bytes.length));
  return nodes.filter((node) => node !== '');
}
