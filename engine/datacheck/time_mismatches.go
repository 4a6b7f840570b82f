package datacheck

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// timeFieldMismatchCount is how many values of a time field fit what is declared.
type timeFieldMismatchCount struct {
	field *catalog.Field
	code  string // of the finding
	claim string // that is not known when the count is rejected: "fit the format yyyyMM"
	fault string // of the values: "do not fit the format yyyyMM"
	// advice is the expression to write, "" for none.
	advice string
	// wrong is the condition of a value, column 0, that does not fit.
	wrong          func(x sqlexpr.Expr) sqlexpr.Expr
	values, wrongs int64
}

// timeFieldMismatchCounts lists what is counted of the time fields of a dataset.
func (c *dataChecker) timeFieldMismatchCounts(d *catalog.Dataset, u unreadableObjects) []*timeFieldMismatchCount {
	var out []*timeFieldMismatchCount
	for _, f := range d.Fields {
		if !u.canReadFields([]*catalog.Field{f}) || f.LOD != nil {
			continue
		}
		if c.Dialect.HasZeroDates() && f.Type.IsDateOrTimestamp() && f.Encoding == nil && isPlainColumn(f, c.Dialect.Name()) && c.options.reportsAnyCode(CodeDatatypeMismatch) {
			name := sqlexpr.Format(f.Expr.ForDialect(c.Dialect.Name()))
			out = append(out, &timeFieldMismatchCount{
				field: f, code: CodeDatatypeMismatch, claim: "are days of the calendar", wrong: hasMonthZero,
				fault:  "have the month 0, as the zero date has: they are shown as null, and are another group than null",
				advice: "CASE WHEN EXTRACT(MONTH FROM " + name + ") > 0 THEN " + name + " END",
			})
		}
		if !f.IsTime {
			continue
		}
		if f.Encoding != nil && c.options.reportsAnyCode(CodeTimeFormatMismatch) {
			format := "fit the format " + f.Encoding.Text
			out = append(out, &timeFieldMismatchCount{field: f, code: CodeTimeFormatMismatch, claim: format, fault: "do not " + format, wrong: func(x sqlexpr.Expr) sqlexpr.Expr {
				return andConditions(isNotNullExpr(x), orConditions(append(layoutLiteralMismatchConditions(f, x), newIsNullExpr(decodedTimeCodeExpr(f, x)))...))
			}})
		}
		if f.Granularity > sqlexpr.GrainDay && f.Type != sqlexpr.TypeTime && !formatHasOnlyPeriodStarts(f) && c.options.reportsAnyCode(CodeGranularityMismatch) {
			grain := f.Granularity.String()
			out = append(out, &timeFieldMismatchCount{field: f, code: CodeGranularityMismatch, claim: "are the first days of their " + grain + "s", fault: "are not the first day of a " + grain, wrong: func(x sqlexpr.Expr) sqlexpr.Expr {
				return &sqlexpr.Binary{Op: sqlexpr.OpNe, L: periodStartExpr(f, x, sqlexpr.GrainDay), R: periodStartExpr(f, x, f.Granularity)}
			}})
		}
	}
	return out
}

// hasMonthZero is the condition of a zero date, and of a day of no month.
func hasMonthZero(x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Binary{Op: sqlexpr.OpEq, L: &sqlexpr.Extract{Part: "month", X: x}, R: newNumberLiteral(0)}
}

// layoutLiteralMismatchConditions returns the conditions that a stored code has another text where its layout has literal text. Decoding
// does not look there.
func layoutLiteralMismatchConditions(f *catalog.Field, x sqlexpr.Expr) []sqlexpr.Expr {
	text := x
	if f.Encoding.Numeric {
		whole := &sqlexpr.Cast{X: x, To: sqlexpr.TypeName{Type: sqlexpr.TypeInt}}
		text = &sqlexpr.Cast{X: whole, To: sqlexpr.TypeName{Type: sqlexpr.TypeString}}
	}
	var out []sqlexpr.Expr
	at := 1
	for _, p := range f.Encoding.Layout {
		if p.Token == "" {
			part := &sqlexpr.Call{Fn: sqlexpr.FnSubstring, Args: []sqlexpr.Expr{text, newNumberLiteral(int64(at)), newNumberLiteral(int64(len(p.Literal)))}}
			out = append(out, &sqlexpr.Binary{Op: sqlexpr.OpNe, L: part, R: &sqlexpr.String{Value: p.Literal}})
		}
		at += len(p.Token) + len(p.Literal)
	}
	return out
}

// formatHasOnlyPeriodStarts reports whether the format of a field has no value inside of a period.
func formatHasOnlyPeriodStarts(f *catalog.Field) bool {
	return f.Encoding != nil && f.Encoding.Grain == f.Granularity
}

// decodedTimeCodeExpr returns the day of a stored code.
func decodedTimeCodeExpr(f *catalog.Field, x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.DecodeTimeCodeExpr{Code: f.Encoding.ToTimeCode(), X: x}
}

// periodStartExpr returns the first day of the period of a stored value.
func periodStartExpr(f *catalog.Field, x sqlexpr.Expr, grain sqlexpr.Grain) sqlexpr.Expr {
	if f.Encoding != nil {
		return &sqlexpr.Bucket{Grain: grain, From: sqlexpr.TypeDate, X: decodedTimeCodeExpr(f, x)}
	}
	return &sqlexpr.Bucket{Grain: grain, From: f.Type, X: x}
}

func (t *timeFieldMismatchCount) newCountAggregateCheck() countAggregateCheck {
	return countAggregateCheck{
		unknown: "the values of " + t.field.QualifiedName() + " " + t.claim,
		fields:  []*catalog.Field{t.field},
		stored:  true,
		counts: func(first int) []sqlexpr.Expr {
			return []sqlexpr.Expr{countExpr(columnRef(first), false), countWhereExpr(t.wrong(columnRef(first)))}
		},
		read: func(counts []int64) { t.values, t.wrongs = counts[0], counts[1] },
	}
}

// reportTimeField reports the values of a time field that do not fit.
func (c *dataChecker) reportTimeField(ctx context.Context, d *catalog.Dataset, t *timeFieldMismatchCount) error {
	if t.wrongs == 0 {
		return nil
	}
	text := fmt.Sprintf("%d of %s of %s %s", t.wrongs, formatCountWithNoun(t.values, "value", "values"), t.field.QualifiedName(), t.fault)
	if t.advice != "" {
		c.addFinding(t.code, c.places.fieldPlace(t.field), text+"; write `"+t.advice+"` as the expression")
		return nil
	}
	rows, err := c.storedTimesPlan(ctx, d, t.field)
	if err != nil {
		return err
	}
	a, err := c.warehouse.runPlan(ctx, firstSortedRowPlan(&plan.Filter{Input: rows, Conds: []sqlexpr.Expr{t.wrong(columnRef(0))}}, 1))
	if err := ignoreStatementError(err); err != nil {
		return err
	}
	if len(a.rows) > 0 {
		text += ", for example " + formatValues(a.rows[0])
	}
	c.addFinding(t.code, c.places.fieldPlace(t.field), text)
	return nil
}
