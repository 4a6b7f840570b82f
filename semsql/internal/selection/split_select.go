package selection

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// addSplitStatementRetry adds to the error of a window call, or of an aggregate over an aggregate, the statement that computes it
// around the select: a derived table gives the columns that the call reads. The rows are those that the text means where
// windows follow groups: after WHERE, GROUP BY and HAVING, and before DISTINCT, ORDER BY and LIMIT.
func addSplitStatementRetry(s *resolve.Statement, tables *resolve.CommonTables, q *parse.Query, syntax *parse.Select, err error) error {
	var e *sqlerror.Error
	body, ok := q.Body.(*parse.Select)
	if !errors.As(err, &e) || e.Statement != "" || !ok {
		return err
	}
	split := selectSplitter{nested: e.Code == codeNestedAggregate, body: body, query: q}
	if !split.nested && (e.Code != sqlerror.CodeUnsupported || !split.hasWindowCallAtPosition(e.Position)) {
		return err
	}
	scope, scopeErr := s.StatementForOtherSelect().NewScope(tables, syntax)
	if scopeErr != nil {
		return err
	}
	split.scope = scope
	outer := split.splitSelect()
	switch {
	case outer == nil:
		return err
	case len(q.OrderBy) > 0:
		return e.WithSuggestedStatement(s.FormatWithReplacedPart(q, func() parse.Node { return outer }))
	}
	return e.WithSuggestedStatement(s.FormatWithReplacedPart(body, func() parse.Node { return outer.Body }))
}

// codeNestedAggregate is the code of an aggregate over an aggregate, as in expressions of models.
const codeNestedAggregate = "nested_aggregate"

// maxSplitColumns bounds what a derived table gives the select around it.
const maxSplitColumns = 100

// selectSplitter splits a select in two: one that gives columns, and one around it that computes with its rows.
type selectSplitter struct {
	scope  *resolve.Scope // of the select
	query  *parse.Query
	body   *parse.Select
	nested bool // aggregates over aggregates are what the outer select computes, else window calls

	groups []parse.Expr // each expression by itself
	items  []parse.Expr // of GROUP BY
	inner  []*parse.SelectItem
	names  []parse.Name // of the inner items
	reads  int
	failed bool
}

// hasWindowCallAtPosition reports whether a window call of the items or the order is at a position.
func (w *selectSplitter) hasWindowCallAtPosition(at int) bool {
	found := false
	visit := func(n parse.Node) bool {
		c, ok := n.(*parse.Call)
		found = found || ok && c.Over != nil && c.Pos() == at
		_, other := n.(*parse.Query)
		return !found && !other
	}
	for _, item := range w.body.Items {
		parse.Walk(item, visit)
	}
	for _, o := range w.query.OrderBy {
		parse.Walk(o, visit)
	}
	return found
}

// splitSelect returns the query around a derived table; nil where the select has parts that neither of the two computes.
func (w *selectSplitter) splitSelect() *parse.Query {
	for _, g := range w.body.GroupBy {
		w.items = append(w.items, w.replaceGroupByOrdinalOrAlias(g))
	}
	outer, fields := &parse.Select{Distinct: w.body.Distinct}, w.addStarColumns()
	for _, item := range w.body.Items {
		outer.Items = append(outer.Items, w.newOuterItem(item))
	}
	query := *w.query
	query.OrderBy = nil
	for _, o := range w.query.OrderBy {
		query.OrderBy = append(query.OrderBy, w.newOuterOrderItem(o))
	}
	inner := w.newInnerQuery()
	if w.failed || inner == nil || fields > 0 && fields < len(w.inner) {
		return nil
	}
	outer.From = []parse.Relation{&parse.DerivedTable{Query: inner, Alias: &parse.TableAlias{Name: parse.Name{Text: "t"}}}}
	query.Body = outer
	return &query
}

// replaceGroupByOrdinalOrAlias returns an item of GROUP BY written out: ordinals and aliases mean items.
func (w *selectSplitter) replaceGroupByOrdinalOrAlias(e parse.Expr) parse.Expr {
	if g, ok := e.(*parse.Grouping); ok {
		out := *g
		out.Items = make([]parse.Expr, len(g.Items))
		for i, item := range g.Items {
			out.Items[i] = w.replaceGroupByOrdinalOrAlias(item)
		}
		return &out
	}
	out := w.itemOfOrdinalOrAlias(e)
	w.groups = append(w.groups, out)
	return out
}

// itemOfOrdinalOrAlias returns the item that an ordinal or an alias means, else the expression.
func (w *selectSplitter) itemOfOrdinalOrAlias(e parse.Expr) parse.Expr {
	switch e := e.(type) {
	case *parse.Number:
		if n, err := strconv.Atoi(e.Text); err == nil && n >= 1 && n <= len(w.body.Items) {
			return w.body.Items[n-1].X
		}
	case *parse.Column:
		if len(e.Path) == 1 && !w.scope.HasColumn(e) {
			for _, item := range w.body.Items {
				if item.Alias.Text != "" && resolve.MatchesName(item.Alias, e.Path[0]) {
					return item.X
				}
			}
		}
	}
	return e
}

// newInnerQuery returns the query of the derived table. Over a dataset without groups it is one of rows: OFFSET keeps it apart from
// the select around it.
func (w *selectSplitter) newInnerQuery() *parse.Query {
	inner := *w.body
	inner.Distinct, inner.Items, inner.GroupBy = false, w.inner, w.items
	out := &parse.Query{Body: &inner}
	aggregates := len(w.groups) > 0 || w.body.Having != nil || slices.ContainsFunc(w.inner, func(i *parse.SelectItem) bool { return resolve.HasAggregate(i.X) })
	switch {
	case aggregates && len(w.inner) == 0 && len(w.groups) > 0:
		inner.Items = []*parse.SelectItem{{X: w.groups[0]}}
	case aggregates:
	case w.scope.WideSource() != nil:
		inner.Distinct = true
	default:
		out.Offset = &parse.Number{Text: "0"}
		if len(w.inner) == 0 && w.scope.Root != nil && len(w.scope.Root.Fields) > 0 {
			inner.Items = []*parse.SelectItem{{X: &parse.Column{Path: []parse.Name{newCasePreservingName(w.scope.Root.Fields[0].Name)}}}}
		}
	}
	windows := w.body.Having != nil && resolve.HasWindow(w.body.Having)
	for _, g := range w.groups {
		windows = windows || resolve.HasWindow(g)
	}
	if len(inner.Items) == 0 || windows {
		return nil
	}
	return out
}

// newOuterItem returns an item over the derived table, with the name that it has in the statement.
func (w *selectSplitter) newOuterItem(item *parse.SelectItem) *parse.SelectItem {
	if _, star := item.X.(*parse.Star); star {
		return &parse.SelectItem{X: &parse.Star{}}
	}
	out := &parse.SelectItem{X: w.rewriteOverInnerColumns(item.X, item.Alias), Alias: item.Alias}
	column, read := out.X.(*parse.Column)
	switch {
	case item.Alias.Text != "":
		if read && column.Path[0] == item.Alias {
			out.Alias = parse.Name{}
		}
	case !read && parse.ColumnName(out.X) != parse.ColumnName(item.X):
		out.Alias = newCasePreservingName(parse.ColumnName(item.X))
	case read && !resolve.MatchesName(newCasePreservingName(w.columnNameWithoutAlias(item.X)), column.Path[0]):
		out.Alias = newCasePreservingName(w.columnNameWithoutAlias(item.X))
	}
	return out
}

// addStarColumns adds the columns of a star, which are the rows of one dataset; 0 for a select without a star.
func (w *selectSplitter) addStarColumns() int {
	if !slices.ContainsFunc(w.body.Items, func(i *parse.SelectItem) bool { _, star := i.X.(*parse.Star); return star }) {
		return 0
	}
	if len(w.scope.Sources) != 1 || w.scope.Root == nil || w.scope.Sources[0].IsInlinedDerivedTable() || len(w.groups) > 0 {
		w.failed = true
		return 0
	}
	for _, f := range w.scope.Root.Fields {
		w.rewriteOverInnerColumns(&parse.Column{Path: []parse.Name{newCasePreservingName(f.Name)}}, parse.Name{})
	}
	return len(w.inner)
}

// newOuterOrderItem returns a key of ORDER BY over the derived table. Ordinals and aliases of items stay.
func (w *selectSplitter) newOuterOrderItem(o *parse.OrderItem) *parse.OrderItem {
	switch x := o.X.(type) {
	case *parse.Number:
		return o
	case *parse.Column:
		for _, item := range w.body.Items {
			if len(x.Path) == 1 && item.Alias.Text != "" && resolve.MatchesName(item.Alias, x.Path[0]) {
				return o
			}
		}
	}
	out := *o
	out.X = w.rewriteOverInnerColumns(o.X, parse.Name{})
	return &out
}

// rewriteOverInnerColumns writes an expression over the columns of the derived table. The alias of a whole item is that of its column.
func (w *selectSplitter) rewriteOverInnerColumns(e parse.Expr, alias parse.Name) parse.Expr {
	parts := w.innerPartsOf(e)
	w.reads += len(parts)
	if w.failed || w.reads > maxSplitColumns {
		w.failed = true
		return e
	}
	out := e
	for _, part := range parts {
		given := parse.Name{}
		if part == e {
			given = alias
		}
		out = resolve.ReplaceNode(out, part, w.innerColumnOf(part, given)).(parse.Expr)
	}
	return out
}

// innerPartsOf returns the parts of an expression that are computed below.
func (w *selectSplitter) innerPartsOf(e parse.Expr) []parse.Expr {
	var parts []parse.Expr
	over := 0 // aggregates over aggregates that are around
	var visit func(n parse.Node) bool
	visit = func(n parse.Node) bool {
		switch n := n.(type) {
		case *parse.ScalarSubquery:
			return false
		case *parse.InQuery, *parse.Exists, *parse.Star:
			w.failed = w.failed || !isCountedStar(e, n)
			return false
		case *parse.Call:
			if w.nested && n.Over == nil && resolve.IsAggregate(n) && hasNestedAggregate(n) {
				over++
				parse.VisitChildren(n, func(child parse.Node) { parse.Walk(child, visit) })
				over--
				return false
			}
		}
		x, ok := n.(parse.Expr)
		if !ok || !w.isComputedInInnerQuery(x) {
			return true
		}
		parts = append(parts, x)
		_, column := x.(*parse.Column)
		// Beside an aggregate over all groups nothing has one value.
		w.failed = w.failed || w.nested && (over == 0 || column || w.isGroupKey(x))
		return false
	}
	parse.Walk(e, visit)
	return parts
}

// isCountedStar reports whether a node is the star of COUNT(*) in an expression.
func isCountedStar(e parse.Expr, star parse.Node) bool {
	counted := false
	parse.Walk(e, func(n parse.Node) bool {
		c, ok := n.(*parse.Call)
		counted = counted || ok && len(c.Arguments) == 1 && c.Arguments[0] == star && strings.EqualFold(c.Function.Text, "count")
		return !counted
	})
	return counted
}

// isComputedInInnerQuery reports whether an expression is computed below: a group, a column, a metric or an aggregate.
func (w *selectSplitter) isComputedInInnerQuery(e parse.Expr) bool {
	switch e := e.(type) {
	case *parse.Column, *parse.MeasureCall:
		return true
	case *parse.Call:
		if e.Over == nil && resolve.IsAggregate(e) {
			return true
		}
	}
	return w.isGroupKey(e)
}

func (w *selectSplitter) isGroupKey(e parse.Expr) bool {
	return !isConstantExpr(e) && slices.ContainsFunc(w.groups, func(g parse.Expr) bool { return parse.Equal(g, e) })
}

func isConstantExpr(e parse.Expr) bool {
	switch e.(type) {
	case *parse.Number, *parse.String, *parse.Bool, *parse.Null, *parse.TimeLiteral, *parse.Interval, *parse.Parameter:
		return true
	}
	return false
}

// hasNestedAggregate reports whether an aggregate is over another.
func hasNestedAggregate(c *parse.Call) bool {
	return slices.ContainsFunc(c.Arguments, resolve.HasAggregate)
}

// innerColumnOf returns the column of the derived table that an expression of the select is.
func (w *selectSplitter) innerColumnOf(e parse.Expr, alias parse.Name) *parse.Column {
	for i, item := range w.inner {
		if parse.Equal(item.X, e) || w.isSameColumn(item.X, e) {
			return &parse.Column{Path: []parse.Name{w.names[i]}}
		}
	}
	shown := newCasePreservingName(w.columnNameWithoutAlias(e))
	name := shown
	if alias.Text != "" {
		name = alias
	}
	for n := 2; slices.ContainsFunc(w.names, func(o parse.Name) bool { return strings.EqualFold(o.Text, name.Text) }); n++ {
		name = newCasePreservingName(shown.Text + "_" + strconv.Itoa(n))
	}
	item := &parse.SelectItem{X: e, Alias: name}
	if _, call := e.(*parse.Call); !call && name == shown {
		item.Alias = parse.Name{}
	}
	w.inner, w.names = append(w.inner, item), append(w.names, name)
	return &parse.Column{Path: []parse.Name{name}}
}

// isSameColumn reports whether two expressions are one column, however each is written.
func (w *selectSplitter) isSameColumn(a, b parse.Expr) bool {
	ref, ok := w.columnRef(a)
	other, otherOK := w.columnRef(b)
	return ok && otherOK && ref.ID == other.ID
}

// columnRef returns the column of the sources that an expression is.
func (w *selectSplitter) columnRef(e parse.Expr) (*sqlexpr.Ref, bool) {
	c, ok := e.(*parse.Column)
	if !ok {
		return nil, false
	}
	x, err := w.scope.LowerExpr(c)
	if err != nil {
		return nil, false
	}
	ref, ok := x.(*sqlexpr.Ref)
	return ref, ok
}

// columnNameWithoutAlias returns the name of the column that an expression is without an alias.
func (w *selectSplitter) columnNameWithoutAlias(e parse.Expr) string {
	if m, ok := e.(*parse.MeasureCall); ok {
		e = m.Metric
	}
	if ref, ok := w.columnRef(e); ok {
		return w.scope.Refs.ReferenceOf(ref).Column
	}
	if name := parse.ColumnName(e); parse.UnnamedColumn != name {
		return name
	}
	return "value"
}

// newCasePreservingName returns a name that reads as it is written.
func newCasePreservingName(text string) parse.Name {
	return parse.Name{Text: text, Quoted: strings.ToLower(text) != text}
}
