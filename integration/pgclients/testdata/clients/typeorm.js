// typeorm: its query runner and a repository. It cannot cancel: the time limit of the session does.
require("reflect-metadata");
const { DataSource, EntitySchema, In, MoreThan } = require("typeorm");
const env = process.env;
const login = { type: "postgres", host: env.PGHOST, port: Number(env.PGPORT), username: env.PGUSER, password: env.PGPASSWORD, database: env.PGDATABASE };
const orders = new EntitySchema({ name: "orders", tableName: "orders", columns: { order_id: { type: "bigint", primary: true }, status: { type: "text", nullable: true }, amount: { type: "numeric", nullable: true }, gift: { type: "boolean", nullable: true }, weight: { type: "double precision", nullable: true } } });

const join = (rows) => rows.map((row) => Object.values(row).map((v) => (v === null ? "NULL" : String(v))).join("|")).join(";");

async function main() {
  const db = await new DataSource({ ...login, entities: [orders] }).initialize();
  const runner = db.createQueryRunner();
  console.log("connect: " + (await db.query("SHOW server_version"))[0].server_version);
  const tables = (await runner.getTables()).filter((t) => t.name.startsWith("public.") || !t.name.includes("."));
  console.log("list: " + tables.map((t) => t.name.replace("public.", "")).sort().join(","));
  const table = await runner.getTable("orders");
  console.log("describe: " + table.columns.map((c) => c.name).join(","));
  console.log("types: " + table.columns.map((c) => c.type).join(","));
  if (table.primaryColumns[0].name !== "order_id" || table.foreignKeys[0].columnNames[0] !== "customer_id") throw new Error("the keys of orders");
  console.log("query: " + join(await db.query("SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1")));
  const repository = db.getRepository("orders");
  console.log("parameter: " + join(await repository.find({ select: { order_id: true, amount: true }, where: { status: "completed", amount: MoreThan(60) }, order: { order_id: "ASC" } })));
  console.log("null: " + join(await repository.find({ select: { gift: true, weight: true }, where: { order_id: In([4, 5]) }, order: { order_id: "ASC" } })));
  let count = 0, sum = 0;
  for await (const row of await runner.stream("SELECT n FROM numbers ORDER BY n LIMIT 10000")) (count += 1), (sum += Number(row.n));
  console.log(`cursor: ${count}/${sum}`);
  const state = (promise) => promise.then(() => "", (e) => e.code);
  console.log("error: " + (await state(db.query("SELECT nothing FROM orders"))));
  const limited = await new DataSource({ ...login, extra: { statement_timeout: 1000 } }).initialize();
  console.log("cancel: " + (await state(limited.query(env.SLOW))));
  await limited.destroy();
  console.log("again: " + (await repository.count()));
  await runner.release();
  await db.destroy();
}

main();
