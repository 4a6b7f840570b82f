package restapi

import (
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

const metricsPath = "/metrics"

// Routes lists what a server answers, each as "METHOD /path", in the order of
// the documentation.
func Routes() []string {
	var out []string
	for _, r := range routeTable() {
		out = append(out, r.key())
	}
	return out
}

// routeTable returns the routes that a server has.
func (c Config) routeTable() []route {
	return slices.DeleteFunc(routeTable(), func(r route) bool { return c.NoMetrics && r.path == metricsPath })
}

// routeTable returns the interface.
func routeTable() []route {
	get := func(path, summary string, h func(*Server, *fiber.Ctx, route) error) route {
		return route{method: fiber.MethodGet, path: path, summary: summary, handle: h}
	}
	post := func(path, summary string, h func(*Server, *fiber.Ctx, route) error) route {
		return route{method: fiber.MethodPost, path: path, summary: summary, handle: h}
	}
	with := func(r route, query ...string) route { r.query = query; return r }
	public := func(r route) route { r.public = true; return r }
	process := func(r route) route { r.process = true; return r }
	long := func(r route) route { r.long = true; return r }
	executing := func(r route) route { r.executes = true; return long(r) }
	mayExecute := func(r route) route { r.mayExecute = true; return long(r) }
	return []route{
		process(public(get("/health", "whether the process is alive", serveHealth))),
		process(public(get("/ready", "whether the server accepts requests", serveReadiness))),
		process(public(get(metricsPath, "measurements in the text format of Prometheus", servePrometheusMetrics))),
		public(get(openAPIPath, "this document", serveOpenAPIDocument)),
		public(get(openAPI30Path, "this document in OpenAPI 3.0", serveOpenAPIDocument)),
		public(get(docsPath, "the interface as a page", serveStaticFile)),
		process(public(get(modelSchemaPath, "the JSON Schema of model files", serveModelSchema))),
		process(get("/v1/models", "the models that are served", serveModels)),
		get("/v1/identity", "the identity of the caller", serveIdentity),
		get("/v1/model", "the model that is served", newServiceMethodHandler(Service.Model)),
		get("/v1/capabilities", "versions, extension keys, dialects, functions and limits", serveCapabilities),
		long(get("/v1/catalog", "the model with its datasets, metrics, dimensions, saved queries, findings and connections", serveCatalog)),
		get("/v1/datasets", "the datasets of the model", newServiceMethodHandler(Service.Datasets)),
		long(with(get("/v1/metrics", "the metrics of the model", serveMetricList), "view")),
		long(with(get("/v1/dimensions", "the fields of the model, or those that a metric can be grouped by", serveDimensions), "metric", "view")),
		get("/v1/relationships", "the relationships between the datasets", newServiceMethodHandler(Service.Relationships)),
		get("/v1/views", "the named parts of the model", newServiceMethodHandler(Service.Views)),
		get("/v1/findings", "the compile errors and the warnings of the model", newServiceMethodHandler(Service.Findings)),
		get("/v1/rollups", "the tables of aggregations that the model declares", serveRollups),
		get("/v1/saved", "the queries that the model holds under names", newServiceMethodHandler(Service.SavedQueries)),
		long(with(get("/v1/find", "the objects of the model that match a question", serveFind), "q", "kinds", "metrics", "view", "limit", "offset")),
		executing(with(get("/v1/values", "the stored values of a field, the most frequent first", serveValues), "field", "like", "where_sql", "limit", "offset", "connection", "dialect", "view", "fresh")),
		mayExecute(with(get("/v1/connections", "the connection profiles", serveConnections), "check")),
		long(with(get("/v1/lineage", "the lineage of tables, datasets, fields, measures and metrics", serveLineage), "metric", "format")),
		long(post("/v1/validate", "the findings about a model text", serveValidation)),
		post("/v1/query/compile", "the SQL of a metric query", newStatementHandler(query.DecodeMetric, engine.Statement.SQL)),
		post("/v1/query/explain", "the logical plan of a metric query", newStatementHandler(query.DecodeMetric, engine.Statement.Explain)),
		executing(post("/v1/query/execute", "the rows of a metric query", newRowsHandler(query.DecodeMetric))),
		long(post("/v1/query/compatible", "the metrics and dimensions that a metric query accepts", newQueryHandler(query.DecodeCompatible, Service.CompatibleItems))),
		executing(post("/v1/query/attribute", "the contributions to the change of a metric between two windows", newQueryHandler(query.DecodeAttribute, Service.Attribute))),
		post("/v1/select/compile", "the SQL of a detail query", newStatementHandler(query.DecodeDetail, engine.Statement.SQL)),
		post("/v1/select/explain", "the logical plan of a detail query", newStatementHandler(query.DecodeDetail, engine.Statement.Explain)),
		executing(post("/v1/select/execute", "the rows of a detail query", newRowsHandler(query.DecodeDetail))),
		post("/v1/sql/compile", "the SQL of the warehouse for a statement over the model", newStatementHandler(query.DecodeSQL, engine.Statement.SQL)),
		executing(post("/v1/sql/execute", "the rows of a statement over the model", newRowsHandler(query.DecodeSQL))),
	}
}

// route is one line of the interface.
type route struct {
	method  string
	path    string
	summary string
	// public routes need no token.
	public bool
	// process routes belong to the server and not to one of its models.
	process bool
	// modelless routes answer where the path chooses no model, too.
	modelless bool
	// executes marks what Config.DisableExecute rejects and what has the budget
	// of an execution.
	executes bool
	// mayExecute marks a route that executes where a parameter asks for it.
	mayExecute bool
	// long marks what may take long, and ends when its client closes the connection.
	long bool
	// query are the names of its query parameters.
	query  []string
	handle func(*Server, *fiber.Ctx, route) error
}

// key names a route.
func (r route) key() string { return r.method + " " + r.path }

// timeBudgetOfRoute returns the time limit of a route.
func (c Config) timeBudgetOfRoute(r route) time.Duration {
	if r.executes {
		return c.ExecuteTimeout
	}
	return c.RequestTimeout
}
