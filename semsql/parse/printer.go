package parse

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Format prints a statement, or a part of one, in its canonical form. What Parse returned
// parses back to an equal tree.
func Format(n Node) string { return string(AppendCanonical(nil, n)) }

// AppendCanonical appends the canonical form of a statement or a part of one.
func AppendCanonical(dst []byte, n Node) []byte {
	switch n := n.(type) {
	case *Query:
		return appendQuery(dst, n)
	case *CommonTable:
		return appendCommonTable(dst, n)
	case *Select:
		return appendSelect(dst, n)
	case *SetOperation:
		return appendSetOperation(dst, n)
	case *Values:
		return appendValues(dst, n)
	case *SelectItem:
		return appendSelectItem(dst, n)
	case *OrderItem:
		return appendOrderItem(dst, n)
	case *TableAlias:
		return appendTableAlias(dst, n)
	case Relation:
		return appendRelation(dst, n)
	case *TypeName:
		return appendTypeName(dst, n)
	case *NamedArgument:
		return appendExpr(append(appendName(dst, n.Name, false), " => "...), n.X, sqlexpr.PrecedenceOr)
	case *Window:
		return appendWindow(dst, n)
	case *Frame:
		return appendFrame(dst, n)
	case *FrameBound:
		return appendFrameBound(dst, n)
	case Expr:
		return appendExpr(dst, n, sqlexpr.PrecedenceOr)
	}
	return dst
}

// appendCommaSeparated prints nodes, separated by commas.
func appendCommaSeparated[N Node](dst []byte, list []N) []byte {
	for i, n := range list {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = AppendCanonical(dst, n)
	}
	return dst
}

// appendName prints a name. In a place where every word is a name, a reserved one needs no quotes.
func appendName(dst []byte, n Name, anyWord bool) []byte {
	if !n.Quoted && lexical.IsWord(n.Text) && (anyWord || lookupKeyword(n.Text).canBeColumnName()) {
		return append(dst, n.Text...)
	}
	return lexical.AppendQuoted(dst, '"', n.Text)
}

func appendPath(dst []byte, path []Name) []byte {
	for i, n := range path {
		if i > 0 {
			dst = append(dst, '.')
		}
		dst = appendName(dst, n, i > 0)
	}
	return dst
}

func appendNamesInParens(dst []byte, names []Name) []byte {
	dst = append(dst, '(')
	for i, n := range names {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendName(dst, n, false)
	}
	return append(dst, ')')
}

// appendFunctionName prints the name of a function: one without quotes in upper case.
func appendFunctionName(dst []byte, n Name) []byte {
	if n.Quoted || !lexical.IsWord(n.Text) {
		return lexical.AppendQuoted(dst, '"', n.Text)
	}
	return lexical.AppendUpper(dst, n.Text)
}

func appendTypeName(dst []byte, t *TypeName) []byte {
	if strings.HasPrefix(t.Name, `"`) {
		return append(dst, t.Name...) // only "char", perhaps as an array
	}
	dst = lexical.AppendUpper(dst, t.Name)
	for i, n := range t.Arguments {
		if i == 0 {
			dst = append(dst, '(')
		} else {
			dst = append(dst, ", "...)
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	if len(t.Arguments) > 0 {
		dst = append(dst, ')')
	}
	return dst
}
