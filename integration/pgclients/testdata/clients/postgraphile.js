// PostGraphile 5 with its plugins of filters and of aggregates: the GraphQL schema that it makes of the catalogue, and its queries.
// Node 20 lacks a function that it calls. The time limit of its settings for PostgreSQL cancels.
Promise.withResolvers ??= function () {
  let resolve, reject;
  const promise = new Promise((onValue, onError) => ([resolve, reject] = [onValue, onError]));
  return { promise, resolve, reject };
};
process.env.GRAPHILE_ENV ??= "production";
const { makeSchema } = require("postgraphile");
const { makePgService } = require("postgraphile/adaptors/pg");
const { PostGraphileAmberPreset } = require("postgraphile/presets/amber");
const { withPgClientFromPgService } = require("postgraphile/@dataplan/pg");
const { grafast } = require("postgraphile/grafast");
const { PgAggregatesPreset } = require("@graphile/pg-aggregates");
const { PostGraphileConnectionFilterPreset } = require("postgraphile-plugin-connection-filter");

const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE, SLOW } = process.env;
const service = makePgService({ connectionString: `postgres://${PGUSER}:${PGPASSWORD}@${PGHOST}:${PGPORT}/${PGDATABASE}`, schemas: ["public"] });
const preset = {
  extends: [PostGraphileAmberPreset, PgAggregatesPreset, PostGraphileConnectionFilterPreset],
  disablePlugins: ["PgIndexBehaviorsPlugin"], // it hides filters and orders of columns that have no index
  plugins: [{ name: "KeepRegistry", schema: { hooks: { build: (build) => ((registry = build.input.pgRegistry), build) } } }],
  pgServices: [service],
};
let registry;
const join = (rows) => rows.map((row) => row.map((v) => (v === null ? "NULL" : String(v))).join("|")).sort().join(";");

(async () => {
  const { schema, resolvedPreset } = await makeSchema(preset);
  const ask = async (source) => {
    const { data, errors } = await grafast({ schema, source, resolvedPreset, requestContext: {} });
    if (errors) throw errors[0];
    return data;
  };
  const run = (text, settings) => withPgClientFromPgService(service, settings ?? null, (client) => client.query({ text }));
  console.log("connect:", (await run("SHOW server_version")).rows[0].server_version);
  const tables = Object.values(registry.pgResources).filter((r) => !r.parameters && r.codec.attributes);
  console.log("list:", tables.map((r) => r.name).sort().join(","));
  const { orders } = registry.pgResources;
  const columns = Object.entries(orders.codec.attributes);
  console.log("describe:", columns.map(([name]) => name).join(","));
  console.log("types:", columns.map(([, c]) => c.codec.extensions?.pg?.name ?? c.codec.name).join(","));
  console.log("key:", orders.uniques.find((u) => u.isPrimary).attributes.join(","));
  const keys = Object.values(registry.pgRelations.orders).filter((r) => !r.isReferencee);
  console.log("foreign key:", keys.map((r) => r.localAttributes.join(",") + ">" + r.remoteResource.name).join(";"));
  const groups = (of) => join(of.groupedAggregates.map((g) => [...g.keys, g.sum.revenue, ...(g.distinctCount ? [g.distinctCount.orderId] : [])]));
  console.log("query:", groups((await ask("{ allShops { groupedAggregates(groupBy: [REGION]) { keys sum { revenue } distinctCount { orderId } } } }")).allShops));
  const completed = await ask('{ allOrders(filter: {status: {in: ["completed"]}, amount: {greaterThan: "60"}}) { nodes { orderId amount } } }');
  console.log("parameter:", join(completed.allOrders.nodes.map((o) => [o.orderId, o.amount])));
  const nulls = await ask('{ allOrders(filter: {orderId: {in: ["4", "5"]}}, orderBy: [ORDER_ID_ASC]) { nodes { gift weight customerByCustomerId { region } } } }');
  if (nulls.allOrders.nodes.map((o) => o.customerByCustomerId.region).join() !== "west,east") throw new Error("the regions differ");
  console.log("null:", nulls.allOrders.nodes.map((o) => [o.gift, o.weight].map((v) => v ?? "NULL").join("|")).join(";"));
  const february = await ask('{ allOrders(filter: {orderDate: {greaterThanOrEqualTo: "2024-02-01", lessThan: "2024-03-01"}}) { groupedAggregates(groupBy: [STATUS]) { keys sum { revenue } } } }');
  console.log("date:", groups(february.allOrders));
  const code = (promise) => promise.then(() => "none", (e) => e.code);
  console.log("error:", await code(run("SELECT nothing FROM orders")));
  console.log("cancel:", await code(run(SLOW, { statement_timeout: "1000" })));
  console.log("again:", (await ask("{ allOrders { totalCount } }")).allOrders.totalCount);
  await service.release();
})();
