package selection

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/parse"
)

// suggestedStatement returns the statement with the changes that an error of the planner suggests for the query; "" where
// they are not changes of its groups, its metrics and its references.
func (q *metricQuery) suggestedStatement(e *planerr.Error) string {
	if q.view != nil {
		return ""
	}
	w := statementEditor{selectClauses: q.selectClauses, root: q.Statement.Root, edited: q.syntax}
	if e.Fragment == nil || !json.Valid([]byte(e.SuggestedRetry)) { // nothing that the planner has planned
		return w.statementWithFirstRolePath(e)
	}
	body, ok := q.body.ApplyRetryFragment(e.Fragment)
	if !ok {
		return ""
	}
	rest := body
	rest.GroupBy, rest.Metrics, rest.InlineMetrics, rest.WhereSQL = q.body.GroupBy, q.body.Metrics, q.body.InlineMetrics, q.body.WhereSQL
	if !reflect.DeepEqual(rest, q.body) || !q.replaceGroupsInStatement(&w, body.GroupBy) || !q.removeMetricsNotListed(&w, body.Metrics) || !w.replaceFieldReferences(q.body.WhereSQL, body.WhereSQL) {
		return ""
	}
	return w.formatStatement()
}

// replaceGroupsInStatement makes the groups of a select those of a query: it changes fields and grains, adds groups at the end, or
// removes some.
func (q *metricQuery) replaceGroupsInStatement(w *statementEditor, wanted []query.GroupBy) bool {
	had := q.body.GroupBy
	if len(wanted) < len(had) {
		for i, g := range had {
			if !slices.Contains(wanted, g) && !w.removeItems(func(e sqlexpr.Expr) bool { return sqlexpr.Equal(e, q.groups[i].expr) }) {
				return false
			}
		}
		return true
	}
	for i, g := range wanted {
		switch {
		case i >= len(had):
			if !w.addGroup(g) {
				return false
			}
		case g.Expression != had[i].Expression, g.Part != had[i].Part:
			return false
		case g.Field != had[i].Field && !w.replaceFieldReference(had[i].Field, g.Field),
			g.Grain != had[i].Grain && !w.changeGrain(q.groups[i], g.Grain):
			return false
		}
	}
	return true
}

// removeMetricsNotListed removes the items of the metrics that a query has not.
func (q *metricQuery) removeMetricsNotListed(w *statementEditor, wanted []string) bool {
	for _, name := range q.body.Metrics {
		if slices.Contains(wanted, name) {
			continue
		}
		reads := func(e sqlexpr.Expr) bool {
			for r := range q.Refs.ReferencesOf(e) {
				if r.Metric != nil && r.Metric.Name == name {
					return true
				}
			}
			return false
		}
		if slices.ContainsFunc(q.selectClauses.having, reads) || !w.removeItems(reads) {
			return false
		}
	}
	return len(wanted) <= len(q.body.Metrics)
}

// suggestedStatement returns the statement with the changes of fields and grains that an error of the planner suggests.
func (r *rowsQuery) suggestedStatement(e *planerr.Error) string {
	if e.Fragment == nil || !json.Valid([]byte(e.SuggestedRetry)) || r.view != nil {
		return ""
	}
	body, ok := r.body.ApplyRetryFragment(e.Fragment)
	if !ok || len(body.Fields) != len(r.body.Fields) {
		return ""
	}
	w := statementEditor{selectClauses: r.selectClauses, root: r.Statement.Root, edited: r.syntax}
	rest := body
	rest.Fields, rest.WhereSQL = r.body.Fields, r.body.WhereSQL
	if !reflect.DeepEqual(rest, r.body) || !w.replaceFieldReferences(r.body.WhereSQL, body.WhereSQL) {
		return ""
	}
	for i, text := range body.Fields {
		had, wanted := parseFieldWithGrain(r.body.Fields[i]), parseFieldWithGrain(text)
		group := group{field: r.fields[i].ref, expr: r.fields[i].ref, grain: r.fields[i].grain}
		if had.field != wanted.field && !w.replaceFieldReference(had.field, wanted.field) || had.grain != wanted.grain && !w.changeGrain(group, wanted.grain) {
			return ""
		}
	}
	return w.formatStatement()
}

// fieldWithGrain is an item of fields: a reference and a grain after a colon.
type fieldWithGrain struct{ field, grain string }

func parseFieldWithGrain(text string) fieldWithGrain {
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ':':
			return fieldWithGrain{text[:i], text[i+1:]}
		case '"':
			return fieldWithGrain{field: text}
		}
	}
	return fieldWithGrain{field: text}
}

// statementEditor changes the select of a statement.
type statementEditor struct {
	*selectClauses
	root   *parse.Query  // the whole statement, with another order where that changed
	edited *parse.Select // what takes the place of the select
}

func (w *statementEditor) formatStatement() string {
	if w.root == nil || w.edited == w.syntax {
		return ""
	}
	return parse.Format(resolve.ReplaceNode(w.root, w.syntax, w.edited).(*parse.Query))
}

// replaceNodes puts other nodes in the place of those of the select and its order that find returns a replacement for.
func (w *statementEditor) replaceNodes(find func(parse.Expr) parse.Expr) {
	visit := func(tree parse.Node, put func(old, with parse.Node)) {
		parse.Walk(tree, func(n parse.Node) bool {
			e, ok := n.(parse.Expr)
			if _, isQuery := n.(*parse.Query); isQuery {
				return false
			}
			if ok {
				if with := find(e); with != nil {
					put(e, with)
					return false
				}
			}
			return true
		})
	}
	outside := *w.edited
	outside.From = nil
	visit(&outside, func(old, with parse.Node) { w.edited = resolve.ReplaceNode(w.edited, old, with).(*parse.Select) })
	for _, o := range w.query.OrderBy {
		visit(o, func(old, with parse.Node) { w.root = resolve.ReplaceNode(w.root, old, with).(*parse.Query) })
	}
}

// changeGrain writes another grain wherever the select has the bucket of a group; "" removes it.
func (w *statementEditor) changeGrain(g group, grain string) bool {
	changed := false
	bucket := func(x parse.Expr) parse.Expr {
		changed = true
		if grain == "" {
			return x
		}
		return dateTruncCall(grain, x)
	}
	w.replaceNodes(func(e parse.Expr) parse.Expr {
		var inner parse.Expr
		switch e := e.(type) {
		case *parse.Call:
			if len(e.Arguments) == 2 {
				inner = e.Arguments[1]
			}
		case *parse.Cast:
			if _, call := e.X.(*parse.Call); !call {
				inner = e.X
			}
		case *parse.Column:
			inner = e
		}
		if inner == nil {
			return nil
		}
		x, err := w.LowerExpr(e)
		if err != nil {
			return nil
		}
		if ref, ok := x.(*sqlexpr.Ref); ok && g.grain == sqlexpr.GrainNone && g.field != nil && ref.ID == g.field.ID {
			return bucket(inner)
		}
		if b, ok := w.readTimeBucket(x); ok && g.grain != sqlexpr.GrainNone && b.grain == g.grain && b.field.ID == g.field.ID {
			return bucket(inner)
		}
		return nil
	})
	return changed
}

// dateTruncCall is DATE_TRUNC of an expression.
func dateTruncCall(grain string, x parse.Expr) *parse.Call {
	return &parse.Call{Function: parse.Name{Text: "DATE_TRUNC"}, Arguments: []parse.Expr{&parse.String{Value: grain}, x}}
}

// replaceFieldReferences writes other references where the condition of a query has others than that of the select.
func (w *statementEditor) replaceFieldReferences(had, wanted string) bool {
	if had == wanted {
		return true
	}
	before, after := referencesInCondition(had), referencesInCondition(wanted)
	if len(before) == 0 || len(before) != len(after) {
		return false
	}
	for i := range before {
		if before[i] != after[i] && !w.replaceFieldReference(before[i], after[i]) {
			return false
		}
	}
	return true
}

// referencesInCondition lists the references of a condition.
func referencesInCondition(condition string) []string {
	e, err := sqlexpr.ParseLimited(condition, sqlexpr.QueryLimits())
	if err != nil {
		return nil
	}
	var out []string
	for c := range sqlexpr.Nodes[*sqlexpr.Column](e) {
		out = append(out, sqlexpr.Format(c))
	}
	return out
}

// replaceFieldReference writes the column of the wide relation for a reference in the place of those for another.
func (w *statementEditor) replaceFieldReference(had, wanted string) bool {
	if w.WideSource() == nil || w.WideSource().IsInlinedDerivedTable() {
		return false
	}
	column := w.wideColumnOf(wanted)
	if column == nil {
		return false
	}
	w.replaceNodes(func(e parse.Expr) parse.Expr {
		c, ok := e.(*parse.Column)
		if !ok {
			return nil
		}
		x, err := w.LowerExpr(c)
		if err != nil {
			return nil
		}
		if ref, ok := x.(*sqlexpr.Ref); ok {
			if r := w.Refs.ReferenceOf(ref); (r.Kind == resolve.FieldReferenceKind || r.Kind == resolve.MetricTimeReferenceKind) && r.FieldText() == had {
				return column
			}
		}
		return nil
	})
	return true
}

// statementWithFirstRolePath returns the statement with the first of several paths to a field; "" for other errors.
func (w *statementEditor) statementWithFirstRolePath(e *planerr.Error) string {
	if e.Code != planerr.CodeAmbiguousJoinPath || len(e.Candidates) == 0 {
		return ""
	}
	changed := false
	for _, r := range slices.Clone(w.AllReferences()) {
		for _, c := range w.WideColumns() {
			named := resolve.Reference{Kind: resolve.FieldReferenceKind, Field: c.Field, Path: c.Path}
			if r.Kind == resolve.FieldReferenceKind && len(r.Path) == 0 && len(c.Path) > 0 && c.Field == r.Field && named.FieldText() == e.Candidates[0]+"."+c.Field.Name {
				changed = w.replaceFieldReference(r.FieldText(), named.FieldText()) || changed
			}
		}
	}
	if !changed {
		return ""
	}
	return w.formatStatement()
}

// wideColumnOf returns the column of the wide relation that a reference of a query is; nil where none is.
func (w *statementEditor) wideColumnOf(text string) *parse.Column {
	for _, c := range w.WideColumns() {
		ref := resolve.Reference{Kind: resolve.FieldReferenceKind, Field: c.Field, Path: c.Path}
		if c.IsMetricTime() {
			ref.Kind = resolve.MetricTimeReferenceKind
		}
		if c.Metric == nil && ref.FieldText() == text {
			return &parse.Column{Path: []parse.Name{{Text: c.Name}}}
		}
	}
	return nil
}

// addGroup adds a group at the end of GROUP BY.
func (w *statementEditor) addGroup(g query.GroupBy) bool {
	var column *parse.Column
	switch {
	case g.Expression != "":
	case w.WideSource() != nil && !w.WideSource().IsInlinedDerivedTable():
		column = w.wideColumnOf(g.Field)
	case w.Root != nil:
		for _, f := range w.Root.Fields {
			if sqlexpr.FormatPath(w.Root.Name, f.Name) == g.Field {
				column = &parse.Column{Path: []parse.Name{{Text: f.Name}}}
			}
		}
	}
	if column == nil {
		return false
	}
	if _, err := w.LowerExpr(column); err != nil {
		return false
	}
	added := *w.edited
	var e parse.Expr = column
	if g.Grain != "" {
		e = dateTruncCall(g.Grain, column)
	}
	added.GroupBy = append(slices.Clone(added.GroupBy), e)
	w.edited = &added
	return true
}

// removeItems removes the items and the groups that an expression is; it fails where ORDER BY, an ordinal or a star
// would mean another item then.
func (w *statementEditor) removeItems(isRemoved func(sqlexpr.Expr) bool) bool {
	if hasGrouping(w.edited.GroupBy) || len(w.items) != len(w.syntax.Items) || len(w.edited.Items) != len(w.syntax.Items) || len(w.query.OrderBy) > 0 {
		return false
	}
	out := *w.edited
	out.Items, out.GroupBy = nil, nil
	for i, item := range w.edited.Items {
		if !isRemoved(w.items[i].Expr) {
			out.Items = append(out.Items, item)
		}
	}
	for i, e := range w.edited.GroupBy {
		if isRemoved(w.groups[i]) {
			continue
		}
		if n, ordinal, err := w.readOrdinal(e); ordinal && err == nil {
			e = w.edited.Items[n].X
		}
		out.GroupBy = append(out.GroupBy, e)
	}
	w.edited = &out
	return len(out.Items) > 0
}
