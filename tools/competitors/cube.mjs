// Cube: its schema compiler, with the query class of its DuckDB driver.
//
// The fast way of a Cube server: the schema is compiled once, and a query makes a query
// object and asks it for SQL; the compiler's caches stay, the one that remembers the SQL
// of a query that was asked before among them. What is left out: the API gateway, the
// request's JSON, security contexts, and what builds pre-aggregations and knows whether they are built.
//
// The schema is JavaScript in one file. In YAML it compiles in twice the time, and in a
// file for each cube in a third more.
//
// The planner in Rust (Tesseract), which Cube 1.7 prefers, is a native library that
// the package downloads from GitHub after its installation. argv[2] is "rust" for it, and
// "javascript" for the planner before it, which needs no such library: the Jinja engine,
// native too, is asked for nothing by this schema, and one that does nothing is handed in.
import { createRequire } from 'node:module';
import { rolledUp, runCompetitor, shape } from './competitor.mjs';

const planner = process.argv[2] ?? 'javascript';
process.env.CUBEJS_TESSERACT_SQL_PLANNER = String(planner === 'rust');
process.env.CUBEJS_TELEMETRY = 'false';
console.log = console.warn = console.error; // standard output is for answers

const require = createRequire(import.meta.url);
const { prepareCompiler } = require('@cubejs-backend/schema-compiler');
const { DuckDBQuery } = require('@cubejs-backend/duckdb-driver/dist/src/DuckDBQuery.js');

const ref = (name) => `\${${name}}`;

function cubes(n) {
  const { shops, extras } = shape(n);
  const dimension = (name, type = 'string', primary_key = false) => ({ name, sql: name, type, ...(primary_key && { primary_key }) });
  const cube = (name, fields, rest = {}) => ({
    name,
    sql_table: name,
    ...rest,
    dimensions: fields.map((f, i) => (Array.isArray(f) ? dimension(...f) : dimension(f, 'string', i === 0))),
  });
  return [
    ...shops.flatMap((s) => [
      cube(`orders${s}`, ['order_id', 'customer_id', 'product_id', ['order_date', 'time'], 'status', ['amount', 'number']], {
        joins: ['customer', 'product'].map((to) => ({
          name: `${to}s${s}`,
          sql: `${ref('CUBE')}.${to}_id = ${ref(`${to}s${s}`)}.${to}_id`,
          relationship: 'many_to_one',
        })),
        measures: [
          { name: `revenue${s}`, sql: 'amount', type: 'sum' },
          { name: `order_count${s}`, sql: 'order_id', type: 'count' },
          { name: `avg_order_value${s}`, sql: `${ref(`revenue${s}`)} / ${ref(`order_count${s}`)}`, type: 'number' },
        ],
      }),
      cube(`customers${s}`, ['customer_id', 'region', 'segment']),
      cube(`products${s}`, ['product_id', 'category', ['unit_cost', 'number']]),
    ]),
    ...extras.map((name) => cube(name, ['id', 'name'])),
  ];
}

/** The pre-aggregations of orders, of the shape of integration/benchmarks/rolled_model.go. */
function preAggregations(rollups) {
  const one = ({ name, grain, fields }) =>
    `${name}: {type: 'rollup', external: false, measures: [CUBE.revenue, CUBE.order_count], dimensions: [${fields.join(', ').replaceAll('orders.', 'CUBE.')}], timeDimension: CUBE.order_date, granularity: '${grain}'}`;
  return `{\n    ${rolledUp(rollups).map(one).join(',\n    ')}\n  }`;
}

function schema(n, rollups) {
  const sql = (text) => `\`${text}\``;
  const member = ({ name, ...rest }) =>
    `${name}: {${Object.entries(rest).map(([k, v]) => `${k}: ${k === 'sql' ? sql(v) : JSON.stringify(v)}`).join(', ')}}`;
  const members = (list = []) => `{\n    ${list.map(member).join(',\n    ')}\n  }`;
  return cubes(n)
    .map((c) => `cube('${c.name}', {\n  sql_table: ${sql(c.sql_table)},\n  joins: ${members(c.joins)},\n  measures: ${members(c.measures)},\n  dimensions: ${members(c.dimensions)}${rollups && c.name === 'orders' ? `,\n  preAggregations: ${preAggregations(rollups)}` : ''}\n});\n`)
    .join('\n');
}

const questions = {
  Q1: (number) => ({ measures: ['orders.revenue'], dimensions: ['customers.region'], order: [], ...(number && { rowLimit: number }) }),
  Q3: (number) => ({
    measures: ['orders.revenue', 'orders.order_count', 'orders.avg_order_value'],
    dimensions: ['customers.region', 'products.category'],
    timeDimensions: [{ dimension: 'orders.order_date', granularity: 'month', dateRange: ['2024-01-01', '2024-12-31'] }],
    filters: [
      { member: 'orders.status', operator: 'equals', values: ['completed'] },
      { member: 'customers.segment', operator: 'equals', values: ['retail', number ? `online_${number}` : 'online'] },
    ],
    order: [{ id: 'orders.revenue', desc: true }],
    rowLimit: 100,
  }),
};

await runCompetitor({
  name: planner === 'rust' ? 'Cube' : 'Cube (planner in JavaScript)',
  version: require('@cubejs-backend/schema-compiler/package.json').version,
  text: (n, rollups) => [{ fileName: 'shops.js', content: schema(n, rollups) }],
  async load(files) {
    const compilers = prepareCompiler({ localPath: () => '.', dataSchemaFiles: async () => files }, planner === 'rust' ? {} : { nativeInstance: { newJinjaEngine: () => ({}) } });
    await compilers.compiler.compile();
    return compilers;
  },
  ask(compilers, question, number) {
    const [sql, params] = new DuckDBQuery(compilers, { ...questions[question](number), timezone: 'UTC' }).buildSqlAndParams();
    return { sql, params };
  },
  makeRollup(compilers, { name, fields, grain }) {
    const timeDimensions = [{ dimension: 'orders.order_date', granularity: grain }];
    const query = new DuckDBQuery(compilers, { measures: ['orders.revenue', 'orders.order_count'], dimensions: fields, timeDimensions, order: [], timezone: 'UTC', preAggregationQuery: true });
    const [sql, params] = query.buildSqlAndParams();
    const table = query.preAggregationTableName('orders', name);
    return { sql: `CREATE TABLE ${table} AS ${sql.replace(/ LIMIT \d+$/, '')}`, params, schema: query.preAggregationSchema() };
  },
});
