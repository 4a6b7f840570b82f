package layout

import (
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec"
)

// MaxLineWidth is how many characters a line has at most where it could be several.
const MaxLineWidth = 160

// isWrittenAsBlock reports whether a value that would begin at a column is written on several lines,
// one for each entry.
func isWrittenAsBlock(n *Node, column int) bool {
	if !n.IsCollection() || len(n.Entries) == 0 {
		return false
	}
	if n.Role.isAlwaysBlock() || !n.Flow && !n.prefersOneLine() {
		return true
	}
	w := flowWriter{force: n.prefersOneLine(), width: column}
	if properties := n.anchorAndTag(); properties != "" {
		w.width += utf8.RuneCountInString(properties) + 1
	}
	return !w.writeCollection(n) || n.Role.Object == modelspec.ObjectKindExpression && n.countDialectEntries() > 1
}

// prefersOneLine reports whether the value is written on one line where that fits, also where the
// Text has it on several: an expression, and an entry of one.
func (n *Node) prefersOneLine() bool {
	return n.Kind == MappingNode && (n.Role.Object == modelspec.ObjectKindExpression || n.Role.Object == modelspec.ObjectKindDialectEntry)
}

func (n *Node) countDialectEntries() int {
	if e := n.findEntry("dialects"); e != nil {
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

func (w *flowWriter) appendTextAndCheckWidth(text string) bool {
	w.text.WriteString(text)
	w.width += utf8.RuneCountInString(text)
	return w.width <= MaxLineWidth
}

func (w *flowWriter) writeValue(n *Node) bool {
	if properties := n.anchorAndTag(); properties != "" && !w.appendTextAndCheckWidth(properties+" ") {
		return false
	}
	switch n.Kind {
	case AliasNode:
		return w.appendTextAndCheckWidth("*" + n.Value)
	case ScalarNode:
		if n.Absent {
			return w.appendTextAndCheckWidth("null")
		}
		return len(n.Lines) == 0 && w.appendTextAndCheckWidth(formatScalarOnOneLine(n, true))
	}
	return w.writeCollection(n)
}

func (w *flowWriter) writeCollection(n *Node) bool {
	if !n.Flow && !w.force && len(n.Entries) > 0 || len(n.Foot) > 0 {
		return false
	}
	brackets := "[]"
	if n.Kind == MappingNode {
		brackets = "{}"
	}
	if !w.appendTextAndCheckWidth(brackets[:1]) {
		return false
	}
	for i, e := range n.Entries {
		if i > 0 && !w.appendTextAndCheckWidth(", ") || !w.writeEntry(e) {
			return false
		}
	}
	return w.appendTextAndCheckWidth(brackets[1:])
}

func (w *flowWriter) writeEntry(e *Entry) bool {
	if len(e.Head)+len(e.Tail)+len(e.Under) > 0 {
		return false
	}
	if e.Key == nil {
		return w.writeValue(e.Value)
	}
	return w.writeValue(e.Key) && w.appendTextAndCheckWidth(": ") && w.writeValue(e.Value)
}
