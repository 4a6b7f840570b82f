// The competitors are processes of one kind: they read a line of JSON, do what it says,
// and write a line of JSON. integration/benchmarks/competitor is the same in Go.
//
//	{"do": "about"}                                  -> {"name", "version"}
//	{"do": "load", "datasets": n}                    -> {"seconds", "cpu"}
//	{"do": "sql", "datasets": n, "question": q}      -> {"sql", "params"}
//	{"do": "time", "datasets": n, "question": q, "again": bool, "seconds": s}
//	                                                 -> {"times", "seconds", "cpu"}
//
// seconds are those of the clock, cpu those of the processor, all threads together.
// load makes a model anew, from its text, and times it. The other two take the model of
// that size that was loaded last. time asks for so many seconds: with again the very same
// question each time, and otherwise one with a number that it never had before, Q1 in a
// limit that cuts nothing off, Q3 in a value of its filter.
import { createInterface } from 'node:readline';

/**
 * @param competitor {name, version, text(n), load(text), ask(model, question, number)}:
 *   load returns a model, and ask {sql, params} or a promise of it; number is undefined
 *   for the question as it stands.
 */
export async function runCompetitor(competitor) {
  const models = new Map();
  const texts = new Map();
  let number = 1000;

  const does = {
    about: () => ({ name: competitor.name, version: competitor.version }),
    async load({ datasets }) {
      if (!texts.has(datasets)) texts.set(datasets, competitor.text(datasets));
      models.delete(datasets);
      const watch = stopwatch();
      const model = await competitor.load(texts.get(datasets));
      const took = watch();
      models.set(datasets, model);
      return took;
    },
    sql: async ({ datasets, question }) => competitor.ask(models.get(datasets), question),
    async time({ datasets, question, again, seconds }) {
      const model = models.get(datasets);
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
