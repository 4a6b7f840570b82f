package querysql

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// statementPartWriter writes the parts of one statement. It fails at the first part that its form cannot say.
type statementPartWriter struct {
	Model
	names  sqlNames
	bind   bool // constants are parameters
	params []query.ParamValue
	failed bool
}

// fieldSQL returns a reference as the form names it.
func (w *statementPartWriter) fieldSQL(text string) string {
	r, ok := w.parseRef(text)
	if !ok {
		w.failed = true
		return ""
	}
	name, ok := w.names.nameOfField(r)
	w.failed = w.failed || !ok
	return name
}

// bucketSQL returns a time field at a grain, as the day that it begins with for a day and coarser.
func (w *statementPartWriter) bucketSQL(column, grain string) string {
	unit, ok := sqlexpr.ParseGrain(grain)
	switch {
	case grain == "":
		return column
	case !ok:
		w.failed = true
		return ""
	case unit.IsWithinDay():
		return "DATE_TRUNC('" + grain + "', " + column + ")"
	}
	return "CAST(DATE_TRUNC('" + grain + "', " + column + ") AS DATE)"
}

// measureCallSQL is MEASURE of a metric with the values of its parameters.
func (w *statementPartWriter) measureCallSQL(name string, bindings query.Bindings) string {
	m := w.Catalog.Metric(name)
	if m == nil {
		w.failed = true
		return ""
	}
	column, ok := w.names.nameOfMetric(m)
	w.failed = w.failed || !ok
	var args strings.Builder
	for _, p := range bindings {
		if slices.Contains(w.Model.paramNamesOfMetric(m), p.Name) {
			args.WriteString(", " + p.Name + " => " + w.valueSQL(p.Values[0]))
		}
	}
	return "MEASURE(" + column + args.String() + ")"
}

// valueSQL returns a constant, or the parameter that holds it.
func (w *statementPartWriter) valueSQL(v query.ParamValue) string {
	if w.bind && v.Kind != query.NullValue {
		w.params = append(w.params, v)
		return "$" + itoa(len(w.params))
	}
	switch v.Kind {
	case query.NullValue:
		return "NULL"
	case query.StringValue:
		return quoteText(v.Text)
	}
	return v.Text
}

// expressionSQL writes an expression of a query. column writes a name; "" leaves it to the form.
func (w *statementPartWriter) expressionSQL(e sqlexpr.Expr, column func(path []string) string) string {
	marks := map[string]string{}
	mark := func(text string) sqlexpr.Expr {
		name := "mark" + itoa(len(marks)) + "mark"
		marks[name] = text
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: name}}}
	}
	escaped := map[sqlexpr.Expr]bool{}
	var rewrite func(x sqlexpr.Expr) sqlexpr.Expr
	rewrite = func(x sqlexpr.Expr) sqlexpr.Expr {
		switch x := x.(type) {
		case *sqlexpr.Column:
			if _, written := marks[x.Path[0].Text]; written {
				return x
			}
			path := make([]string, len(x.Path))
			for i, n := range x.Path {
				path[i] = n.Text
			}
			if text := column(path); text != "" {
				return mark(text)
			}
			return mark(w.fieldSQL(strings.Join(path, ".")))
		case *sqlexpr.Like:
			if pattern, ok := x.Pattern.(*sqlexpr.String); ok && x.Escape == nil && !escaped[x] {
				like := *x // in SQL a backslash escapes
				like.Pattern = &sqlexpr.String{Value: strings.ReplaceAll(pattern.Value, `\`, `\\`)}
				escaped[&like] = true
				return sqlexpr.Rewrite(&like, rewrite)
			}
		case *sqlexpr.Binary:
			if w.bind && sqlexpr.OpEq <= x.Op && x.Op <= sqlexpr.OpGe && isLiteral(x.R) {
				value, _ := paramValueOfLiteral(x.R)
				return &sqlexpr.Binary{Op: x.Op, L: sqlexpr.Rewrite(x.L, rewrite), R: mark(w.valueSQL(value))}
			}
		case *sqlexpr.Param, *sqlexpr.Subquery, *sqlexpr.WindowCall:
			w.failed = true
		}
		return nil
	}
	text := sqlexpr.Format(sqlexpr.Rewrite(e, rewrite))
	for name, written := range marks {
		text = strings.ReplaceAll(text, name, written)
	}
	return text
}

// paramValueOfLiteral returns the value of a literal; ok is false for other expressions.
func paramValueOfLiteral(e sqlexpr.Expr) (v query.ParamValue, ok bool) {
	switch e := e.(type) {
	case *sqlexpr.String:
		return query.ParamValue{Kind: query.StringValue, Text: e.Value}, true
	case *sqlexpr.Number:
		return query.ParamValue{Kind: query.NumberValue, Text: e.Text}, true
	}
	return v, false
}

func isLiteral(e sqlexpr.Expr) bool {
	_, ok := paramValueOfLiteral(e)
	return ok
}

// parseExpression returns an expression of a query.
func (w *statementPartWriter) parseExpression(text string) sqlexpr.Expr {
	e, err := sqlexpr.ParseLimited(text, sqlexpr.QueryLimits())
	if err != nil {
		w.failed = true
		return &sqlexpr.Null{}
	}
	return e
}

// timeRangeConditions writes a range as bounds of a field.
func (w *statementPartWriter) timeRangeConditions(r *query.TimeRange, dimension string) []string {
	if r == nil {
		return nil
	}
	if r.Last != nil || dimension == "" {
		w.failed = true
		return nil
	}
	field := w.fieldSQL(dimension)
	var out []string
	for _, b := range []struct{ operator, bound string }{{" >= ", r.Start}, {" < ", r.End}} {
		if b.bound != "" {
			w.failed = w.failed || len(b.bound) > len("2024-01-01") && !w.hasTimeOfDay(dimension)
			out = append(out, field+b.operator+w.valueSQL(query.ParamValue{Kind: query.StringValue, Text: b.bound}))
		}
	}
	return out
}

// hasTimeOfDay reports whether a time field has times within a day: on one of days SQL reads the day of a text.
func (w *statementPartWriter) hasTimeOfDay(dimension string) bool {
	r, ok := w.parseRef(dimension)
	if ok && r.field == nil {
		return !slices.ContainsFunc(w.Catalog.Metrics, func(m *catalog.Metric) bool {
			return m.TimeAxisField() != nil && m.TimeAxisField().DecodedTimeType() == sqlexpr.TypeDate
		})
	}
	return ok && r.field.DecodedTimeType() != sqlexpr.TypeDate
}

// isConstantRangeCondition reports whether a condition bounds a field by constants, which SQL may take for a range.
func isConstantRangeCondition(e sqlexpr.Expr) bool {
	constant := func(x sqlexpr.Expr) bool {
		switch x.(type) {
		case *sqlexpr.TypedLiteral, *sqlexpr.String:
			return true
		}
		return false
	}
	switch e := e.(type) {
	case *sqlexpr.Between:
		return constant(e.Lo) && constant(e.Hi)
	case *sqlexpr.Binary:
		return e.Op >= sqlexpr.OpEq && e.Op <= sqlexpr.OpIsNotDistinctFrom && (constant(e.L) || constant(e.R))
	}
	return false
}

// orderAndLimitSQL writes ORDER BY with ordinals, LIMIT and OFFSET.
func (w *statementPartWriter) orderAndLimitSQL(order []int, desc []bool, limit *int64, offset int64) string {
	var b strings.Builder
	for i, column := range order {
		b.WriteString([]string{", ", " ORDER BY "}[min(1, max(0, 1-i))] + itoa(column+1))
		if desc[i] {
			b.WriteString(" DESC")
		}
	}
	if limit != nil {
		b.WriteString(" LIMIT " + w.valueSQL(query.ParamValue{Kind: query.NumberValue, Text: itoa(int(*limit))}))
	}
	if offset > 0 {
		b.WriteString(" OFFSET " + itoa(int(offset)))
	}
	return b.String()
}
