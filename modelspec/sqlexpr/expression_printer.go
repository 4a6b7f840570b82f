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
func Format(e Expr) string { return string(AppendFormatted(nil, e)) }

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
			dst = appendQuoted(dst, '"', n)
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
		return appendQuoted(dst, '\'', e.Value)
	case *Bool:
		if e.Value {
			return append(dst, "TRUE"...)
		}
		return append(dst, "FALSE"...)
	case *Null:
		return append(dst, "NULL"...)
	case *TypedLiteral:
		return appendQuoted(append(append(dst, castTypeNamesForPrinting[e.Type]...), ' '), '\'', e.Value)
	case *Interval:
		dst = appendQuoted(append(dst, "INTERVAL "...), '\'', e.Count)
		return append(append(dst, ' '), upperASCII(e.Unit)...)
	case *Subquery:
		return append(dst, e.Text...)
	default:
		return appendOperatorExpr(dst, e)
	}
}

// bindingStrength returns the precedence of the outermost operator in the text of e.
func bindingStrength(e Expr) precedence {
	switch e := e.(type) {
	case *Unary:
		if e.Op == OpNot {
			return precedenceNot
		}
		return precedenceUnary
	case *Binary:
		return binaryPrecedences[e.Op]
	case *Between, *In, *Like, *JSONAccess:
		return precedenceBetweenInLike
	case *IsNull, *IsTruth:
		return precedenceIs
	}
	return precedencePrimary
}

// appendWithNeededParens appends e, in parentheses when it binds less than lowest.
func appendWithNeededParens(dst []byte, e Expr, lowest precedence) []byte {
	if bindingStrength(e) >= lowest {
		return AppendFormatted(dst, e)
	}
	return append(AppendFormatted(append(dst, '('), e), ')')
}

var binarySymbols = [...]string{
	OpOr: " OR ", OpAnd: " AND ",
	OpEq: " = ", OpNe: " <> ", OpLt: " < ", OpLe: " <= ", OpGt: " > ", OpGe: " >= ",
	OpIsDistinctFrom: " IS DISTINCT FROM ", OpIsNotDistinctFrom: " IS NOT DISTINCT FROM ",
	OpAdd: " + ", OpSub: " - ", OpMul: " * ", OpDiv: " / ", OpMod: " % ", OpConcat: " || ",
}

func appendOperatorExpr(dst []byte, e Expr) []byte {
	switch e := e.(type) {
	case *Unary:
		return appendUnary(dst, e)
	case *Binary:
		l := binaryPrecedences[e.Op]
		left := l
		if l.isNonAssociative() {
			left++
		}
		dst = appendWithNeededParens(dst, e.L, left)
		dst = append(dst, binarySymbols[e.Op]...)
		return appendWithNeededParens(dst, e.R, l+1)
	case *Between:
		dst = appendNegatableWord(appendWithNeededParens(dst, e.X, precedenceBetweenInLike+1), e.Not, " BETWEEN ")
		dst = append(appendWithNeededParens(dst, e.Lo, precedenceBetweenInLike+1), " AND "...)
		return appendWithNeededParens(dst, e.Hi, precedenceBetweenInLike+1)
	case *In:
		dst = appendNegatableWord(appendWithNeededParens(dst, e.X, precedenceBetweenInLike+1), e.Not, " IN ")
		if len(e.Items) == 1 {
			if q, ok := e.Items[0].(*Subquery); ok && strings.HasPrefix(q.Text, "(") {
				return append(dst, q.Text...)
			}
		}
		return append(appendExprList(append(dst, '('), e.Items), ')')
	case *Like:
		word := " LIKE "
		if e.Fold {
			word = " ILIKE "
		}
		dst = appendNegatableWord(appendWithNeededParens(dst, e.X, precedenceBetweenInLike+1), e.Not, word)
		dst = appendWithNeededParens(dst, e.Pattern, precedenceBetweenInLike+1)
		if e.Escape != nil {
			dst = appendWithNeededParens(append(dst, " ESCAPE "...), e.Escape, precedenceBetweenInLike+1)
		}
		return dst
	case *IsNull:
		return appendIsTest(dst, e.X, e.Not, "NULL")
	case *IsTruth:
		if e.Want {
			return appendIsTest(dst, e.X, e.Not, "TRUE")
		}
		return appendIsTest(dst, e.X, e.Not, "FALSE")
	default:
		return appendCompoundExpr(dst, e)
	}
}

func appendUnary(dst []byte, e *Unary) []byte {
	switch e.Op {
	case OpNot:
		return appendWithNeededParens(append(dst, "NOT "...), e.X, precedenceNot)
	case OpPlus:
		return appendWithNeededParens(append(dst, '+'), e.X, precedenceUnary)
	}
	// Two minus signs would begin a comment.
	if x, ok := e.X.(*Unary); ok && x.Op == OpNeg {
		return appendWithNeededParens(append(dst, '-'), e.X, precedencePrimary)
	}
	return appendWithNeededParens(append(dst, '-'), e.X, precedenceUnary)
}

func appendNegatableWord(dst []byte, not bool, word string) []byte {
	if not {
		dst = append(dst, " NOT"...)
	}
	return append(dst, word...)
}

func appendIsTest(dst []byte, x Expr, not bool, word string) []byte {
	dst = append(appendWithNeededParens(dst, x, precedenceIs+1), " IS "...)
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
			dst = appendQuoted(dst, '"', n.Text)
		} else {
			dst = append(dst, n.Text...)
		}
	}
	return dst
}

// appendQuoted appends s in quotes, each quote inside doubled.
func appendQuoted(dst []byte, quote byte, s string) []byte {
	dst = append(dst, quote)
	for {
		i := strings.IndexByte(s, quote)
		if i < 0 {
			return append(append(dst, s...), quote)
		}
		dst = append(append(dst, s[:i+1]...), quote)
		s = s[i+1:]
	}
}
