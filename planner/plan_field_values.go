package planner

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/detail"
	"github.com/semlayer/semlayer/planner/internal/repair"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/query"
)

// ValueQueriesOfOneField are the statements that read the values of a field.
type ValueQueriesOfOneField = detail.ValueQueriesOfOneField

// MaxFrequentValues is how many of the most frequent values are compared with a text that no value contains.
const MaxFrequentValues = 5000

// PlanFieldValues plans the statements that read the values of a field, with their counts, from the rows of its dataset.
// Errors are as of PlanMetrics.
func (p *Planner) PlanFieldValues(ctx context.Context, q *query.ValuesQuery, t Target) (*ValueQueriesOfOneField, error) {
	t.Now = t.NowOrCallTime()
	target := t.UsesOnce()
	return repair.PlanWithRetry(ctx, q, func(q *query.ValuesQuery) (*ValueQueriesOfOneField, error) {
		return inViewOf(p.cat, q.View, func(cat *catalog.Catalog) (*ValueQueriesOfOneField, error) {
			return detail.PlanValues(ctx, cat, q, MaxFrequentValues, target())
		})
	})
}

// DateOfTimeCode returns the day on which the period begins that a stored code means, as 2006-01-02; false where the field
// stores no codes or the text is not one.
func DateOfTimeCode(v *ValueQueriesOfOneField, code string) (string, bool) {
	if v.Field.Encoding == nil {
		return "", false
	}
	t, ok := timerange.DecodeTimeCode(code, v.Field.Encoding)
	if !ok {
		return "", false
	}
	return t.Format("2006-01-02"), true
}

// PrintEqualityCondition prints the condition that a field has a value.
func PrintEqualityCondition(f catalog.ViewField, value string) string {
	ref := resolve.Ref{Field: f.Field}
	if f.Rel != nil {
		ref.Prefix = []catalog.JoinStep{{Rel: f.Rel}}
	}
	return sqlexpr.Format(&sqlexpr.Binary{Op: sqlexpr.OpEq, L: ref.AsColumnExpr(), R: &sqlexpr.String{Value: value}})
}
