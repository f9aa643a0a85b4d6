// The view "Ask": a claim, its verdict, its evidence, and what people do about it.

import {alignments, marked} from './align.js';
import {call} from './api.js';
import {undoAndSay, undoLast} from './changes.js';
import {comparison, difference} from './compare.js';
import {$, announce, button, grow, guarded, h, showProblem, touch} from './dom.js';
import {sentenceTools} from './editor.js';
import {decisionOf, trustOf, wordOf} from './labels.js';
import {remember, session, verifyRequest, whyReadOnly} from './session.js';
import {showSettings} from './settings.js';
import {showStart} from './start.js';
import {bars, evidenceItem, labelName, searchedLine, trustLine} from './verdict.js';
import {whyPanel} from './why.js';
import {wrongPanel} from './wrong.js';

let current = null;  // the verdict shown
let panel = null;    // 'why', 'wrong' or null
let change = null;   // {text, before, undone} that led to the verdict
let was = null;      // the label that a link remembers
let running = null;

export function linkTo(claim, {label} = {}) {
  const {k1, z} = session.settings;
  const parameters = {claim, k1, z, ...(label ? {was: label} : {})};
  return `#/ask?${new URLSearchParams(parameters)}`;
}

async function verify(claim) {
  running?.abort();
  running = new AbortController();
  const result = $('#result');
  result.setAttribute('aria-busy', 'true');
  const onBusy = (error) => announce(`Waiting: ${error.message}`);
  try {
    const {verdicts} = await call('POST', 'v1/verify', verifyRequest([claim]),
      {signal: running.signal, onBusy});
    return verdicts[0];
  } finally {
    result.removeAttribute('aria-busy');
  }
}

function spoken(verdict) {
  const trust = trustOf(verdict, session.info);
  return `${wordOf(decisionOf(verdict).label)}. ${trust.words}. ` +
    `${verdict.evidence.length} evidence sentences.`;
}

// Makes a change, judges the claim anew and shows both verdicts.
async function act(make) {
  await judgeAnew(await make(), false);
}

async function judgeAnew(text, undone) {
  const before = current;
  current = await verify(before.claim);
  change = {text, before, undone};
  show();
  const title = $('#compare-title');
  title.focus({preventScroll: true});
  title.closest('.panel').scrollIntoView({block: 'nearest'});
  announce(`${text}. ${difference(before, current)}`);
}

const undo = guarded(async () => {
  if (!current) return undoAndSay();
  const text = await undoLast();
  if (text) await judgeAnew(text, true);
});

function toggle(name) {
  panel = panel === name ? null : name;
  show();
  if (panel) $(`#${panel}-title`).focus();
  else $(`#${name}-button`).focus();
}

export async function copyLink() {
  if (!current) return;
  const hash = linkTo(current.claim, {label: decisionOf(current).label});
  const address = location.href.split('#')[0] + hash;
  const said = $('#copied');
  try {
    await navigator.clipboard.writeText(address);
    said.textContent = 'Copied';
  } catch {
    history.replaceState(null, '', hash);
    said.textContent = 'The address of this page is the link now';
  }
  announce(said.textContent);
}

function actions() {
  const toggler = (name, text) => button(text, () => toggle(name),
    {id: `${name}-button`, 'aria-expanded': String(panel === name)});
  return h('div', {class: 'row actions'},
    toggler('why', 'Why?'), toggler('wrong', 'That is wrong'),
    button('Copy link', guarded(copyLink), {class: 'quiet', id: 'link-button'}),
    h('span', {id: 'copied', class: 'soft small'}));
}

function sinceThen() {
  const now = decisionOf(current).label;
  if (!was || was === now) return null;
  return h('p', {class: 'note'}, `When this link was made, the verdict was “${wordOf(was)}”.`);
}

function evidenceList() {
  if (current.evidence.length === 0)
    return h('p', {}, 'No sentence of the datastore is within reach of this claim.');
  const tools = panel === 'wrong' && whyReadOnly() === null &&
    ((sentence, paragraph) => sentenceTools(sentence, paragraph, act));
  return h('ol', {class: 'evidence'}, current.evidence.map((sentence) => evidenceItem(sentence, tools)));
}

function show() {
  const onWhy = () => toggle('why');
  $('#start').replaceChildren();
  $('#result').replaceChildren(
    h('article', {class: 'verdict', 'aria-label': 'Verdict'},
      change ? beforeAndAfter() : verdictHead(), actions(),
      panel === 'why' && whyPanel(current, act),
      panel === 'wrong' && wrongPanel(current, act, onWhy),
      h('section', {'aria-labelledby': 'evidence-title'},
        h('h3', {id: 'evidence-title'}, 'Evidence'),
        h('p', {id: 'marks', class: 'soft small', hidden: true},
          'Marked words met words of the claim at levels 1 and 2. Smaller distances are nearer.'),
        evidenceList(), searchedLine(current))));
  showMarks(current, running.signal);
}

function verdictTitle() {
  const title = labelName(current, 'h2');
  title.id = 'verdict-title';
  return title;
}

function beforeAndAfter() {
  return comparison(change.text, change.before, current, {
    title: verdictTitle(),
    onUndo: change.undone ? null : undo,
    onClose: () => { change = null; show(); $('#verdict-title').focus(); },
  });
}

function verdictHead() {
  const title = verdictTitle();
  return h('div', {class: 'head'},
    h('div', {class: 'what'}, title, h('blockquote', {class: 'claim-text'}, current.claim),
      trustLine(current), sinceThen()),
    h('div', {class: 'distances'}, h('h3', {}, 'Distance to each label'), bars(current),
      h('p', {class: 'soft small'}, decisionOf(current).by === 'model' ? 'The nearest label is the verdict.' : 'The nearest label is the model’s verdict.')));
}

// Aligned words come a moment after the verdict; where they cannot be had, it stands without them.
async function showMarks(verdict, signal) {
  let found;
  try {
    found = await alignments(verdict, signal);
  } catch {
    return;
  }
  if (verdict !== current || found.size === 0) return;
  const claim = $('.verdict blockquote');
  const showClaim = (marks) => claim.replaceChildren(...marked(verdict.claim, marks.claim));
  let first = true;
  for (const item of document.querySelectorAll('.evidence > li')) {
    const marks = found.get(Number(item.dataset.sentence));
    const sentence = verdict.evidence.find(({id}) => id === Number(item.dataset.sentence));
    const paragraph = $('.sentence', item);
    if (!marks || !sentence || !paragraph) continue;
    paragraph.replaceChildren(...marked(sentence.text, marks.sentence));
    $('.source a', item).replaceChildren(...marked(sentence.title, marks.title));
    if (first) showClaim(marks);
    first = false;
    for (const event of ['mouseenter', 'focusin', 'click'])
      item.addEventListener(event, () => showClaim(marks));
  }
  $('#marks').hidden = false;
}

async function ask(claim) {
  current = await verify(claim);
  change = null;
  panel = null;
  remember({claim, label: decisionOf(current).label});
  show();
  announce(spoken(current));
}

// A changed setting is tried on the claim that is shown; the link follows.
async function askAgain() {
  if (!current) return;
  try {
    current = await verify(current.claim);
    history.replaceState(null, '', linkTo(current.claim));
    change = null;
    show();
    announce(spoken(current));
  } catch (error) {
    showProblem(error);
  }
}

function takeWidths(parameters) {
  const {settings, info} = session;
  for (const name of ['k1', 'z']) {
    const value = Number(parameters.get(name));
    if (Number.isInteger(value) && value >= 1 && value <= info.limits[name]) settings[name] = value;
  }
}

export const moveInEvidence = (step) => {
  const items = [...document.querySelectorAll('.evidence > li')];
  const at = items.indexOf(document.activeElement?.closest?.('.evidence > li'));
  const next = at < 0 ? (step > 0 ? 0 : items.length - 1) : Math.min(items.length - 1, Math.max(0, at + step));
  items[next]?.focus();
};

export function editFocused() {
  const item = document.activeElement?.closest?.('.evidence > li');
  if (!item) return;
  const id = item.dataset.sentence;
  if (panel !== 'wrong') {
    panel = 'wrong';
    show();
  }
  $(`.evidence > li[data-sentence="${id}"] .edit-sentence`)?.click();
}

export const askView = {
  setUp() {
    const area = $('#claim');
    area.addEventListener('input', () => grow(area));
    area.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      $('#ask-form').requestSubmit();
    });
    $('#ask-form').addEventListener('submit', guarded(() => {
      const claim = area.value.trim().replace(/\s+/g, ' ');
      if (claim === '') return area.focus();
      if (touch()) area.blur();
      const link = linkTo(claim);
      if (location.hash === link) return ask(claim);
      location.hash = link;
    }));
    addEventListener('resize', () => grow(area));
  },

  async open(parameters) {
    const claim = parameters.get('claim')?.trim() ?? '';
    const area = $('#claim');
    takeWidths(parameters);
    showSettings(askAgain);
    area.value = claim;
    grow(area);
    was = parameters.get('was');
    running?.abort();
    current = null;
    $('#result').replaceChildren();
    document.title = claim ? `${claim} – memmatch` : 'memmatch';
    if (claim) return ask(claim);
    if (!touch()) area.focus();
    return showStart(linkTo);
  },

  toggle: (name) => { if (current) toggle(name); },
  undo,
};
