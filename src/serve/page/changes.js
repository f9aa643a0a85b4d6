// Changes of facts and exemplars, each with its way back.

import {call, documentPath, sentencePath} from './api.js';
import {$, announce, guarded} from './dom.js';
import {wordOf} from './labels.js';
import {loadTags} from './session.js';

const stack = [];  // {text, undo}, the latest last

function keep(text, undo) {
  stack.push({text, undo});
  showButton();
  return text;
}

function showButton() {
  const button = $('#undo');
  button.hidden = stack.length === 0;
  button.title = stack.length > 0 ? `Undo: ${stack.at(-1).text}` : '';
}

export const canUndo = () => stack.length > 0;

// What was undone, in words. A change whose way back fails stays the latest.
export async function undoLast() {
  const change = stack.at(-1);
  if (!change) return null;
  await change.undo();
  stack.pop();
  showButton();
  return `Undone: ${change.text}`;
}

// Where there is nothing on the screen that an undoing would change.
export const undoAndSay = guarded(async () => announce(await undoLast() ?? 'There is nothing to undo'));

const nameOf = (sentence) => `${sentence.title}, sentence ${sentence.number}`;

// A deleted sentence may have been its document's last: then the document is made again as well.
async function putBack(sentence, previous) {
  const title = sentence.raw_title;
  try {
    await call('PUT', sentencePath(title, sentence.number), {text: previous.text});
  } catch (error) {
    if (error.status !== 404) throw error;
    const body = {text: previous.text, number: sentence.number};
    await call('POST', `${documentPath(title)}/sentences`, body);
  }
}

// `sentence`: {title, raw_title, number}. All of these give the change in words.
export async function editSentence(sentence, text) {
  const path = sentencePath(sentence.raw_title, sentence.number);
  const {previous} = await call('PUT', path, {text});
  return keep(`Edited ${nameOf(sentence)}`,
    () => (previous ? putBack(sentence, previous) : call('DELETE', path)));
}

export async function deleteSentence(sentence) {
  const path = sentencePath(sentence.raw_title, sentence.number);
  const {previous} = await call('DELETE', path);
  return keep(`Deleted ${nameOf(sentence)}`, () => putBack(sentence, previous));
}

export async function addSentence(title, text) {
  const added = await call('POST', `${documentPath(title)}/sentences`, {text});
  const {raw_title, sentence} = added;
  return keep(`Added ${nameOf({title: added.title, number: sentence.number})}`,
    () => call('DELETE', sentencePath(raw_title, sentence.number)));
}

export async function addExemplar(claim, label, {k1, z}) {
  const {exemplar} = await call('POST', 'v1/exemplars', {claim, label, k1, z});
  await loadTags();
  return keep(`This decision is kept as “${wordOf(label)}”`, async () => {
    await call('DELETE', `v1/exemplars/${exemplar.id}`);
    await loadTags();
  });
}

export async function relabel(exemplar, label) {
  const path = `v1/exemplars/${exemplar.id}`;
  const {previous_label} = await call('PATCH', path, {label});
  return keep(`Known decision ${exemplar.id} relabelled “${wordOf(label)}”`,
    () => call('PATCH', path, {label: previous_label}));
}
