package layout

import (
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec"
)

// MaxWidth is how many characters a line has at most where it could be several.
const MaxWidth = 160

// isBlock reports whether a value that would begin at a column is written on several lines,
// one for each entry.
func isBlock(n *Node, column int) bool {
	if !n.IsCollection() || len(n.Entries) == 0 {
		return false
	}
	if n.Role.isExpanded() || !n.Flow && !n.isOneLine() {
		return true
	}
	w := flowWriter{force: n.isOneLine(), width: column}
	if properties := n.properties(); properties != "" {
		w.width += utf8.RuneCountInString(properties) + 1
	}
	return !w.collection(n) || n.Role.Object == modelspec.KindExpression && n.countDialects() > 1
}

// isOneLine reports whether the value is written on one line where that fits, also where the
// Text has it on several: an expression, and an entry of one.
func (n *Node) isOneLine() bool {
	return n.Kind == MappingNode && (n.Role.Object == modelspec.KindExpression || n.Role.Object == modelspec.KindDialectEntry)
}

func (n *Node) countDialects() int {
	if e := n.member("dialects"); e != nil {
		return len(e.Value.Entries)
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
	return w.width <= MaxWidth
}

func (w *flowWriter) write(n *Node) bool {
	if properties := n.properties(); properties != "" && !w.add(properties+" ") {
		return false
	}
	switch n.Kind {
	case AliasNode:
		return w.add("*" + n.Value)
	case ScalarNode:
		if n.Absent {
			return w.add("null")
		}
		return len(n.Lines) == 0 && w.add(scalarText(n, true))
	}
	return w.collection(n)
}

func (w *flowWriter) collection(n *Node) bool {
	if !n.Flow && !w.force && len(n.Entries) > 0 || len(n.Foot) > 0 {
		return false
	}
	brackets := "[]"
	if n.Kind == MappingNode {
		brackets = "{}"
	}
	if !w.add(brackets[:1]) {
		return false
	}
	for i, e := range n.Entries {
		if i > 0 && !w.add(", ") || !w.entry(e) {
			return false
		}
	}
	return w.add(brackets[1:])
}

func (w *flowWriter) entry(e *Entry) bool {
	if len(e.Head)+len(e.Tail)+len(e.Under) > 0 {
		return false
	}
	if e.Key == nil {
		return w.write(e.Value)
	}
	return w.write(e.Key) && w.add(": ") && w.write(e.Value)
}
