// Malloy: its library, with a connection that knows the columns of the tables by heart,
// so that no database is asked for a schema.
//
// The fast way of a program that embeds Malloy: the model is compiled once and kept, and
// a query is compiled against it. argv[2] is "text" for a query that comes as text, as
// those of a person or a page do, or "named" for one that stands in the model, which is
// parsed with it and is the same again each time.
import { createRequire } from 'node:module';
import { runCompetitor, shape } from './competitor.mjs';

const way = process.argv[2] ?? 'text';
const require = createRequire(import.meta.url);
const { InMemoryURLReader, Runtime } = require('@malloydata/malloy');
const { BaseConnection } = require('@malloydata/malloy/connection');

const types = {
  number: { type: 'number', numberType: 'integer' },
  decimal: { type: 'number', numberType: 'float' },
  date: { type: 'date' },
  string: { type: 'string' },
};
const tables = {
  orders: { order_id: 'number', customer_id: 'number', product_id: 'number', order_date: 'date', status: 'string', amount: 'decimal' },
  customers: { customer_id: 'number', region: 'string', segment: 'string' },
  products: { product_id: 'number', category: 'string', unit_cost: 'decimal' },
  extra: { id: 'number', name: 'string' },
};

class KnownTables extends BaseConnection {
  get name() {
    return 'duckdb';
  }
  get dialectName() {
    return 'duckdb';
  }
  getDigest() {
    return 'duckdb';
  }
  async fetchTableSchema(name, path) {
    const fields = Object.entries(tables[path.replace(/_\d+$/, '')]).map(([column, type]) => ({ name: column, ...types[type] }));
    return { type: 'table', name, dialect: 'duckdb', tablePath: path, connection: 'duckdb', fields };
  }
  async fetchSelectSchema() {
    return 'no statement is described here';
  }
  async runSQL() {
    throw new Error('nothing is run here');
  }
}

const questions = {
  Q1: (number) => `orders -> { group_by: customers.region; aggregate: revenue; order_by: region${number ? `; limit: ${number}` : ''} }`,
  Q3: (number) => `orders -> {
    where: status = 'completed', customers.segment = 'retail' | '${number ? `online_${number}` : 'online'}', order_date ? @2024-01-01 to @2025-01-01
    group_by: customers.region, products.category, order_month is order_date.month
    aggregate: revenue, order_count, avg_order_value
    order_by: revenue desc
    limit: 100
  }`,
};

const model = (n) => {
  const { shops, extras } = shape(n);
  return [
    ...shops.map(
      (s) => `source: customers${s} is duckdb.table('customers${s}') extend { primary_key: customer_id }
source: products${s} is duckdb.table('products${s}') extend { primary_key: product_id }
source: orders${s} is duckdb.table('orders${s}') extend {
  primary_key: order_id
  join_one: customers${s} with customer_id
  join_one: products${s} with product_id
  measure:
    revenue${s} is sum(amount)
    order_count${s} is count()
    avg_order_value${s} is revenue${s} / order_count${s}
}
`,
    ),
    ...extras.map((name) => `source: ${name} is duckdb.table('${name}') extend { primary_key: id }\n`),
    ...(way === 'named' ? Object.entries(questions).map(([name, text]) => `query: ${name} is ${text()}\n`) : []),
  ].join('\n');
};

await runCompetitor({
  name: way === 'named' ? 'Malloy (query named in the model)' : 'Malloy',
  version: require('@malloydata/malloy/package.json').version,
  text: model,
  async load(text) {
    const url = new URL('file:///model.malloy');
    const runtime = new Runtime({ urlReader: new InMemoryURLReader(new Map([[url.href, text]])), connection: new KnownTables() });
    const loaded = runtime.loadModel(url);
    await loaded.getModel();
    return loaded;
  },
  async ask(loaded, question, number) {
    const query = way === 'named' ? loaded.loadQueryByName(question) : loaded.loadQuery(`run: ${questions[question](number)}`);
    return { sql: await query.getSQL(), params: [] };
  },
});
