package layering

// Inside of one module.
const (
	reasonPlanesAreLeaves = "the planes of queries are leaves: what plans metrics uses neither records nor attributions, so that neither can reach into a half-planned query"
	reasonSharedLeaf      = "it is ground that the planes share: a fact that needs a query being planned belongs to a plane"
	reasonFloorsLeadDown  = "the floors of the metric plane lead one way down, so that one of them can be rewritten without the others"
	reasonReadOnlyValues  = "a query, an error and a plan are values that other modules read: how a plan is found does not belong there"
)

// plannerPackageRules lists for each package of planner the packages of planner that it may import. The graph
// that they form runs one way: facade, detail and attribute, metric, the ground.
func plannerPackageRules() []PackageRule {
	return []PackageRule{
		{Package: "planner", May: []string{"planner/..."}},

		{Package: "planner/internal/attribute", May: []string{
			"planner/internal/aggregates", "planner/internal/build", "planner/internal/clock", "planner/internal/coerce", "planner/internal/combine", "planner/internal/local", "planner/internal/measure", "planner/internal/metric", "planner/internal/naming", "planner/internal/params", "planner/internal/ranked", "planner/internal/resolve", "planner/internal/scope", "planner/internal/timerange", "planner/internal/where", "planner/attribution", "planner/plan", "planner/planerr", "planner/query",
		}, Why: "an attribution is made of metric queries: it uses the metric plane, and neither records nor the retries of errors"},
		{Package: "planner/internal/detail", May: []string{
			"planner/internal/build", "planner/internal/clock", "planner/internal/coerce", "planner/internal/joinpath", "planner/internal/joins", "planner/internal/local", "planner/internal/lod", "planner/internal/members", "planner/internal/metric", "planner/internal/periods", "planner/internal/ranked", "planner/internal/repair", "planner/internal/resolve", "planner/internal/retry", "planner/internal/scope", "planner/internal/timerange", "planner/internal/viewrange", "planner/internal/where", "planner/plan", "planner/planerr", "planner/query",
		}, Why: "a query of records shares parameters, level-of-detail tables and routes with the metric plane, and never attributions"},
		{Package: "planner/internal/metric", May: []string{
			"planner/internal/atlevel", "planner/internal/branch", "planner/internal/combine", "planner/internal/compare", "planner/internal/fill", "planner/internal/joinpath", "planner/internal/levels", "planner/internal/local", "planner/internal/lod", "planner/internal/measure", "planner/internal/members", "planner/internal/naming", "planner/internal/refine", "planner/internal/resolve", "planner/internal/retry", "planner/internal/scope", "planner/internal/top", "planner/internal/viewrange", "planner/internal/where", "planner/internal/window", "planner/plan", "planner/planerr", "planner/query",
		}, Why: reasonPlanesAreLeaves},

		// The floors of the metric plane, the lowest first.
		{Package: "planner/internal/naming", Why: reasonSharedLeaf},
		{Package: "planner/internal/build", May: []string{"planner/internal/coerce", "planner/plan"}, Why: reasonSharedLeaf},
		{Package: "planner/internal/joinpath", May: []string{"planner/internal/naming", "planner/internal/resolve", "planner/planerr"}, Why: reasonSharedLeaf},
		{Package: "planner/internal/scope", May: []string{
			"planner/internal/joinpath", "planner/internal/naming", "planner/internal/members", "planner/internal/params", "planner/internal/periods", "planner/internal/resolve",
			"planner/internal/coerce", "planner/internal/timerange", "planner/plan", "planner/planerr", "planner/query",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/retry", May: []string{"planner/internal/naming", "planner/internal/resolve", "planner/internal/scope", "planner/query"}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/local", May: []string{
			"planner/internal/naming", "planner/internal/retry", "planner/internal/scope", "planner/planerr", "planner/query",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/levels", May: []string{
			"planner/internal/build", "planner/internal/naming", "planner/internal/resolve", "planner/internal/scope", "planner/planerr", "planner/query",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/aggregates", May: []string{
			"planner/internal/scope", "planner/plan", "planner/planerr",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/measure", May: []string{
			"planner/internal/aggregates", "planner/internal/build", "planner/internal/clock", "planner/internal/joinpath", "planner/internal/naming", "planner/internal/resolve", "planner/internal/retry", "planner/internal/scope", "planner/internal/timerange", "planner/plan", "planner/planerr", "planner/query",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/viewrange", May: []string{
			"planner/internal/joinpath", "planner/internal/measure", "planner/internal/resolve", "planner/internal/scope", "planner/plan", "planner/query",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/where", May: []string{
			"planner/internal/coerce", "planner/internal/joinpath", "planner/internal/measure", "planner/internal/members", "planner/internal/naming", "planner/internal/resolve", "planner/internal/viewrange", "planner/internal/scope", "planner/internal/timerange", "planner/plan", "planner/planerr", "planner/query",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/compare", May: []string{
			"planner/internal/build", "planner/internal/clock", "planner/internal/measure", "planner/internal/periods", "planner/internal/retry", "planner/internal/levels", "planner/internal/scope", "planner/internal/timerange", "planner/internal/where", "planner/plan", "planner/planerr", "planner/query",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/top", May: []string{
			"planner/internal/build", "planner/internal/joins", "planner/internal/measure", "planner/internal/naming", "planner/internal/resolve", "planner/internal/retry", "planner/internal/scope", "planner/plan", "planner/planerr",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/fill", May: []string{
			"planner/internal/build", "planner/internal/clock", "planner/internal/coerce", "planner/internal/compare", "planner/internal/measure", "planner/internal/naming", "planner/internal/retry", "planner/internal/scope", "planner/internal/timerange", "planner/internal/where", "planner/plan", "planner/planerr", "planner/query",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/rollup", May: []string{
			"planner/internal/build", "planner/internal/clock", "planner/internal/joins", "planner/internal/resolve", "planner/internal/scope", "planner/internal/timerange", "planner/internal/where", "planner/plan",
		}, Why: "a branch describes to it the fields, conditions and measures that it reads: it plans nothing, so that its rules are tested by themselves"},
		{Package: "planner/internal/lod", May: []string{
			"planner/internal/aggregates", "planner/internal/build", "planner/internal/joinpath", "planner/internal/joins", "planner/internal/measure", "planner/internal/naming", "planner/internal/population", "planner/internal/resolve", "planner/internal/retry", "planner/internal/scope", "planner/internal/where", "planner/plan", "planner/planerr",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/branch", May: []string{
			"planner/internal/build", "planner/internal/clock", "planner/internal/compare", "planner/internal/fill", "planner/internal/joinpath", "planner/internal/joins", "planner/internal/levels", "planner/internal/lod", "planner/internal/measure", "planner/internal/naming", "planner/internal/periods", "planner/internal/resolve", "planner/internal/retry", "planner/internal/scope", "planner/internal/timerange", "planner/internal/top", "planner/internal/where", "planner/plan", "planner/planerr", "planner/query",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/grouping", May: []string{
			"planner/internal/aggregates", "planner/internal/branch", "planner/internal/build", "planner/internal/clock", "planner/internal/compare", "planner/internal/joins", "planner/internal/measure", "planner/internal/members", "planner/internal/naming", "planner/internal/periods", "planner/internal/resolve", "planner/internal/rollup", "planner/internal/scope", "planner/internal/timerange", "planner/internal/top", "planner/internal/where", "planner/plan", "planner/query",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/snapshot", May: []string{
			"planner/internal/aggregates", "planner/internal/branch", "planner/internal/build", "planner/internal/grouping", "planner/internal/joins", "planner/internal/levels", "planner/internal/naming", "planner/internal/scope", "planner/internal/top", "planner/internal/where", "planner/plan", "planner/planerr", "planner/query",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/combine", May: []string{
			"planner/internal/branch", "planner/internal/build", "planner/internal/grouping", "planner/internal/levels", "planner/internal/measure", "planner/internal/naming", "planner/internal/resolve", "planner/internal/timerange", "planner/internal/where", "planner/plan",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/window", May: []string{
			"planner/internal/aggregates", "planner/internal/branch", "planner/internal/build", "planner/internal/clock", "planner/internal/combine", "planner/internal/fill", "planner/internal/grouping", "planner/internal/levels", "planner/internal/measure", "planner/internal/naming", "planner/internal/periods", "planner/internal/scope", "planner/internal/snapshot", "planner/internal/top", "planner/plan",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/atlevel", May: []string{
			"planner/internal/branch", "planner/internal/combine", "planner/internal/levels", "planner/internal/lod", "planner/internal/measure", "planner/internal/naming", "planner/internal/resolve", "planner/internal/retry", "planner/internal/scope", "planner/internal/top", "planner/internal/where", "planner/internal/window", "planner/plan", "planner/planerr",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/refine", May: []string{
			"planner/internal/branch", "planner/internal/build", "planner/internal/combine", "planner/internal/compare", "planner/internal/grouping", "planner/internal/levels", "planner/internal/measure", "planner/internal/naming", "planner/internal/periods", "planner/internal/ranked", "planner/internal/resolve", "planner/internal/retry", "planner/internal/scope", "planner/internal/where", "planner/plan", "planner/planerr", "planner/query",
		}, Why: reasonFloorsLeadDown},

		{Package: "planner/internal/compatible", May: []string{
			"planner/internal/metric", "planner/internal/measure", "planner/internal/where", "planner/internal/local", "planner/internal/scope", "planner/internal/resolve", "planner/plan", "planner/planerr", "planner/query",
		}, Why: "it asks the metric plane, which does not know that it is asked"},

		{Package: "planner/internal/plancases", May: []string{"planner", "planner/plan", "planner/query"}, Why: "it serves tests alone, which ask the planner as its callers do"},
		{Package: "planner/internal/repair", May: []string{"planner/planerr"}, Why: "a retry is tried by the plan function that it is given: it imports no plane"},
		{Package: "planner/internal/saved", May: []string{
			"planner/internal/params", "planner/internal/resolve", "planner/planerr", "planner/query",
		}, Why: "a saved query is planned by the plan function that is given: it imports no plane"},
		{Package: "planner/internal/joins", May: []string{"planner/internal/build", "planner/internal/clock", "planner/internal/sequence", "planner/plan", "planner/planerr"}, Why: reasonSharedLeaf},
		{Package: "planner/internal/sequence", May: []string{"planner/internal/build", "planner/internal/clock", "planner/plan"}, Why: "it orders rows that it is given: which conditions choose them does not matter to it"},
		{Package: "planner/internal/population", May: []string{
			"planner/internal/build", "planner/internal/joinpath", "planner/internal/joins", "planner/internal/resolve", "planner/internal/where",
		}, Why: reasonFloorsLeadDown},
		{Package: "planner/internal/members", May: []string{"planner/internal/coerce", "planner/plan"}, Why: reasonSharedLeaf},
		{Package: "planner/internal/ranked", May: []string{"planner/plan"}, Why: "it replaces nodes of a finished plan, and needs nothing of the query"},
		{Package: "planner/internal/barrier", May: []string{"planner/plan"}, Why: "it guards the conditions of a finished plan, and needs nothing of the query"},
		{Package: "planner/internal/periods", May: []string{"planner/internal/joins", "planner/internal/timerange", "planner/plan"}, Why: reasonSharedLeaf},
		{Package: "planner/internal/params", May: []string{"planner/planerr", "planner/query"}, Why: reasonSharedLeaf},
		{Package: "planner/internal/resolve", May: []string{"planner/planerr"}, Why: reasonSharedLeaf},
		{Package: "planner/internal/coerce", May: []string{"planner/planerr"}, Why: reasonSharedLeaf},
		{Package: "planner/internal/clock", May: []string{"planner/planerr"}, Why: reasonSharedLeaf},
		{Package: "planner/internal/timerange", May: []string{"planner/internal/clock", "planner/internal/coerce", "planner/plan", "planner/planerr", "planner/query"}, Why: reasonSharedLeaf},

		{Package: "planner/compose", May: []string{
			"planner/internal/aggregates", "planner/internal/ranked", "planner/internal/coerce", "planner/internal/members", "planner/plan", "planner/planerr", "planner/sqltype",
		}, Why: "outer SQL is over plans that are finished: how they were planned does not belong there"},
		{Package: "planner/sqltype", May: []string{"planner/plan"}, Why: "the types of a result follow from its plan, and need nothing of the query"},
		{Package: "planner/attribution", May: []string{"planner/plan"}, Why: "the arithmetic of an attribution is pure: numbers and formulas, no queries and no plans; its report lists what the plans read"},
		{Package: "planner/plan", May: []string{"planner/planerr"}, Why: reasonReadOnlyValues},
		{Package: "planner/query", May: []string{"planner/planerr"}, Why: reasonReadOnlyValues},
		{Package: "planner/planerr", Why: reasonReadOnlyValues},
	}
}

// PlannerPassMutationRule returns the rule for values that the planes of the planner return.
func PlannerPassMutationRule() PassMutationRule {
	return PassMutationRule{
		Module:     "planner",
		MaxMethods: 25,
		Planes: []string{
			"planner/internal/naming", "planner/internal/joinpath", "planner/internal/scope", "planner/internal/retry", "planner/internal/local", "planner/internal/levels",
			"planner/internal/aggregates", "planner/internal/measure", "planner/internal/viewrange", "planner/internal/where", "planner/internal/compare", "planner/internal/top", "planner/internal/fill",
			"planner/internal/lod", "planner/internal/branch", "planner/internal/grouping", "planner/internal/snapshot", "planner/internal/combine", "planner/internal/window", "planner/internal/atlevel", "planner/internal/refine", "planner/internal/metric", "planner/internal/detail", "planner/internal/attribute",
		},
		Workers: map[string]string{
			"planner/internal/measure.Expander":                  "collects the measures in use while metrics are expanded, each once",
			"planner/internal/measure.columnExpander":            "adds the columns to the expansion that its Expander makes",
			"planner/internal/measure.levelExpander":             "collects the tables that one metric at another level is read from, and their values, each once",
			"planner/internal/measure.tableExpander":             "numbers the values of one table, each once",
			"planner/internal/branch.branchBuilder":              "collects the members of branches while measure references are sorted into them",
			"planner/internal/grouping.Planner":                  "counts the operators that one branch adds while it is planned",
			"planner/internal/grouping.calendarJoins":            "collects the tables of calendars that the rows of one branch join",
			"planner/internal/window.countedPeriodCollector":     "collects the periods that the windows of one branch count, each once",
			"planner/internal/snapshot.inputColumns":             "collects the columns that a branch with snapshots reads of its rows, each once",
			"planner/internal/scope.RollupUses":                  "collects what the branches of a query read, in the order in which they are planned",
			"planner/internal/naming.Numbers":                    "numbers the keys that its owner collects, each once",
			"planner/internal/joinpath.Index":                    "keeps the paths that the branches of a query asked for, each once",
			"planner/internal/grouping.aggregateList":            "collects the aggregates of one branch, each once",
			"planner/internal/grouping.HomeRowCollector":         "collects what the aggregates of one branch read of its home, each once",
			"planner/internal/measure.Sizes":                     "counts the operators of a query; the Expander and then each Planner own a count",
			"planner/internal/naming.Namer":                      "remembers the names that it has handed out",
			"planner/internal/attribute.attributionQueryPlanner": "collects the columns of one query of an attribution, and where each number is",
			"planner/internal/attribute.uniqueLeafMeasures":      "collects the leaves of a metric, each once",
		},
	}
}
