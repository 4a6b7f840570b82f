// Each grammar in a thread of its own: it refuses nonsense, and takes what the corpus makes.
//
// A statement that does not parse is a fault of ours or of the grammar. For the second
// there is behind, with the reason; a statement leaves it when the grammar takes it.
//
// What a grammar calls nonsense is asked of it alone: Trino and Spark reserve so few words
// that LIMIT and WHERE are aliases at the end of a statement.
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { goldens } from './goldens.mjs';

const nonsense = [
  'SELECT 1 +', 'SELECT a FROM', 'SELECT a b c FROM t', 'SELECT (a FROM t', 'SELECT a FROM t GROUP a',
  'SELECT COUNT(*) FROM t ORDER a', 'SELECT CASE WHEN a THEN 1 FROM t', 'SELECT SUM(a) OVER (ORDER a) FROM t',
  'SELECT SUM(a) OVER (PARTITION a) FROM t', 'SELECT SUM(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING) FROM t',
  'SELECT a FROM t LEFT u ON t.a = u.a', 'SELECT a FROM t JOIN u ON', 'SELECT CAST(a DATE) FROM t',
  'SELECT CAST(a AS) FROM t', 'SELECT a FROM t WHERE a IN ()', 'SELECT a FROM t WHERE a BETWEEN 1',
  'SELECT a, FROM t WHERE b', 'SELECT a FROM t UNION', "SELECT 'abc FROM t", 'SELECT select FROM t',
  'SELECT a FROM t WHERE a = = 1', 'SELECT f(a,) FROM t', 'SELECT a FROM (SELECT b FROM u',
  'SELECT a FROM t ORDER BY a NULLS', 'SELECT a FROM t WHERE a IS 5', 'SELECT a FROM t GROUP BY GROUPING SETS (a',
];

// misuse parses, and a grammar that also looks at the meaning of names refuses it.
const misuse = [
  'SELECT a, SUM(b) AS s FROM t', 'SELECT a FROM t WHERE SUM(a) > 1', 'SELECT SUM(SUM(a)) AS s FROM t',
  'SELECT a FROM t WHERE ROW_NUMBER() OVER (ORDER BY a) = 1', 'SELECT b, SUM(a) AS s FROM t GROUP BY a',
];

// grammars are names of dialects to functions that return what is wrong with a statement.
const grammars = {
  trino: () => antlr('TrinoSQL'),
  databricks: () => antlr('SparkSQL'),
  // Redshift began as PostgreSQL 8.0: what PostgreSQL refuses it refuses too, not the other way round.
  redshift: postgres,
  postgres,
  snowflake: () => both(polyglot('snowflake'), sqlparser('snowflake')),
  // Doris and StarRocks take MySQL's statements. That grammar is the second one for both, as the first
  // takes IN ().
  doris: () => both(polyglot('doris'), sqlparser('mysql')),
  starrocks: () => both(polyglot('starrocks'), sqlparser('mysql')),
};

const looksAtMeaning = ['snowflake', 'doris', 'starrocks'];

const behind = {
  // Takes `a - CASE` for a name with a hyphen.
  databricks: ['derive/windowed_member'],
  // Takes a name in ORDER BY for a column of a table before one of the select list. Both engines look at
  // the select list first: https://github.com/apache/doris/pull/15646 has Doris's order of the two, and
  // https://github.com/StarRocks/starrocks/issues/59670 StarRocks's message about two such columns.
  doris: ['lod/order_by_a_count_with_limit'],
  starrocks: ['lod/order_by_a_count_with_limit'],
};

// both is what either of two grammars says against a statement.
async function both(one, other) {
  const [first, second] = await Promise.all([one, other]);
  return (sql) => first(sql) || second(sql);
}

async function polyglot(dialect) {
  const { validate } = await import('@polyglot-sql/sdk');
  return (sql) => {
    const { errors } = validate(sql, dialect, { strictSyntax: true, semantic: true });
    const error = errors.find((found) => found.severity === 'error');
    return error && `${error.line}:${error.column}: ${error.message}`;
  };
}

async function sqlparser(dialect) {
  const { init, Parser } = await import('@guanmingchiu/sqlparser-ts');
  await init();
  return (sql) => {
    try {
      Parser.parse(sql, dialect);
    } catch (error) {
      return error.message;
    }
  };
}

async function antlr(name) {
  const parser = new (await import('../../.cache/grammars.mjs'))[name]();
  return (sql) => {
    const [error] = parser.validate(sql);
    return error && `${error.startLine}:${error.startColumn}: ${error.message}`;
  };
}

async function postgres() {
  const { loadModule, parseSync } = await import('libpg-query');
  await loadModule();
  return (sql) => {
    try {
      parseSync(sql);
    } catch (error) {
      return `${error.sqlDetails?.cursorPosition}: ${error.message}`;
    }
  };
}

async function check(dialect) {
  const wrong = await grammars[dialect]();
  const refused = looksAtMeaning.includes(dialect) ? [...nonsense, ...misuse] : nonsense;
  const faults = refused.filter((sql) => !wrong(sql)).map((sql) => `takes ${sql}`);
  const statements = goldens(dialect);
  if (statements.length < 600) faults.push(`${statements.length} statements; the corpus has more`);
  for (const { name, sql } of statements) {
    const fault = wrong(sql);
    const known = behind[dialect]?.includes(name);
    if (fault && !known) faults.push(`${name}: ${fault}\n${sql}`);
    if (!fault && known) faults.push(`${name} parses now: it leaves the list`);
  }
  return { parsed: statements.length, faults };
}

if (isMainThread) {
  let failed = false;
  await Promise.all(Object.keys(grammars).map(async (dialect) => {
    const started = performance.now();
    const { parsed, faults } = await new Promise((resolve, reject) => {
      new Worker(new URL(import.meta.url), { workerData: dialect }).on('message', resolve).on('error', reject);
    });
    failed ||= faults.length > 0;
    for (const fault of faults) console.log(`${dialect}: ${fault}`);
    console.log(`${dialect}: ${parsed} statements, ${faults.length} faults, ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }));
  process.exitCode = failed ? 1 : 0;
} else {
  parentPort.postMessage(await check(workerData));
}
