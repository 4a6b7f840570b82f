package selection

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/planner/sqltype"
	"github.com/semlayer/semlayer/semsql/internal/resolve"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// mapRowSelect maps a select of rows of a dataset.
func mapRowSelect(ctx context.Context, c *selectClauses, in PlanningContext) (*MappedSelect, error) {
	if c.readsMeasures() {
		return mapRowsWithMetrics(ctx, c, in)
	}
	r := &rowsQuery{selectClauses: c}
	r.body.From, r.body.TimeZone, r.body.WeekStart = c.Root.Name, c.QueryTimeZone(), c.QueryWeekStart()
	r.body.View, r.body.Defaults = c.viewOfQuery()
	for _, item := range c.items {
		r.addFieldsOfExpr(item.Expr)
	}
	for _, key := range c.order {
		r.addFieldsOfExpr(key.expr)
	}
	if len(r.fields) == 0 {
		r.addFieldsOfExpr(r.fallbackField())
	}
	if err := r.addConditions(in.ContextFilter); err != nil {
		return nil, err
	}
	r.body.With = append(r.body.With, r.Refs.ClockFields()...)
	return r.planQueryAndColumns(ctx, in)
}

// rowsQuery is the query that reads the fields of a select of rows.
type rowsQuery struct {
	*selectClauses
	body   query.DetailQuery
	fields []rowQueryColumn
	names  []string // of the columns
}

// rowQueryColumn is a column of the query: a field, the bucket of a time field, or the part of one that stores codes.
type rowQueryColumn struct {
	ref   *sqlexpr.Ref
	grain sqlexpr.Grain
	part  sqlexpr.TimePart
}

// unit returns the name of the grain or of the part; "" for the field.
func (f rowQueryColumn) unit() string { return cmp.Or(f.grain.String(), f.part.String()) }

// columnIndexOf returns the number of the column of a field; -1 where it has none.
func (r *rowsQuery) columnIndexOf(f rowQueryColumn) int {
	return slices.IndexFunc(r.fields, func(o rowQueryColumn) bool { return o.ref.ID == f.ref.ID && o.grain == f.grain && o.part == f.part })
}

// fallbackField returns a field to read where the select reads none: each row gives one row.
func (r *rowsQuery) fallbackField() sqlexpr.Expr {
	for _, f := range r.Root.Fields {
		if f.Err == nil && f.LOD == nil {
			return r.Refs.Add(r.syntax.Pos(), resolve.Reference{Kind: resolve.FieldReferenceKind, Field: f, Column: f.Name})
		}
	}
	return &sqlexpr.Null{}
}

// addFieldsOfExpr adds the fields that an expression reads, each once.
func (r *rowsQuery) addFieldsOfExpr(e sqlexpr.Expr) {
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		if b, ok := r.readTimeBucket(x); ok {
			r.addField(rowQueryColumn{ref: b.field, grain: b.grain})
			return false
		}
		if p, ok := r.readPartOfCode(x); ok {
			r.addField(rowQueryColumn{ref: p.field, part: p.part})
			return false
		}
		if ref, ok := x.(*sqlexpr.Ref); ok && r.Refs.ReferenceOf(ref).Kind != resolve.ScalarSubqueryReferenceKind {
			r.addField(rowQueryColumn{ref: ref})
		}
		return true
	})
}

// readPartOfCode recognises EXTRACT of a part of a field that stores times as codes, which the query decodes.
func (r *rowsQuery) readPartOfCode(e sqlexpr.Expr) (timePart, bool) {
	p, ok := r.readTimePart(e)
	if !ok {
		return p, false
	}
	field := r.Refs.ReferenceOf(p.field).Field
	return p, field != nil && field.Encoding != nil
}

// addField adds a field. One whose column would have the name of another gets another name.
func (r *rowsQuery) addField(f rowQueryColumn) {
	if r.columnIndexOf(f) >= 0 {
		return
	}
	field := r.Refs.ReferenceOf(f.ref)
	name := plannerColumnName(field, f.unit())
	text := field.FieldText()
	if slices.ContainsFunc(r.names, func(n string) bool { return strings.EqualFold(n, name) }) {
		name = "c" + strconv.Itoa(len(r.names)+1)
		for len(r.Cat.FieldsNamed(name)) > 0 {
			name += "_"
		}
		r.body.With = append(r.body.With, query.LocalField{Dataset: r.Root.Name, Name: name, Expression: text})
		text = sqlexpr.FormatPath(r.Root.Name, name)
	}
	if unit := f.unit(); unit != "" {
		text += ":" + unit
	}
	r.fields, r.names = append(r.fields, f), append(r.names, name)
	r.body.Fields = append(r.body.Fields, text)
}

// addConditions writes WHERE and the condition of the session.
func (r *rowsQuery) addConditions(contextFilter string) error {
	timeRange, rest := r.extractTimeRange(dropTrueConditions(r.where), r.preferredTimeField)
	r.body.TimeRange = timeRange
	var conds []sqlexpr.Expr
	for _, cond := range rest {
		if err := r.checkRowCondition(cond); err != nil {
			return err
		}
		conds = append(conds, r.ModelExpr(cond))
	}
	if contextFilter != "" {
		e, err := sqlexpr.ParseLimited(contextFilter, sqlexpr.QueryLimits())
		if err != nil {
			return sqlerror.New(planerr.CodeUnsupportedFilter, 0, "context_filter: "+err.Error())
		}
		conds = append(conds, e)
	}
	if e := sqlexpr.And(conds...); e != nil {
		r.body.WhereSQL = sqlexpr.Format(e)
	}
	return nil
}

// preferredTimeField returns the primary time field of the root, else nothing.
func (r *rowsQuery) preferredTimeField(fields []*sqlexpr.Ref) *sqlexpr.Ref {
	for _, f := range fields {
		if ref := r.Refs.ReferenceOf(f); ref.Field != nil && ref.Field == r.Root.PrimaryTime && len(ref.Path) == 0 {
			return f
		}
	}
	return nil
}

// planQueryAndColumns plans the query, and the columns of the select over its rows.
func (r *rowsQuery) planQueryAndColumns(ctx context.Context, in PlanningContext) (*MappedSelect, error) {
	members, err := r.mapWhereSubqueries(ctx, in)
	if err != nil {
		return nil, err
	}
	planned, err := in.Planner.PlanDetailSelect(ctx, &planner.DetailSelect{Query: &r.body, Members: members, Unlimited: true}, in.Target)
	if err != nil {
		return nil, r.locatePlanError(err)
	}
	types := make([]sqltype.Type, len(r.fields))
	for i, f := range r.fields {
		types[i] = r.groupType(group{expr: f.ref, field: f.ref, grain: f.grain, part: f.part})
	}
	*in.Parts = append(*in.Parts, planned)
	out := &MappedSelect{Detail: r.queryEquivalentToSelect(), IsDetail: true}
	if len(members)+len(r.Refs.ClockFields()) > 0 {
		out.Detail = nil
	}
	result := &compose.Select{Scalars: r.scalars.rows, From: in.Composer.RowsOfQuery(planned, types), Limit: r.limit, Offset: r.offset}
	for _, item := range r.items {
		result.Items = append(result.Items, compose.SelectItem{Name: item.Name, Expr: r.rewriteOverColumns(item.Expr)})
	}
	result.OrderBy = r.orderOverRows(func(key int) sqlexpr.Expr { return r.rewriteOverColumns(r.order[key].expr) })
	if out.Rows, err = in.Composer.Select(result); err != nil {
		return nil, locateComposeError(err, r.syntax.Pos())
	}
	return out, nil
}

// rewriteOverColumns writes an expression over references over the columns of the query.
func (r *rowsQuery) rewriteOverColumns(e sqlexpr.Expr) sqlexpr.Expr {
	return resolve.ExpandZoneCalls(sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		if b, ok := r.readTimeBucket(x); ok {
			return r.bucketValueExpr(r.columnIndexOf(rowQueryColumn{ref: b.field, grain: b.grain}), b)
		}
		if p, ok := r.readPartOfCode(x); ok {
			return p.valueExpr(r.columnIndexOf(rowQueryColumn{ref: p.field, part: p.part}))
		}
		ref, ok := x.(*sqlexpr.Ref)
		if !ok {
			return nil
		}
		if scalar := r.Refs.ReferenceOf(ref); scalar.Kind == resolve.ScalarSubqueryReferenceKind {
			return &sqlexpr.Ref{Position: ref.Position, ID: len(r.fields) + scalar.Index}
		}
		return &sqlexpr.Ref{Position: ref.Position, ID: r.columnIndexOf(rowQueryColumn{ref: ref})}
	}))
}

// maxRequestRowLimit is the largest limit of a request for rows.
const maxRequestRowLimit = 10000

// queryEquivalentToSelect returns the query with the order and the limit of the select, where it gives the same rows by position; nil
// where none does.
func (r *rowsQuery) queryEquivalentToSelect() *query.DetailQuery {
	if r.limit == nil || *r.limit > maxRequestRowLimit || len(r.items) != len(r.fields) {
		return nil
	}
	for i, item := range r.items {
		if ref, ok := item.Expr.(*sqlexpr.Ref); !ok || r.columnIndexOf(rowQueryColumn{ref: ref}) != i {
			return nil
		}
	}
	out := r.body
	for _, key := range r.order {
		i := key.item
		if i < 0 {
			if ref, ok := key.expr.(*sqlexpr.Ref); ok {
				i = r.columnIndexOf(rowQueryColumn{ref: ref})
			}
		}
		if i < 0 || key.nullsFirst {
			return nil
		}
		out.OrderBy = append(out.OrderBy, query.OrderBy{Key: r.names[i], Desc: key.desc})
	}
	out.Limit, out.Offset = r.limit, r.offset
	return &out
}
