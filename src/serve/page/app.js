// The page: which view is shown, and the keys.

import {askView, copyLink, editFocused, moveInEvidence} from './ask.js';
import {batchView} from './batch.js';
import {browseView, documentView} from './browse.js';
import {canUndo} from './changes.js';
import {$, announce, clearProblem, showProblem} from './dom.js';
import {setUpKeys} from './keys.js';
import {loadSession} from './session.js';

const views = {ask: askView, browse: browseView, document: documentView, batch: batchView};
let shown = null;

// "#/ask?claim=…": the view, and what it is given.
function place() {
  const [path, parameters = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return {name: Object.hasOwn(views, path) ? path : 'ask', parameters: new URLSearchParams(parameters)};
}

async function route() {
  if (location.hash === '#main') return;
  const {name, parameters} = place();
  clearProblem();
  for (const view of Object.keys(views)) $(`#${view}`).hidden = view !== name;
  for (const link of document.querySelectorAll('nav a')) {
    const here = link.getAttribute('href') === `#/${name === 'document' ? 'browse' : name}`;
    if (here) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (shown !== name) scrollTo(0, 0);
  shown = name;
  try {
    await views[name].open(parameters);
  } catch (error) {
    showProblem(error);
  }
}

function undo() {
  if (canUndo()) views[shown].undo();
  else announce('There is nothing to undo');
}

const go = (name) => () => { location.hash = `#/${name}`; };

function onAsk(action) {
  return () => { if (shown === 'ask') action(); };
}

setUpKeys([
  ['/', 'Write a claim, or a title to look for', () => {
    if (shown !== 'ask' && shown !== 'browse') location.hash = '#/ask';
    const field = $(shown === 'browse' ? '#title' : '#claim');
    field.focus();
    field.select();
  }],
  ['w', 'Why?', onAsk(() => askView.toggle('why'))],
  ['x', 'That is wrong', onAsk(() => askView.toggle('wrong'))],
  ['j', 'Next sentence of the evidence', onAsk(() => moveInEvidence(1))],
  ['k', 'Sentence before', onAsk(() => moveInEvidence(-1))],
  ['e', 'Edit that sentence', onAsk(editFocused)],
  ['u', 'Undo the last change', undo],
  ['l', 'Copy a link to the verdict', onAsk(copyLink)],
  ['a', 'Ask', go('ask')],
  ['b', 'Browse', go('browse')],
  ['t', 'Batch', go('batch')],
]);

$('#undo').addEventListener('click', undo);
$('#problem button').addEventListener('click', () => { clearProblem(); $('#main').focus(); });

async function start() {
  for (const view of Object.values(views)) view.setUp();
  try {
    await loadSession({onBusy: (error) => showProblem(error)});
  } catch (error) {
    if (!error.cancelled) return showProblem(error);
    return showProblem(new Error('Nothing can be asked without the token. Reload the page to give it.'));
  }
  addEventListener('hashchange', route);
  await route();
}

start();
