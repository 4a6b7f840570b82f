package restapi

import (
	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
)

// route is one line of the interface.
type route struct {
	method  string
	path    string
	summary string
	// open routes need no token.
	open bool
	// executes marks what Config.DisableExecute refuses and what has the budget
	// of an execution.
	executes bool
	// long marks what may take long, and ends when its client closes the connection.
	long bool
	// query are the names of its query parameters.
	query  []string
	handle func(*Server, *fiber.Ctx, route) error
	// says is for the document of the interface.
	says operation
}

// as adds what the document tells.
func (r route) as(says operation) route {
	r.says = says
	return r
}

// Routes lists what a server answers, each as "METHOD /path", in the order of
// the documentation.
func Routes() []string {
	var out []string
	for _, r := range routes() {
		out = append(out, r.method+" "+r.path)
	}
	return out
}

// routes is the interface.
func routes() []route {
	get := func(path, summary string, h func(*Server, *fiber.Ctx, route) error) route {
		return route{method: fiber.MethodGet, path: path, summary: summary, handle: h}
	}
	post := func(path, summary string, h func(*Server, *fiber.Ctx, route) error) route {
		return route{method: fiber.MethodPost, path: path, summary: summary, handle: h}
	}
	with := func(r route, query ...string) route { r.query = query; return r }
	open := func(r route) route { r.open = true; return r }
	long := func(r route) route { r.long = true; return r }
	executing := func(r route) route { r.executes = true; return long(r) }
	return []route{
		open(get("/health", "whether the process lives", health).as(saysHealth())),
		open(get("/ready", "whether the server takes requests", ready).as(saysReady())),
		open(get("/metrics", "measurements in the text format of Prometheus", showMetrics).as(saysMetrics())),
		open(get(documentPath, "this document", document).as(saysDocument())),
		open(get(docsPath, "the interface as a page", page).as(saysPage())),
		get("/v1/model", "the model that is served", list(Service.Model)).as(lists("getModel", engine.ModelInfo{})),
		get("/v1/capabilities", "versions, extension keys, dialects and limits", capabilities).as(lists("getCapabilities", engine.Capabilities{})),
		get("/v1/datasets", "the datasets of the model", list(Service.Datasets)).as(lists("listDatasets", []engine.DatasetInfo{})),
		long(get("/v1/metrics", "the metrics of the model", listMetrics).as(lists("listMetrics", []engine.MetricInfo{}))),
		long(with(get("/v1/dimensions", "the fields of the model, or those that a metric can be grouped by", dimensions), "metric").as(saysDimensions())),
		get("/v1/relationships", "how the datasets are joined", list(Service.Relationships)).as(lists("listRelationships", []engine.RelationshipInfo{})),
		get("/v1/findings", "what did not compile, and the warnings of the model", list(Service.Findings)).as(lists("listFindings", engine.Findings{})),
		get("/v1/connections", "the connection profiles", list(Service.Connections)).as(lists("listConnections", []engine.ConnectionInfo{})),
		long(with(get("/v1/lineage", "what is made of what: tables, datasets, fields, measures and metrics", lineage), "metric", "format").as(saysLineage())),
		long(post("/v1/validate", "the findings about a model text", validate).as(saysValidate())),
		post("/v1/query/compile", "the SQL of a metric query", compileMetrics).as(plans(measuring, "compileQuery", engine.Compiled{})),
		post("/v1/query/explain", "the logical plan of a metric query", explainMetrics).as(plans(measuring, "explainQuery", engine.Explained{})),
		executing(post("/v1/query/execute", "the rows of a metric query", executeMetrics).as(runs(measuring, "executeQuery"))),
		executing(post("/v1/query/attribute", "why a metric changed between two windows", attribute).as(saysAttribute())),
		post("/v1/select/compile", "the SQL of a detail query", compileSelect).as(plans(selecting, "compileSelect", engine.Compiled{})),
		post("/v1/select/explain", "the logical plan of a detail query", explainSelect).as(plans(selecting, "explainSelect", engine.Explained{})),
		executing(post("/v1/select/execute", "the rows of a detail query", executeSelect).as(runs(selecting, "executeSelect"))),
	}
}
