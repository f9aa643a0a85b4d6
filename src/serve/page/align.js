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

// By sentence id: {claim: [[begin, end, step], …], sentence: […]} in bytes of the two texts.
async function align(verdict, signal) {
  const ids = verdict.evidence.map((sentence) => sentence.id).filter((id) => id > 0).slice(0, 50);
  const found = new Map();
  if (ids.length === 0) return found;
  const path = `v1/align?${query({claim: verdict.claim, level: 1, sentence: ids})}`;
  const answer = await call('GET', path, undefined, {signal});
  for (const alignment of answer.alignments) {
    const sentence = verdict.evidence.find(({id}) => id === alignment.sentences[0]);
    if (sentence) found.set(sentence.id, marksOf(alignment, verdict.claim, sentence.text));
  }
  return found;
}

function marksOf(alignment, claim, text) {
  const {query: asked, support, groups} = alignment;
  const strengths = {claim: new Map(), sentence: new Map()};
  const add = (map, word, strength) => map.set(word, (map.get(word) ?? 0) + strength);
  for (const group of groups) {
    if (support.words[group.support][2]) continue;
    add(strengths.sentence, group.support, group.strength);
    const share = group.strength / (group.last - group.first);
    for (let word = group.first; word < group.last; ++word) add(strengths.claim, word, share);
  }
  return {
    claim: placesOf(asked, claim, strengths.claim),
    sentence: placesOf(support, text, strengths.sentence),
  };
}

// The sequence ends with the text; its own words come before.
function placesOf(sequence, text, strengths) {
  if (!sequence.text.endsWith(text)) return [];
  const bytes = encoder.encode(sequence.text);
  const offset = bytes.length - encoder.encode(text).length;
  const strongest = Math.max(...strengths.values());
  const places = [];
  for (const [word, strength] of [...strengths].sort(([a], [b]) => a - b)) {
    const [begin, end] = sequence.words[word];
    const step = kSteps.filter((share) => strength >= share * strongest).length;
    const meaning = kWord.test(decoder.decode(bytes.subarray(begin, end)));
    if (begin >= offset && step > 0 && meaning) places.push([begin - offset, end - offset, step]);
  }
  return places;
}

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
