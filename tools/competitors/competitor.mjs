// The competitors are processes of one kind: they read a line of JSON, do what it says,
// and write a line of JSON. integration/benchmarks/competitor is the same in Go.
//
//	{"do": "about"}                                  -> {"name", "version", "has_rollups"}
//	{"do": "load", "datasets": n, "rollups": r}      -> {"seconds", "cpu"}
//	{"do": "sql", "datasets": n, "question": q}      -> {"sql", "params"}
//	{"do": "time", "datasets": n, "question": q, "again": bool, "seconds": s}
//	                                                 -> {"times", "seconds", "cpu"}
//	{"do": "make rollup", "datasets": n, "rollups": r} -> {"schema", "sql", "params"}
//
// With rollups, which are 0 when not given, the model has so many rollups of orders; only
// the last of them serves Q3, and "make rollup" gives the statement that makes its table.
// sql and time take it too.
//
// seconds are those of the clock, cpu those of the processor, all threads together.
// load makes a model anew, from its text, and times it. The other two take the model of
// that size that was loaded last. time asks for so many seconds: with again the very same
// question each time, and otherwise one with a number that it never had before, Q1 in a
// limit that cuts nothing off, Q3 in a value of its filter.
import { createInterface } from 'node:readline';

/**
 * @param competitor {name, version, text(n, rollups), load(text), ask(model, question, number), makeRollup(model, rollup)}:
 *   load returns a model, and ask {sql, params} or a promise of it; number is undefined
 *   for the question as it stands.
 */
export async function runCompetitor(competitor) {
  const models = new Map();
  const texts = new Map();
  let number = 1000;

  const does = {
    about: () => ({ name: competitor.name, version: competitor.version, has_rollups: 'makeRollup' in competitor }),
    async load(order) {
      const key = keyOf(order);
      if (!texts.has(key)) texts.set(key, competitor.text(order.datasets, order.rollups ?? 0));
      models.delete(key);
      const watch = stopwatch();
      const model = await competitor.load(texts.get(key));
      const took = watch();
      models.set(key, model);
      return took;
    },
    sql: async (order) => competitor.ask(models.get(keyOf(order)), order.question),
    'make rollup': async (order) => competitor.makeRollup(models.get(keyOf(order)), rolledUp(order.rollups).at(-1)),
    async time({ question, again, seconds, ...order }) {
      const model = models.get(keyOf(order));
      const watch = stopwatch();
      const end = performance.now() + seconds * 1e3;
      let times = 0;
      while (times === 0 || performance.now() < end) {
        const asked = competitor.ask(model, question, again ? undefined : number++);
        if (asked instanceof Promise) await asked;
        times++;
      }
      return { times, ...watch() };
    },
  };

  for await (const line of createInterface({ input: process.stdin })) {
    const order = JSON.parse(line);
    let answer;
    try {
      answer = await does[order.do](order);
    } catch (e) {
      answer = { error: String(e.stack ?? e) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

const keyOf = ({ datasets, rollups = 0 }) => `${datasets} ${rollups}`;

function stopwatch() {
  const cpu = process.cpuUsage();
  const start = performance.now();
  return () => {
    const seconds = (performance.now() - start) / 1e3;
    const { user, system } = process.cpuUsage(cpu);
    return { seconds, cpu: (user + system) / 1e6 };
  };
}

/**
 * The shape of integration/benchmarks/model.go: the suffixes of its shops, of three
 * datasets each, and the names of the datasets that are left over.
 */
export function shape(n) {
  const shops = [];
  for (let i = 0; i + 3 <= n; i += 3) shops.push(i === 0 ? '' : `_${i / 3}`);
  const extras = [];
  for (let i = 3 * shops.length; i < n; i++) extras.push(`extra_${i}`);
  return { shops, extras };
}

/**
 * The rollups of integration/benchmarks/rolled_model.go: each is of revenue and order_count
 * by a grain of order_date and some of four fields; the last has all that Q3 reads.
 */
export function rolledUp(n) {
  const fields = ['orders.status', 'customers.region', 'customers.segment', 'products.category'];
  const all = 2 ** fields.length - 1;
  const grains = ['day', 'week', 'month', 'quarter', 'year'];
  const out = Array.from({ length: n }, (_, i) => ({
    name: `rollup_${i}`,
    grain: grains[Math.floor(i / all) % grains.length],
    fields: fields.filter((_, f) => (i % all) & (1 << f)),
  }));
  Object.assign(out[n - 1], { grain: 'month', fields });
  return out;
}
