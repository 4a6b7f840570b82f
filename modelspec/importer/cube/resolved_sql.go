package cube

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// resolvedSQL is an SQL text whose references are written out.
type resolvedSQL struct {
	text string // over the columns of the table, and over fields and metrics
	// bracketed and bare have every reference written out, in parentheses and without them. Cube computes bare.
	bracketed, bare string
	unknown         bool // they are too long to be written
}

func unreferencedSQL(text string) resolvedSQL {
	return resolvedSQL{text: text, bracketed: text, bare: text}
}

// append adds the texts of other SQL.
func (r *resolvedSQL) append(parts ...resolvedSQL) {
	for _, p := range parts {
		r.text += p.text
		r.bracketed += p.bracketed
		r.bare += p.bare
		r.unknown = r.unknown || p.unknown
	}
}

// appendCondition adds a condition with AND.
func (r *resolvedSQL) appendCondition(condition resolvedSQL) {
	if r.text != "" {
		r.append(unreferencedSQL(" AND "))
	}
	r.append(unreferencedSQL("("), condition, unreferencedSQL(")"))
}

// lossOfParentheses returns how the SQL differs from that of Cube, which writes references out without parentheses; "" where
// it does not.
func (r resolvedSQL) lossOfParentheses() string {
	const reason = "Cube writes references out without parentheses"
	const maxShownBytes = 200
	switch {
	case r.unknown:
		return reason + ", and the SQL is too long to compare the results"
	case r.bracketed == r.bare || isSameExpression(r.bracketed, r.bare):
		return ""
	case len(r.bare) > maxShownBytes:
		return reason + ", which is another expression here"
	}
	return reason + " and computes " + r.bare
}

// isSameExpression reports whether two SQL texts have the same value. A text that cannot be read becomes no object of
// the model.
func isSameExpression(a, b string) bool {
	x, err := sqlexpr.Parse(a)
	if err != nil {
		return true
	}
	y, err := sqlexpr.Parse(b)
	return err == nil && sqlexpr.Equal(sqlexpr.Normalize(x), sqlexpr.Normalize(y))
}
