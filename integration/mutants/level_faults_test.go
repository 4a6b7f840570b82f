package mutants_test

// levelMutants are faults of metrics at other levels.
var levelMutants = []mutant{
	{"inner NULL dropped", "planner/internal/atlevel/plan.go", "	return &plan.Aggregate{Input: combined.Node, Keys: cols, Measures: values, Why: \"at\"}", "	if rows := combined.Node; isMutant(NAME) {\n		var conds []sqlexpr.Expr\n		for i := range p.table.Added {\n			conds = append(conds, &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: len(p.table.Kept) + i}})\n		}\n		return &plan.Aggregate{Input: &plan.Filter{Input: rows, Conds: conds}, Keys: cols, Measures: values, Why: \"at\"}\n	}\n	return &plan.Aggregate{Input: combined.Node, Keys: cols, Measures: values, Why: \"at\"}"},
	{"total read from the rows", "planner/internal/atlevel/plan.go", "			if slices.Contains(set, g) {\n				inside", "			if slices.Contains(set, g) || isMutant(NAME) {\n				inside"},
	{"totals of a metric without a group", "planner/internal/atlevel/plan.go", "		for i := range p.table.Added {\n			inside", "		for i := range p.table.Added[:map[bool]int{false: len(p.table.Added)}[isMutant(NAME) && level > 0]] {\n			inside"},
	{"unfiltered drops nothing", "planner/internal/atlevel/conditions.go", "	conds.Input = slices.DeleteFunc(", "	if isMutant(NAME) {\n		return conds, ranges, cols\n	}\n	conds.Input = slices.DeleteFunc("},
}
