package datacheck

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// timeCount is how many values of a time field fit what is declared.
type timeCount struct {
	field *catalog.Field
	code  string // of the finding
	// wrong is the condition of a value, column 0, that does not fit.
	wrong          func(x sqlexpr.Expr) sqlexpr.Expr
	values, wrongs int64
}

// timeCounts lists what is counted of the time fields of a dataset.
func (c *checker) timeCounts(d *catalog.Dataset, u usable) []*timeCount {
	var out []*timeCount
	for _, f := range d.Fields {
		if !u.reads([]*catalog.Field{f}) || f.LOD != nil || !f.IsTime {
			continue
		}
		if f.Encoding != nil && c.options.seeks(CodeTimeFormatMismatch) {
			out = append(out, &timeCount{field: f, code: CodeTimeFormatMismatch, wrong: func(x sqlexpr.Expr) sqlexpr.Expr {
				return allOf(notNull(x), anyOf(append(otherLiterals(f, x), isNull(decoded(f, x)))...))
			}})
		}
		if f.Granularity > sqlexpr.GrainDay && f.Type != sqlexpr.TypeTime && !storesGrain(f) && c.options.seeks(CodeGranularityMismatch) {
			out = append(out, &timeCount{field: f, code: CodeGranularityMismatch, wrong: func(x sqlexpr.Expr) sqlexpr.Expr {
				return &sqlexpr.Binary{Op: sqlexpr.OpNe, L: bucket(f, x, sqlexpr.GrainDay), R: bucket(f, x, f.Granularity)}
			}})
		}
	}
	return out
}

// otherLiterals are the conditions that a stored code has another text where its layout has literal text. Decoding
// does not look there.
func otherLiterals(f *catalog.Field, x sqlexpr.Expr) []sqlexpr.Expr {
	text := x
	if f.Encoding.Numeric {
		whole := &sqlexpr.Cast{X: x, To: sqlexpr.TypeName{Type: sqlexpr.TypeInt}}
		text = &sqlexpr.Cast{X: whole, To: sqlexpr.TypeName{Type: sqlexpr.TypeString}}
	}
	var out []sqlexpr.Expr
	at := 1
	for _, p := range f.Encoding.Layout {
		if p.Token == "" {
			part := &sqlexpr.Call{Fn: sqlexpr.FnSubstring, Args: []sqlexpr.Expr{text, number(int64(at)), number(int64(len(p.Literal)))}}
			out = append(out, &sqlexpr.Binary{Op: sqlexpr.OpNe, L: part, R: &sqlexpr.String{Value: p.Literal}})
		}
		at += len(p.Token) + len(p.Literal)
	}
	return out
}

// storesGrain reports whether the format of a field has no value inside of a period.
func storesGrain(f *catalog.Field) bool {
	return f.Encoding != nil && f.Encoding.Grain == f.Granularity
}

// decoded is the day of a stored code.
func decoded(f *catalog.Field, x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Decode{Code: f.Encoding.Code(), X: x}
}

// bucket is the first day of the period of a stored value.
func bucket(f *catalog.Field, x sqlexpr.Expr, grain sqlexpr.Grain) sqlexpr.Expr {
	if f.Encoding != nil {
		return &sqlexpr.Bucket{Grain: grain, From: sqlexpr.TypeDate, X: decoded(f, x)}
	}
	return &sqlexpr.Bucket{Grain: grain, From: f.Type, X: x}
}

func (t *timeCount) probe() probe {
	unknown := "the values of " + t.field.Qualified() + " are the first days of their " + t.field.Granularity.String() + "s"
	if t.code == CodeTimeFormatMismatch {
		unknown = "the values of " + t.field.Qualified() + " fit the format " + t.field.Encoding.Text
	}
	return probe{
		unknown: unknown,
		fields:  []*catalog.Field{t.field},
		counts: func(first int) []sqlexpr.Expr {
			return []sqlexpr.Expr{countOf(column(first), false), countWhere(t.wrong(column(first)))}
		},
		read: func(counts []int64) { t.values, t.wrongs = counts[0], counts[1] },
	}
}

// reportTime reports the values of a time field that do not fit.
func (c *checker) reportTime(ctx context.Context, d *catalog.Dataset, t *timeCount) error {
	if t.wrongs == 0 {
		return nil
	}
	text := fmt.Sprintf("%d of %s of %s ", t.wrongs, countText(t.values, "value", "values"), t.field.Qualified())
	if t.code == CodeTimeFormatMismatch {
		text += "do not fit the format " + t.field.Encoding.Text
	} else {
		text += "are not the first day of a " + t.field.Granularity.String()
	}
	rows, err := c.boundedRows(ctx, d, []*catalog.Field{t.field})
	if err != nil {
		return err
	}
	a, err := c.warehouse.query(ctx, firstRow(&plan.Filter{Input: rows, Conds: []sqlexpr.Expr{t.wrong(column(0))}}, 1))
	if err := unlessStatementError(err); err != nil {
		return err
	}
	if len(a.rows) > 0 {
		text += ", for example " + valueText(a.rows[0])
	}
	c.find(t.code, c.places.fieldItself(t.field), text)
	return nil
}
