package format

import (
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec"
)

// maxWidth is how many characters a line has at most where it could be several.
const maxWidth = 160

// isBlock reports whether a value that would begin at a column is written on several lines,
// one for each entry.
func isBlock(n *node, column int) bool {
	if !n.isCollection() || len(n.entries) == 0 {
		return false
	}
	if n.role.isExpanded() || !n.flow && !n.isOneLine() {
		return true
	}
	w := flowWriter{force: n.isOneLine(), width: column}
	if properties := n.properties(); properties != "" {
		w.width += utf8.RuneCountInString(properties) + 1
	}
	return !w.collection(n) || n.role.object == modelspec.KindExpression && n.countDialects() > 1
}

// isOneLine reports whether the value is written on one line where that fits, also where the
// text has it on several: an expression, and an entry of one.
func (n *node) isOneLine() bool {
	return n.kind == mappingNode && (n.role.object == modelspec.KindExpression || n.role.object == modelspec.KindDialectEntry)
}

func (n *node) countDialects() int {
	if e := n.member("dialects"); e != nil {
		return len(e.value.entries)
	}
	return 0
}

// flowWriter writes values in brackets on one line. Its methods are false when the line is
// full, or a value cannot be on one line.
type flowWriter struct {
	text  strings.Builder
	width int
	force bool // also what the text has not in brackets
}

func (w *flowWriter) add(text string) bool {
	w.text.WriteString(text)
	w.width += utf8.RuneCountInString(text)
	return w.width <= maxWidth
}

func (w *flowWriter) write(n *node) bool {
	if properties := n.properties(); properties != "" && !w.add(properties+" ") {
		return false
	}
	switch n.kind {
	case aliasNode:
		return w.add("*" + n.value)
	case scalarNode:
		if n.absent {
			return w.add("null")
		}
		return len(n.lines) == 0 && w.add(scalarText(n, true))
	}
	return w.collection(n)
}

func (w *flowWriter) collection(n *node) bool {
	if !n.flow && !w.force && len(n.entries) > 0 || len(n.foot) > 0 {
		return false
	}
	brackets := "[]"
	if n.kind == mappingNode {
		brackets = "{}"
	}
	if !w.add(brackets[:1]) {
		return false
	}
	for i, e := range n.entries {
		if i > 0 && !w.add(", ") || !w.entry(e) {
			return false
		}
	}
	return w.add(brackets[1:])
}

func (w *flowWriter) entry(e *entry) bool {
	if len(e.head)+len(e.tail)+len(e.under) > 0 {
		return false
	}
	if e.key == nil {
		return w.write(e.value)
	}
	return w.write(e.key) && w.add(": ") && w.write(e.value)
}
