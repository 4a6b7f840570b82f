// Asks the catalogue through each library's own means.
const port = Number(process.env.PGPORT);
const login = { host: process.env.PGHOST, port, user: process.env.PGUSER, password: process.env.PGPASSWORD, database: process.env.PGDATABASE };

async function nodePostgres() {
  const { Client } = require("pg");
  const Cursor = require("pg-cursor");
  const QueryStream = require("pg-query-stream");
  const client = new Client({ ...login, ssl: false });
  await client.connect();
  await client.query("SELECT version()");
  await client.query("SELECT typname, oid FROM pg_type WHERE typname = ANY($1) ORDER BY typname", [["text", "numeric"]]);
  const cursor = client.query(new Cursor("SELECT relname FROM pg_catalog.pg_class WHERE relkind = $1 ORDER BY relname", ["v"]));
  await cursor.read(5);
  await cursor.close();
  const stream = client.query(new QueryStream("SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass ORDER BY attnum", ["orders"]));
  for await (const row of stream) void row;
  await client.end();
}

async function postgresJS() {
  const sql = require("postgres")({ ...login, username: login.user, ssl: false });
  await sql`SELECT table_name FROM information_schema.tables WHERE table_schema = ${"public"} ORDER BY table_name`;
  await sql`SELECT relname, relkind FROM pg_class WHERE relname IN ${sql(["orders", "customers"])} ORDER BY relname`;
  await sql.end();
}

async function knex() {
  const db = require("knex")({ client: "pg", connection: { ...login, ssl: false } });
  await db.schema.hasTable("orders");
  await db.schema.hasTable("nope");
  await db.schema.hasColumn("orders", "status");
  await db("orders").columnInfo();
  await db("Order Items").columnInfo("line");
  await db.select("table_name", "column_name").from("information_schema.columns").where({ table_schema: "public" }).orderBy(["table_name", "column_name"]);
  await db.destroy();
}

async function sequelize() {
  const { Sequelize } = require("sequelize");
  const db = new Sequelize(login.database, login.user, login.password, { dialect: "postgres", host: login.host, port, logging: false });
  await db.authenticate();
  await db.databaseVersion();
  const queries = db.getQueryInterface();
  await queries.showAllTables();
  await queries.showAllSchemas();
  for (const table of ["orders", "customers", "Order Items", "events"]) {
    await queries.describeTable(table);
    await queries.showIndex(table);
    await queries.getForeignKeyReferencesForTable(table);
    await queries.showConstraint(table);
    await queries.tableExists(table);
  }
  await db.close();
}

async function typeorm() {
  require("reflect-metadata");
  const { DataSource, EntitySchema } = require("typeorm");
  const order = new EntitySchema({ name: "orders", tableName: "orders", columns: { order_id: { type: "bigint", primary: true }, status: { type: "text", nullable: true } } });
  const source = new DataSource({ type: "postgres", ...login, username: login.user, entities: [order], logging: false });
  await source.initialize();
  const runner = source.createQueryRunner();
  await runner.getDatabases();
  await runner.getSchemas();
  await runner.getCurrentDatabase();
  await runner.getCurrentSchema();
  await runner.hasDatabase("shop");
  await runner.hasSchema("public");
  await runner.hasTable("orders");
  await runner.hasColumn("orders", "status");
  await runner.getTables(["orders", "customers", "Order Items"]);
  await runner.getViews([]);
  await source.driver.createSchemaBuilder().log().catch(() => {});
  await source.destroy();
}

async function drizzle() {
  const { Pool } = require("pg");
  const { drizzle: open } = require("drizzle-orm/node-postgres");
  const { sql } = require("drizzle-orm");
  const pool = new Pool({ ...login, ssl: false });
  const db = open(pool);
  await db.execute(sql`SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname NOT LIKE ${"pg_%"} ORDER BY nspname`);
  await pool.end();
}

(async () => {
  for (const ask of [nodePostgres, postgresJS, knex, sequelize, typeorm, drizzle]) {
    try {
      await ask();
    } catch (e) {
      console.error(ask.name, e.message);
    }
  }
})();
