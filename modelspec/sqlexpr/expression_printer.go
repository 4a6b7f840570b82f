package sqlexpr

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
)

// Format returns the canonical text of e: keywords in upper case, functions under
// their canonical names, identifiers as written, and no parentheses but those
// that are needed. It parses back to an equal tree, unless e holds a node
// without syntax; such a node prints in angle brackets. The text is for people,
// logs and comparisons: SQL for an engine is printed by a dialect.
func Format(e Expr) string {
	var short [128]byte
	return string(AppendFormatted(short[:0], e))
}

// FormatPath joins names by dots, in quotes those that need them as a part of a path:
// the text reads back as a column, or as the beginning of one.
func FormatPath(names ...string) string {
	plain := true
	for _, n := range names {
		plain = plain && lexical.IsWord(n)
	}
	if plain {
		return strings.Join(names, ".")
	}
	var dst []byte
	for i, n := range names {
		if i > 0 {
			dst = append(dst, '.')
		}
		if lexical.IsWord(n) {
			dst = append(dst, n...)
		} else {
			dst = lexical.AppendQuoted(dst, '"', n)
		}
	}
	return string(dst)
}

// AppendFormatted appends the canonical text of e to dst.
func AppendFormatted(dst []byte, e Expr) []byte {
	switch e := e.(type) {
	case nil:
		return dst
	case *Column:
		return appendPath(dst, e.Path)
	case *Ref:
		return append(strconv.AppendInt(append(dst, "<ref "...), int64(e.ID), 10), '>')
	case *Param:
		return append(append(dst, ':'), e.Name...)
	case *Number:
		if strings.HasPrefix(e.Text, "-") {
			return append(append(append(dst, '('), e.Text...), ')')
		}
		return append(dst, e.Text...)
	case *String:
		return lexical.AppendQuoted(dst, '\'', e.Value)
	case *Bool:
		if e.Value {
			return append(dst, "TRUE"...)
		}
		return append(dst, "FALSE"...)
	case *Null:
		return append(dst, "NULL"...)
	case *TypedLiteral:
		return lexical.AppendQuoted(append(append(dst, castTypeNamesForPrinting[e.Type]...), ' '), '\'', e.Value)
	case *Interval:
		dst = lexical.AppendQuoted(append(dst, "INTERVAL "...), '\'', e.Count)
		return lexical.AppendUpper(append(dst, ' '), e.Unit)
	case *Subquery:
		return append(dst, e.Text...)
	default:
		return AppendNode(dst, e, appendWithNeededParens)
	}
}

// PrecedenceOf returns the precedence of the outermost operator in the text of e.
func PrecedenceOf(e Expr) Precedence {
	switch e := e.(type) {
	case *Unary:
		if e.Op == OpNot {
			return PrecedenceNot
		}
		return PrecedenceUnary
	case *Binary:
		return e.Op.Precedence()
	case *Between, *In, *Like, *JSONAccess:
		return PrecedenceBetweenInLike
	case *IsNull, *IsTruth:
		return PrecedenceIs
	}
	return PrecedencePrimary
}

// appendWithNeededParens appends e, in parentheses when it binds less than lowest.
func appendWithNeededParens(dst []byte, e Expr, lowest Precedence) []byte {
	if PrecedenceOf(e) >= lowest {
		return AppendFormatted(dst, e)
	}
	return append(AppendFormatted(append(dst, '('), e), ')')
}

// AppendNode appends the canonical text of an operator, of CASE or of EXTRACT. Its operands are appended by operand, in parentheses
// where they bind less than lowest. Any other node is appended as AppendFormatted does.
func AppendNode(dst []byte, e Expr, operand func(dst []byte, e Expr, lowest Precedence) []byte) []byte {
	switch e := e.(type) {
	case *Unary:
		return appendUnary(dst, e, operand)
	case *Binary:
		l := e.Op.Precedence()
		left := l
		if l.IsNonAssociative() {
			left++
		}
		dst = operand(dst, e.L, left)
		dst = append(append(append(dst, ' '), e.Op.String()...), ' ')
		return operand(dst, e.R, l+1)
	case *Between:
		dst = appendNegatableWord(operand(dst, e.X, PrecedenceBetweenInLike+1), e.Not, " BETWEEN ")
		dst = append(operand(dst, e.Lo, PrecedenceBetweenInLike+1), " AND "...)
		return operand(dst, e.Hi, PrecedenceBetweenInLike+1)
	case *In:
		dst = appendNegatableWord(operand(dst, e.X, PrecedenceBetweenInLike+1), e.Not, " IN ")
		if len(e.Items) == 1 {
			if q, ok := e.Items[0].(*Subquery); ok && strings.HasPrefix(q.Text, "(") {
				return append(dst, q.Text...)
			}
		}
		dst = append(dst, '(')
		for i, item := range e.Items {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = operand(dst, item, PrecedenceOr)
		}
		return append(dst, ')')
	case *Like:
		word := " LIKE "
		if e.Fold {
			word = " ILIKE "
		}
		dst = appendNegatableWord(operand(dst, e.X, PrecedenceBetweenInLike+1), e.Not, word)
		dst = operand(dst, e.Pattern, PrecedenceBetweenInLike+1)
		if e.Escape != nil {
			dst = operand(append(dst, " ESCAPE "...), e.Escape, PrecedenceBetweenInLike+1)
		}
		return dst
	case *IsNull:
		return appendIsTest(operand(dst, e.X, PrecedenceIs+1), e.Not, "NULL")
	case *IsTruth:
		if e.Want {
			return appendIsTest(operand(dst, e.X, PrecedenceIs+1), e.Not, "TRUE")
		}
		return appendIsTest(operand(dst, e.X, PrecedenceIs+1), e.Not, "FALSE")
	case *Case:
		return appendCase(dst, e, operand)
	case *Extract:
		dst = lexical.AppendUpper(append(dst, "EXTRACT("...), e.Part)
		return append(operand(append(dst, " FROM "...), e.X, PrecedenceOr), ')')
	default:
		return appendCompoundExpr(dst, e)
	}
}

func appendUnary(dst []byte, e *Unary, operand func(dst []byte, e Expr, lowest Precedence) []byte) []byte {
	switch e.Op {
	case OpNot:
		return operand(append(dst, "NOT "...), e.X, PrecedenceNot)
	case OpPlus:
		return operand(append(dst, '+'), e.X, PrecedenceUnary)
	}
	// Two minus signs would begin a comment.
	if x, ok := e.X.(*Unary); ok && x.Op == OpNeg {
		return operand(append(dst, '-'), e.X, PrecedencePrimary)
	}
	return operand(append(dst, '-'), e.X, PrecedenceUnary)
}

func appendNegatableWord(dst []byte, not bool, word string) []byte {
	if not {
		dst = append(dst, " NOT"...)
	}
	return append(dst, word...)
}

func appendIsTest(dst []byte, not bool, word string) []byte {
	dst = append(dst, " IS "...)
	if not {
		dst = append(dst, "NOT "...)
	}
	return append(dst, word...)
}

func appendExprList(dst []byte, list []Expr) []byte {
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = AppendFormatted(dst, e)
	}
	return dst
}

func appendPath(dst []byte, path []Name) []byte {
	for i, n := range path {
		if i > 0 {
			dst = append(dst, '.')
		}
		if n.Quoted || !lexical.IsWord(n.Text) || len(path) == 1 && lookupKeyword(n.Text).isReserved() {
			dst = lexical.AppendQuoted(dst, '"', n.Text)
		} else {
			dst = append(dst, n.Text...)
		}
	}
	return dst
}
