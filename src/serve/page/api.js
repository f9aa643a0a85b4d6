// The server's routes (docs/serve.md). The token is asked for when the server wants one.

import {$} from './dom.js';

export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const kToken = 'memmatch.token';
const kTries = 8;
const kLoadingTries = 600;
let memory = null;  // where the browser keeps nothing

function token() {
  try {
    return sessionStorage.getItem(kToken) ?? memory;
  } catch {
    return memory;
  }
}

function keepToken(value) {
  memory = value;
  try {
    if (value === null) sessionStorage.removeItem(kToken);
    else sessionStorage.setItem(kToken, value);
  } catch { /* then it is asked for again after a reload */ }
}

let asking = null;

// One dialog, however many requests wait for it.
function askToken(why) {
  asking ??= new Promise((resolve) => {
    const dialog = $('#token-dialog');
    const input = $('#token');
    const back = document.activeElement;
    $('#token-why').textContent = why;
    input.value = '';
    dialog.returnValue = '';
    $('button[value=cancel]', dialog).onclick = () => dialog.close('');
    dialog.onclose = () => {
      asking = null;
      back?.focus?.();
      resolve(dialog.returnValue === 'ok' && input.value.trim() ? input.value.trim() : null);
    };
    dialog.showModal();
  });
  return asking;
}

async function send(method, path, body, signal) {
  const headers = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const used = token();
  if (used) headers.Authorization = `Bearer ${used}`;
  try {
    const answer = await fetch(path, {
      method, headers, signal, cache: 'no-store',
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return {answer, used};
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, 'unreachable', 'The server does not answer. Is it still running?');
  }
}

async function problemOf(answer) {
  let error = {};
  try {
    error = (await answer.json()).error ?? {};
  } catch { /* not ours */ }
  return new ApiError(answer.status, error.code ?? 'unknown',
    error.message ?? `The server answered ${answer.status}.`);
}

function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, {once: true});
  });
}

// The JSON answer. Waits and tries again while the server is loading or overloaded (`onBusy` hears
// of it); asks for the token where one is needed. Throws ApiError; with `cancelled` where the
// person did not want to give a token.
export async function call(method, path, body, {signal, onBusy, tries = kTries} = {}) {
  for (let attempt = 1; ; ++attempt) {
    const {answer, used} = await send(method, path, body, signal);
    if (answer.ok) return answer.json();
    const error = await problemOf(answer);
    const busy = error.status === 429 || (error.status === 503 && error.code !== 'closing');
    if (busy && attempt < (error.code === 'loading' ? kLoadingTries : tries)) {
      onBusy?.(error);
      await pause(Math.min(Number(answer.headers.get('Retry-After')) || 1, 10), signal);
    } else if (error.status === 401 && !(await tokenHelps(used, error))) {
      throw error;
    } else if (error.status !== 401) {
      throw error;
    }
  }
}

function whyToken(used) {
  if (used) return 'That token was refused.';
  return serverInfo ? 'Changes need the token that the server was started with.'
    : 'This server can be reached from other machines, and needs its token for everything.';
}

// Whether to try again with what is the token now.
async function tokenHelps(used, error) {
  if (token() !== used) return true;  // somebody else has asked meanwhile
  if (serverInfo?.token === 'none') return false;
  const given = await askToken(whyToken(used));
  if (given === null) {
    keepToken(null);
    error.cancelled = true;
    return false;
  }
  keepToken(given);
  return true;
}

let serverInfo = null;

export async function loadInfo(options) {
  serverInfo = await call('GET', 'v1/info', undefined, options);
  return serverInfo;
}

export const documentPath = (title) => `v1/documents/${encodeURIComponent(title)}`;
export const sentencePath = (title, number) => `${documentPath(title)}/sentences/${number}`;

export function query(parameters) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== null && one !== '') search.append(name, one);
    }
  }
  return search.toString();
}
