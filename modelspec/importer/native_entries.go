package importer

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// ParseSQL reads an SQL text in the spelling of a dialect; "" is the portable language.
func ParseSQL(text, dialect string) (sqlexpr.Expr, error) {
	return sqlexpr.ParseLimited(text, sqlexpr.NativeLimits(dialect))
}

// MoveNativeExpressions makes entries of the dialect of the input from the expressions that are not portable. It returns the dialect if
// there are any, "" otherwise.
func MoveNativeExpressions(m *draft.Model, dialect string) (used string) {
	if dialect == "" {
		return ""
	}
	names := map[string]bool{} // which may come before the name of a field
	for _, d := range m.Datasets {
		names[strings.ToLower(d.Name)] = true
	}
	for _, r := range m.Relationships {
		names[strings.ToLower(r.Name)] = true
	}
	move := func(e draft.Expression) {
		for i := range e {
			if e[i].Dialect == draft.ANSIExpression("")[0].Dialect && isNativeText(e[i].Text, dialect, names) {
				e[i].Dialect, used = strings.ToUpper(dialect), dialect
			}
		}
	}
	for _, d := range m.Datasets {
		for _, f := range d.Fields {
			move(f.Expression)
		}
	}
	for _, metric := range m.Metrics {
		move(metric.Expression)
	}
	return used
}

// isNativeText reports whether an SQL text has what only its dialect has: spellings and functions that the portable language lacks, and
// members of structures, whose first name is not one that comes before a field.
func isNativeText(text, dialect string, names map[string]bool) bool {
	e, err := ParseSQL(text, dialect)
	if err != nil {
		return false
	}
	isMember := func(c *sqlexpr.Column) bool { return len(c.Path) > 1 && !names[strings.ToLower(c.Path[0].Text)] }
	return sqlexpr.IsNative(e) || hasUnknownFunction(e) || slices.ContainsFunc(sqlexpr.ColumnReferences(e), isMember)
}

func hasUnknownFunction(e sqlexpr.Expr) bool {
	return sqlexpr.HasNode(e, func(c *sqlexpr.Call) bool { return sqlexpr.InfoOfFunction(c.Fn).Name == "" })
}
