// The widths of the search and the rules of admission.

import {$, h} from './dom.js';
import {ruleWords} from './labels.js';
import {keepSettings, session} from './session.js';

const kK1 = [1, 3, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 700, 1000];
const kZ = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50];

// What a slider goes through: not every number is worth a step of its own.
function stepsOf(steps, most, ...own) {
  const all = new Set([...steps.filter((step) => step <= most), ...own]);
  return [...all].sort((a, b) => a - b);
}

function slider(name, label, what, steps, onChange) {
  const {settings} = session;
  const value = h('output', {for: name}, String(settings[name]));
  const input = h('input', {id: name, type: 'range', min: 0, max: steps.length - 1, step: 1,
    'aria-describedby': `${name}-what`});
  const show = () => {
    const now = steps[Number(input.value)];
    value.textContent = String(now);
    input.setAttribute('aria-valuetext', String(now));
    return now;
  };
  input.value = String(steps.indexOf(settings[name]));
  show();
  input.addEventListener('input', show);
  input.addEventListener('change', () => { settings[name] = show(); onChange(); });
  return h('div', {class: 'setting'},
    h('label', {for: name}, label, ' ', value), input,
    h('p', {id: `${name}-what`, class: 'soft small'}, what));
}

function rules() {
  const {info, settings} = session;
  const known = ['none', 'mean', 'quantile:0.9'];
  if (info.confidence) known.push('confidence:0.6', 'confidence:0.8', 'confidence:0.9');
  return [...new Set([...known, settings.admit])];
}

function ruleSelect(onChange) {
  const {info, settings} = session;
  const select = h('select', {id: 'admit', disabled: !info.calibrated,
    onchange: () => { settings.admit = select.value; onChange(); }},
    rules().map((rule) => h('option', {value: rule, selected: rule === settings.admit},
      rule === 'none' ? 'not judged' : ruleWords(rule))));
  return h('div', {class: 'setting'},
    h('label', {for: 'admit'}, 'A verdict is admitted where'), select,
    !info.calibrated && h('p', {class: 'soft small'}, 'The model is not calibrated: see ‘memmatch calibrate’.'));
}

function check(name, text, onChange) {
  const {settings} = session;
  const input = h('input', {type: 'checkbox', checked: settings[name],
    onchange: () => { settings[name] = input.checked; onChange(); }});
  return h('label', {class: 'check'}, input, h('span', {}, text));
}

function showSummary() {
  const {k1, z} = session.settings;
  $('#settings summary span').textContent = `k₁ ${k1} · z ${z}`;
}

// Fills the settings' place; `onChange` hears of every change.
export function showSettings(onChange) {
  const {info, settings} = session;
  const changed = () => {
    keepSettings();
    showSummary();
    onChange();
  };
  const k1 = stepsOf(kK1, info.limits.k1, info.defaults.k1, settings.k1);
  const z = stepsOf(kZ, info.limits.z, info.defaults.z, settings.z);
  $('#settings .settings').replaceChildren(
    slider('k1', 'k₁', 'Sentences that level 1 keeps for level 2', k1, changed),
    slider('z', 'z', 'Sentences that level 2 keeps for the verdict', z, changed),
    ruleSelect(changed),
    info.exemplars ? h('div', {class: 'setting'},
      check('truePositive', 'Admit only what resembles a right decision for the same label', changed),
      check('update', 'Where the evidence was edited, the nearest correction decides', changed)) : '');
  showSummary();
}
