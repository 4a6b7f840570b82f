package resolve

import (
	"errors"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// parseExpressionTemplate reads a text of the expression language in which :a0, :a1, … stand for operands. The
// language's own parser decides which functions, types, parts and literals there are, and what they mean.
func parseExpressionTemplate(origin parse.Expr, text string, operands ...sqlexpr.Expr) (sqlexpr.Expr, error) {
	e, err := sqlexpr.ParseLimited(text, sqlexpr.QueryLimits())
	if err != nil {
		return nil, templateError(origin, err)
	}
	out := sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		p, ok := x.(*sqlexpr.Param)
		if !ok {
			return nil
		}
		i, err := strconv.Atoi(strings.TrimPrefix(p.Name, "a"))
		if err != nil || i >= len(operands) {
			return nil
		}
		return operands[i]
	})
	return exprWithStatementPosition(origin.CharacterPosition(), out), nil
}

func templateError(origin parse.Expr, err error) error {
	var syntax *sqlexpr.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	return sqlerror.New("unsupported_expression", origin.CharacterPosition(), syntax.Error()).WithHint(syntax.Hint)
}

// exprWithStatementPosition returns the outermost node of a template at its place in the statement.
func exprWithStatementPosition(at int, e sqlexpr.Expr) sqlexpr.Expr {
	position := sqlexpr.Position(at)
	switch e := e.(type) {
	case *sqlexpr.Call:
		e.Position = position
	case *sqlexpr.Case:
		e.Position = position
	case *sqlexpr.Cast:
		e.Position = position
	case *sqlexpr.Extract:
		e.Position = position
	case *sqlexpr.TypedLiteral:
		e.Position = position
	case *sqlexpr.Interval:
		e.Position = position
	}
	return e
}

// quoteAsTextLiteral returns a text literal of the expression language.
func quoteAsTextLiteral(s string) string { return sqlexpr.Format(&sqlexpr.String{Value: s}) }

// plainWordsOrUnknownWord keeps a text that is made of words and digits; any other becomes a word that the language
// does not know.
func plainWordsOrUnknownWord(s string) string {
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == ' ':
		default:
			return "unknown_word"
		}
	}
	return s
}
