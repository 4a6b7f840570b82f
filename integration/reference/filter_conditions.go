package reference

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// condition is one conjunct of a filter with its names resolved.
type condition struct {
	expr    sqlexpr.Expr
	fields  map[*sqlexpr.Column]fieldTarget
	outputs map[*sqlexpr.Column]string // names of result columns

	ofView       bool                    // of the view of the query: it acts where rows lead to its fields
	axisRange    *timeRange              // that the condition is for the branches of its axis; nil for none
	bucketStarts map[*sqlexpr.Column]int // group-bys whose buckets stand for the field, of a condition on the result
}

// targets lists the fields of a condition.
func (c condition) targets() []fieldTarget {
	var out []fieldTarget
	for _, col := range sqlexpr.ColumnReferences(c.expr) {
		if t, ok := c.fields[col]; ok {
			out = append(out, t)
		}
	}
	return out
}

func (e *evaluator) readFilters() {
	for _, x := range e.splitConjuncts(e.q.ContextFilter) {
		if c, ok := e.resolveCondition(x, false); ok {
			e.named.add(e, c)
			e.populationConditions = append(e.populationConditions, c)
		}
	}
	for _, x := range e.splitConjuncts(e.q.WhereSQL) {
		c, ok := e.resolveCondition(x, true)
		e.named.add(e, c)
		switch {
		case !ok:
		case len(c.outputs) > 0:
			e.readResultCondition(c)
		case len(c.fields) == 0:
			abstain("a condition that names nothing")
		default:
			e.readTimeCondition(c)
		}
	}
	e.readViewConditions(e.readViewFilter)
}

// splitConjuncts splits the text of a filter.
func (e *evaluator) splitConjuncts(text string) []sqlexpr.Expr {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	x, err := sqlexpr.ParseLimited(text, sqlexpr.QueryLimits())
	switch {
	case err != nil, sqlexpr.FirstSubquery(x) != nil, sqlexpr.FirstWindowCall(x) != nil, len(sqlexpr.UnknownFunctionCalls(x)) > 0, len(sqlexpr.ParamSlots(x)) > 0:
		e.addMustRejectCode("unsupported_filter")
		return nil
	case sqlexpr.FirstAggregate(x) != nil:
		e.addMustRejectCode("aggregate_in_where")
		return nil
	}
	return sqlexpr.SplitConjuncts(e.atPresent(x))
}

// readsPresent reports whether a condition reads the current date or time.
func readsPresent(text string) bool {
	found := false
	if x, err := sqlexpr.ParseLimited(text, sqlexpr.QueryLimits()); err == nil {
		sqlexpr.Walk(x, func(x sqlexpr.Expr) bool {
			c, ok := x.(*sqlexpr.Call)
			found = found || ok && (c.Fn == sqlexpr.FnCurrentDate || c.Fn == sqlexpr.FnCurrentTimestamp)
			return !found
		})
	}
	return found
}

// atPresent replaces the current date by the day from which relative ranges count.
func (e *evaluator) atPresent(x sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(x, func(x sqlexpr.Expr) sqlexpr.Expr {
		c, ok := x.(*sqlexpr.Call)
		switch {
		case !ok || c.Fn != sqlexpr.FnCurrentDate && c.Fn != sqlexpr.FnCurrentTimestamp:
			return nil
		case c.Fn == sqlexpr.FnCurrentTimestamp || e.q.AsOf == "" || e.clock.zone != nil:
			abstain("a condition that depends on the time of the day")
		}
		day, _, _ := strings.Cut(e.q.AsOf, "T")
		return &sqlexpr.TypedLiteral{Type: sqlexpr.TypeDate, Value: day}
	})
}

// resolveCondition resolves the names of a conjunct. Only where_sql may name results.
func (e *evaluator) resolveCondition(x sqlexpr.Expr, results bool) (condition, bool) {
	c := condition{expr: x, fields: map[*sqlexpr.Column]fieldTarget{}, outputs: map[*sqlexpr.Column]string{}}
	ok := true
	for _, col := range sqlexpr.ColumnReferences(x) {
		path := partsOfColumnReference(col)
		if results && len(path) == 1 && e.isResultColumn(path[0]) {
			c.outputs[col] = path[0]
			continue
		}
		if results && len(path) == 1 && e.rejectMetricNotInResult(path[0]) {
			ok = false
			continue
		}
		t, found := e.resolveTarget(path)
		if !found {
			ok = false
			continue
		}
		if t.field.Encoding != nil {
			e.addMustRejectCode("unsupported_filter")
		}
		c.fields[col] = t
	}
	if ok && c.calculatesWithStrings() {
		e.addMustRejectCode("unsupported_filter")
		ok = false
	}
	return c, ok
}

// calculatesWithStrings reports whether a field of strings is an operand of arithmetic.
func (c condition) calculatesWithStrings() (found bool) {
	isString := func(x sqlexpr.Expr) bool {
		col, isColumn := x.(*sqlexpr.Column)
		return isColumn && c.fields[col].field != nil && c.fields[col].field.Datatype == modelspec.DatatypeString
	}
	sqlexpr.Walk(c.expr, func(x sqlexpr.Expr) bool {
		if b, is := x.(*sqlexpr.Binary); is {
			switch b.Op {
			case sqlexpr.OpAdd, sqlexpr.OpSub, sqlexpr.OpMul, sqlexpr.OpDiv, sqlexpr.OpMod:
				found = found || isString(b.L) || isString(b.R)
			}
		}
		return true
	})
	return found
}

// isResultColumn reports whether a bare name means a result column: one of a metric, one that
// the query names, or another one of a group-by that is not the name of a field.
func (e *evaluator) isResultColumn(name string) bool {
	if e.resultColumnIndex(name) >= len(e.groups) {
		return true
	}
	return slices.ContainsFunc(e.groups, func(g groupByItem) bool {
		return strings.EqualFold(g.name, name) && (g.named || len(e.fieldsNamed(name)) == 0)
	})
}

// rejectMetricNotInResult rejects a bare name of a metric that has no result column.
func (e *evaluator) rejectMetricNotInResult(name string) bool {
	m := e.metricNamed(name)
	switch {
	case m == nil:
		return false
	case slices.Contains(e.metrics, m):
		e.addMustRejectCode("unsupported_filter")
		e.addMayRejectCode("result_filter_metric_not_selected")
		return true
	case len(e.fieldsNamed(name)) > 0:
		return false
	}
	e.addMustRejectCode("result_filter_metric_not_selected")
	return true
}

// usesOnlyGroupedFields reports whether a condition uses grouped fields alone. A field
// that is grouped by a grain is not grouped itself.
func (e *evaluator) usesOnlyGroupedFields(c condition) bool {
	for _, t := range c.targets() {
		if e.groupByIndex(t) < 0 {
			return false
		}
	}
	return true
}

func (e *evaluator) groupByIndex(t fieldTarget) int {
	return slices.IndexFunc(e.groups, func(g groupByItem) bool { return !g.onAxis && g.isRaw() && g.equals(t) })
}

func (e *evaluator) readResultCondition(c condition) {
	ungrouped := slices.ContainsFunc(c.targets(), func(t fieldTarget) bool { return t.field.LOD != nil && e.groupByIndex(t) < 0 })
	if ungrouped {
		e.addMustRejectCode("not_implemented") // two layers in one conjunct
		e.addMayRejectCode("result_filter_unprojected")
		return
	}
	if !e.usesOnlyGroupedFields(c) {
		e.addMustRejectCode("result_filter_unprojected")
		return
	}
	for _, t := range c.fields {
		if t.field.LOD != nil && len(c.outputs) > 0 {
			for _, name := range c.outputs {
				if e.cat.Metric(name) != nil {
					abstain("a level-of-detail field beside a metric in one conjunct")
				}
			}
		}
	}
	e.resultConditions = append(e.resultConditions, c)
}

// meetsResultCondition evaluates a result condition on a row of the result.
func (e *evaluator) meetsResultCondition(c condition, row []Value) bool {
	return evalContext{column: func(col *sqlexpr.Column) Value {
		if t, ok := c.fields[col]; ok {
			i := e.groupByIndex(t)
			if e.top != nil && i == e.top.dimension {
				abstain("a condition on the field whose other values are replaced, behind a window")
			}
			return row[i]
		}
		if i, ok := c.bucketStarts[col]; ok {
			return e.storedBucketStart(e.fieldOrTimeAxisOfGroupBy(e.groups[i]), row[i])
		}
		return row[e.resultColumnIndex(c.outputs[col])]
	}}.isTrue(c.expr)
}
