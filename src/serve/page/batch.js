// The view "Batch": verdicts for a claim file, and their score where it has labels.

import {linkTo} from './ask.js';
import {call} from './api.js';
import {undoAndSay} from './changes.js';
import {hasGold, parseClaims, predictionOf, toLines} from './claims.js';
import {$, announce, button, h, plural, showProblem} from './dom.js';
import {classOf, wordOf} from './labels.js';
import {feverScore, withNfcTitles} from './score.js';
import {session, verifyRequest} from './session.js';

const kShown = 500;     // rows of the table
const kSeconds = 1.5;   // that a request should take, so that progress is seen
let run = null;         // {name, rows, predictions, stop, finished}

// So many claims a request that each takes about as long as people like to wait for a sign.
function nextSize(size, seconds) {
  const most = Math.min(64, session.info.limits.claims);
  return Math.max(1, Math.min(most, Math.round(size * Math.min(2, kSeconds / seconds))));
}

async function predict() {
  let size = 4;
  const {rows, predictions, stop} = run;
  const {settings} = session;
  while (predictions.length < rows.length) {
    const part = rows.slice(predictions.length, predictions.length + size);
    const body = verifyRequest(part.map((row) => row.claim), {nearest: 1});
    if (!settings.truePositive && !settings.update) delete body.exemplars;
    const start = performance.now();
    const {verdicts} = await call('POST', 'v1/verify', body, {signal: stop.signal, tries: 100});
    verdicts.forEach((verdict, at) => predictions.push(predictionOf(part[at], verdict)));
    size = nextSize(size, (performance.now() - start) / 1000);
    showProgress();
  }
}

const percent = (share) => `${(100 * share).toFixed(2)} %`;

function tile(name, value, what) {
  return h('div', {title: what}, h('dt', {}, name), h('dd', {}, percent(value)));
}

function scoreTiles(rows) {
  const score = feverScore(rows);
  if (!rows.every(hasGold)) {
    return [h('dl', {class: 'tiles'}, tile('Accuracy', score.accuracy, 'Share of right labels')),
      h('p', {class: 'soft small'}, 'Some claims have no gold evidence, so there is no FEVER score.')];
  }
  const nfc = feverScore(withNfcTitles(rows));
  return [
    h('dl', {class: 'tiles'},
      tile('Accuracy', score.accuracy, 'Share of right labels'),
      tile('FEVER score', score.fever_score, 'Share of right labels with a complete set of gold evidence'),
      tile('Evidence precision', score.precision, 'Of the first five sentences predicted, over verifiable claims'),
      tile('Evidence recall', score.recall, 'Verifiable claims with a complete set of gold evidence'),
      tile('Evidence F1', score.f1, 'Of precision and recall')),
    nfc.fever_score !== score.fever_score && h('p', {class: 'soft small'},
      `With titles compared in Unicode’s form C the FEVER score is ${percent(nfc.fever_score)}.`)];
}

function score() {
  const labelled = run.predictions.map((prediction, at) => ({...run.rows[at], ...prediction}))
    .filter((row) => typeof row.label === 'string');
  if (labelled.length === 0) return h('p', {class: 'soft'}, 'The file has no labels, so there is no score.');
  return h('section', {'aria-labelledby': 'score-title'},
    h('h2', {id: 'score-title'}, 'Score'), scoreTiles(labelled),
    labelled.length < run.predictions.length && h('p', {class: 'soft small'},
      `Over the ${plural(labelled.length, 'claim')} with a label.`));
}

function row(claim, prediction) {
  const gold = typeof claim.label === 'string' ? claim.label.toUpperCase() : null;
  const right = gold === prediction.predicted_label;
  return h('tr', {class: gold && !right ? 'wrong' : null},
    h('td', {}, h('a', {href: linkTo(claim.claim)}, claim.claim)),
    h('td', {class: classOf(prediction.predicted_label)}, wordOf(prediction.predicted_label),
      prediction.admitted === false && h('span', {class: 'soft'}, ' (not admitted)')),
    h('td', {}, gold ? [right ? '✓ ' : '✗ ', wordOf(gold)] : '–'));
}

function table() {
  const {rows, predictions} = run;
  return h('section', {},
    h('h2', {id: 'claims-title'}, 'Claims'),
    h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-labelledby': 'claims-title'},
      h('table', {},
        h('thead', {}, h('tr', {}, ['Claim', 'Verdict', 'Label in the file'].map((name) =>
          h('th', {scope: 'col'}, name)))),
        h('tbody', {}, predictions.slice(0, kShown).map((prediction, at) => row(rows[at], prediction))))),
    predictions.length > kShown && h('p', {class: 'soft small'},
      `The first ${kShown} of ${predictions.length}; the file has all of them.`));
}

function download() {
  const blob = new Blob([toLines(run.predictions)], {type: 'application/x-ndjson'});
  const link = h('a', {href: URL.createObjectURL(blob),
    download: run.name.replace(/\.[^.]*$/, '') + '.predictions.jsonl'});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function showProgress() {
  const {rows, predictions} = run;
  const bar = $('#batch-result progress');
  if (!bar) return;
  bar.value = predictions.length;
  $('#batch-count').textContent = `${predictions.length} of ${plural(rows.length, 'claim')}`;
}

function showRun() {
  const {name, rows, predictions, finished} = run;
  const {k1, z} = run.settings;
  $('#batch-result').replaceChildren(
    h('h2', {id: 'run-title', tabindex: '-1'}, name),
    h('div', {class: 'progress'},
      h('progress', {max: rows.length, 'aria-labelledby': 'run-title'}),
      h('span', {id: 'batch-count', class: 'soft'})),
    h('p', {class: 'soft small'}, `k₁ ${k1}, z ${z}, as in the settings under Ask.`),
    h('div', {class: 'row'}, finished
      ? predictions.length > 0 && button('Download predictions', download, {class: 'main', id: 'download'})
      : button('Stop', () => run.stop.abort(), {id: 'stop'})),
    ...(finished && predictions.length > 0 ? [score(), table()] : []));
  showProgress();
}

async function start(file) {
  run?.stop.abort();
  const rows = parseClaims(await file.text(), file.name);
  const mine = {name: file.name, rows, predictions: [], stop: new AbortController(), finished: false,
    settings: {...session.settings}};
  run = mine;
  showRun();
  $('#run-title').focus();
  try {
    await predict();
  } catch (error) {
    if (run === mine) showProblem(error);
  }
  if (run !== mine) return;
  run.finished = true;
  showRun();
  announce(`${run.predictions.length} of ${plural(rows.length, 'claim')} done.`);
}

export const batchView = {
  setUp() {
    const drop = $('#drop');
    const input = $('#file');
    const take = (file) => { if (file) start(file).catch(showProblem); };
    input.addEventListener('change', () => { take(input.files[0]); input.value = ''; });
    // Anywhere on the page: a file that misses the box would be opened in the page's place.
    addEventListener('dragover', (event) => {
      event.preventDefault();
      drop.classList.add('over');
    });
    addEventListener('dragleave', (event) => { if (!event.relatedTarget) drop.classList.remove('over'); });
    addEventListener('drop', (event) => {
      event.preventDefault();
      drop.classList.remove('over');
      if (!$('#batch').hidden) take(event.dataTransfer.files[0]);
    });
  },

  open() {
    document.title = 'Batch – memmatch';
    if (!run) $('#file').focus();
  },

  undo: undoAndSay,
};
