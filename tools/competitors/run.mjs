// node run.mjs CONTENDER OUT: times what semlayer is compared with, beside semlayer, and
// writes OUT. `make peers` installs what is needed and calls it.
//
// Each competitor is a process of its own (competitor.mjs). First, all of them have to
// mean the same: their SQL runs on a small DuckDB, and the rows are compared. Then come
// rounds in which each in turn works for a quarter of a second on each question and size;
// the figure is the median of the rounds, of the mean time in a round, so that what
// garbage collection costs is in it. A first round that does not count warms up.
//
// Beside the ratio of these times stands that of processor time: on a machine with other
// work the clock says too much for whoever takes longer. An aim has to be held by both.
//
// Rollups are measured beside: Q3 of a model with 100 of them, of which the last serves it,
// takes turns with Q3 of the model without, and what they add to a question is the median
// of the differences. The SQL has to read the table of the last rollup, which the
// competitor's own statement makes, and its rows have to be those of the base tables.
//
// PEERS_ROUNDS [9] is the number of rounds, PEERS_LOADS [5] how often a model is loaded.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { database, same } from './rows.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const [, , own, out] = process.argv;
const rounds = Number(process.env.PEERS_ROUNDS ?? 9);
const loads = Number(process.env.PEERS_LOADS ?? 5);
const sizes = [3, 100, 1000];
const perTurn = 0.25; // seconds
const rolled = { datasets: 3, rollups: 100 };

const native = ['index.node', 'native/index.node'].some((f) => existsSync(here(`node_modules/@cubejs-backend/native/${f}`)));
const notMeasured = [
  'MetricFlow: it comes from PyPI, which could not be reached where this was written',
  ...(native ? [] : ["Cube's planner in Rust, the one it prefers: its native library comes from GitHub and is not installed here"]),
];

const git = (...args) => execFileSync('git', args, { cwd: here('.'), encoding: 'utf8' }).trim();
const commit = git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain', '--untracked-files=no') ? ' and changes' : '');

/** A process that answers one order at a time. */
function start(command, ...args) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    again: args.includes('named'),
    async ask(order) {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      const { value, done } = await lines.next();
      const answer = done ? { error: 'it has ended' } : JSON.parse(value);
      if (answer.error) throw new Error(`${[command, ...args].join(' ')}: ${JSON.stringify(order)}: ${answer.error}`);
      return answer;
    },
    stop: () => child.stdin.end(),
  };
}

const competitors = [
  start(own),
  ...(native ? [start(process.execPath, here('cube.mjs'), 'rust')] : []),
  start(process.execPath, here('cube.mjs'), 'javascript'),
  start(process.execPath, here('malloy.mjs'), 'text'),
  start(process.execPath, here('malloy.mjs'), 'named'),
];
for (const c of competitors) Object.assign(c, await c.ask({ do: 'about' }));
const [semlayer] = competitors;
const go = semlayer.version;
semlayer.version = commit;

console.log('# The same question, the same rows\n');
const run = await database();
for (const c of competitors) await c.ask({ do: 'load', datasets: 3 });
for (const question of ['Q1', 'Q3']) {
  let expected;
  const check = async (c, order) => {
    const asked = await c.ask({ do: 'sql', question, ...order });
    const rows = await run(asked);
    expected ??= rows;
    if (rows.length < 4) throw new Error(`${c.name}: ${rows.length} rows say nothing`);
    same(rows, expected, `${c.name}, ${question}`);
    console.log(`${question}, ${c.name}: ${rows.length} rows\n${asked.sql.trim()}\n${asked.params?.length ? `${JSON.stringify(asked.params)}\n` : ''}`);
    return asked.sql;
  };
  for (const c of competitors) await check(c, { datasets: 3 });
  if (question !== 'Q3') continue;
  for (const c of competitors.filter((c) => c.has_rollups)) {
    await c.ask({ do: 'load', ...rolled });
    const made = await c.ask({ do: 'make rollup', ...rolled });
    await run({ sql: `CREATE SCHEMA IF NOT EXISTS ${made.schema}` });
    await run(made);
    const sql = await check(c, rolled);
    if (!sql.includes('rollup_99')) throw new Error(`${c.name}: Q3 does not read the rollup that serves it`);
    await run({ sql: `DROP SCHEMA ${made.schema} CASCADE` }); // where the next may make its own
  }
}

const figures = new Map(); // competitor -> question -> datasets -> what each round took
const note = (c, question, datasets, took) => {
  const key = JSON.stringify([question, datasets]);
  if (!figures.has(c)) figures.set(c, new Map());
  if (!figures.get(c).has(key)) figures.get(c).set(key, []);
  figures.get(c).get(key).push(took);
};

for (const datasets of sizes) {
  for (let i = 0; i <= loads; i++) {
    for (const c of competitors) {
      const took = await c.ask({ do: 'load', datasets });
      if (i > 0 && !c.again) note(c, 'load', datasets, took);
    }
  }
  console.error(`${datasets} datasets are loaded`);
}
for (let round = 0; round <= rounds; round++) {
  for (const again of [false, true]) {
    for (const question of ['Q1', 'Q3']) {
      for (const datasets of sizes) {
        for (const c of competitors) {
          if (c.again && !again) continue;
          const { times, seconds, cpu } = await c.ask({ do: 'time', datasets, question, again, seconds: perTurn });
          if (round > 0) note(c, again ? `${question} again` : question, datasets, { seconds: seconds / times, cpu: cpu / times });
        }
      }
    }
  }
  for (const c of competitors.filter((c) => c.has_rollups)) {
    const took = [];
    for (const order of [rolled, { datasets: rolled.datasets }]) {
      const { times, seconds, cpu } = await c.ask({ do: 'time', question: 'Q3', again: false, seconds: perTurn, ...order });
      took.push({ seconds: seconds / times, cpu: cpu / times });
    }
    const [w, without] = took;
    if (round > 0) note(c, 'rollups', rolled.datasets, { seconds: w.seconds - without.seconds, cpu: w.cpu - without.cpu });
  }
  console.error(`round ${round} of ${rounds}`);
}
for (const c of competitors) c.stop();

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const digits = (x, n = 3) => Number(x.toPrecision(n));
const value = (c, key, of = 'seconds') => median(figures.get(c).get(key).map((took) => took[of]));
const results = [];
for (const key of figures.get(semlayer).keys()) {
  const [question, datasets] = JSON.parse(key);
  for (const c of competitors) {
    if (!figures.get(c).has(key)) continue;
    const [v, ratio, cpu] = [value(c, key), value(c, key) / value(semlayer, key), value(c, key, 'cpu') / value(semlayer, key, 'cpu')].map((x) => digits(x));
    results.push({ peer: c.name, version: c.version, question, datasets, unit: 's', value: v, ratio_to_semlayer: ratio, cpu_ratio_to_semlayer: cpu });
  }
}

/** What is aimed at: the smaller ratio of any peer at any of the sizes. */
const judged = (r) => Math.min(r.ratio_to_semlayer, r.cpu_ratio_to_semlayer);
const aims = [...['Q1', 'Q3', 'Q1 again', 'Q3 again'].map((question) => [question, 8, sizes]), ['load', 10, [1000]], ['rollups', 100, [3]]].map(([question, aim, over]) => {
  const all = results.filter((r) => r.question === question && r.peer !== semlayer.name && over.includes(r.datasets));
  const { peer, datasets, ratio_to_semlayer, cpu_ratio_to_semlayer } = all.reduce((a, b) => (judged(a) <= judged(b) ? a : b));
  return { question, aim, fastest: peer, datasets, ratio_to_semlayer, cpu_ratio_to_semlayer, held: judged({ ratio_to_semlayer, cpu_ratio_to_semlayer }) >= aim };
});
const of = (question, datasets) => value(semlayer, JSON.stringify([question, datasets]), 'cpu');
const growth = Object.fromEntries(['Q1', 'Q3'].map((q) => [q, digits(of(q, 1000) / of(q, 3))]));

const report = {
  command: 'make peers',
  machine: `${cpus().length} cores, ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${go}`,
  date: new Date().toISOString().slice(0, 10),
  commit,
  load: readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 3).join(' '),
  questions: {
    Q1: 'one metric by one joined dimension, each time with a limit that it did not have before',
    Q3: 'three metrics, one of them a ratio, by two joined dimensions and month, with a range of dates, a filter, an order and a limit; each time with a value in the filter that it did not have before',
    'Q1 again': 'Q1, the very same each time: what a peer remembers of it counts',
    'Q3 again': 'Q3, the very same each time',
    rollups: 'what 100 rollups of one dataset, of which the last serves Q3, add to Q3',
    load: 'from the text of a model to one that answers, in a warm process; Malloy is handed the columns of the tables, which it reads from a warehouse otherwise',
  },
  aims,
  cpu_growth_3_to_1000: growth,
  not_measured: notMeasured,
  results,
};
writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`);

console.log('# Times and ratios\n');
const pretty = (s) => (s < 1e-3 ? `${digits(s * 1e6)} µs` : s < 1 ? `${digits(s * 1e3)} ms` : `${digits(s)} s`);
for (const r of results) console.log(`${r.question.padEnd(9)} ${String(r.datasets).padStart(5)}  ${pretty(r.value).padStart(9)}  ${`${r.ratio_to_semlayer}×`.padStart(7)}  cpu ${`${r.cpu_ratio_to_semlayer}×`.padStart(7)}  ${r.peer} ${r.version}`);
console.log('\n# Aims\n');
for (const a of aims) console.log(`${a.question.padEnd(9)} at least ${a.aim}×: ${a.ratio_to_semlayer}×, of processor time ${a.cpu_ratio_to_semlayer}× (${a.fastest}, ${a.datasets} datasets)${a.held ? '' : ', missed'}`);
console.log(`processor time from 3 to 1000 datasets: Q1 ${growth.Q1}×, Q3 ${growth.Q3}×`);
for (const n of notMeasured) console.log(`not measured: ${n}`);
