// The official client against the program, over standard input and over HTTP. It checks every
// answer by the protocol's own schemas.

import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {JSONRPCMessageSchema} from '@modelcontextprotocol/sdk/types.js';
import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {after, before, describe, test} from 'node:test';

const program = process.env.MEMMATCH;
const world = `${process.env.MCP_BUILD}/world`;
const token = '0123456789abcdef0123456789abcdef';
const kTools = ['verify', 'check', 'search', 'add_document', 'edit_sentence', 'correct'];
const kReadingTools = kTools.slice(0, 3);

const textOf = (result) => result.content[0].text;

// A datastore and exemplars of its own for each who changes something.
function makeStore(name) {
  const files = {store: `${world}/${name}.db`, exemplars: `${world}/${name}_exemplars.db`};
  execFileSync(program, ['import', 'jsonl', 'examples/demo/corpus.jsonl', '--store', files.store],
    {stdio: 'ignore'});
  return files;
}

async function connect(transport) {
  const client = new Client({name: 'test', version: '1'});
  client.onerror = (error) => assert.fail(error);
  await client.connect(transport);
  return client;
}

function overStdio(files, ...more) {
  return connect(new StdioClientTransport({
    command: program,
    args: ['mcp', '--store', files.store, '--k1', '10', ...more],
    stderr: 'inherit',
  }));
}

// Resolves with the address when the server is ready.
function serve(files) {
  writeFileSync(`${world}/token`, token);
  const server = spawn(program, ['serve', '--store', files.store, '--exemplars', files.exemplars,
    '--token-file', `${world}/token`, '--k1', '10', '--listen', '127.0.0.1:0']);
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr.on('data', (piece) => {
      log += piece;
      const ready = log.match(/(http:\S+): ready/);
      if (ready) resolve({server, address: `${ready[1]}/mcp`});
    });
    server.on('exit', () => reject(new Error(log)));
  });
}

function overHttp(address, headers = {}) {
  return connect(new StreamableHTTPClientTransport(new URL(address), {requestInit: {headers}}));
}

// What holds over either transport, for who may change something.
async function everything(client) {
  assert.equal(client.getServerVersion().name, 'memmatch');
  assert.match(client.getInstructions(), /SUPPORTS/);
  await client.ping();
  const {tools} = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), kTools);
  for (const tool of tools) {
    assert.equal(tool.inputSchema.additionalProperties, false);
    assert.equal(tool.annotations.readOnlyHint, kReadingTools.includes(tool.name));
  }
  const call = (name, args) => client.callTool({name, arguments: args});

  const claim = 'Ada Lovelace was born in Paris.';
  const verified = await call('verify', {claims: [claim]});
  assert.match(textOf(verified), /^REFUTES.*Ada Lovelace was born in Paris\.\n/);
  assert.match(textOf(verified), /Ada Lovelace, sentence 1: She was born in London in 1815\./);
  assert.equal(verified.structuredContent.verdicts[0].decision.label, 'REFUTES');

  const checked = await call('check', {text: `${claim} Why not? She was a mathematician.`});
  assert.equal(checked.structuredContent.sentences.length, 3);
  assert.match(textOf(checked), /^3 sentences: .* 1 not judged\./);

  const found = await call('search', {query: 'Where was Ada Lovelace born?', limit: 3});
  assert.match(textOf(found), /^3 sentences nearest to/);

  const added = await call('add_document',
    {title: 'Quillbrook', sentences: ['Quillbrook is a village with 312 inhabitants.']});
  assert.equal(textOf(added), "'Quillbrook' was added, with 1 sentence.\n");
  assert.match(textOf(await call('verify', {claims: ['Quillbrook is a village.']})),
    /Quillbrook, sentence 0/);
  const edited = await call('edit_sentence',
    {title: 'Quillbrook', number: 0, text: 'Quillbrook is a town with 9,000 inhabitants.'});
  assert.match(textOf(edited), /before: Quillbrook is a village/);

  const corrected = await call('correct', {claim, label: 'NOT ENOUGH INFO'});
  assert.match(textOf(corrected), /the right label is NOT ENOUGH INFO, the model's was REFUTES/);
  const again = await call('verify', {claims: [claim]});
  assert.match(textOf(again), /^NOT ENOUGH INFO \(corrected\)/);

  const listed = await client.listResources();
  const resource = listed.resources.find(({title}) => title === 'Quillbrook');
  const {contents} = await client.readResource({uri: resource.uri});
  assert.equal(contents[0].text, 'Quillbrook\n\n[0] Quillbrook is a town with 9,000 inhabitants.\n');
  const {resourceTemplates} = await client.listResourceTemplates();
  assert.equal(resourceTemplates[0].uriTemplate, 'memmatch://documents/{title}');
  await assert.rejects(client.readResource({uri: 'memmatch://documents/Nowhere'}), {code: -32002});
}

async function wrongArguments(client) {
  for (const [name, args] of [['verify', {claims: 'x'}], ['verify', {}], ['check', {text: 5}],
    ['search', {query: 'x', limit: -1}], ['search', {query: 'x', unknown: true}]]) {
    const result = await client.callTool({name, arguments: args});
    assert.equal(result.isError, true, name);
    assert.match(textOf(result), /^'/, 'names the field');
  }
  await assert.rejects(client.callTool({name: 'forget', arguments: {}}), {code: -32602});
  await assert.rejects(client.listPrompts(), /prompts/);
}

async function noWrites(client, why) {
  assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), kReadingTools);
  for (const [name, args] of [['add_document', {title: 'x', sentences: ['x']}],
    ['edit_sentence', {title: 'Moon', number: 0, text: 'x'}],
    ['correct', {claim: 'The Moon is old.', label: 'SUPPORTS'}]]) {
    const result = await client.callTool({name, arguments: args});
    assert.equal(result.isError, true);
    assert.match(textOf(result), why);
  }
}

before(() => {
  rmSync(world, {recursive: true, force: true});
  mkdirSync(world, {recursive: true});
});

describe('over standard input', () => {
  test('every tool and resource', async () => {
    const files = makeStore('stdio');
    const client = await overStdio(files, '--exemplars', files.exemplars, '--allow-writes');
    await everything(client);
    await wrongArguments(client);
    await client.close();
  });

  test('nothing is changed without --allow-writes', async () => {
    const files = makeStore('stdio_reading');
    const client = await overStdio(files);
    await noWrites(client, /--allow-writes/);
    await client.close();
  });

  test('a request that is given up is not answered, and the next one is', async () => {
    const client = await overStdio(makeStore('stdio_cancelled'));
    const claims = Array.from({length: 100}, (_, i) => `The Moon is ${i} years old.`);
    const giveUp = new AbortController();
    const call = client.callTool({name: 'verify', arguments: {claims}}, undefined,
      {signal: giveUp.signal});
    setTimeout(() => giveUp.abort(), 5);
    await assert.rejects(call);
    await client.ping();
    await client.close();
  });

  test('garbage is answered by messages of the protocol', () => {
    const {store} = makeStore('stdio_garbage');
    const lines = ['garbage', '', '[]', '{"jsonrpc":"2.0","id":1}', 'x'.repeat(3 << 20),
      '{"jsonrpc":"2.0","id":2,"method":"tools/list"}', '{"jsonrpc":"2.0","id":3,"method":"ping"}'];
    const out = execFileSync(program, ['mcp', '--store', store], {input: lines.join('\n')});
    const answers = out.toString().trimEnd().split('\n').map((line) =>
      JSONRPCMessageSchema.parse(JSON.parse(line)));
    assert.deepEqual(answers.map((answer) => answer.error?.code ?? 'result'),
      [-32700, -32600, -32600, -32600, -32600, 'result']);
  });
});

describe('over HTTP', () => {
  const files = {};
  let running;
  before(async () => {
    Object.assign(files, makeStore('http'));
    running = await serve(files);
  });
  after(() => running.server.kill());

  test('nothing is changed without the token', async () => {
    const client = await overHttp(running.address);
    await noWrites(client, /token/);
    await wrongArguments(client);
    await client.close();
  });

  test('every tool and resource', async () => {
    const client = await overHttp(running.address, {Authorization: `Bearer ${token}`});
    await everything(client);
    await client.close();
  });
});

test('a datastore that is not there ends the program with a message', () => {
  assert.throws(() => execFileSync(program, ['mcp', '--store', `${world}/none.db`], {input: ''}),
    ({status, stdout}) => status === 1 && stdout.length === 0);
  assert.equal(existsSync(`${world}/none.db`), false);
});
