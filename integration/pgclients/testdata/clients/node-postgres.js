// node-postgres: parameters, pg-cursor and pg-query-stream, and a cancel request.
const { Client, Query } = require("pg");
const Cursor = require("pg-cursor");
const QueryStream = require("pg-query-stream");

const join = (rows) => rows.map((row) => row.map((v) => (v === null ? "NULL" : String(v))).join("|")).join(";");

async function main() {
  const client = new Client({ ssl: false });
  await client.connect();
  const rows = async (text, values) => (await client.query({ text, values, rowMode: "array" })).rows;
  const state = (text) => client.query(text).then(() => "", (e) => e.code);
  console.log("connect: " + (await rows("SHOW server_version"))[0][0]);
  console.log("list: " + (await rows("SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY 1", ["public"])).join(","));
  console.log("fields: " + (await client.query("SELECT * FROM orders LIMIT 0")).fields.map((f) => f.name).join(","));
  console.log("query: " + join(await rows("SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1")));
  console.log("parameter: " + join(await rows("SELECT order_id, amount FROM orders WHERE status = $1 AND amount > $2 ORDER BY order_id", ["completed", 60])));
  console.log("null: " + join(await rows("SELECT gift, weight FROM orders WHERE order_id IN (4, 5) ORDER BY order_id")));
  const numbers = "SELECT n FROM numbers ORDER BY n LIMIT $1";
  let count = 0, sum = 0;
  const cursor = client.query(new Cursor(numbers, [10000]));
  for (let part; (part = await cursor.read(1000)).length > 0; ) for (const row of part) (count += 1), (sum += Number(row.n));
  await cursor.close();
  console.log(`cursor: ${count}/${sum}`);
  (count = 0), (sum = 0);
  for await (const row of client.query(new QueryStream(numbers, [10000], { batchSize: 1000 }))) (count += 1), (sum += Number(row.n));
  console.log(`stream: ${count}/${sum}`);
  console.log("error: " + (await state("SELECT nothing FROM orders")));
  let running;
  const slow = new Promise((done) => (running = new Query(process.env.SLOW, (e) => done(e.code))));
  client.query(running);
  await new Promise((done) => setTimeout(done, 1000));
  const other = new Client({ ssl: false });
  other.on("error", () => {}); // the server closes the connection of a cancel request
  other.cancel(client, running);
  console.log("cancel: " + (await slow));
  console.log("again: " + (await rows("SELECT COUNT(*) FROM orders"))[0][0]);
  await client.end();
}

main();
