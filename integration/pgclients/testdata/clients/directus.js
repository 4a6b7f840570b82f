// Directus's inspector of schemas, and knex, with which Directus queries. knex cannot cancel: the time limit of the session does.
const { createInspector } = require("@directus/schema");
const db = require("knex")({ client: "pg", connection: { host: process.env.PGHOST, port: Number(process.env.PGPORT), user: process.env.PGUSER, password: process.env.PGPASSWORD, database: process.env.PGDATABASE, ssl: false }, pool: { min: 1, max: 1 } });
const join = (rows) => rows.map((row) => Object.values(row).map((v) => (v === null ? "NULL" : String(v))).join("|")).join(";");
const code = (query) => query.then(() => "none", (e) => e.code);

(async () => {
  const inspector = createInspector(db);
  console.log("connect:", (await db.raw("SHOW server_version")).rows[0].server_version);
  console.log("list:", (await inspector.tables()).sort().join(","));
  const columns = await inspector.columnInfo("orders");
  console.log("describe:", columns.map((c) => c.name).join(","));
  console.log("types:", columns.map((c) => c.data_type).join(","));
  console.log("key:", await inspector.primary("orders"));
  console.log("foreign key:", (await inspector.foreignKeys("orders")).map((k) => k.column + ">" + k.foreign_key_table).join(","));
  const overview = await inspector.overview();
  if (Object.keys(overview.orders.columns).length !== columns.length || !(await inspector.hasColumn("orders", "revenue"))) throw new Error("the overview differs");
  const regions = db("shop").select("region", db.raw("MEASURE(revenue) AS revenue"), db.raw("COUNT(orders.*) AS n")).groupBy("region").orderBy("region");
  console.log("query:", join(await regions));
  console.log("parameter:", join(await db("orders").select("order_id", "amount").where("status", "completed").where("amount", ">", 60).orderBy("order_id").limit(100)));
  const february = db("orders").select("status").sum({ revenue: "revenue" }).whereBetween("order_date", ["2024-02-01", "2024-02-29"]).groupBy("status").orderBy("status");
  console.log("date:", join(await february));
  console.log("error:", await code(db("orders").select("nothing")));
  await db.raw("SET statement_timeout = 1000");
  console.log("cancel:", await code(db.raw(process.env.SLOW)));
  await db.raw("SET statement_timeout = 0");
  console.log("again:", (await db("orders").count({ n: "*" }))[0].n);
  await db.destroy();
})();
