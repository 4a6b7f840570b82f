// Package ducksql is a tree of SQL for DuckDB and its printer. The texts of a tree are of three kinds:
// fixed forms of this program, names that this program makes, and values, which are printed as quoted
// literals. Nothing else reaches the engine.
package ducksql

import (
	"strconv"
	"strings"
)

// Node is a part of a statement.
type Node interface{ appendTo(dst []byte) []byte }

// Template is a fixed text in which each ? is a node.
type Template struct {
	Text string
	Args []Node
}

// Name is a name that the program makes; it is printed in quotes.
type Name string

// TextLiteral is a value that is a text.
type TextLiteral string

// IntegerLiteral is a value that is an integer.
type IntegerLiteral int64

// FloatLiteral is a value with a fraction; NaN and infinities are not printed.
type FloatLiteral float64

// BoolLiteral is a truth value.
type BoolLiteral bool

// SeparatedList is nodes with a separator between them.
type SeparatedList struct {
	Separator string
	Nodes     []Node
}

// FillTemplate makes a Form.
func FillTemplate(text string, args ...Node) Node { return Template{Text: text, Args: args} }

// CommaList makes a List with commas.
func CommaList(nodes []Node) Node { return SeparatedList{Separator: ", ", Nodes: nodes} }

// Print returns the SQL of a node.
func Print(n Node) string { return string(n.appendTo(nil)) }

func (f Template) appendTo(dst []byte) []byte {
	rest := f.Text
	for _, arg := range f.Args {
		before, after, _ := strings.Cut(rest, "?")
		dst = arg.appendTo(append(dst, before...))
		rest = after
	}
	return append(dst, rest...)
}

func (n Name) appendTo(dst []byte) []byte { return appendTextInQuotes(dst, string(n), '"') }

func (t TextLiteral) appendTo(dst []byte) []byte {
	return appendTextInQuotes(dst, strings.ReplaceAll(string(t), "\x00", ""), '\'')
}

func (n IntegerLiteral) appendTo(dst []byte) []byte {
	if n < 0 {
		return append(strconv.AppendInt(append(dst, '('), int64(n), 10), ')')
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

func (f FloatLiteral) appendTo(dst []byte) []byte {
	dst = append(dst, "CAST('"...)
	dst = strconv.AppendFloat(dst, float64(f), 'g', -1, 64)
	return append(dst, "' AS DOUBLE)"...)
}

func (b BoolLiteral) appendTo(dst []byte) []byte { return strconv.AppendBool(dst, bool(b)) }

func (l SeparatedList) appendTo(dst []byte) []byte {
	for i, n := range l.Nodes {
		if i > 0 {
			dst = append(dst, l.Separator...)
		}
		dst = n.appendTo(dst)
	}
	return dst
}

func appendTextInQuotes(dst []byte, text string, quote byte) []byte {
	dst = append(dst, quote)
	for i := range len(text) {
		if text[i] == quote {
			dst = append(dst, quote)
		}
		dst = append(dst, text[i])
	}
	return append(dst, quote)
}
