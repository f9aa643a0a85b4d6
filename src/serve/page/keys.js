// Single-key shortcuts, which people can switch off.

import {$, h} from './dom.js';
import {keepPreference, preference} from './session.js';

// `actions`: [key, what it does, function], shown in this order.
export function setUpKeys(actions) {
  const dialog = $('#keys-dialog');
  const on = $('#keys-on');
  const open = () => { if (!document.querySelector('dialog[open]')) dialog.showModal(); };
  const all = [...actions, ['?', 'This list', open]];
  $('.keys', dialog).append(...all.map(([key, what]) =>
    h('div', {}, h('dt', {}, h('kbd', {}, key)), h('dd', {}, what))),
  h('div', {}, h('dt', {}, h('kbd', {}, 'Esc')), h('dd', {}, 'Cancel what is being edited')));
  on.checked = preference('keys', true);
  on.addEventListener('change', () => keepPreference('keys', on.checked));
  $('#help').addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    if (!on.checked || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest('input:not([type=range], [type=checkbox], [type=file]), textarea, select')) return;
    if (document.querySelector('dialog[open]')) return;
    const action = all.find(([key]) => key === event.key);
    if (!action) return;
    event.preventDefault();
    action[2]();
  });
}
