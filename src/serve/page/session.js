// What holds for this visit: the server's description, the settings, the questions asked.

import {call, loadInfo} from './api.js';

const kHistory = 'memmatch.history';
const kSettings = 'memmatch.settings';
const kMost = 50;

export const session = {
  info: null,
  settings: {k1: 20, z: 5, admit: null, truePositive: false, update: false},
  tags: [],  // of the exemplars that there are
};

function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch { /* a browser that keeps nothing */ }
}

export const preference = (name, otherwise) => read(`memmatch.${name}`, otherwise);
export const keepPreference = (name, value) => write(`memmatch.${name}`, value);

export async function loadSession(options) {
  session.info = await loadInfo(options);
  const {info, settings} = session;
  const kept = read(kSettings, {});
  settings.k1 = Math.min(Number(kept.k1) || info.defaults.k1, info.limits.k1);
  settings.z = Math.min(Number(kept.z) || info.defaults.z, info.limits.z);
  settings.admit = info.calibrated && kept.admit ? kept.admit : info.defaults.admit;
  settings.truePositive = Boolean(kept.truePositive);
  settings.update = Boolean(kept.update);
  await loadTags();
}

export function keepSettings() { write(kSettings, session.settings); }

export async function loadTags() {
  if (!session.info.exemplars) return;
  const answer = await call('GET', 'v1/exemplars?limit=1');
  session.tags = answer.sources.filter((source) => source.exemplars > 0).map((source) => source.tag);
}

// The body of a request for verdicts.
export function verifyRequest(claims, {nearest = 3} = {}) {
  const {info, settings, tags} = session;
  const body = {claims, k1: settings.k1, z: settings.z};
  if (info.calibrated) body.admit = settings.admit;
  if (info.exemplars) {
    body.exemplars = {nearest, true_positive: settings.truePositive};
    if (settings.update && tags.includes('corrections')) body.exemplars.update_tag = 'corrections';
  }
  return body;
}

// Why nothing can be changed here; null where it can.
export function whyReadOnly() {
  const {info} = session;
  if (!info.writable) return 'This server was started with --read-only: nothing can be changed.';
  if (info.token === 'none')
    return 'Nothing can be changed here: the server was started without --token-file.';
  return null;
}

// The newest first, each claim once.
export const questions = () => read(kHistory, []);

export function remember(question) {
  const others = questions().filter((old) => old.claim !== question.claim);
  write(kHistory, [question, ...others].slice(0, kMost));
}

export function forgetQuestions() { write(kHistory, []); }
