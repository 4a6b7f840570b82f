// knex: its schema functions and its builder. It cancels by a function of PostgreSQL that ends other sessions, so that the time
// limit of the session does it here.
const knex = require("knex");
const env = process.env;
const connection = { host: env.PGHOST, port: env.PGPORT, database: env.PGDATABASE, user: env.PGUSER, password: env.PGPASSWORD, ssl: false };
const db = knex({ client: "pg", connection });

const join = (rows) => rows.map((row) => Object.values(row).map((v) => (v === null ? "NULL" : String(v))).join("|")).join(";");

async function main() {
  console.log("connect: " + (await db.raw("SHOW server_version")).rows[0].server_version);
  const tables = await db("information_schema.tables").where({ table_schema: "public" }).orderBy("table_name").pluck("table_name");
  console.log("list: " + tables.join(","));
  const columns = await db("orders").columnInfo();
  console.log("describe: " + Object.keys(columns).join(","));
  console.log("types: " + Object.values(columns).map((c) => c.type).join(","));
  if (!(await db.schema.hasTable("orders")) || (await db.schema.hasTable("nothing"))) throw new Error("hasTable");
  const byRegion = db("shop").select("region", db.raw("MEASURE(revenue)"), db.raw("COUNT(orders.*)")).groupBy("region").orderBy("region");
  console.log("query: " + join(await byRegion));
  const byStatus = db("orders").select("order_id", "amount").where("status", "completed").where("amount", ">", 60).orderBy("order_id");
  console.log("parameter: " + join(await byStatus));
  console.log("null: " + join(await db("orders").select("gift", "weight").whereIn("order_id", [4, 5]).orderBy("order_id")));
  let count = 0, sum = 0;
  for await (const row of db("numbers").select("n").orderBy("n").limit(10000).stream({ batchSize: 1000 })) (count += 1), (sum += Number(row.n));
  console.log(`cursor: ${count}/${sum}`);
  const state = (promise) => promise.then(() => "", (e) => e.code);
  console.log("error: " + (await state(db("orders").select("nothing"))));
  const limited = knex({ client: "pg", connection: { ...connection, statement_timeout: 1000 } });
  console.log("cancel: " + (await state(limited.raw(env.SLOW))));
  await limited.destroy();
  console.log("again: " + (await db("orders").count("* as n"))[0].n);
  await db.destroy();
}

main();
