package resolve

import (
	"iter"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/relations"
)

// ReferenceKind is what a Reference means.
type ReferenceKind uint8

// The kinds.
const (
	FieldReferenceKind          ReferenceKind = iota
	MetricReferenceKind                       // with its parameters and filter
	MetricTimeReferenceKind                   // each metric's own time axis
	RowCountReferenceKind                     // the number of rows of a dataset
	ResultColumnReferenceKind                 // a column of the result of another select
	ScalarSubqueryReferenceKind               // the value of a subquery
	GroupingReferenceKind                     // the mask of the groups that a row is not grouped by
)

// MetricParamBinding is the value of a metric's parameter in one place of a statement.
type MetricParamBinding struct {
	Name  string
	Value query.ParamValue
}

// Reference is one meaning of a name.
type Reference struct {
	Kind     ReferenceKind
	Column   string // the name of the column that shows it
	Field    *catalog.Field
	Path     []catalog.JoinStep // of a Field: the relationships that lead to it, where the statement chooses them
	Metric   *catalog.Metric
	Bindings []MetricParamBinding
	// Marked: MEASURE or AGG is around the metric.
	Marked bool
	// Filter is the condition of FILTER on a metric or on counted rows; nil without one.
	Filter sqlexpr.Expr
	// Dataset is whose Rows are counted; nil for those of the relation that the select is over.
	Dataset *catalog.Dataset
	// Summed: the rows are counted as SUM(1), which is NULL over no rows.
	Summed bool
	// Index of a Result among the columns, of a Scalar among the subqueries; and its type.
	Index      int
	ResultType sqltype.Type
	// Arguments are those of GROUPING.
	Arguments []sqlexpr.Expr
	// FromWide: the rows are those of the wide relation inside FROM, which has two readings.
	FromWide bool
}

// Type returns the type of the values.
func (r Reference) Type(s *relations.Schema) sqltype.Type {
	switch r.Kind {
	case FieldReferenceKind:
		return relations.FieldType(r.Field)
	case MetricReferenceKind:
		return relations.MetricType(r.Metric)
	case MetricTimeReferenceKind:
		return s.MetricTimeType()
	case ResultColumnReferenceKind, ScalarSubqueryReferenceKind:
		return r.ResultType
	case GroupingReferenceKind:
		return sqltype.Integer
	}
	return sqltype.Bigint
}

// References are the meanings that a statement uses, each once. The zero value is empty.
type References struct {
	list   []*Reference
	clocks []query.LocalField // what clocks show at the instants of fields
}

// ReferenceOf returns the reference of a Ref.
func (r *References) ReferenceOf(ref *sqlexpr.Ref) Reference { return *r.list[ref.ID] }

// Add returns a Ref to a reference.
func (r *References) Add(at int, x Reference) *sqlexpr.Ref {
	id := 0
	for id < len(r.list) && !sameReference(&x, r.list[id]) {
		id++
	}
	if id == len(r.list) {
		added := x
		r.list = append(r.list, &added)
	}
	return &sqlexpr.Ref{Position: sqlexpr.Position(at), ID: id}
}

func sameReference(a, b *Reference) bool {
	return a.Kind == b.Kind && a.Field == b.Field && slices.Equal(a.Path, b.Path) && a.Metric == b.Metric &&
		slices.Equal(a.Bindings, b.Bindings) && a.Marked == b.Marked && a.Dataset == b.Dataset && a.Summed == b.Summed && a.FromWide == b.FromWide && a.Index == b.Index &&
		slices.EqualFunc(a.Arguments, b.Arguments, sqlexpr.Equal) &&
		(a.Filter == nil) == (b.Filter == nil) && (a.Filter == nil || sqlexpr.Equal(a.Filter, b.Filter))
}

// AllReferences lists everything that the statement reads.
func (s *Statement) AllReferences() []*Reference { return s.Refs.list }

// ReferencesOf returns the references of an expression, each as often as it occurs.
func (r *References) ReferencesOf(e sqlexpr.Expr) iter.Seq[*Reference] {
	return func(yield func(*Reference) bool) {
		for ref := range sqlexpr.Refs(e) {
			if !yield(r.list[ref.ID]) {
				return
			}
		}
	}
}

// HasReferenceInExpr reports whether an expression has a reference.
func (r *References) HasReferenceInExpr(e sqlexpr.Expr) bool {
	for range r.ReferencesOf(e) {
		return true
	}
	return false
}

// ReplaceRefsWithModelNames returns an expression with the names of the model in place of its references, as queries write them.
func (r *References) ReplaceRefsWithModelNames(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.RewriteRefs(e, func(ref *sqlexpr.Ref) sqlexpr.Expr { return r.ReferenceOf(ref).asColumnExpr() })
}

// asColumnExpr returns the reference as an expression of a query names it.
func (r Reference) asColumnExpr() sqlexpr.Expr {
	switch r.Kind {
	case FieldReferenceKind:
		return &sqlexpr.Column{Path: r.fieldPath()}
	case MetricReferenceKind:
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: r.Metric.Name}}}
	case MetricTimeReferenceKind:
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: relations.MetricTime}}}
	}
	var x sqlexpr.Expr = &sqlexpr.Call{Fn: sqlexpr.FnCount, Name: sqlexpr.Name{Text: "COUNT"}, Star: true}
	return x
}

// fieldPath is dataset.field, or the relationships and the field.
func (r Reference) fieldPath() []sqlexpr.Name {
	if len(r.Path) == 0 {
		return []sqlexpr.Name{{Text: r.Field.Dataset.Name}, {Text: r.Field.Name}}
	}
	var out []sqlexpr.Name
	for _, s := range r.Path {
		out = append(out, sqlexpr.Name{Text: s.Rel.Name})
	}
	return append(out, sqlexpr.Name{Text: r.Field.Name})
}

// FieldText returns the name of a field as a query's JSON writes it.
func (r Reference) FieldText() string {
	if r.Kind == MetricTimeReferenceKind {
		return relations.MetricTime
	}
	var parts []string
	for _, n := range r.fieldPath() {
		parts = append(parts, n.Text)
	}
	return sqlexpr.FormatPath(parts...)
}
