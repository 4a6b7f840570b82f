package scope

import (
	"errors"
	"strconv"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// groupExpression is what a group computes from several fields: it is evaluated on the joined row
// of a branch.
type groupExpression struct {
	source    sqlexpr.Expr // as the query writes it, over names
	Expr      sqlexpr.Expr // over sqlexpr.Ref{index of refs}
	Refs      resolve.Refs
	textBytes int // of its value as text, estimated
}

// IsFieldNotExpression reports whether the group is a field of the query's group_by, and so has a Ref.
func (g Group) IsFieldNotExpression() bool { return !g.OnAxis && g.Expression == nil }

// IsExpression reports whether the group is made of an expression, which is over sqlexpr.Ref{index of refs}.
func (g Group) IsExpression(e sqlexpr.Expr, refs resolve.Refs) bool {
	if g.Expression == nil {
		return false
	}
	var equal func(a, b sqlexpr.Expr) bool
	equal = func(a, b sqlexpr.Expr) bool {
		own, isRef := a.(*sqlexpr.Ref)
		other, isOther := b.(*sqlexpr.Ref)
		if isRef && isOther {
			return other.ID >= 0 && g.Expression.Refs[own.ID].IsSame(refs[other.ID])
		}
		return sqlexpr.EqualNodes(a, b, equal)
	}
	return equal(sqlexpr.Normalize(g.Expression.Expr), sqlexpr.Normalize(e))
}

// ReadsMatchingRef reports whether some reference that the group reads by itself meets a condition.
func (g Group) ReadsMatchingRef(matches func(resolve.Ref) bool) bool {
	for i := range g.FieldReferenceCount() {
		if matches(g.ReferenceAtIndex(i)) {
			return true
		}
	}
	return false
}

// FieldReferenceCount returns the number of references that a group reads by itself: all but the axis that
// metric_time means.
func (g Group) FieldReferenceCount() int {
	switch {
	case g.OnAxis:
		return 0
	case g.Expression != nil:
		return len(g.Expression.Refs)
	}
	return 1
}

// ReferenceAtIndex returns one of the references that the group reads by itself.
func (g Group) ReferenceAtIndex(i int) resolve.Ref {
	if g.Expression != nil {
		return g.Expression.Refs[i]
	}
	return g.Ref
}

// DisplayName names the group in a message: the field, or the column of an expression.
func (g Group) DisplayName() string {
	if g.IsFieldNotExpression() {
		return g.Ref.String()
	}
	return g.Name
}

// groupExpressionResolver resolves the names of a group's expression.
type groupExpressionResolver struct {
	in       *Env
	sel      Selection
	item     query.GroupBy
	location string
	out      groupExpression
}

// resolveExpressionGroup resolves a group-by item that is an expression over fields.
func resolveExpressionGroup(in *Env, sel Selection, item query.GroupBy, index int) (Group, error) {
	r := groupExpressionResolver{in: in, sel: sel, item: item, location: "group_by/" + strconv.Itoa(index) + "/expression"}
	source, failure := compile.ParseQueryScalarExpr(item.Expression, r.location)
	if failure != nil {
		return Group{}, ToPlanStageError(failure)
	}
	r.out.source = source
	e, err := r.resolveNames()
	if err != nil {
		return Group{}, err
	}
	if r.out.textBytes, err = r.estimateTextValueBytes(e); err != nil {
		return Group{}, err
	}
	if r.out.Expr, err = coerce.CoerceExpression(e, r.typeOfField, in.Target.Caps.ZonesApart); err != nil {
		return Group{}, r.restateConditionError(err)
	}
	typ := sqlexpr.TypeOf(r.out.Expr, r.typeOfField)
	if typ == sqlexpr.TypeInterval {
		return Group{}, r.unsupportedExpressionError("an interval of time is not a value to group by", "add it to a date, or count its units with DATEDIFF")
	}
	return Group{Item: item, Expression: &r.out, Name: item.Name, Type: typ}, nil
}

func (r *groupExpressionResolver) unsupportedExpressionError(message, hint string) *planerr.Error {
	return &planerr.Error{Code: planerr.CodeUnsupportedExpression, Message: message, Hint: hint, Location: r.location}
}

// estimateTextValueBytes checks what the text functions of the expression cost for a row, and estimates the
// bytes of its value.
func (r *groupExpressionResolver) estimateTextValueBytes(e sqlexpr.Expr) (int, error) {
	bytes, problem := sqlexpr.CheckTextFunctionCostAndValueBytes(e, sqlexpr.QueryLimits(), func(name sqlexpr.Expr) int {
		if ref, ok := name.(*sqlexpr.Ref); ok {
			return r.out.Refs[ref.ID].Field.TextBytes
		}
		return 0
	})
	if problem != nil {
		return 0, r.unsupportedExpressionError("with the fields of the query that it names, "+problem.Problem, problem.Hint)
	}
	return bytes, nil
}

// EstimatedValueTextBytes estimates the bytes of a group's value as text: 0 for what the query does not make.
func (g Group) EstimatedValueTextBytes() int {
	switch {
	case g.Expression != nil:
		return g.Expression.textBytes
	case g.IsFieldNotExpression():
		return g.Ref.Field.TextBytes
	}
	return 0
}

// restateConditionError restates what is rejected in a condition for an expression.
func (r *groupExpressionResolver) restateConditionError(err error) error {
	var e *planerr.Error
	if errors.As(err, &e) {
		out := r.unsupportedExpressionError(e.Message, e.SuggestedRetry)
		out.ImpossibleConversion = e.ImpossibleConversion
		return out
	}
	return err
}

func (r *groupExpressionResolver) typeOfField(e sqlexpr.Expr) sqlexpr.Type {
	if ref, ok := e.(*sqlexpr.Ref); ok {
		return r.out.Refs[ref.ID].Field.Type
	}
	return sqlexpr.TypeUnknown
}

// resolveNames replaces every column by the field that it names.
func (r *groupExpressionResolver) resolveNames() (sqlexpr.Expr, error) {
	var failed error
	e := sqlexpr.Rewrite(r.out.source, func(x sqlexpr.Expr) sqlexpr.Expr {
		column, ok := x.(*sqlexpr.Column)
		if !ok || failed != nil {
			return nil
		}
		ref, err := r.resolveName(column)
		if err != nil {
			failed = err
			return x
		}
		return &sqlexpr.Ref{Position: column.Position, ID: r.out.Refs.IndexOrAdd(ref)}
	})
	return e, failed
}

func (r *groupExpressionResolver) resolveName(column *sqlexpr.Column) (resolve.Ref, error) {
	parts := resolve.NameTexts(column.Path)
	if len(parts) == 1 && len(r.in.Cat.FieldsNamed(parts[0])) == 0 {
		switch {
		case parts[0] == MetricTime:
			return resolve.Ref{}, r.unsupportedExpressionError("metric_time stands for another field in each metric, so an expression cannot compute with it",
				"name the time field, or group by metric_time with a grain")
		case r.in.Cat.Metric(parts[0]) != nil:
			return resolve.Ref{}, r.unsupportedExpressionError(parts[0]+" is a metric, which is known after grouping", "name fields")
		}
	}
	ref, err := r.sel.Names.Resolve(parts)
	if err != nil {
		return ref, r.unknownNameError(err, column)
	}
	if ref.Field.Encoding != nil {
		return ref, r.unsupportedExpressionError(ref.String()+" stores time as "+ref.Field.Encoding.Text+" codes, which an expression would read as they are stored",
			"group by the field with a grain")
	}
	return ref, nil
}

// unknownNameError gives the error of an unknown name the code that an expression of a model gets.
func (r *groupExpressionResolver) unknownNameError(err error, column *sqlexpr.Column) error {
	var e *planerr.Error
	if !errors.As(err, &e) {
		return err
	}
	var code string
	switch {
	case e.Code == planerr.CodeAmbiguousDimension:
		code = compile.CodeAmbiguousColumn
	case e.Code != planerr.CodeUnknownDimension:
		e.Location = r.location
		r.addRespelledColumnRetry(e, column)
		return e
	case len(column.Path) == 1:
		code = compile.CodeUnknownColumn
	case len(column.Path) > 2 || r.in.Cat.Dataset(column.Path[0].Text) != nil || r.in.Cat.Relationship(column.Path[0].Text) != nil:
		code = compile.CodeUnknownField
	default:
		code = compile.CodeUnknownDataset
	}
	return &modelspec.CompileError{Code: code, Location: r.location, Message: e.Message, Candidates: e.Candidates}
}

// addRespelledColumnRetry turns the respelling that an error proposes for a name into a retry.
func (r *groupExpressionResolver) addRespelledColumnRetry(e *planerr.Error, column *sqlexpr.Column) {
	if e.Respelling == "" {
		return
	}
	better := r.item
	better.Expression = resolve.PrintWithRespelledColumns(r.out.source, e.Respelling, func(c *sqlexpr.Column) bool { return c == column })
	e.Fragment = map[string]any{"group_by": ReplaceGroupByItem(r.in.Query.GroupBy, r.item, better)}
}

// RespelledItem returns the group's item with a reference spelled another way; changed is false where the
// group does not read it.
func (g Group) RespelledItem(names *resolve.Resolver, ref resolve.Ref, spelling string) (item query.GroupBy, changed bool) {
	item = g.Item
	switch {
	case g.IsFieldNotExpression() && g.Ref.IsSame(ref):
		item.Field = spelling
		return item, true
	case g.Expression == nil || !g.ReadsMatchingRef(ref.IsSame):
		return item, false
	}
	item.Expression = resolve.PrintWithRespelledColumns(g.Expression.source, spelling, func(c *sqlexpr.Column) bool {
		named, err := names.Resolve(resolve.NameTexts(c.Path))
		return err == nil && named.IsSame(ref)
	})
	return item, true
}
