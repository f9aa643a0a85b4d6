// Which words of a claim and of an evidence sentence the model matched (GET /v1/align). Level 1 finds
// what a claim is about, and level 2 what is said of it: a word is marked by the level where it
// counts most. All links are summed; the answer's `groups`, one word of the evidence for each of the
// claim, would leave most of what level 2 looks at unmarked.

import {call, query} from './api.js';
import {h} from './dom.js';

const kSteps = [0.12, 0.35, 0.7];  // shares of a level's strongest, for a faint, a middle, a strong mark
const kWord = /[\p{L}\p{N}]/u;     // stops and dashes meet often, and tell nothing
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
  const path = `v1/align?${query({claim: verdict.claim, level: '1,2', sentence: ids})}`;
  const answer = await call('GET', path, undefined, {signal});
  for (const sentence of verdict.evidence) {
    const mine = answer.alignments.filter(({sentences}) => sentences[0] === sentence.id);
    const levels = mine.map((alignment) => marksOf(alignment, verdict.claim, sentence));
    if (levels.length > 0) found.set(sentence.id, levels.reduce(strongerOf));
  }
  return found;
}

function marksOf({query: asked, support, links}, claim, {title, number, text}) {
  const ofClaim = new Map();
  const ofSupport = new Map();
  const add = (map, word, strength) => map.set(word, (map.get(word) ?? 0) + strength);
  for (const link of links) {
    if (asked.words[link.query][2] || support.words[link.support][2]) continue;
    add(ofClaim, link.query, link.query_strength);
    add(ofSupport, link.support, link.support_strength);
  }
  const [claimPlaces] = placesOf(asked, ofClaim, [claim, '']);
  const [titlePlaces, textPlaces] =
    placesOf(support, ofSupport, [title, `, sentence ${number}: `], [text, '']);
  return {claim: claimPlaces, title: titlePlaces, sentence: textPlaces};
}

// Of two levels' marks, at each place the stronger one.
function strongerOf(one, other) {
  const merged = {};
  for (const part of Object.keys(one)) {
    const places = new Map(one[part].map((place) => [place[0], place]));
    for (const place of other[part]) {
      if (!(places.get(place[0])?.[2] >= place[2])) places.set(place[0], place);
    }
    merged[part] = [...places.values()].sort(([a], [b]) => a - b);
  }
  return merged;
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
