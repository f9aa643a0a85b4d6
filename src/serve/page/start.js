// What stands below the empty claim field: what there is to ask about, and what was asked.

import {call} from './api.js';
import {$, button, h} from './dom.js';
import {classOf, wordOf} from './labels.js';
import {forgetQuestions, questions} from './session.js';
import {documentLink} from './verdict.js';

async function titles() {
  const {documents, more} = await call('GET', 'v1/documents?limit=12');
  if (documents.length === 0) {
    return h('p', {class: 'soft'}, 'The datastore is empty. ‘memmatch import’ brings documents into it.');
  }
  return h('section', {},
    h('h2', {}, 'The datastore knows of'),
    h('p', {class: 'titles'}, documents.map((document) =>
      h('a', {href: documentLink(document.title, document.raw_title)}, document.title)),
    more && h('a', {href: '#/browse', class: 'soft'}, 'and others')));
}

function asked(linkTo) {
  const list = questions();
  if (list.length === 0) return null;
  return h('section', {id: 'history'},
    h('h2', {}, 'Asked before'),
    h('ol', {class: 'plain history'}, list.map((question) =>
      h('li', {},
        h('a', {href: linkTo(question.claim)}, question.claim),
        h('span', {class: `small ${classOf(question.label)}`}, wordOf(question.label))))),
    button('Forget these', () => { forgetQuestions(); showStart(linkTo); $('#claim').focus(); }, {class: 'quiet'}));
}

export async function showStart(linkTo) {
  const about = h('p', {class: 'lead'},
    'Ask whether a claim holds. memmatch looks for evidence in its datastore, decides, and shows what it decided from. Where it is wrong, correct it.');
  const place = $('#start');
  place.replaceChildren(...[about, asked(linkTo)].filter(Boolean));
  const known = await titles();
  if (place.contains(about)) place.append(known);
}
