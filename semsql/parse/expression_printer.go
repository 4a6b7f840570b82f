package parse

import (
	"strconv"
	"strings"
)

// precedenceOf returns the binding strength of the operator that an expression is; precPrimary for
// everything that is one piece.
func precedenceOf(e Expr) precedence {
	switch e := e.(type) {
	case *Unary:
		if e.Operator == OpNot {
			return precNot
		}
		return precUnary
	case *Binary:
		return binaryOperatorTexts[e.Operator].level
	case *IsNull, *IsTruth:
		return precIs
	case *Between, *In, *InQuery, *Like:
		return precBetweenInLike
	case *CatalogueOperation:
		if strings.HasSuffix(e.Operator, similarToKeywords) {
			return precBetweenInLike
		}
		return precOtherOperator
	case *QuantifiedComparison:
		return precNone
	}
	return precPrimary
}

// appendExpr prints an expression, in parentheses if it binds less close than lowest.
func appendExpr(dst []byte, e Expr, lowest precedence) []byte {
	if precedenceOf(e) < lowest {
		return append(appendOperatorExpr(append(dst, '('), e), ')')
	}
	return appendOperatorExpr(dst, e)
}

func appendOperatorExpr(dst []byte, e Expr) []byte {
	switch e := e.(type) {
	case *Unary:
		return appendUnary(dst, e)
	case *Binary:
		return appendBinary(dst, e)
	case *Between:
		dst = appendNot(appendExpr(dst, e.X, precBetweenInLike+1), e.Not)
		dst = appendExpr(append(dst, " BETWEEN "...), e.Low, precBetweenInLike+1)
		return appendExpr(append(dst, " AND "...), e.High, precBetweenInLike+1)
	case *In:
		dst = appendNot(appendExpr(dst, e.X, precBetweenInLike+1), e.Not)
		return append(appendCommaSeparated(append(dst, " IN ("...), e.Items), ')')
	case *InQuery:
		dst = appendNot(appendExpr(dst, e.X, precBetweenInLike+1), e.Not)
		return append(appendQuery(append(dst, " IN ("...), e.Query), ')')
	case *Like:
		return appendLike(dst, e)
	case *IsNull:
		return append(appendIsNull(dst, e.X, e.Not), "NULL"...)
	case *IsTruth:
		dst = appendIsNull(dst, e.X, e.Not)
		if e.Want {
			return append(dst, "TRUE"...)
		}
		return append(dst, "FALSE"...)
	}
	if c, ok := e.(CatalogueExpr); ok {
		return appendCatalogueExpr(dst, c)
	}
	return appendPrimary(dst, e)
}

func appendUnary(dst []byte, e *Unary) []byte {
	dst = append(dst, e.Operator.String()...)
	if e.Operator == OpNot {
		return appendExpr(append(dst, ' '), e.X, precNot)
	}
	if x, ok := e.X.(*Unary); ok && x.Operator != OpNot {
		dst = append(dst, ' ') // two signs together would begin a comment
	}
	return appendExpr(dst, e.X, precUnary)
}

// appendBinary prints a chain of one operator without recursion to its left.
func appendBinary(dst []byte, e *Binary) []byte {
	o := binaryOperatorTexts[e.Operator]
	left := o.level
	if left.isNonAssociative() {
		left++
	}
	dst = appendExpr(dst, e.Left, left)
	dst = append(append(append(dst, ' '), o.text...), ' ')
	return appendExpr(dst, e.Right, o.level+1)
}

func appendNot(dst []byte, not bool) []byte {
	if not {
		return append(dst, " NOT"...)
	}
	return dst
}

func appendIsNull(dst []byte, x Expr, not bool) []byte {
	dst = append(appendExpr(dst, x, precIs+1), " IS "...)
	if not {
		dst = append(dst, "NOT "...)
	}
	return dst
}

func appendLike(dst []byte, e *Like) []byte {
	dst = appendNot(appendExpr(dst, e.X, precBetweenInLike+1), e.Not)
	if e.Fold {
		dst = append(dst, " ILIKE "...)
	} else {
		dst = append(dst, " LIKE "...)
	}
	dst = appendExpr(dst, e.Pattern, precBetweenInLike+1)
	if e.Escape != nil {
		dst = appendExpr(append(dst, " ESCAPE "...), e.Escape, precBetweenInLike+1)
	}
	return dst
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
	case *Case:
		return appendCase(dst, e)
	case *Cast:
		dst = appendExpr(append(dst, "CAST("...), e.X, precOr)
		return append(appendTypeName(append(dst, " AS "...), e.To), ')')
	case *Extract:
		dst = appendUpperWords(append(dst, "EXTRACT("...), e.Part)
		return append(appendExpr(append(dst, " FROM "...), e.X, precOr), ')')
	case *Call:
		return appendCall(dst, e)
	case *MeasureCall:
		return appendMeasureCall(dst, e)
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
	case *Number:
		return append(dst, e.Text...)
	case *String:
		return appendQuoted(dst, e.Value, '\'')
	case *Bool:
		return appendUpperWords(dst, strconv.FormatBool(e.Value))
	case *Null:
		return append(dst, "NULL"...)
	case *TimeLiteral:
		return appendQuoted(append(appendUpperWords(dst, e.Type), ' '), e.Value, '\'')
	case *Interval:
		dst = appendQuoted(append(dst, "INTERVAL "...), e.Value, '\'')
		if e.Unit != "" {
			dst = appendUpperWords(append(dst, ' '), e.Unit)
		}
		return dst
	case *SessionValue:
		return appendUpperWords(dst, e.Word)
	}
	return dst
}

func appendCase(dst []byte, e *Case) []byte {
	dst = append(dst, "CASE"...)
	if e.Operand != nil {
		dst = appendExpr(append(dst, ' '), e.Operand, precOr)
	}
	for _, when := range e.Whens {
		dst = appendWhen(append(dst, ' '), when)
	}
	if e.Else != nil {
		dst = appendExpr(append(dst, " ELSE "...), e.Else, precOr)
	}
	return append(dst, " END"...)
}

func appendWhen(dst []byte, w *When) []byte {
	dst = appendExpr(append(dst, "WHEN "...), w.Condition, precOr)
	return appendExpr(append(dst, " THEN "...), w.Then, precOr)
}
