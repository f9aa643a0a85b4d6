// The server under everything at once, for a while:
//
//   node tests/soak/soak.mjs build/memmatch models/default 60
//
// 64 clients verify, search, align, browse, edit and add exemplars, while another process imports and
// indexes the same datastore and is killed now and then. At the end the server gets SIGTERM under
// load. What must hold all the time:
//   - an answer is 2xx, 409 (another process is writing) or 429 (the queue is full), nothing else;
//   - an answer comes from one state of the datastore: an import changes all lamps together;
//   - an edit that was confirmed is there, one that was refused is not;
//   - memory stays flat;
//   - the server ends in time, and the files are whole.

import {spawn} from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const [program, model, secondsText] = process.argv.slice(2);
const seconds = Number(secondsText);
if (!program || !model || !(seconds >= 10)) {
  console.error('usage: soak.mjs PROGRAM MODEL SECONDS (at least 10)');
  process.exit(2);
}

const kClients = 64;
const kLamps = 40;
const kDrain = 10;  // seconds
const kToken = 'soak-soak-soak-soak';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memmatch-soak-'));
const store = path.join(folder, 'facts.db');
const exemplars = path.join(folder, 'exemplars.db');
const tokenFile = path.join(folder, 'token');
fs.writeFileSync(tokenFile, kToken);

const problems = [];
function problem(text) {
  if (problems.length < 20) console.error(`PROBLEM: ${text}`);
  problems.push(text);
}

const sleep = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const pick = list => list[Math.floor(Math.random() * list.length)];
const below = number => Math.floor(Math.random() * number);

// --- The datastore, as one import after the other leaves it ---

// Every lamp has the same state in both of its sentences.
function writeCorpus(state) {
  const lines = [];
  for (let i = 0; i < kLamps; ++i) {
    const sentences = [`Lamp number ${i} is in state ${state}.`, `It has come to state ${state}.`];
    lines.push(JSON.stringify({title: `Lamp ${i}`, sentences}));
  }
  // So that an import takes a while.
  for (let i = 0; i < 3000; ++i) {
    lines.push(JSON.stringify({title: `Shelf ${i}`, sentences: [`Shelf ${i} was moved by ${state}.`]}));
  }
  const file = path.join(folder, 'corpus.jsonl');
  fs.writeFileSync(file, lines.join('\n') + '\n');
  return file;
}

// Runs the program; kills it after `killAfter` milliseconds, where that is given.
function run(args, killAfter) {
  return new Promise(done => {
    const child = spawn(program, args, {stdio: ['ignore', 'ignore', 'pipe']});
    let errors = '';
    child.stderr.on('data', data => (errors += data));
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      done({code, killed: signal === 'SIGKILL', errors});
    });
  });
}

const writer = {imports: 0, indexings: 0, killed: 0, busy: 0};

async function writeUntil(end) {
  let state = 1;
  while (Date.now() < end) {
    ++state;
    const corpus = writeCorpus(state);
    const commands = [
      ['import', 'jsonl', corpus, '--store', store, '--overwrite-edits'],
      ['index', '--store', store, '--model', model, '--claims', path.join(folder, 'claims.jsonl'),
       '--precision', 'int8', '--threads', '1']
    ];
    for (const command of commands) {
      const result = await run(command, Math.random() < 0.4 ? below(400) : undefined);
      if (result.killed) {
        ++writer.killed;
      } else if (result.code !== 0) {
        problem(`${command[0]} ended with ${result.code}: ${result.errors}`);
      } else {
        ++writer[command[0] === 'import' ? 'imports' : 'indexings'];
      }
    }
    await sleep(below(1500));
  }
}

// --- The server ---

const agent = new http.Agent({keepAlive: true, maxSockets: kClients + 4});
let port = 0;
let closing = false;
const counts = new Map();     // "verify 200" -> how many
const latencies = new Map();  // "verify" -> milliseconds

// The status and the JSON of the answer; status 0 where there was none.
function request(name, method, target, body) {
  return new Promise(done => {
    const start = performance.now();
    const finish = (status, text) => {
      const key = `${name} ${status}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (!latencies.has(name)) latencies.set(name, []);
      latencies.get(name).push(performance.now() - start);
      const expected = (status >= 200 && status < 300) || status === 409 || status === 429;
      if (!expected && !closing) problem(`${method} ${target}: ${status} ${text.slice(0, 300)}`);
      let json = null;
      try {
        json = JSON.parse(text);
      } catch {
      }
      done({status, json, text});
    };
    const headers = {Authorization: `Bearer ${kToken}`};
    if (body) headers['Content-Type'] = 'application/json';
    const call = http.request({port, method, path: target, headers, agent, timeout: 120000}, answer => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', data => (text += data));
      answer.on('end', () => finish(answer.statusCode, text));
      answer.on('error', error => finish(0, String(error)));
    });
    call.on('error', error => finish(0, String(error)));
    call.on('timeout', () => call.destroy(new Error('no answer within two minutes')));
    if (body) call.write(JSON.stringify(body));
    call.end();
  });
}

async function startServer() {
  const args = ['serve', '--store', store, '--model', model, '--exemplars', exemplars, '--token-file',
                tokenFile, '--listen', '127.0.0.1:0', '--k1', '10', '--z', '4', '--precision', 'int8', '--drain', `${kDrain}`];
  const server = spawn(program, args, {stdio: ['ignore', 'ignore', 'pipe']});
  process.on('exit', () => server.kill('SIGKILL'));  // whatever happens to us
  let log = '';
  await new Promise((ready, failed) => {
    server.stderr.on('data', data => {
      log += data;
      const found = /:(\d+): ready/.exec(log);
      if (found) {
        port = Number(found[1]);
        ready();
      }
    });
    server.on('exit', code => failed(new Error(`the server ended with ${code}: ${log}`)));
  });
  server.removeAllListeners('exit');
  server.log = () => log;
  return server;
}

async function residentMegabytes() {
  const {text} = await request('metrics', 'GET', '/metrics');
  const found = /^process_resident_memory_bytes (\S+)$/m.exec(text ?? '');
  return found ? Number(found[1]) / 1e6 : NaN;
}

// --- The clients ---

const stateOf = text => /state (\d+)\.$/.exec(text)?.[1];

function checkOneState(what, sentences) {
  const states = new Set(sentences.filter(s => s.title?.startsWith('Lamp')).map(s => stateOf(s.text)));
  if (states.size > 1) problem(`${what} is of several states: ${[...states]}`);
}

async function verify() {
  const claims = [0, 0].map(() => `Lamp ${below(kLamps)} and Lamp ${below(kLamps)} are in state ${below(50)}.`);
  const {status, json} = await request('verify', 'POST', '/v1/verify', {claims});
  if (status !== 200) return;
  // Claims of a request may be of different batches, each of which sees one state.
  for (const verdict of json.verdicts) checkOneState('a verdict', verdict.evidence);
}

async function search() {
  const query = `Lamp ${below(kLamps)} and Lamp ${below(kLamps)}`;
  const {status, json} = await request('search', 'POST', '/v1/search', {query});
  if (status === 200) checkOneState('a search', json.results[0].sentences);
}

async function readLamp() {
  const title = `Lamp ${below(kLamps)}`;
  const {status, json} = await request('document', 'GET', `/v1/documents/${encodeURIComponent(title)}`);
  if (status === 200) checkOneState(title, json.sentences.map(s => ({title, text: s.text})));
}

const browse = () => request('browse', 'GET', `/v1/documents?query=${pick(['lamp', 'shelf+1', 'client'])}&limit=50`);
const align = () => request('align', 'GET', `/v1/align?claim=Lamp+${below(kLamps)}+is+red.&level=1,2&z=2`);

class Client {
  constructor(number) {
    this.title = `Client ${number}`;
    this.text = null;  // what was confirmed last
    this.edits = 0;
    this.exemplars = [];
  }

  async edit() {
    const target = `/v1/documents/${encodeURIComponent(this.title)}/sentences`;
    const text = `${this.title} has made edit ${++this.edits}.`;
    const answer = this.text === null ? await request('edit', 'POST', target, {text})
                                      : await request('edit', 'PUT', `${target}/0`, {text});
    if (answer.status === 200 || answer.status === 201) this.text = text;
    if (this.text === null) return;
    const read = await request('sentence', 'GET', `${target}/0`);
    if (read.status === 200 && !closing && read.json.sentence.text !== this.text)
      problem(`'${this.text}' was confirmed, and there is '${read.json.sentence.text}'`);
  }

  async exemplar() {
    const claim = `Lamp ${below(kLamps)} is in state ${below(50)}.`;
    if (this.exemplars.length < 3) {
      const label = pick(['SUPPORTS', 'REFUTES']);
      const {status, json} = await request('add exemplar', 'POST', '/v1/exemplars', {claim, label});
      if (status === 201) this.exemplars.push(json.exemplar.id);
    } else {
      const {status} = await request('remove exemplar', 'DELETE', `/v1/exemplars/${this.exemplars[0]}`);
      if (status === 200) this.exemplars.shift();
    }
  }

  async run() {
    while (!closing) {
      const dice = Math.random();
      if (dice < 0.45) await verify();
      else if (dice < 0.55) await search();
      else if (dice < 0.7) await readLamp();
      else if (dice < 0.78) await browse();
      else if (dice < 0.82) await align();
      else if (dice < 0.94) await this.edit();
      else await this.exemplar();
    }
  }
}

// --- All together ---

async function soak() {
  const corpus = writeCorpus(1);
  const claims = Array.from({length: kLamps}, (_, i) => JSON.stringify({id: i, claim: `Lamp ${i} is red.`}));
  fs.writeFileSync(path.join(folder, 'claims.jsonl'), claims.join('\n') + '\n');
  const first = await run(['import', 'jsonl', corpus, '--store', store]);
  if (first.code !== 0) throw new Error(first.errors);
  const server = await startServer();
  const end = Date.now() + seconds * 1000;
  const clients = Array.from({length: kClients}, (_, i) => new Client(i).run());
  const writing = writeUntil(end - 2000);

  // What there is at a third of the time is what there ought to be at the end.
  await sleep(seconds * 1000 / 3);
  const early = await residentMegabytes();
  await sleep(Math.max(0, end - Date.now()));
  await writing;
  const late = await residentMegabytes();
  if (!(late <= early * 1.1 + 32)) problem(`memory has grown from ${early} to ${late} MB`);

  closing = true;
  for (const name of latencies.keys()) {
    if (!['200', '201'].some(status => counts.has(`${name} ${status}`))) problem(`no request to ${name} has succeeded`);
  }
  const told = Date.now();
  const ended = new Promise(done => server.on('exit', code => done(code)));
  server.kill('SIGTERM');
  const code = await ended;
  const closed = (Date.now() - told) / 1000;
  if (code !== 0) problem(`the server ended with ${code}: ${server.log()}`);
  const log = server.log().split('\n').filter(line => line.startsWith('memmatch serve: '));
  for (const line of log.slice(0, 5)) problem(`the server's log: ${line}`);
  if (closed > kDrain + 10) problem(`the server took ${closed} s to end`);
  await Promise.all(clients);
  for (const check of [['store', 'check', '--store', store], ['exemplars', 'check', '--exemplars', exemplars]]) {
    const result = await run(check);
    if (result.code !== 0) problem(`${check.join(' ')}: ${result.errors}`);
  }
  return {early, late, closed};
}

function summary({early, late, closed}) {
  const share = (list, part) => list[Math.min(list.length - 1, Math.floor(list.length * part))];
  let total = 0;
  for (const [name, list] of [...latencies].sort()) {
    list.sort((a, b) => a - b);
    total += list.length;
    const statuses = [...counts].filter(([key]) => key.replace(/ \d+$/, '') === name)
                         .map(([key, count]) => `${key.split(' ').pop()}: ${count}`).sort().join(', ');
    console.log(`${name.padEnd(16)} ${String(list.length).padStart(7)}   median ${share(list, 0.5).toFixed(0)} ms, ` +
                `99 % ${share(list, 0.99).toFixed(0)} ms, most ${list[list.length - 1].toFixed(0)} ms   (${statuses})`);
  }
  console.log(`${total} requests of ${kClients} clients in ${seconds} s; ${writer.imports} imports and ` +
              `${writer.indexings} indexings beside them, ${writer.killed} more were killed`);
  console.log(`resident memory ${early.toFixed(0)} MB at a third of the time, ${late.toFixed(0)} MB at the end; ` +
              `SIGTERM to exit: ${closed.toFixed(1)} s`);
}

try {
  summary(await soak());
} catch (error) {
  problem(String(error));
}
fs.rmSync(folder, {recursive: true, force: true});
console.log(problems.length === 0 ? 'nothing wrong' : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
