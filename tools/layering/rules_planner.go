package layering

// Inside of one module.
const (
	reasonPlanesAreLeaves = "the planes of queries are leaves: what plans metrics uses neither records nor attributions, so that neither can reach into a half-planned query"
	reasonSharedLeaf      = "it is ground that the planes share: a fact that needs a query being planned belongs to a plane"
	readOnly              = "a query, an error and a plan are values that other modules read: how a plan is found does not belong there"
)

// plannerPackages lists for each package of planner the packages of planner that it may import. The graph
// that they form runs one way: facade, detail and attribute, metric, the ground.
func plannerPackages() []PackageRule {
	return []PackageRule{
		{Package: "planner", May: []string{"planner/..."}},

		{Package: "planner/internal/attribute", May: []string{
			"planner/internal/metric", "planner/internal/params", "planner/internal/resolve", "planner/internal/coerce", "planner/internal/timerange",
			"planner/attribution", "planner/plan", "planner/planerr", "planner/query",
		}, Why: "an attribution is made of metric queries: it uses the metric plane, and neither records nor the retries of errors"},
		{Package: "planner/internal/detail", May: []string{
			"planner/internal/metric", "planner/internal/joins", "planner/internal/resolve", "planner/internal/coerce", "planner/internal/timerange",
			"planner/internal/repair", "planner/plan", "planner/planerr", "planner/query",
		}, Why: "a query of records shares parameters, level-of-detail tables and routes with the metric plane, and never attributions"},
		{Package: "planner/internal/metric", May: []string{
			"planner/internal/joins", "planner/internal/params", "planner/internal/resolve", "planner/internal/coerce", "planner/internal/timerange",
			"planner/plan", "planner/planerr", "planner/query",
		}, Why: reasonPlanesAreLeaves},

		{Package: "planner/internal/repair", May: []string{"planner/planerr"}, Why: "a retry is tried by the plan function that it is given: it imports no plane"},
		{Package: "planner/internal/saved", May: []string{
			"planner/internal/params", "planner/internal/resolve", "planner/planerr", "planner/query",
		}, Why: "a saved query is planned by the plan function that is given: it imports no plane"},
		{Package: "planner/internal/joins", May: []string{"planner/plan", "planner/planerr"}, Why: reasonSharedLeaf},
		{Package: "planner/internal/params", May: []string{"planner/planerr", "planner/query"}, Why: reasonSharedLeaf},
		{Package: "planner/internal/resolve", May: []string{"planner/planerr"}, Why: reasonSharedLeaf},
		{Package: "planner/internal/coerce", May: []string{"planner/planerr"}, Why: reasonSharedLeaf},
		{Package: "planner/internal/timerange", May: []string{"planner/internal/coerce", "planner/planerr", "planner/query"}, Why: reasonSharedLeaf},

		{Package: "planner/attribution", Why: "the arithmetic of an attribution is pure: numbers and formulas, no queries and no plans"},
		{Package: "planner/plan", May: []string{"planner/planerr"}, Why: readOnly},
		{Package: "planner/query", May: []string{"planner/planerr"}, Why: readOnly},
		{Package: "planner/planerr", Why: readOnly},
	}
}

// PlannerPasses is the rule for values that the planes of the planner return.
func PlannerPasses() PassRule {
	return PassRule{
		Module:     "planner",
		MaxMethods: 25,
		Planes:     []string{"planner/internal/metric", "planner/internal/detail", "planner/internal/attribute"},
		Workers: map[string]string{
			"planner/internal/metric.Expander":        "collects the measures in use while metrics are expanded, each once",
			"planner/internal/metric.branchBuilder":   "collects the members of branches while measure references are sorted into them",
			"planner/internal/metric.branchPlan":      "counts the operators that one branch adds while it is planned",
			"planner/internal/metric.aggregates":      "collects the aggregates of one branch, each once",
			"planner/internal/metric.expressionSizes": "counts the operators of a query; the Expander and then each branchPlan own a count",
			"planner/internal/metric.Namer":           "remembers the names that it has handed out",
			"planner/internal/attribute.segmentQuery": "collects the columns of one query of an attribution, and where each number is",
			"planner/internal/attribute.leafTable":    "collects the leaves of a metric, each once",
		},
	}
}
