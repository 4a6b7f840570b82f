// sequelize: its query interface and a model. It cannot cancel: the time limit of the session does.
const { Sequelize, DataTypes, Op } = require("sequelize");
const env = process.env;
const options = { dialect: "postgres", host: env.PGHOST, port: env.PGPORT, logging: false };
const db = new Sequelize(env.PGDATABASE, env.PGUSER, env.PGPASSWORD, options);

const join = (rows) => rows.map((row) => Object.values(row).map((v) => (v === null ? "NULL" : String(v))).join("|")).join(";");

async function main() {
  await db.authenticate();
  console.log("connect: " + (await db.databaseVersion()));
  const queries = db.getQueryInterface();
  console.log("list: " + (await queries.showAllTables()).sort().join(","));
  const columns = await queries.describeTable("orders");
  console.log("describe: " + Object.keys(columns).join(","));
  console.log("types: " + Object.values(columns).map((c) => c.type.toLowerCase()).join(","));
  console.log("key: " + Object.keys(columns).filter((name) => columns[name].primaryKey));
  console.log("foreign key: " + (await queries.getForeignKeyReferencesForTable("orders")).map((k) => `${k.columnName}>${k.referencedTableName}`));
  console.log("query: " + join(await db.query("SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1", { type: "SELECT" })));
  const Order = db.define("orders", { order_id: { type: DataTypes.BIGINT, primaryKey: true }, status: DataTypes.TEXT, amount: DataTypes.DECIMAL, gift: DataTypes.BOOLEAN, weight: DataTypes.DOUBLE }, { timestamps: false, tableName: "orders" });
  const byStatus = await Order.findAll({ attributes: ["order_id", "amount"], where: { status: "completed", amount: { [Op.gt]: 60 } }, order: ["order_id"], raw: true });
  console.log("parameter: " + join(byStatus));
  console.log("null: " + join(await Order.findAll({ attributes: ["gift", "weight"], where: { order_id: [4, 5] }, order: ["order_id"], raw: true })));
  const state = (promise) => promise.then(() => "", (e) => e.parent.code);
  console.log("error: " + (await state(Order.findAll({ attributes: ["nothing"] }))));
  const limited = new Sequelize(env.PGDATABASE, env.PGUSER, env.PGPASSWORD, { ...options, dialectOptions: { statement_timeout: 1000 } });
  console.log("cancel: " + (await state(limited.query(env.SLOW))));
  await limited.close();
  console.log("again: " + (await Order.count()));
  await db.close();
}

main();
