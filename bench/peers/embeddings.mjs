// The vectors of `memmatch embed --pooling mean` against those of ONNX Runtime on the same ONNX
// file. Prints the least and the mean cosine.
// Usage: embeddings.mjs DEMO_FOLDER MEMMATCH ENCODER_FOLDER [EMBED_OPTION…]

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import ort from "onnxruntime-node";

const LEAST = 0.9999;
const POSITIONS = 512;

const [demo, program, encoder, ...options] = process.argv.slice(2);

const readJson = (file) => JSON.parse(readFileSync(path.join(encoder, file), "utf8"));
const readLines = (file) =>
  readFileSync(path.join(demo, file), "utf8").trim().split("\n").map((line) => JSON.parse(line));

function makeTexts() {
  const odd = [
    "",
    "a",
    "UPPER CASE, tabs\tand  double  blanks ",
    "Naïve café owners in Kraków sold crème brûlée – for 5 € – to 東京 visitors!",
    "An unknown sign: \u{1F980}, and one more: ☃.",
    "word ".repeat(600).trim(),
  ];
  const claims = [...readLines("claims.jsonl"), ...readLines("exemplars.jsonl")].map((line) => line.claim);
  const openings = readLines("corpus.jsonl").map((document) => document.sentences.slice(0, 3).join(" "));
  return [...odd, ...claims, ...openings];
}

// The ids of a text, cut from the right to what the encoder takes.
function makeIds(tokenizer, text) {
  const ids = tokenizer.encode(text).ids.map(BigInt);
  return ids.length <= POSITIONS ? ids : [...ids.slice(0, POSITIONS - 1), ids.at(-1)];
}

async function meanVector(session, ids) {
  const tensor = (data) => new ort.Tensor("int64", data, [1, ids.length]);
  const output = await session.run({
    input_ids: tensor(BigInt64Array.from(ids)),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  });
  const { data, dims } = output.last_hidden_state;
  const mean = new Float64Array(dims[2]);
  for (let i = 0; i < data.length; ++i) mean[i % dims[2]] += data[i] / ids.length;
  return mean;
}

function cosine(a, b) {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; ++i) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return ab / Math.sqrt(aa * bb);
}

function embed(texts) {
  const input = texts.map((text) => JSON.stringify({ text }) + "\n").join("");
  const parameters = ["embed", "--model", encoder, "--pooling", "mean", "--input", "jsonl", ...options];
  const output = execFileSync(program, parameters, { input, maxBuffer: 2 ** 30 });
  return output.toString().trim().split("\n").map((line) => JSON.parse(line).vector);
}

const texts = makeTexts();
const ours = embed(texts);
if (ours.length !== texts.length) throw new Error(`${texts.length} texts gave ${ours.length} vectors`);
const tokenizer = new Tokenizer(readJson("tokenizer.json"), readJson("tokenizer_config.json"));
const session = await ort.InferenceSession.create(path.join(encoder, "onnx/model.onnx"));
const cosines = [];
for (let i = 0; i < texts.length; ++i)
  cosines.push(cosine(await meanVector(session, makeIds(tokenizer, texts[i])), ours[i]));

const least = Math.min(...cosines);
const worst = texts[cosines.indexOf(least)];
const mean = cosines.reduce((sum, value) => sum + value) / cosines.length;
console.log(`${texts.length} texts: least cosine ${least.toFixed(8)}, mean ${mean.toFixed(8)}`);
console.log(`farthest: ${JSON.stringify(worst.slice(0, 80))}`);
if (!(least >= LEAST)) {
  console.log(`below ${LEAST}`);
  process.exitCode = 1;
}
