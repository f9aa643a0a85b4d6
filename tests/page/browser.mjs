// Chromium, the page in it, and what the tests look for. Packages are those that `run` fetched.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';

const build = path.resolve(process.env.PAGE_BUILD ?? 'build/page');
const require = createRequire(path.join(build, 'package.json'));
const puppeteer = require('puppeteer-core');
const axeSource = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const address = process.env.PAGE_URL;
export const token = process.env.PAGE_TOKEN;
export const folder = path.join(build, 'shots');

export async function openBrowser() {
  fs.rmSync(folder, {recursive: true, force: true});
  fs.mkdirSync(folder, {recursive: true});
  return puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    protocolTimeout: 900_000,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--font-render-hinting=none'],
  });
}

// A page that fails the test for whatever the browser complains of: errors, a broken content
// security policy, requests to other places. An answer that is no 2xx is no complaint of its own.
export async function openPage(browser, hash = '') {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.complaints = [];
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return;
    page.complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith('blob:'))
      page.complaints.push(`asked elsewhere: ${request.url()}`);
  });
  page.setDefaultTimeout(60_000);
  await page.setViewport({width: 1200, height: 900});
  await page.goto(address + hash, {waitUntil: 'networkidle0'});
  return page;
}

export const texts = (page, selector) =>
  page.$$eval(selector, (elements) => elements.map((element) => element.innerText.trim()));

export const text = async (page, selector) => (await texts(page, selector))[0];

export const focused = (page) => page.evaluate(() => {
  const element = document.activeElement;
  return element.id || element.className || element.tagName;
});

// Waits until `condition` holds in the page.
export const until = (page, condition, ...given) =>
  page.waitForFunction(condition, {polling: 50}, ...given);

export async function click(page, selector) {
  const element = await page.waitForSelector(selector, {visible: true});
  await element.evaluate((node) => node.scrollIntoView({block: 'center'}));
  await element.click();
}

export async function ask(page, claim) {
  await page.$eval('#claim', (area) => { area.focus(); area.select(); });
  await page.keyboard.type(claim);
  await page.keyboard.press('Enter');
  await until(page, (wanted) =>
    document.querySelector('.verdict blockquote')?.innerText === wanted, claim);
}

export async function setText(page, selector, value) {
  await page.$eval(selector, (field) => { field.focus(); field.select(); });
  await page.keyboard.type(value);
}

export const screenshot = (page, name, options = {}) =>
  page.screenshot({path: path.join(folder, `${name}.png`), fullPage: true, ...options});

// axe-core's rules for WCAG 2 AA and its best practices.
export async function checkAccessible(page, where) {
  await page.evaluate(axeSource);
  const {violations} = await page.evaluate(() => axe.run());
  const found = violations.map((one) =>
    `${one.id}: ${one.help} (${one.nodes.map((node) => node.target.join(' ')).join(', ')})`);
  assert.deepEqual(found, [], `${where}: axe-core`);
}

export async function checkWidth(page, where) {
  const {wide, width} = await page.evaluate(() =>
    ({wide: document.documentElement.scrollWidth, width: innerWidth}));
  assert.ok(wide <= width, `${where}: ${wide} pixels wide on a screen of ${width}`);
}
