package layout

import (
	"slices"
	"strings"
)

// printer writes a document line by line.
type printer struct {
	out     strings.Builder
	lead    string // the beginning of the next line: the dashes of the items that begin on it
	noBlank bool   // no empty line may come next
}

// Print writes a document as text.
func Print(doc *Document) string {
	p := &printer{noBlank: true}
	p.printComments(doc.Prelude, 0)
	for _, line := range doc.Directives {
		p.printLine(0, line)
	}
	if doc.Marker {
		p.printLine(0, "---")
	}
	p.printComments(doc.Head, 0)
	if doc.Blank {
		p.printEmptyLine()
	}
	root := doc.Root
	p.printComments(root.Head, 0)
	if len(root.Value.Entries) > 0 {
		for _, text := range root.Tail {
			p.printLine(0, text)
		}
		if properties := root.Value.anchorAndTag(); properties != "" {
			p.printLine(0, properties)
		}
		p.printBlockEntries(root.Value, 0)
	} else if !root.Value.Absent || len(root.Tail) > 0 {
		p.printComments(newCommentsOfTexts(root.Tail[min(1, len(root.Tail)):]), 0)
		p.printEntryAfterPrefix(0, "", root)
	}
	p.printComments(root.Under, 0)
	p.printComments(doc.Foot, 0)
	return p.out.String()
}

// printLine writes one line.
func (p *printer) printLine(indent int, text string) {
	switch {
	case p.lead != "":
		p.out.WriteString(p.lead)
		p.lead = ""
	case text != "":
		p.out.WriteString(strings.Repeat(" ", indent))
	}
	p.out.WriteString(text)
	p.out.WriteByte('\n')
	p.noBlank = false
}

// printEmptyLine writes an empty line where one may be.
func (p *printer) printEmptyLine() {
	if !p.noBlank {
		p.out.WriteByte('\n')
	}
	p.noBlank = true
}

func (p *printer) printComments(list []Comment, indent int) {
	for _, c := range list {
		if c.Blank {
			p.printEmptyLine()
		}
		p.printLine(indent, c.Text)
	}
}

// newCommentsOfTexts makes comments of texts.
func newCommentsOfTexts(list []string) []Comment {
	out := make([]Comment, len(list))
	for i, text := range list {
		out[i].Text = text
	}
	return out
}

// printBlockEntries writes the entries of a collection, each from a new line on.
func (p *printer) printBlockEntries(n *Node, indent int) {
	for i, e := range n.Entries {
		// The comments before the first entry of an item are written before its dash.
		if p.lead == "" {
			if i > 0 && n.Role.hasBlankLinesBetweenItems() {
				p.printEmptyLine()
			}
			p.printComments(e.commentsBeforeEntry(indent), indent)
			if e.Blank {
				p.printEmptyLine()
			}
		}
		p.printEntry(e, indent)
		p.printComments(e.Under, indent+2)
	}
	p.printComments(n.Foot, indent)
}

// commentsBeforeEntry lists the comments before an entry: those of the first entry inside of an item, too,
// and those that have no line to be at the end of.
func (e *Entry) commentsBeforeEntry(indent int) []Comment {
	if e.Key != nil || !isWrittenAsBlock(e.Value, indent+2) || e.Value.anchorAndTag() != "" {
		return slices.Concat(e.Head, newCommentsOfTexts(e.Tail[min(1, len(e.Tail)):]))
	}
	return slices.Concat(e.Head, newCommentsOfTexts(e.Tail), e.Value.Entries[0].commentsBeforeEntry(indent+2))
}

// trailingCommentText returns the comment at the end of the entry's line.
func (e *Entry) trailingCommentText() string {
	if len(e.Tail) == 0 {
		return ""
	}
	return "  " + e.Tail[0]
}

// printEntry writes an entry without the comments around it.
func (p *printer) printEntry(e *Entry, indent int) {
	prefix := "-"
	if e.Key != nil {
		prefix = joinWithSpace(e.Key.anchorAndTag(), formatScalarOnOneLine(e.Key, false)) + ":"
	}
	switch properties := e.Value.anchorAndTag(); {
	case !isWrittenAsBlock(e.Value, indent+len(prefix)+1):
		p.printEntryAfterPrefix(indent, prefix, e)
		return
	case e.Key == nil && properties == "":
		if p.lead == "" {
			p.lead = strings.Repeat(" ", indent)
		}
		p.lead += "- "
	default:
		p.printLine(indent, joinWithSpace(prefix, properties)+e.trailingCommentText())
		p.noBlank = true
	}
	p.printBlockEntries(e.Value, indent+2)
}

// printEntryAfterPrefix writes an entry whose value begins on the line of the prefix.
func (p *printer) printEntryAfterPrefix(indent int, prefix string, e *Entry) {
	n := e.Value
	prefix = joinWithSpace(prefix, n.anchorAndTag())
	if n.Kind == ScalarNode && len(n.Lines) > 0 {
		if n.Style == LiteralStyle || n.Style == FoldedStyle {
			p.printBlockScalar(indent, prefix, e)
			return
		}
		p.printLine(indent, joinWithSpace(prefix, n.Lines[0]))
		last := len(n.Lines) - 1
		for i, line := range n.Lines[1:] {
			if i+1 == last {
				line += e.trailingCommentText()
			}
			p.printLine(indent+2, line)
		}
		return
	}
	p.printLine(indent, joinWithSpace(prefix, n.oneLineText())+e.trailingCommentText())
}

// oneLineText returns a value on one line, outside of brackets.
func (n *Node) oneLineText() string {
	switch n.Kind {
	case AliasNode:
		return "*" + n.Value
	case ScalarNode:
		return formatScalarOnOneLine(n, false)
	}
	w := flowWriter{force: n.prefersOneLine()}
	w.writeCollection(n)
	return w.text.String()
}

// anchorAndTag returns the anchor and the tag of a value.
func (n *Node) anchorAndTag() string {
	anchor := ""
	if n.Anchor != "" {
		anchor = "&" + n.Anchor
	}
	return joinWithSpace(anchor, n.TagText)
}

// joinWithSpace puts a space between two parts if there are two.
func joinWithSpace(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// printBlockScalar writes a scalar with | or >.
func (p *printer) printBlockScalar(indent int, prefix string, e *Entry) {
	n := e.Value
	header := "|"
	if n.Style == FoldedStyle {
		header = ">"
	}
	for _, line := range n.Lines {
		if line != "" {
			if line[0] == ' ' || line[0] == '\t' {
				header += "2"
			}
			break
		}
	}
	switch {
	case !strings.HasSuffix(n.Value, "\n"):
		header += "-"
	case n.Keep:
		header += "+"
	}
	p.printLine(indent, joinWithSpace(prefix, header)+e.trailingCommentText())
	for _, line := range n.Lines {
		p.printLine(indent+2, line)
	}
	p.noBlank = n.Keep
}
