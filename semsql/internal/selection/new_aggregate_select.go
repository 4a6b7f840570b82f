package selection

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// isAggregateSelect reports whether the select groups: it is written so, or it is over the wide relation,
// which has no rows.
func (c *selectClauses) isAggregateSelect() bool {
	s := c.syntax
	if c.view != nil {
		return len(c.view.Facts) == 0
	}
	if len(s.GroupBy) > 0 || s.Having != nil || s.Distinct || c.WideSource() != nil {
		return true
	}
	for _, item := range s.Items {
		if resolve.HasAggregate(item.X) {
			return true
		}
	}
	for _, o := range c.query.OrderBy {
		if resolve.HasAggregate(o.X) {
			return true
		}
	}
	return false
}

// newAggregateSelect finds the groups and measures of an aggregate select.
func newAggregateSelect(c *selectClauses) (*aggregateSelect, error) {
	g := &aggregateSelect{selectClauses: c}
	grouped := len(c.groups) > 0 || len(c.syntax.GroupBy) > 0
	listed := !grouped && !c.readsMeasures() && c.view == nil
	if err := g.addGroups(listed); err != nil {
		return nil, err
	}
	var err error
	if c.sets != nil {
		if g.sets, err = g.setsOfGroups(); err != nil {
			return nil, err
		}
	}
	w := columnRewriter{aggregateSelect: g, bareMeasures: grouped || c.WideSource() != nil}
	for _, item := range c.items {
		e, err := w.rewriteOverColumns(item.Expr)
		if err != nil {
			return nil, err
		}
		g.items = append(g.items, e)
	}
	w.bareMeasures = true
	if c.view != nil {
		// All metrics of a view make its rows.
		for _, e := range c.view.Metrics {
			if _, err := w.rewriteOverColumns(e); err != nil {
				return nil, err
			}
		}
	}
	for _, cond := range c.having {
		e, err := w.rewriteOverColumns(cond)
		if err != nil {
			return nil, err
		}
		g.having = append(g.having, e)
	}
	for _, m := range c.havingIn {
		x, err := c.LowerExpr(m.X)
		if err != nil {
			return nil, err
		}
		e, err := w.rewriteOverColumns(x)
		if err != nil {
			return nil, err
		}
		g.havingIn = append(g.havingIn, e)
	}
	for _, key := range c.order {
		e, err := w.rewriteOverColumns(key.expr)
		if err != nil {
			return nil, err
		}
		g.order = append(g.order, e)
	}
	if len(w.missing) > 0 {
		return nil, w.groupByRequiredError()
	}
	if len(g.groups)+len(g.measures) == 0 {
		// The set without groups has a row, of constants here.
		rows := resolve.Reference{Kind: resolve.RowCountReferenceKind, Dataset: c.Root, Column: "count"}
		g.findOrAddMeasureColumn(measure{expr: c.Refs.Add(0, rows), ref: rows, at: c.syntax.Pos()})
	}
	return g, nil
}

// readsMeasures reports whether some clause reads a measure.
func (c *selectClauses) readsMeasures() bool {
	reads := func(e sqlexpr.Expr) bool {
		if sqlexpr.HasAggregate(e) {
			return true
		}
		for ref := range c.Refs.ReferencesOf(e) {
			if ref.Kind == resolve.MetricReferenceKind || ref.Kind == resolve.RowCountReferenceKind || ref.Kind == resolve.GroupingReferenceKind {
				return true
			}
		}
		return false
	}
	for _, item := range c.items {
		if reads(item.Expr) {
			return true
		}
	}
	for _, e := range c.having {
		if reads(e) {
			return true
		}
	}
	for _, key := range c.order {
		if reads(key.expr) {
			return true
		}
	}
	return false
}

// addGroups takes the groups of GROUP BY, or the items of a select that lists distinct groups. Constants
// group nothing, unless all groups are: then one decides whether there is a row.
func (g *aggregateSelect) addGroups(listed bool) error {
	all := g.selectClauses.groups
	if listed {
		for _, item := range g.selectClauses.items {
			all = append(all, item.Expr)
		}
	}
	var constant []sqlexpr.Expr
	for i, e := range all {
		if err := g.checkGroupByItemHasNoMeasure(i, e); err != nil {
			return err
		}
		if g.isConstant(e) {
			constant = append(constant, e)
			continue
		}
		if _, known := g.findGroupOfExpr(g.groups, e); !known {
			g.groups = append(g.groups, g.newGroup(e))
		}
	}
	if len(g.groups) == 0 && len(constant) > 0 {
		g.groups = append(g.groups, group{expr: constant[0]})
	}
	return nil
}

// checkGroupByItemHasNoMeasure rejects a measure as a group. The retry does not group by it.
func (g *aggregateSelect) checkGroupByItemHasNoMeasure(i int, e sqlexpr.Expr) error {
	name := ""
	for ref := range g.Refs.ReferencesOf(e) {
		if ref.Kind == resolve.MetricReferenceKind || ref.Kind == resolve.RowCountReferenceKind || ref.Kind == resolve.GroupingReferenceKind {
			name = ref.Column
		}
	}
	if agg := sqlexpr.FirstAggregate(e); agg != nil {
		name = sqlexpr.InfoOfFunction(agg.Fn).Name
	}
	if name == "" {
		return nil
	}
	refused := sqlerror.New(planerr.CodeUnknownDimension, e.Pos(), name+" is a measure, which is not a group")
	if i >= len(g.syntax.GroupBy) || hasGrouping(g.syntax.GroupBy) {
		return refused
	}
	return refused.WithSuggestedStatement(g.FormatWithReplacedPart(g.syntax, func() parse.Node {
		others := *g.syntax
		others.GroupBy = slices.Delete(slices.Clone(g.syntax.GroupBy), i, i+1)
		return &others
	}))
}

// columnRewriter writes expressions over references as expressions over columns.
type columnRewriter struct {
	*aggregateSelect
	bareMeasures bool           // a metric may be without MEASURE
	missing      []*sqlexpr.Ref // fields that are neither grouped nor aggregated
}

func (w *columnRewriter) rewriteOverColumns(e sqlexpr.Expr) (sqlexpr.Expr, error) {
	var failed error
	out := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		if failed != nil {
			return x
		}
		if column, ok := w.findGroupOfExpr(w.groups, x); ok && !isLiteral(x) {
			return column
		}
		switch x := x.(type) {
		case *sqlexpr.Ref:
			y, err := w.rewriteRef(x)
			if err != nil {
				failed = err
				return x
			}
			return y
		case *sqlexpr.Call:
			if sqlexpr.InfoOfFunction(x.Fn).Class == sqlexpr.ClassAggregate {
				return w.findOrAddMeasureColumn(measure{expr: x, at: x.Pos()})
			}
		}
		return nil
	})
	return out, failed
}

// isLiteral reports whether an expression is a literal, which is itself wherever it is.
func isLiteral(e sqlexpr.Expr) bool {
	_, literal := resolve.ParamValueOfLiteral(e)
	return literal
}

func (w *columnRewriter) rewriteRef(ref *sqlexpr.Ref) (sqlexpr.Expr, error) {
	r := w.Refs.ReferenceOf(ref)
	switch r.Kind {
	case resolve.MetricReferenceKind:
		if !r.Marked && !w.bareMeasures {
			return nil, w.measureInRowsError(ref)
		}
		r.Marked = true
		return w.findOrAddMeasureColumn(measure{expr: w.Refs.Add(ref.Pos(), r), ref: r, at: ref.Pos()}), nil
	case resolve.ScalarSubqueryReferenceKind:
		return &sqlexpr.Ref{Position: ref.Position, ID: firstScalarSubqueryRef + r.Index}, nil
	case resolve.GroupingReferenceKind:
		return w.groupingCallRef(ref)
	case resolve.RowCountReferenceKind:
		return w.findOrAddMeasureColumn(measure{expr: ref, ref: r, at: ref.Pos()}), nil
	}
	w.missing = append(w.missing, ref)
	return ref, nil
}

// measureInRowsError rejects a metric without MEASURE where each row would need a value of it.
func (c *selectClauses) measureInRowsError(ref *sqlexpr.Ref) error {
	r := c.Refs.ReferenceOf(ref)
	e := sqlerror.New(sqlerror.CodeMeasureInRows, ref.Pos(), r.Metric.Name+" is a metric, which has no value in a row: write MEASURE("+r.Metric.Name+")").WithMetrics(r.Metric.Name)
	if column := c.columnAtPosition(ref.Pos()); column != nil {
		e = e.WithSuggestedStatement(c.FormatWithReplacedPart(column, func() parse.Node { return &parse.MeasureCall{Position: column.Position, Metric: column} }))
	}
	return e
}

// columnAtPosition returns the column of the select that is written at a position; nil where none is.
func (c *selectClauses) columnAtPosition(at int) *parse.Column {
	var out *parse.Column
	parse.Walk(c.query, func(n parse.Node) bool {
		if column, ok := n.(*parse.Column); ok && column.Pos() == at {
			out = column
		}
		return out == nil
	})
	return out
}

// groupByRequiredError rejects columns that are neither grouped nor in an aggregate.
func (w *columnRewriter) groupByRequiredError() error {
	first := w.missing[0]
	var names []string
	s := *w.syntax
	for _, ref := range w.missing {
		column := w.columnAtPosition(ref.Pos())
		if column == nil || listContainsColumn(s.GroupBy, column) {
			continue
		}
		names = append(names, w.Refs.ReferenceOf(ref).Column)
		s.GroupBy = append(append([]parse.Expr(nil), s.GroupBy...), column)
	}
	e := sqlerror.New(sqlerror.CodeGroupByRequired, first.Pos(), "the column "+w.Refs.ReferenceOf(first).Column+" is neither grouped nor in an aggregate").WithCandidates(names)
	if len(names) == 0 {
		return e
	}
	return e.WithSuggestedStatement(w.FormatWithReplacedPart(w.syntax, func() parse.Node { return &s }))
}

func listContainsColumn(list []parse.Expr, column *parse.Column) bool {
	for _, e := range list {
		if known, ok := e.(*parse.Column); ok && len(known.Path) == len(column.Path) && known.Path[len(known.Path)-1] == column.Path[len(column.Path)-1] {
			return true
		}
	}
	return false
}
