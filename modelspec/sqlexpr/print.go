package sqlexpr

import (
	"strconv"
	"strings"
)

// Format returns the canonical text of e: keywords in upper case, functions under
// their canonical names, identifiers as written, and no parentheses but those
// that are needed. It parses back to an equal tree, unless e holds a node
// without syntax; such a node prints in angle brackets. The text is for people,
// logs and comparisons: SQL for an engine is printed by a dialect.
func Format(e Expr) string { return string(Append(nil, e)) }

// FormatPath joins names by dots, in quotes those that need them as a part of a path:
// the text reads back as a column, or as the beginning of one.
func FormatPath(names ...string) string {
	plain := true
	for _, n := range names {
		plain = plain && isUnquotedWord(n)
	}
	if plain {
		return strings.Join(names, ".")
	}
	var dst []byte
	for i, n := range names {
		if i > 0 {
			dst = append(dst, '.')
		}
		if isUnquotedWord(n) {
			dst = append(dst, n...)
		} else {
			dst = appendQuoted(dst, '"', n)
		}
	}
	return string(dst)
}

// Append appends the canonical text of e to dst.
func Append(dst []byte, e Expr) []byte {
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
	case *Typed:
		return appendQuoted(append(append(dst, castNames[e.Type]...), ' '), '\'', e.Value)
	case *Interval:
		dst = appendQuoted(append(dst, "INTERVAL "...), '\'', e.Count)
		return append(append(dst, ' '), upperASCII(e.Unit)...)
	case *Subquery:
		return append(dst, e.Text...)
	default:
		return appendOperator(dst, e)
	}
}

// bindingStrength is how strongly the text of e holds together.
func bindingStrength(e Expr) precedence {
	switch e := e.(type) {
	case *Unary:
		if e.Op == OpNot {
			return levelNot
		}
		return levelUnary
	case *Binary:
		return binaryLevels[e.Op]
	case *Between, *In, *Like, *JSONAccess:
		return levelMatch
	case *IsNull, *IsTruth:
		return levelIs
	}
	return levelPrimary
}

// appendWithParens appends e, in parentheses when it binds less than lowest.
func appendWithParens(dst []byte, e Expr, lowest precedence) []byte {
	if bindingStrength(e) >= lowest {
		return Append(dst, e)
	}
	return append(Append(append(dst, '('), e), ')')
}

var binarySymbols = [...]string{
	OpOr: " OR ", OpAnd: " AND ",
	OpEq: " = ", OpNe: " <> ", OpLt: " < ", OpLe: " <= ", OpGt: " > ", OpGe: " >= ",
	OpDistinct: " IS DISTINCT FROM ", OpNotDistinct: " IS NOT DISTINCT FROM ",
	OpAdd: " + ", OpSub: " - ", OpMul: " * ", OpDiv: " / ", OpMod: " % ", OpConcat: " || ",
}

func appendOperator(dst []byte, e Expr) []byte {
	switch e := e.(type) {
	case *Unary:
		return appendUnary(dst, e)
	case *Binary:
		l := binaryLevels[e.Op]
		left := l
		if l.nonAssociative() {
			left++
		}
		dst = appendWithParens(dst, e.L, left)
		dst = append(dst, binarySymbols[e.Op]...)
		return appendWithParens(dst, e.R, l+1)
	case *Between:
		dst = appendNot(appendWithParens(dst, e.X, levelMatch+1), e.Not, " BETWEEN ")
		dst = append(appendWithParens(dst, e.Lo, levelMatch+1), " AND "...)
		return appendWithParens(dst, e.Hi, levelMatch+1)
	case *In:
		dst = appendNot(appendWithParens(dst, e.X, levelMatch+1), e.Not, " IN ")
		if len(e.Items) == 1 {
			if q, ok := e.Items[0].(*Subquery); ok && strings.HasPrefix(q.Text, "(") {
				return append(dst, q.Text...)
			}
		}
		return append(appendList(append(dst, '('), e.Items), ')')
	case *Like:
		word := " LIKE "
		if e.Fold {
			word = " ILIKE "
		}
		dst = appendNot(appendWithParens(dst, e.X, levelMatch+1), e.Not, word)
		dst = appendWithParens(dst, e.Pattern, levelMatch+1)
		if e.Escape != nil {
			dst = appendWithParens(append(dst, " ESCAPE "...), e.Escape, levelMatch+1)
		}
		return dst
	case *IsNull:
		return appendIs(dst, e.X, e.Not, "NULL")
	case *IsTruth:
		if e.Want {
			return appendIs(dst, e.X, e.Not, "TRUE")
		}
		return appendIs(dst, e.X, e.Not, "FALSE")
	default:
		return appendCompoundExpr(dst, e)
	}
}

func appendUnary(dst []byte, e *Unary) []byte {
	switch e.Op {
	case OpNot:
		return appendWithParens(append(dst, "NOT "...), e.X, levelNot)
	case OpPlus:
		return appendWithParens(append(dst, '+'), e.X, levelUnary)
	}
	// Two minus signs would begin a comment.
	if x, ok := e.X.(*Unary); ok && x.Op == OpNeg {
		return appendWithParens(append(dst, '-'), e.X, levelPrimary)
	}
	return appendWithParens(append(dst, '-'), e.X, levelUnary)
}

func appendNot(dst []byte, not bool, word string) []byte {
	if not {
		dst = append(dst, " NOT"...)
	}
	return append(dst, word...)
}

func appendIs(dst []byte, x Expr, not bool, word string) []byte {
	dst = append(appendWithParens(dst, x, levelIs+1), " IS "...)
	if not {
		dst = append(dst, "NOT "...)
	}
	return append(dst, word...)
}

func appendList(dst []byte, list []Expr) []byte {
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = Append(dst, e)
	}
	return dst
}

func appendPath(dst []byte, path []Name) []byte {
	for i, n := range path {
		if i > 0 {
			dst = append(dst, '.')
		}
		if n.Quoted || !isUnquotedWord(n.Text) || len(path) == 1 && lookupKeyword(n.Text).reserved() {
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
