package mutants_test

// mutant is a fault: a change of one place of the source, which takes effect where isMutant returns true for its name.
type mutant struct{ name, file, old, fault string }

// mappingMutants are faults of the mapping of SQL statements.
var mappingMutants = []mutant{
	{"INNER JOIN without its filter", "semsql/internal/resolve/joins.go", "e.inner && key != nil {", "e.inner && key != nil && !isMutant(NAME) {"},
	{"DISTINCT of groups dropped", "semsql/internal/selection/map_select.go", "Distinct: q.appliesDistinctToResultRows()", "Distinct: q.appliesDistinctToResultRows() && !isMutant(NAME)"},
	{"DISTINCT of results dropped", "semsql/internal/selection/outer_select.go", "Distinct: syntax.Distinct", "Distinct: syntax.Distinct && !isMutant(NAME)"},
	{"rows clamped", "semsql/internal/selection/rows_query.go", "Unlimited: true", "Unlimited: !isMutant(NAME)"},
	{"NULLS FIRST ignored", "semsql/internal/selection/select_clauses.go", "nullsFirst: o.Nulls == parse.NullsFirst}", "nullsFirst: o.Nulls == parse.NullsFirst && !isMutant(NAME)}"},
	{"nulls first in descending order", "semsql/internal/selection/select_clauses.go", "NullsFirst: key.nullsFirst}", "NullsFirst: key.nullsFirst || key.desc && isMutant(NAME)}"},
	{"alias before column in GROUP BY", "semsql/internal/selection/select_clauses.go", "&& !c.HasColumn(column) {", "&& (isMutant(NAME) || !c.HasColumn(column)) {"},
	{"<= as < in a range", "semsql/internal/selection/extract_time_range.go", "	case op == sqlexpr.OpLe:\n", "	case op == sqlexpr.OpLe && isMutant(NAME):\n		return timeLimits{field: ref, end: &at}, true\n	case op == sqlexpr.OpLe:\n"},
	{"SUM over an average", "semsql/internal/resolve/aggregate_over_metric.go", `return function == "avg" && !distinct`, `return (function == "avg" || function == "sum" && isMutant(NAME)) && !distinct`},
	{"LIMIT of a derived table dropped", "semsql/internal/resolve/inlinable_queries.go", "q.Limit != nil ||", "q.Limit != nil && !isMutant(NAME) ||"},
	{"NOT IN without three truth values", "planner/internal/members/semi_join.go", "	return &plan.SemiJoin{", "	if not && isMutant(NAME) {\n		rows = &plan.Filter{Input: rows, Conds: []sqlexpr.Expr{&sqlexpr.IsNull{X: &sqlexpr.Ref{ID: 0}, Not: true}}, Why: why}\n	}\n	return &plan.SemiJoin{"},
	{"measure of HAVING shown", "semsql/internal/selection/map_select.go", "	result.Where = q.conjunctionOverQueryColumns(", `	for i := range q.measures {
		shown := slices.ContainsFunc(q.items, func(e sqlexpr.Expr) bool { ref, ok := e.(*sqlexpr.Ref); return ok && ref.ID == len(q.groups)+i })
		if !shown && isMutant(NAME) {
			result.Items = append(result.Items, compose.SelectItem{Name: q.names[len(q.groups)+i], Expr: &sqlexpr.Ref{ID: at[len(q.groups)+i]}})
		}
	}
	result.Where = q.conjunctionOverQueryColumns(`},
	{"HAVING on level 0 only", "semsql/internal/selection/conditions.go", "|| q.sets != nil {", "|| q.sets != nil && !isMutant(NAME) {"},
	{"GROUPING reversed", "planner/compose/grouping_levels.go", "	for _, g := range groups {\n		mask <<= 1\n", "	for i, g := range groups {\n		if isMutant(NAME) {\n			g = groups[len(groups)-1-i]\n		}\n		mask <<= 1\n"},
	{"parameter pasted as text", "semsql/internal/resolve/parameter_literal.go", "	default:\n		if strings.ContainsRune(v.Text, 0)", "	default:\n		if pasted, err := parse.Parse(\"SELECT \"+v.Text, parse.DefaultLimits()); err == nil && isMutant(NAME) {\n			return s.LowerExpr(pasted.Body.(*parse.Select).Items[0].X)\n		}\n		if strings.ContainsRune(v.Text, 0)"},
}

// sessionMutants are faults of the sessions of the port.
var sessionMutants = []mutant{
	{"portal closed by Sync in a transaction", "pgwire/session.go", "		s.skipping = false\n", "		s.skipping = false\n		if isMutant(NAME) {\n			s.closePortalsOpenedAfter(0)\n		}\n"},
	{"slot lost on cancel", "engine/result_stream.go", "			release()\n", "			if !isMutant(NAME) {\n				release()\n			}\n"},
}

// rankingMutants are faults of the ranking of find.
var rankingMutants = []mutant{
	{"no stems", "engine/find/word_matches.go", "add(word, stemWordMatchQuality)", "if !isMutant(NAME) {\n\t\t\tadd(word, stemWordMatchQuality)\n\t\t}"},
	{"no synonyms", "engine/find/searchable_objects.go", "places = append(places, placeText{placeKindSynonym, s})", "if !isMutant(NAME) {\n\t\t\tplaces = append(places, placeText{placeKindSynonym, s})\n\t\t}"},
	{"no inverse document frequency", "engine/find/word_matches.go", "	return float32(math.Log(1 + float64(len(x.objects)+1)/float64(frequency)))", "	if isMutant(NAME) {\n\t\tfrequency = len(x.objects) + 1\n\t}\n	return float32(math.Log(1 + float64(len(x.objects)+1)/float64(frequency)))"},
	{"words that count again as much", "engine/find/search.go", "if v > 0 {\n\t\t\t\tr.residual[i]", "if v > 0 && !isMutant(NAME) {\n\t\t\t\tr.residual[i]"},
	{"no cover", "engine/find/search.go", "\tmaxCoverCandidates = 500\n\tmaxNearHits        = 3\n)\n", "\tmaxNearHits        = 3\n)\n\nvar maxCoverCandidates = map[bool]int{false: 500}[isMutant(NAME)]\n"},
	{"ties in another order", "engine/find/search.go", "return q.rank[q.list[i].object] < q.rank[q.list[j].object]", "return (q.rank[q.list[i].object] < q.rank[q.list[j].object]) != isMutant(NAME)"},
	{"no share of the place", "engine/find/candidates.go", "weight *= float32(s.matched[place]) / float32(at.words)", "if !isMutant(NAME) {\n\t\t\tweight *= float32(s.matched[place]) / float32(at.words)\n\t\t}"},
}

// windowMutants are faults of the planner, by the law of windows that each breaks.
var windowMutants = map[string][]mutant{
	"company": {
		{"rows of other metrics have ranks", "planner/internal/window/windows.go", "if w.hasData != nil && !w.win.Spec.IsTimeOrdered() {\n\t\tout", "if w.hasData != nil && !w.win.Spec.IsTimeOrdered() && !isMutant(NAME) {\n\t\tout"},
		{"counts are 0 in buckets without rows", "planner/internal/combine/combined.go", "nullCounts: slices.ContainsFunc(", "nullCounts: !isMutant(NAME) && slices.ContainsFunc("},
	},
	"fill": {
		{"filled buckets have data", "planner/internal/branch/visibility.go", "len(f.branches) == 1 && f.q.GapFill == nil && ", "len(f.branches) == 1 && (f.q.GapFill == nil || isMutant(NAME)) && "},
	},
	"range": {
		{"running totals begin with the range", "planner/internal/measure/lookback.go", "if reset.IsZero() {\n\t\treturn ScanLookback{All: true}", "if reset.IsZero() {\n\t\treturn ScanLookback{All: !isMutant(NAME)}"},
		{"the range cuts what windows read", "planner/internal/measure/lookback.go", "return w.Spec.EffectivePopulation() == catalog.PopulationAll", "return w.Spec.EffectivePopulation() == catalog.PopulationAll && !isMutant(NAME)"},
		{"offsets read nothing out of range", "planner/internal/measure/lookback.go", "		if s.Offset.Forward {\n", "		if isMutant(NAME) {\n\t\t\treturn ScanLookback{}, ScanLookback{}\n\t\t}\n\t\tif s.Offset.Forward {\n"},
	},
	"spelling": {
		{"conditions on the axis filter rows", "planner/internal/where/time_conditions.go", "return c.ref.Field, c.intervals[0], isAxis", "return c.ref.Field, c.intervals[0], isAxis && !isMutant(NAME)"},
		{"conditions on buckets filter rows", "planner/internal/where/time_conditions.go", "if !isRange && r.windowed && len(c.fields) > 0 {", "if !isRange && r.windowed && len(c.fields) > 0 && !isMutant(NAME) {"},
	},
}
