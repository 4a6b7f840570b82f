package mutants_test

// sequenceMutants are faults of the order in which the steps of a sequence follow each other, and of the time within which they do.
var sequenceMutants = []mutant{
	{"the end of within is in it", "planner/internal/sequence/plan_rows.go", "	return &sqlexpr.Binary{Op: sqlexpr.OpLt, L:", "	return &sqlexpr.Binary{Op: map[bool]sqlexpr.BinaryOp{false: sqlexpr.OpLt, true: sqlexpr.OpLe}[isMutant(NAME)], L:"},
	{"a row is its own next step", "planner/internal/sequence/next_rows.go", "sqlexpr.OrderItem{X: ref(l.mark)})", "sqlexpr.OrderItem{X: ref(l.mark), Desc: isMutant(NAME)})"},
	{"an equal time of another dataset is not later", "planner/internal/sequence/next_rows.go", "sqlexpr.OrderItem{X: ref(l.mark), Desc: true})", "sqlexpr.OrderItem{X: ref(l.mark), Desc: !isMutant(NAME)})"},
	{"every row is a first start", "planner/internal/sequence/plan_rows.go", "err != nil || !p.sequence.FirstOnly {", "err != nil || !p.sequence.FirstOnly || isMutant(NAME) {"},
	{"any order is the given one", "planner/internal/sequence/plan_rows.go", "	if p.sequence.AnyOrder {", "	if p.sequence.AnyOrder && !isMutant(NAME) {"},
	{"the population does not choose steps", "planner/internal/population/step_conditions.go", "		if !c.reaches(root.Dataset, conjunct) {", "		if !c.reaches(root.Dataset, conjunct) || isMutant(NAME) {"},
	{"an open period has a row", "planner/internal/sequence/plan_periods.go", "	isOver := &sqlexpr.Binary{Op: sqlexpr.OpLt,", "	isOver := &sqlexpr.Binary{Op: map[bool]sqlexpr.BinaryOp{false: sqlexpr.OpLt, true: sqlexpr.OpLe}[isMutant(NAME)],"},
	{"rows before a start count in its bucket", "planner/internal/sequence/plan_periods.go", "Then: ofStart}", "Then: map[bool]sqlexpr.Expr{false: ofStart, true: ofBucket}[isMutant(NAME)]}"},
	{"bare names go by any step", "modelspec/compile/sequences.go", "NamedOnly: i > 0,", "NamedOnly: i > 0 && !isMutant(NAME),"},
}
