package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// exprWithNamesBeforeRenames writes an expression over fields with the names that both sides share.
func (s *comparedModel) exprWithNamesBeforeRenames(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.RewriteRefs(e, func(r *sqlexpr.Ref) sqlexpr.Expr {
		return quotedColumn(s.fieldReferenceName(s.Catalog.FieldByID(r.ID)))
	})
}

func quotedColumn(name string) sqlexpr.Expr {
	return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: name, Quoted: true}}}
}

// formWithNamesBeforeRenames writes the arithmetic of a metric as exprWithNamesBeforeRenames writes an expression.
func (s *comparedModel) formWithNamesBeforeRenames(f *catalog.ArithmeticOverOperands) sqlexpr.Expr {
	return s.exprOfArithmeticForm(f, s.measureWithNamesBeforeRenames, func(m *catalog.Metric) sqlexpr.Expr { return quotedColumn(s.metricName(m)) })
}

func (s *comparedModel) exprOfArithmeticForm(f *catalog.ArithmeticOverOperands, measure func(*catalog.Measure) sqlexpr.Expr, metric func(*catalog.Metric) sqlexpr.Expr) sqlexpr.Expr {
	if f == nil {
		return nil
	}
	return sqlexpr.RewriteRefs(f.Expr, func(r *sqlexpr.Ref) sqlexpr.Expr {
		switch o := f.Operands[r.ID].(type) {
		case *catalog.Measure:
			return measure(o)
		case *catalog.Metric:
			return metric(o)
		}
		return r
	})
}

// measureWithNamesBeforeRenames returns a measure as a call. Its home is an argument: a count of the rows of
// one dataset is not that of another.
func (s *comparedModel) measureWithNamesBeforeRenames(m *catalog.Measure) sqlexpr.Expr {
	if m == nil {
		return nil
	}
	call := s.buildMeasureCall(m, s.exprWithNamesBeforeRenames)
	call.Star, call.Args = false, append([]sqlexpr.Expr{quotedColumn(s.datasetName(m.Home))}, call.Args...)
	return call
}

// equivalentExprs compares expressions that exprWithNamesBeforeRenames has written.
func equivalentExprs(a, b sqlexpr.Expr) bool {
	if a == nil || b == nil || sqlexpr.Equal(a, b) {
		return (a == nil) == (b == nil)
	}
	return sqlexpr.Equal(sqlexpr.Normalize(a), sqlexpr.Normalize(b))
}

// firstDifferingDialect finds the first dialect, "" for the default, on which two variants differ.
func firstDifferingDialect[T any](a, b catalog.DialectVariants[T], equal func(a, b T) bool) (dialect string, differ bool) {
	if !equal(a.Default, b.Default) {
		return "", true
	}
	if len(a.ByDialect) == 0 && len(b.ByDialect) == 0 {
		return "", false
	}
	dialects := slices.Sorted(maps.Keys(a.ByDialect))
	for _, d := range slices.Sorted(maps.Keys(b.ByDialect)) {
		if _, ok := a.ByDialect[d]; !ok {
			dialects = append(dialects, d)
		}
	}
	for _, d := range dialects {
		if !equal(a.ForDialect(d), b.ForDialect(d)) {
			return d, true
		}
	}
	return "", false
}

// displayTextOfExpr prints an expression over fields for people.
func (s *comparedModel) displayTextOfExpr(e sqlexpr.Expr) string {
	if e == nil {
		return ""
	}
	return sqlexpr.Format(s.exprForDisplay(e))
}

func (s *comparedModel) exprForDisplay(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.RewriteRefs(e, func(r *sqlexpr.Ref) sqlexpr.Expr { return s.Catalog.FieldByID(r.ID).QualifiedNameExpr() })
}

// arithmeticFormDisplayText prints the arithmetic of a metric for people.
func (s *comparedModel) arithmeticFormDisplayText(f *catalog.ArithmeticOverOperands) string {
	if f == nil {
		return ""
	}
	return sqlexpr.Format(s.exprOfArithmeticForm(f, s.measureForDisplay, func(m *catalog.Metric) sqlexpr.Expr {
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: m.Name}}}
	}))
}

func (s *comparedModel) measureForDisplay(m *catalog.Measure) sqlexpr.Expr {
	return s.buildMeasureCall(m, s.exprForDisplay)
}

// buildMeasureCall returns a measure as a call over expressions that write makes.
func (s *comparedModel) buildMeasureCall(m *catalog.Measure, write func(sqlexpr.Expr) sqlexpr.Expr) *sqlexpr.Call {
	var arg, orderBy sqlexpr.Expr
	if m.Arg != nil {
		arg = write(m.Arg)
	}
	if m.OrderBy != nil {
		orderBy = write(m.OrderBy)
	}
	return m.AggregateCall(arg, orderBy)
}

// prefixWithDialect marks what is written for one dialect.
func prefixWithDialect(dialect, text string) string {
	if dialect == "" || text == "" {
		return text
	}
	return dialect + ": " + text
}

// keyColumnSetText returns a list of columns as a set: their order is of no meaning.
func keyColumnSetText(columns []string) string {
	out := make([]string, 0, len(columns))
	for _, c := range columns {
		out = append(out, strings.ToLower(strings.Trim(c, `"`)))
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}

// keyColumnSetTexts lists keys as sets, each once.
func keyColumnSetTexts(keys [][]string) []string {
	var out []string
	for _, k := range keys {
		out = append(out, "("+keyColumnSetText(k)+")")
	}
	slices.Sort(out)
	return slices.Compact(out)
}
