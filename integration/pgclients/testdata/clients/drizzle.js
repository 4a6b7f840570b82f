// drizzle: its builder over node-postgres, and drizzle-kit, which writes the schema of a database. It cannot cancel: the time
// limit of the session does.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { Pool } = require("pg");
const { drizzle } = require("drizzle-orm/node-postgres");
const { pgTable, bigint, text, numeric, boolean, doublePrecision } = require("drizzle-orm/pg-core");
const { and, asc, count, eq, gt, inArray, sql } = require("drizzle-orm");
const env = process.env;
const orders = pgTable("orders", { order_id: bigint({ mode: "number" }).primaryKey(), status: text(), amount: numeric(), gift: boolean(), weight: doublePrecision() });

const join = (rows) => rows.map((row) => Object.values(row).map((v) => (v === null ? "NULL" : String(v))).join("|")).join(";");

// introspect runs drizzle-kit and returns the tables with their columns in its schema.ts.
function introspect() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "drizzle"));
  try {
    fs.symlinkSync(env.NODE_PATH, path.join(folder, "node_modules"));
    const login = { host: env.PGHOST, port: Number(env.PGPORT), user: env.PGUSER, password: env.PGPASSWORD, database: env.PGDATABASE, ssl: false };
    fs.writeFileSync(path.join(folder, "drizzle.config.json"), JSON.stringify({ dialect: "postgresql", out: "./out", dbCredentials: login }));
    execFileSync("node", ["node_modules/drizzle-kit/bin.cjs", "introspect", "--config", "drizzle.config.json"], { cwd: folder, stdio: "pipe" });
    return fs.readFileSync(path.join(folder, "out", "schema.ts"), "utf8");
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

async function main() {
  const pool = new Pool({ ssl: false });
  const db = drizzle(pool);
  console.log("connect: " + (await db.execute(sql`SHOW server_version`)).rows[0].server_version);
  const schema = introspect();
  console.log("list: " + [...schema.matchAll(/pgTable\("(\w+)"/g)].map((m) => m[1]).sort().join(","));
  const body = schema.slice(schema.indexOf('pgTable("orders"')).split("\n}")[0];
  const columns = [...body.matchAll(/^\t(\w+): \w+\((?:"(\w+)")?/gm)];
  console.log("describe: " + columns.map((m) => m[2] ?? m[1]).join(","));
  console.log("key: " + body.match(/^\t\w+: \w+\("(\w+)".*\.primaryKey\(\)/m)[1]);
  console.log("query: " + join((await db.execute(sql`SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1`)).rows));
  console.log("parameter: " + join(await db.select({ id: orders.order_id, amount: orders.amount }).from(orders).where(and(eq(orders.status, "completed"), gt(orders.amount, "60"))).orderBy(asc(orders.order_id))));
  console.log("null: " + join(await db.select({ gift: orders.gift, weight: orders.weight }).from(orders).where(inArray(orders.order_id, [4, 5])).orderBy(orders.order_id)));
  const state = (promise) => promise.then(() => "", (e) => e.cause.code);
  console.log("error: " + (await state(db.execute(sql`SELECT nothing FROM orders`))));
  const limited = new Pool({ ssl: false, statement_timeout: 1000 });
  console.log("cancel: " + (await state(drizzle(limited).execute(sql.raw(env.SLOW)))));
  await limited.end();
  console.log("again: " + (await db.select({ n: count() }).from(orders))[0].n);
  await pool.end();
}

main();
