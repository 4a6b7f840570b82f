package parse

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// precedenceOf returns the binding strength of the operator that an expression is; PrecedencePrimary for
// everything that is one piece.
func precedenceOf(e Expr) sqlexpr.Precedence {
	switch e := e.(type) {
	case *InQuery:
		return sqlexpr.PrecedenceBetweenInLike
	case *CatalogueOperation:
		if strings.HasSuffix(e.Operator, similarToKeywords) {
			return sqlexpr.PrecedenceBetweenInLike
		}
		return sqlexpr.PrecedenceConcat
	case *InArray, *QuantifiedComparison:
		return sqlexpr.PrecedenceNone
	}
	return sqlexpr.PrecedenceOf(e)
}

// appendExpr prints an expression, in parentheses if it binds less close than lowest.
func appendExpr(dst []byte, e Expr, lowest sqlexpr.Precedence) []byte {
	if precedenceOf(e) < lowest {
		return append(appendOperatorExpr(append(dst, '('), e), ')')
	}
	return appendOperatorExpr(dst, e)
}

func appendOperatorExpr(dst []byte, e Expr) []byte {
	switch e := e.(type) {
	case *Unary:
		return appendUnary(dst, e)
	case *Binary, *Between, *In, *Like, *IsNull, *IsTruth, *Case, *Extract:
		return sqlexpr.AppendNode(dst, e, appendExpr)
	case *InArray:
		return appendInArray(dst, e)
	case *InQuery:
		dst = appendExpr(dst, e.X, sqlexpr.PrecedenceBetweenInLike+1)
		if e.Not {
			dst = append(dst, " NOT"...)
		}
		return append(appendQuery(append(dst, " IN ("...), e.Query), ')')
	case CatalogueExpr:
		return appendCatalogueExpr(dst, e)
	}
	return appendPrimary(dst, e)
}

// appendInArray prints a comparison with an array, in the parentheses that every level takes.
func appendInArray(dst []byte, e *InArray) []byte {
	dst = appendExpr(dst, e.X, sqlexpr.PrecedencePrimary)
	if e.Not {
		dst = append(dst, " <> ALL ("...)
	} else {
		dst = append(dst, " = ANY ("...)
	}
	for range e.Casts {
		dst = append(dst, "CAST("...)
	}
	dst = appendLiteral(dst, e.Array)
	for _, to := range e.Casts {
		dst = append(appendTypeName(append(dst, " AS "...), to), "[])"...)
	}
	return append(dst, ')')
}

func appendUnary(dst []byte, e *Unary) []byte {
	dst = append(dst, e.Op.String()...)
	if e.Op == OpNot {
		return appendExpr(append(dst, ' '), e.X, sqlexpr.PrecedenceNot)
	}
	if x, ok := e.X.(*Unary); ok && x.Op != OpNot {
		dst = append(dst, ' ') // two signs together would begin a comment
	}
	return appendExpr(dst, e.X, sqlexpr.PrecedenceUnary)
}

func appendPrimary(dst []byte, e Expr) []byte {
	switch e := e.(type) {
	case *Column:
		return appendPath(dst, e.Path)
	case *Star:
		if len(e.Qualifier) > 0 {
			dst = append(appendPath(dst, e.Qualifier), '.')
		}
		return append(dst, '*')
	case *Cast:
		if e.Try {
			dst = append(dst, "TRY_"...)
		}
		dst = appendExpr(append(dst, "CAST("...), e.X, sqlexpr.PrecedenceOr)
		return append(appendTypeName(append(dst, " AS "...), e.To), ')')
	case *Call:
		return appendCall(dst, e)
	case *MeasureCall:
		return appendMeasureCall(dst, e)
	case *Grouping:
		return append(appendCommaSeparated(append(append(dst, groupingKeywords[e.Kind]...), '('), e.Items), ')')
	case *ScalarSubquery:
		return append(appendQuery(append(dst, '('), e.Query), ')')
	case *Exists:
		return append(appendQuery(append(dst, "EXISTS ("...), e.Query), ')')
	}
	return appendLiteral(dst, e)
}

func appendLiteral(dst []byte, e Expr) []byte {
	switch e := e.(type) {
	case *Parameter:
		return strconv.AppendInt(append(dst, '$'), int64(e.Number), 10)
	case *Number, *String, *Bool, *Null:
		return sqlexpr.AppendFormatted(dst, e)
	case *TimeLiteral:
		return lexical.AppendQuoted(append(lexical.AppendUpper(dst, e.Type), ' '), '\'', e.Value)
	case *Interval:
		dst = lexical.AppendQuoted(append(dst, "INTERVAL "...), '\'', e.Value)
		if e.Unit != "" {
			dst = lexical.AppendUpper(append(dst, ' '), e.Unit)
		}
		return dst
	case *SessionValue:
		return lexical.AppendUpper(dst, e.Word)
	}
	return dst
}
