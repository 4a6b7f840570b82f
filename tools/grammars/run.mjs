// Each grammar in a thread of its own: it refuses nonsense, and takes what the corpus makes.
//
// A statement that does not parse is a fault of ours or of the grammar. For the second
// there is behind, with the reason; a statement leaves it when the grammar takes it.
//
// What a grammar calls nonsense is asked of it alone: Trino and Spark reserve so few words
// that LIMIT and WHERE are aliases at the end of a statement.
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { asKnown, isInWithinGroup } from './documented.mjs';
import { goldens } from './goldens.mjs';
import { quotedNames, schemaOf } from './tables.mjs';

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

// misuse parses, and a grammar that also looks names up refuses it.
const misuse = [
  'SELECT a, SUM(b) AS s FROM t', 'SELECT a FROM t WHERE SUM(a) > 1', 'SELECT SUM(SUM(a)) AS s FROM t',
  'SELECT a FROM t WHERE ROW_NUMBER() OVER (ORDER BY a) = 1', 'SELECT b, SUM(a) AS s FROM t GROUP BY a',
  'SELECT c FROM t', 'SELECT a FROM u', 'SELECT u.a FROM t', 'SELECT v.b FROM (SELECT a FROM t) AS v',
];
const misused = 'CREATE TABLE t (a INTEGER, b INTEGER);';

// grammars are names of dialects to functions that return what is wrong with a statement; some
// take the CREATE TABLE statements of its tables, too.
const grammars = {
  trino: () => antlr('trino', 'TrinoSQL'),
  databricks: () => antlr('databricks', 'SparkSQL'),
  // Redshift began as PostgreSQL 8.0: what PostgreSQL refuses it refuses too, not the other way round.
  redshift: () => postgres('redshift'),
  postgres: () => postgres('postgres'),
  snowflake: () => both(polyglot('snowflake'), sqlparser('snowflake', 'snowflake')),
  // Doris and StarRocks take MySQL's statements. That grammar is the second one for both, as the first
  // takes IN ().
  doris: () => both(polyglot('doris'), sqlparser('doris', 'mysql')),
  starrocks: () => both(polyglot('starrocks'), sqlparser('starrocks', 'mysql')),
};

const looksNamesUp = ['snowflake', 'doris', 'starrocks'];

const starrocksAndDoris = [
  // Takes a name in ORDER BY for a column of a table before one of the select list. Both engines look at
  // the select list first: https://github.com/apache/doris/pull/15646 has Doris's order of the two, and
  // https://github.com/StarRocks/starrocks/issues/59670 StarRocks's message about two such columns.
  'lod/order_by_a_count_with_limit', 'mistyped/order_by_the_day_of_moments_declared_date',
  'names/field_named_like_a_column_it_changes', 'names/metric_named_like_the_column_it_sums',
  'distinct/a_relative_range', 'top/limit_sorts_other_behind_the_null_group', 'top/order_by_the_column_of_other',
  // Does not find a column by a name that has capitals, which do not count in the name of a column:
  // https://docs.starrocks.io/docs/sql-reference/System_limit/
  'names/quoted_source_and_columns',
];

const behind = {
  doris: starrocksAndDoris,
  starrocks: starrocksAndDoris,
};

// both is what either of two grammars says against a statement.
async function both(one, other) {
  const [first, second] = await Promise.all([one, other]);
  return (sql, ddl) => first(sql, ddl) || second(sql);
}

async function polyglot(dialect) {
  const { validate, validateWithSchema } = await import('@polyglot-sql/sdk');
  const options = { strictSyntax: true, semantic: true };
  return (statement, ddl) => {
    const sql = asKnown('polyglot', dialect, statement);
    const { errors } = ddl ? validateWithSchema(sql, schemaOf(ddl), dialect, options) : validate(sql, dialect, options);
    const error = errors.find((found) => found.severity === 'error' && !(ddl && isFolded(dialect, found, ddl)) && !isGrouped(dialect, found, sql));
    return error && `${error.line}:${error.column}: ${error.message}`;
  };
}

// isFolded reports whether an error says that a column is missing whose name is quoted: the columns of a
// schema for Snowflake are all in upper case, which Snowflake leaves as they are in quotes
// (https://docs.snowflake.com/en/sql-reference/identifiers-syntax).
function isFolded(dialect, error, ddl) {
  const [, column] = error.message.match(/^Unknown column '(.*)' in table /) ?? [];
  return dialect === 'snowflake' && quotedNames(ddl).has(column);
}

// isGrouped reports whether an error says that a column must be grouped where it need not be: in a statement with
// GROUPING SETS, whose columns the grammar does not look for
// (https://docs.snowflake.com/en/sql-reference/constructs/group-by-grouping-sets), and in the order of an aggregate.
function isGrouped(dialect, error, sql) {
  if (!error.message.startsWith('Column must be grouped')) return false;
  return sql.includes('GROUPING SETS') || (dialect === 'snowflake' && isInWithinGroup(sql, error.line, error.column));
}

async function sqlparser(dialect, grammar) {
  const { init, Parser } = await import('@guanmingchiu/sqlparser-ts');
  await init();
  return (sql) => {
    try {
      Parser.parse(asKnown('sqlparser', dialect, sql), grammar);
    } catch (error) {
      return error.message;
    }
  };
}

async function antlr(dialect, name) {
  const parser = new (await import('../../.cache/grammars.mjs'))[name]();
  return (sql) => {
    const [error] = parser.validate(asKnown('antlr', dialect, sql));
    return error && `${error.startLine}:${error.startColumn}: ${error.message}`;
  };
}

async function postgres(dialect) {
  const { loadModule, parseSync } = await import('libpg-query');
  await loadModule();
  return (sql) => {
    try {
      parseSync(asKnown('libpg-query', dialect, sql));
    } catch (error) {
      return `${error.sqlDetails?.cursorPosition}: ${error.message}`;
    }
  };
}

async function check(dialect) {
  const wrong = await grammars[dialect]();
  const faults = nonsense.filter((sql) => !wrong(sql)).map((sql) => `takes ${sql}`);
  if (looksNamesUp.includes(dialect)) faults.push(...misuse.filter((sql) => !wrong(sql, misused)).map((sql) => `takes ${sql}`));
  const statements = goldens(dialect);
  if (statements.length < 600) faults.push(`${statements.length} statements; the corpus has more`);
  for (const { name, sql, ddl } of statements) {
    const fault = wrong(sql, ddl);
    const known = behind[dialect]?.includes(name);
    if (fault && !known) faults.push(`${name}: ${fault}\n${sql}`);
    if (!fault && known) faults.push(`${name} parses now: it leaves the list`);
  }
  return { parsed: statements.length, faults };
}

const asked = process.argv.slice(2);

if (isMainThread) {
  let failed = false;
  await Promise.all(Object.keys(grammars).filter((dialect) => asked.length === 0 || asked.includes(dialect)).map(async (dialect) => {
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
