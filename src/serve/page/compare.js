// Two verdicts on the same claim, before and after a change.

import {button, h, number} from './dom.js';
import {decisionOf, trustOf, wordOf} from './labels.js';
import {session} from './session.js';
import {bars, farthest, labelName, trustLine} from './verdict.js';

// What the change did, in a sentence.
export function difference(before, after) {
  const was = decisionOf(before).label;
  const is = decisionOf(after).label;
  if (was !== is) return `The verdict changes from “${wordOf(was)}” to “${wordOf(is)}”.`;
  const trusted = trustOf(before, session.info).words;
  const trusts = trustOf(after, session.info).words;
  if (trusted !== trusts)
    return `The verdict stays “${wordOf(is)}”; it was “${trusted.toLowerCase()}” and is “${trusts.toLowerCase()}”.`;
  const spoke = before.exemplars?.true_positive;
  const speaks = after.exemplars?.true_positive;
  if (spoke !== speaks)
    return `The verdict stays “${wordOf(is)}”; the nearest known decision ${speaks ? 'now speaks' : 'does not speak any more'} for it.`;
  const moved = (after.level3_distance ?? 0) - (before.level3_distance ?? 0);
  const stays = `The verdict stays “${wordOf(is)}”`;
  if (Math.abs(moved) < 0.005) return `${stays}, at the same distance.`;
  return `${stays}, ${moved > 0 ? 'farther' : 'nearer'} than before by ${number(Math.abs(moved))}.`;
}

function knownLine(verdict) {
  const [nearest] = verdict.exemplars?.nearest ?? [];
  return nearest && h('p', {class: 'soft small'},
    `Nearest known decision: “${nearest.claim}”, ${wordOf(nearest.gold_label)}, at ${number(nearest.distance)}.`);
}

function side(name, verdict, scale, title) {
  const [top] = verdict.evidence;
  return h('div', {class: 'side'},
    h('h3', {}, name), title ?? labelName(verdict), trustLine(verdict), bars(verdict, scale),
    top && h('p', {class: 'small'}, h('span', {class: 'soft'}, `${top.title}, ${top.number}: `), top.text),
    knownLine(verdict));
}

// `text` names the change, `title` the verdict after it; `onUndo` is null where the change was
// itself an undoing.
export function comparison(text, before, after, {title, onUndo, onClose}) {
  const scale = Math.max(farthest(before), farthest(after));
  return h('section', {class: 'panel compare', 'aria-labelledby': 'compare-title'},
    h('h2', {id: 'compare-title', tabindex: '-1'}, text),
    h('blockquote', {class: 'claim-text'}, after.claim),
    h('p', {class: 'what'}, difference(before, after)),
    h('div', {class: 'sides'}, side('Before', before, scale), side('After', after, scale, title)),
    h('div', {class: 'row'},
      onUndo && button('Undo', onUndo, {class: 'main'}),
      button('Close', onClose, {class: 'quiet'})));
}
