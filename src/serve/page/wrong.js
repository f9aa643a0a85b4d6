// "That is wrong": what a person can do about a verdict.

import {addExemplar, addSentence} from './changes.js';
import {button, guarded, h} from './dom.js';
import {textForm} from './editor.js';
import {classOf, decisionOf, LABELS, wordOf} from './labels.js';
import {session, whyReadOnly} from './session.js';

function decisionPart(verdict, act) {
  if (!session.info.exemplars)
    return h('p', {class: 'soft'}, 'The server was started without --exemplars and cannot keep corrections of decisions.');
  const {label: now} = decisionOf(verdict);
  return [
    h('p', {class: 'soft'}, 'What would be right? The answer is kept as an exemplar: this decision, and those that resemble it, are known to be wrong from then on.'),
    h('div', {class: 'row labels'}, LABELS.map((label) =>
      button(wordOf(label), guarded(() => act(() => addExemplar(verdict.claim, label, session.settings))),
        {class: classOf(label), disabled: label === now, 'aria-label': `It should be: ${wordOf(label)}`}))),
  ];
}

function missingPart(verdict, act) {
  const title = h('input', {id: 'missing-title', required: true, autocomplete: 'off'});
  title.value = verdict.evidence[0]?.title ?? '';
  const {form} = textForm({
    label: 'Sentence',
    save: 'Add',
    onSave: (text) => {
      if (title.value.trim() === '') return title.focus();
      const known = verdict.evidence.find((sentence) => sentence.title === title.value.trim());
      return act(() => addSentence(known?.raw_title ?? title.value.trim(), text));
    },
  });
  form.prepend(h('label', {for: 'missing-title'}, 'Document'), title);
  return h('details', {}, h('summary', {}, 'A fact is missing'), form);
}

// `act` is given the change to make; `onWhy` opens the known decisions.
export function wrongPanel(verdict, act, onWhy) {
  const refusal = whyReadOnly();
  return h('section', {class: 'panel', 'aria-labelledby': 'wrong-title'},
    h('h2', {id: 'wrong-title', tabindex: '-1'}, 'What is wrong?'),
    refusal ? h('p', {}, refusal) : h('div', {class: 'sides'},
      h('div', {class: 'side'}, h('h3', {}, 'The decision'), decisionPart(verdict, act),
        verdict.exemplars?.nearest.length > 0 &&
          button('Or relabel a known decision that it follows', onWhy, {class: 'quiet'})),
      h('div', {class: 'side'}, h('h3', {}, 'The evidence'),
        h('p', {class: 'soft'}, 'Edit or delete a sentence in the list below; the claim is judged anew at once.'),
        missingPart(verdict, act))));
}
