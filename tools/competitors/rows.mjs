// A small database on which every competitor's SQL has to give the same rows.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** @returns {function({sql, params}): Promise<Array<Array>>} what runs a statement */
export async function database() {
  const { DuckDBInstance } = require('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`SET TimeZone = 'UTC'`);
  await connection.run(`CREATE TABLE customers AS SELECT i AS customer_id,
    ['north', 'south', 'east', 'west'][1 + i % 4] AS region, ['retail', 'online', 'partner'][1 + i % 3] AS segment FROM range(120) AS t(i)`);
  await connection.run(`CREATE TABLE products AS SELECT i AS product_id, 'category ' || i % 5 AS category, CAST(i AS DECIMAL(12, 2)) AS unit_cost FROM range(35) AS t(i)`);
  // Prime steps, so that every combination occurs. A few customers are unknown, and the
  // dates begin before the range and end after it.
  await connection.run(`CREATE TABLE orders AS SELECT i AS order_id, i * 7 % 123 AS customer_id, i * 11 % 35 AS product_id,
    DATE '2023-11-15' + CAST(i * 13 % 450 AS INTEGER) AS order_date, ['completed', 'returned', 'completed'][1 + i % 3] AS status,
    CAST(i * 7919 % 100003 AS DECIMAL(12, 2)) / 100 AS amount FROM range(20000) AS t(i)`);
  await connection.run(`ALTER TABLE orders ALTER amount TYPE DECIMAL(12, 2)`);
  return async ({ sql, params }) => (await connection.runAndReadAll(sql, params ?? [])).getRows();
}

/** A row as text: months without their day, and numbers to ten digits. */
const spell = (row) =>
  row
    .map((value) => {
      const text = String(value);
      const month = /^(\d{4}-\d{2})-01( 00:00:00)?$/.exec(text);
      if (month) return month[1];
      return value !== null && text !== '' && !Number.isNaN(Number(text)) ? Number(text).toPrecision(10) : text;
    })
    .join(' | ');

/** Throws unless both have the same rows, in whatever order. */
export function same(rows, expected, who) {
  const [a, b] = [rows, expected].map((list) => list.map(spell).sort());
  if (a.length !== b.length) throw new Error(`${who}: ${a.length} rows instead of ${b.length}`);
  const at = a.findIndex((row, i) => row !== b[i]);
  if (at >= 0) throw new Error(`${who}: a row is\n  ${a[at]}\ninstead of\n  ${b[at]}`);
}
