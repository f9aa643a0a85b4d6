// The page in a real browser, on a real server with the demo's corpus. The model may be untrained:
// what is checked is that the page says what the server says, and does what people ask of it.
// One person's visit from the first question to a batch; each step starts where the last one ended.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';

import {address, ask, checkAccessible, checkWidth, click, focused, folder, openBrowser, openPage, screenshot,
  setText, text, texts, token, until} from './browser.mjs';

const kClaim = 'Ada Lovelace was born in Paris.';
const kWords = {SUPPORTS: 'Supported', REFUTES: 'Refuted', 'NOT ENOUGH INFO': 'Not enough info'};
const kTop = '.evidence > li:first-child';

async function api(method, route, body) {
  const answer = await fetch(address + route, {
    method, body: body && JSON.stringify(body),
    headers: {'Content-Type': 'application/json', Authorization: `Bearer ${token}`},
  });
  assert.ok(answer.ok, `${method} ${route}: ${answer.status}`);
  return answer.json();
}

const verdictOf = async (claim, options = {}) =>
  (await api('POST', 'v1/verify', {claims: [claim], ...options})).verdicts[0];

const compared = (page, start) => until(page, (wanted) =>
  document.querySelector('#compare-title')?.innerText.startsWith(wanted), start);

// What a browser does when a file is dropped.
const drop = (page, name, content) => page.evaluate((fileName, lines) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([lines], fileName));
  document.querySelector('#drop').dispatchEvent(new DragEvent('drop', {dataTransfer, bubbles: true, cancelable: true}));
}, name, content);

// The word of title or sentence that an alignment puts most strength on.
function strongestWord(sentence, {query, support, links}) {
  const bytes = Buffer.from(support.text);
  const sums = new Map();
  for (const link of links) {
    if (query.words[link.query][2] || support.words[link.support][2]) continue;
    sums.set(link.support, (sums.get(link.support) ?? 0) + link.support_strength);
  }
  const textBegin = bytes.length - Buffer.byteLength(sentence.text);
  const titleEnd = textBegin - Buffer.byteLength(`, sentence ${sentence.number}: `);
  const titleBegin = titleEnd - Buffer.byteLength(sentence.title);
  return [...sums].map(([word, strength]) => [support.words[word], strength])
    .filter(([[begin, end]]) => begin >= textBegin || (begin >= titleBegin && end <= titleEnd))
    .map(([[begin, end], strength]) => [bytes.subarray(begin, end).toString(), strength])
    .filter(([word]) => /[\p{L}\p{N}]/u.test(word))
    .sort(([, a], [, b]) => b - a)[0]?.[0];
}

const marks = (page) => until(page, () => document.querySelector('#marks')?.hidden === false);

test('the page', async (visit) => {
  const browser = await openBrowser();
  visit.after(() => browser.close());
  const page = await openPage(browser);
  const step = (name, action) => visit.test(name, action);

  await step('begins with an empty field and what there is to ask about', async () => {
    assert.equal(await focused(page), 'claim');
    await until(page, () => document.querySelectorAll('.titles a').length > 5);
    assert.equal(await page.$('#history'), null);
    await screenshot(page, 'start');
    await checkAccessible(page, 'start');
  });

  await step('shows a verdict as the server gives it', async () => {
    await ask(page, kClaim);
    const verdict = await verdictOf(kClaim);
    assert.equal(await text(page, '#verdict-title'), kWords[verdict.label]);
    assert.deepEqual(await texts(page, '.head .figure'),
      Object.values(verdict.label_distances).map((distance) => distance.toFixed(2)));
    assert.deepEqual(await texts(page, '.evidence .sentence'), verdict.evidence.map((one) => one.text));
    assert.deepEqual(await texts(page, '.evidence .source a'), verdict.evidence.map((one) => one.title));
    const top = verdict.evidence[0];
    assert.equal((await text(page, `${kTop} .figures`)).replace(/\s+/g, ' '),
      `Level 2 ${top.level2_distance.toFixed(2)} Level 1 ${top.level1_distance.toFixed(2)} (rank ${top.level1_rank + 1}) Shared letters ${top.shared_letters}`);
    await until(page, (word) => document.querySelector('#status').innerText.startsWith(word), kWords[verdict.label]);
    assert.ok(await text(page, '.trust'));
  });

  await step('marks the words that met', async () => {
    await marks(page);
    assert.ok((await texts(page, '.evidence mark')).length > 0);
    assert.ok((await texts(page, '.head blockquote mark')).length > 0);
    assert.equal(await text(page, '.head blockquote'), kClaim);
    const [top] = (await verdictOf(kClaim)).evidence;
    const {alignments} = await api('GET',
      `v1/align?${new URLSearchParams({claim: kClaim, sentence: top.id, level: '1,2'})}`);
    assert.deepEqual(alignments.map(({level}) => level), [1, 2]);
    for (const strongest of alignments.map((alignment) => strongestWord(top, alignment)).filter(Boolean))
      assert.ok((await texts(page, `${kTop} mark.m3`)).includes(strongest), `“${strongest}” is not marked most`);
    await screenshot(page, 'ask');
    await checkAccessible(page, 'verdict');
  });

  await step('the bars are as long as the distances', async () => {
    const verdict = await verdictOf(kClaim);
    const widths = await page.$$eval('.head .bar', (bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    const distances = Object.values(verdict.label_distances);
    const scale = Math.max(...widths) / Math.max(...distances);
    widths.forEach((width, at) => assert.ok(Math.abs(width - scale * distances[at]) < 1.5));
  });

  await step('keys go through the evidence, and list themselves', async () => {
    await page.$eval('#main', (main) => main.focus());
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    assert.equal(await page.evaluate(() =>
      [...document.querySelectorAll('.evidence > li')].indexOf(document.activeElement)), 1);
    await page.keyboard.press('?');
    await page.waitForSelector('#keys-dialog[open]');
    await screenshot(page, 'keys', {fullPage: false});
    await checkAccessible(page, 'shortcuts');
    await page.keyboard.press('Escape');
    await page.waitForSelector('#keys-dialog:not([open])');
    await page.$eval('#main', (main) => main.focus());
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await until(page, () => document.activeElement.matches('.evidence > li:first-child textarea'));
    await page.keyboard.type('eu?');  // letters, not shortcuts
    await page.keyboard.press('Escape');
    assert.equal(await page.$('.evidence textarea'), null);
    assert.match(await focused(page), /edit-sentence/);
    await page.keyboard.press('x');
    assert.equal(await page.$('#wrong-title'), null);
    assert.equal(await focused(page), 'wrong-button');
  });

  await step('a link is copied', async () => {
    await page.browserContext().overridePermissions(address, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
    await page.keyboard.press('l');
    await until(page, () => document.querySelector('#copied').innerText === 'Copied');
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    const {label} = await verdictOf(kClaim);
    const parameters = new URLSearchParams(link.hash.split('?')[1]);
    assert.deepEqual([parameters.get('claim'), parameters.get('was')], [kClaim, label]);
  });

  await step('an edit asks for the token, once, and shows before and after', async () => {
    await page.keyboard.press('x');
    await page.waitForSelector('#wrong-title');
    assert.equal(await focused(page), 'wrong-title');
    await screenshot(page, 'wrong');
    await checkAccessible(page, 'that is wrong');
    const before = await text(page, `${kTop} .sentence`);
    await click(page, `${kTop} .edit-sentence`);
    assert.equal(await page.$eval(`${kTop} textarea`, (area) => area.value), before);
    await checkAccessible(page, 'editing');
    await setText(page, `${kTop} textarea`, 'She was born in Paris in 1815.');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#token-dialog[open]');
    await checkAccessible(page, 'token');
    await screenshot(page, 'token', {fullPage: false});
    await page.keyboard.type('not the right token');
    await page.keyboard.press('Enter');
    await until(page, () => document.querySelector('#token-dialog[open] #token-why')?.innerText.includes('refused'));
    await page.keyboard.type(token);
    await page.keyboard.press('Enter');
    await compared(page, 'Edited Ada Lovelace');
    assert.deepEqual(await texts(page, '.compare h3'), ['Before', 'After']);
    assert.equal(await focused(page), 'compare-title');
    assert.ok((await texts(page, '.evidence .sentence')).includes('She was born in Paris in 1815.'));
    assert.ok((await texts(page, '.evidence .flag')).includes('edited'));
    const after = await verdictOf(kClaim);
    assert.equal(await text(page, '.compare .side:last-child .label'), kWords[after.label]);
    await marks(page);
    await screenshot(page, 'compare');
    await checkAccessible(page, 'before and after');
  });

  await step('undo brings the sentence back', async () => {
    await click(page, '.compare .main');
    await compared(page, 'Undone: Edited');
    assert.ok(!(await texts(page, '.evidence .flag')).includes('edited'));
    assert.equal(await page.$('#undo:not([hidden])'), null);
  });

  await step('a deleted sentence goes, and comes back by a key', async () => {
    const before = await text(page, `${kTop} .sentence`);
    await click(page, `${kTop} .tools button:last-child`);
    await compared(page, 'Deleted Ada Lovelace');
    assert.ok(!(await texts(page, '.evidence .sentence')).includes(before));
    await page.keyboard.press('u');
    await compared(page, 'Undone: Deleted');
    assert.ok((await texts(page, '.evidence .sentence')).includes(before));
  });

  await step('what a sentence says is text, whatever it says', async () => {
    const hostile = '<img src=x onerror="document.title=1"><b>Ada</b> & "Paris"';
    await click(page, `${kTop} .edit-sentence`);
    await setText(page, `${kTop} textarea`, hostile);
    await page.keyboard.press('Enter');
    await compared(page, 'Edited Ada Lovelace');
    const {evidence} = await verdictOf(kClaim);
    assert.deepEqual(await texts(page, '.evidence .sentence'), evidence.map((one) => one.text));
    assert.equal(await page.$('main img'), null);
    await page.keyboard.press('u');
    await compared(page, 'Undone: Edited');
  });

  await step('a corrected decision is known from then on', async () => {
    const shown = await text(page, '#verdict-title');
    await click(page, '.labels button:not(:disabled)');
    await compared(page, 'This decision is kept');
    const corrected = await text(page, '#verdict-title');
    assert.notEqual(corrected, shown);
    assert.deepEqual(await texts(page, '.compare .label'), [shown, corrected]);
    assert.match(await text(page, '.side:last-child .trust'), /Corrected/);
    await click(page, '#why-button');
    await page.waitForSelector('.exemplar');
    assert.equal(await text(page, '.exemplar .claim-text'), kClaim);
    await screenshot(page, 'why');
    await checkAccessible(page, 'why');
  });

  await step('a known decision is relabelled in place, and undone', async () => {
    const chosen = await page.$eval('.exemplar select', (select) =>
      [...select.options].findIndex((option) => !option.selected));
    await page.select('.exemplar select', ['SUPPORTS', 'REFUTES', 'NOT ENOUGH INFO'][chosen]);
    await compared(page, 'Known decision');
    await page.$eval('#main', (main) => main.focus());
    await page.keyboard.press('u');
    await compared(page, 'Undone: Known decision');
    await page.keyboard.press('u');
    await compared(page, 'Undone: This decision');
    assert.equal((await api('GET', 'v1/exemplars')).exemplars.some((one) => one.claim === kClaim), false);
  });

  await step('a missing fact is added', async () => {
    await page.keyboard.press('x');
    await click(page, '.panel details summary');
    await setText(page, '.panel .edit textarea', 'Ada Lovelace was born in Paris.');
    await page.keyboard.press('Enter');
    await compared(page, 'Added Ada Lovelace, sentence 10');
    await click(page, '.compare .main');
    await compared(page, 'Undone: Added');
  });

  await step('sliders change the search', async () => {
    await click(page, '#settings summary');
    await page.focus('#z');
    const now = (await texts(page, '.evidence > li')).length;
    await page.keyboard.press('ArrowLeft');
    await until(page, (count) => document.querySelectorAll('.evidence > li').length === count, now - 1);
    assert.match(page.url(), new RegExp(`z=${now - 1}`));
    await screenshot(page, 'settings');
    await checkAccessible(page, 'settings');
    await page.keyboard.press('ArrowRight');
    await until(page, (count) => document.querySelectorAll('.evidence > li').length === count, now);
    await click(page, '#settings summary');
  });

  await step('a link reopens a verdict, and says what it was', async () => {
    const {label} = await verdictOf(kClaim);
    const other = label === 'SUPPORTS' ? 'REFUTES' : 'SUPPORTS';
    const hash = `#/ask?${new URLSearchParams({claim: kClaim, k1: 30, z: 2, was: other})}`;
    const friend = await openPage(browser, hash);
    await friend.waitForSelector('#verdict-title');
    assert.equal((await texts(friend, '.evidence > li')).length, 2);
    assert.equal(await text(friend, '.note'), `When this link was made, the verdict was “${kWords[other]}”.`);
    assert.deepEqual(friend.complaints, []);
    await friend.close();
  });

  await step('questions are remembered', async () => {
    await ask(page, 'Marie Curie never won a prize.');
    await page.$eval('nav a', (link) => link.click());
    await page.waitForSelector('#history');
    assert.deepEqual(await texts(page, '#history a'), ['Marie Curie never won a prize.', kClaim]);
    await screenshot(page, 'history');
    await checkAccessible(page, 'history');
    await click(page, '#history li:last-child a');
    await until(page, (claim) => document.querySelector('.head blockquote')?.innerText === claim, kClaim);
    await page.goBack();
    await page.waitForSelector('#history');
  });

  await step('titles are browsed, and a document edited', async () => {
    await page.$eval('#main', (main) => main.focus());
    await page.keyboard.press('b');
    await until(page, () => document.activeElement.id === 'title');
    await page.keyboard.type('mer');
    await until(page, () => document.querySelectorAll('.title-list li').length === 2);
    assert.deepEqual((await texts(page, '.title-list a')).sort(), ['Mercury (element)', 'Mercury (planet)']);
    await screenshot(page, 'browse');
    await checkAccessible(page, 'browse');
    await click(page, '.title-list li:last-child a');
    await page.waitForSelector('.sentences li');
    const before = await texts(page, '.sentences .sentence');
    await click(page, '.add button');
    await page.keyboard.type('It is a small world.');
    await page.keyboard.press('Enter');
    await until(page, (count) => document.querySelectorAll('.sentences li').length === count, before.length + 1);
    assert.ok((await texts(page, '.sentences .flag')).includes('added'));
    await screenshot(page, 'document');
    await checkAccessible(page, 'document');
    await click(page, '#undo');
    await until(page, (count) => document.querySelectorAll('.sentences li').length === count, before.length);
    assert.deepEqual(await texts(page, '.sentences .sentence'), before);
  });

  await step('a batch is predicted and scored as memmatch score does it', async () => {
    await page.$eval('nav a:last-child', (link) => link.click());
    const claims = path.resolve('examples/demo/claims.jsonl');
    const client = await page.createCDPSession();
    await client.send('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: folder,
      browserContextId: page.browserContext().id});
    await (await page.$('#file')).uploadFile(claims);
    await page.waitForSelector('#batch-result progress');
    await screenshot(page, 'batch-running');
    await page.waitForSelector('#download', {timeout: 600_000});
    assert.equal(await text(page, '#batch-count'), '50 of 50 claims');
    assert.equal((await texts(page, 'tbody tr')).length, 50);
    await screenshot(page, 'batch');
    await checkAccessible(page, 'batch');
    await click(page, '#download');
    const file = path.join(folder, 'claims.predictions.jsonl');
    for (let i = 0; i < 100 && !fs.existsSync(file); ++i) await new Promise((done) => setTimeout(done, 50));
    assert.equal(fs.readFileSync(file, 'utf8').trim().split('\n').length, 50);
    if (!process.env.MEMMATCH) return;
    const official = JSON.parse(execFileSync(process.env.MEMMATCH,
      ['score', '--gold', claims, '--predictions', file, '--json'], {encoding: 'utf8'}));
    assert.deepEqual(await texts(page, '.tiles dd'),
      ['accuracy', 'fever_score', 'precision', 'recall', 'f1'].map((name) => `${(100 * official[name]).toFixed(2)} %`));
  });

  await step('a bad claim file is refused by line', async () => {
    const file = path.join(folder, 'bad.jsonl');
    fs.writeFileSync(file, '{"claim": "Fine."}\n{"claim": \n');
    await (await page.$('#file')).uploadFile(file);
    await until(page, () => !document.querySelector('#problem').hidden);
    assert.match(await text(page, '#problem p'), /bad\.jsonl:2: not JSON/);
    await checkAccessible(page, 'a problem');
    await click(page, '#problem button');
  });

  for (const [name, viewport, scheme] of [
    ['phone', {width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 2}, 'light'],
    ['phone-dark', {width: 320, height: 700, isMobile: true, hasTouch: true, deviceScaleFactor: 2}, 'dark'],
    ['dark', {width: 1200, height: 900}, 'dark'],
  ]) {
    await step(`${name}: nothing is cut off, everything can be read`, async () => {
      await page.setViewport(viewport);
      await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
      const look = async (view) => {
        await checkWidth(page, `${name}, ${view}`);
        await screenshot(page, `${name}-${view}`);
        await checkAccessible(page, `${name}, ${view}`);
      };
      await page.reload({waitUntil: 'networkidle0'});
      await page.waitForSelector('#batch:not([hidden])');
      const few = fs.readFileSync('examples/demo/claims.jsonl', 'utf8').split('\n').slice(0, 4).join('\n');
      await drop(page, 'few.jsonl', few);
      await page.waitForSelector('#download');
      assert.equal(await text(page, '#batch-count'), '4 of 4 claims');
      await look('batch');
      await page.goto(`${address}#/document?title=Ada%20Lovelace&sentence=2`);
      await page.waitForSelector('.sentences li');
      await look('document');
      await page.goto(`${address}#/ask`);
      await page.waitForSelector('#history');
      await look('start');
      await ask(page, kClaim);
      await marks(page);
      await look('ask');
      await click(page, '#wrong-button');
      await look('wrong');
      await click(page, `${kTop} .edit-sentence`);
      await setText(page, `${kTop} textarea`, 'She was born in Paris in 1815.');
      await page.keyboard.press('Enter');
      await compared(page, 'Edited Ada Lovelace');
      await click(page, '#why-button');
      await marks(page);
      await look('compare');
      await click(page, '.compare .main');
      await compared(page, 'Undone');
      await page.$eval('nav a:last-child', (link) => link.click());
    });
  }

  await step('the browser has nothing to complain of', () => assert.deepEqual(page.complaints, []));
});
