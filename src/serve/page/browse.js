// The views "Browse" (titles) and "document" (its sentences, to be edited).

import {call, documentPath, query} from './api.js';
import {addSentence, undoAndSay, undoLast} from './changes.js';
import {$, announce, button, guarded, h, plural, showProblem, touch} from './dom.js';
import {sentenceTools, textForm} from './editor.js';
import {whyReadOnly} from './session.js';
import {documentLink} from './verdict.js';

const kPage = 40;
let search = null;

async function find(text, offset = 0) {
  search?.abort();
  search = new AbortController();
  const path = `v1/documents?${query({query: text, limit: kPage, offset})}`;
  const {documents, more} = await call('GET', path, undefined, {signal: search.signal});
  const place = $('#titles');
  if (offset === 0) {
    place.replaceChildren(h('ul', {class: 'plain title-list'}));
    announce(documents.length === 0 ? 'No title' : `${documents.length}${more ? ' and more' : ''} titles`);
  }
  $('button', place)?.remove();
  const items = documents.map((document) =>
    h('li', {}, h('a', {href: documentLink(document.title, document.raw_title)}, document.title)));
  $('ul', place).append(...items);
  if (documents.length === 0 && offset === 0)
    place.replaceChildren(h('p', {class: 'soft'}, 'No title begins so.'));
  if (more)
    place.append(button('More', guarded(async () => {
      await find(text, offset + kPage);
      items.at(-1)?.nextElementSibling?.querySelector('a')?.focus();
    })));
}

export const browseView = {
  setUp() {
    const input = $('#title');
    let timer;
    input.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        history.replaceState(null, '', `#/browse?${query({q: input.value})}`);
        find(input.value).catch(showProblem);
      }, 150);
    });
    $('#browse-form').addEventListener('submit', (event) => {
      event.preventDefault();
      $('#titles a')?.focus();
    });
  },

  async open(parameters) {
    document.title = 'Browse – memmatch';
    $('#title').value = parameters.get('q') ?? '';
    if (!touch()) $('#title').focus();
    await find($('#title').value);
  },

  undo: undoAndSay,
};

let title = null;

async function act(make) {
  const text = await make();
  await load();
  announce(text);
  $('#document h1')?.focus();
}

function sentenceItem(document, sentence) {
  const named = {...sentence, title: document.title, raw_title: document.raw_title};
  const text = h('p', {class: 'sentence'}, sentence.text || h('span', {class: 'soft'}, '(empty)'));
  return h('li', {id: `sentence-${sentence.number}`, tabindex: '-1'},
    h('span', {class: 'soft number'}, String(sentence.number)),
    h('div', {}, text),
    h('div', {class: 'row'},
      sentence.edited && h('span', {class: 'flag edited'}, sentence.added ? 'added' : 'edited'),
      whyReadOnly() === null && sentenceTools(named, text, act)));
}

function addForm(document) {
  const place = h('div', {class: 'add'});
  const open = button('Add a sentence', () => {
    const {form, focus} = textForm({
      label: `New sentence of ${document.title}`,
      save: 'Add',
      onSave: (text) => act(() => addSentence(document.raw_title, text)),
      onCancel: () => { place.replaceChildren(open); open.focus(); },
    });
    place.replaceChildren(form);
    focus();
  });
  place.append(open);
  return place;
}

async function load() {
  let found;
  try {
    found = await call('GET', documentPath(title));
  } catch (error) {
    if (error.status !== 404) throw error;
    found = {title, raw_title: title, sentences: []};
  }
  const refusal = whyReadOnly();
  $('#document').replaceChildren(
    h('p', {class: 'small'}, h('a', {href: '#/browse'}, 'All titles')),
    h('h1', {tabindex: '-1'}, found.title),
    h('p', {class: 'soft small'}, plural(found.sentences.length, 'sentence') +
      (found.raw_title !== found.title ? ` · ${found.raw_title}` : '')),
    h('ol', {class: 'plain sentences'}, found.sentences.map((sentence) => sentenceItem(found, sentence))),
    refusal ? h('p', {class: 'soft small'}, refusal) : addForm(found));
}

export const documentView = {
  setUp() {},

  async open(parameters) {
    title = parameters.get('title') ?? '';
    document.title = `${title} – memmatch`;
    $('#document').replaceChildren();
    await load();
    const place = $(`#sentence-${Number(parameters.get('sentence') ?? -1)}`) ?? $('#document h1');
    place.focus();
    place.classList.add('here');
  },

  undo: guarded(async () => {
    const text = await undoLast();
    await load();
    announce(text ?? 'There is nothing to undo');
  }),
};
