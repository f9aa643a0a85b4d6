// Sentences that are edited where they stand.

import {deleteSentence, editSentence} from './changes.js';
import {button, grow, guarded, h} from './dom.js';

let fields = 0;

// A form in the text's place. `onSave(text)` may take its time; `onCancel` puts things back.
export function textForm({text = '', label, save = 'Save', onSave, onCancel}) {
  const id = `edit-${++fields}`;
  const area = h('textarea', {id, rows: 1, required: true, oninput: () => grow(area)});
  area.value = text;
  const submit = guarded(async () => {
    const value = area.value.trim();
    if (value === '') return area.focus();
    await onSave(value);
  });
  const form = h('form', {class: 'edit', onsubmit: submit},
    h('label', {for: id}, label), area,
    h('div', {class: 'row'},
      h('button', {type: 'submit', class: 'main'}, save),
      onCancel && button('Cancel', onCancel, {class: 'quiet'})));
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.shiftKey && event.target === area) {
      event.preventDefault();
      form.requestSubmit();
    } else if (event.key === 'Escape' && onCancel) {
      event.stopPropagation();
      onCancel();
    }
  });
  return {form, focus: () => { grow(area); area.focus(); area.setSelectionRange(area.value.length, area.value.length); }};
}

// "Edit" and "Delete" for a sentence that `paragraph` shows. `act` is given the change to make.
export function sentenceTools(sentence, paragraph, act) {
  const name = `${sentence.title}, sentence ${sentence.number}`;
  const edit = button('Edit', () => {
    const close = () => { form.replaceWith(paragraph); tools.hidden = false; edit.focus(); };
    const {form, focus} = textForm({
      text: sentence.text,
      label: `New text of ${name}`,
      onSave: (text) => (text === sentence.text ? close() : act(() => editSentence(sentence, text))),
      onCancel: close,
    });
    paragraph.replaceWith(form);
    tools.hidden = true;
    focus();
  }, {class: 'quiet edit-sentence', 'aria-label': `Edit ${name}`});
  const remove = button('Delete', guarded(() => act(() => deleteSentence(sentence))),
    {class: 'quiet', 'aria-label': `Delete ${name}`});
  const tools = h('div', {class: 'row tools'}, edit, remove);
  return tools;
}
