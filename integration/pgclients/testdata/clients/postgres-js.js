// postgres.js: parameters, a cursor, and cancel of a query.
const env = process.env;
const sql = require("postgres")({ host: env.PGHOST, port: env.PGPORT, database: env.PGDATABASE, username: env.PGUSER, password: env.PGPASSWORD, ssl: false, max: 1 });

const join = (rows) => rows.map((row) => row.map((v) => (v === null ? "NULL" : String(v))).join("|")).join(";");

async function main() {
  console.log("connect: " + (await sql`SHOW server_version`)[0].server_version);
  console.log("list: " + (await sql`SELECT tablename FROM pg_tables WHERE schemaname = ${"public"} ORDER BY 1`.values()).join(","));
  const described = await sql`SELECT * FROM orders`.describe();
  console.log("fields: " + described.columns.map((c) => c.name).join(","));
  console.log("query: " + join(await sql`SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1`.values()));
  console.log("parameter: " + join(await sql`SELECT order_id, amount FROM orders WHERE status = ${"completed"} AND amount > ${60} ORDER BY order_id`.values()));
  console.log("null: " + join(await sql`SELECT gift, weight FROM orders WHERE order_id IN ${sql([4, 5])} ORDER BY order_id`.values()));
  let count = 0, sum = 0;
  await sql`SELECT n FROM numbers ORDER BY n LIMIT 10000`.cursor(1000, (part) => {
    for (const row of part) (count += 1), (sum += Number(row.n));
  });
  console.log(`cursor: ${count}/${sum}`);
  console.log("error: " + (await sql`SELECT nothing FROM orders`.catch((e) => e.code)));
  const slow = sql.unsafe(env.SLOW);
  setTimeout(() => slow.cancel(), 1000);
  console.log("cancel: " + (await slow.catch((e) => e.code)));
  console.log("again: " + (await sql`SELECT COUNT(*) AS n FROM orders`)[0].n);
  await sql.end();
}

main();
