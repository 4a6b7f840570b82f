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
	p.comments(doc.Prelude, 0)
	for _, line := range doc.Directives {
		p.line(0, line)
	}
	if doc.Marker {
		p.line(0, "---")
	}
	p.comments(doc.Head, 0)
	if doc.Blank {
		p.empty()
	}
	root := doc.Root
	p.comments(root.Head, 0)
	if len(root.Value.Entries) > 0 {
		for _, text := range root.Tail {
			p.line(0, text)
		}
		if properties := root.Value.properties(); properties != "" {
			p.line(0, properties)
		}
		p.block(root.Value, 0)
	} else if !root.Value.Absent || len(root.Tail) > 0 {
		p.comments(texts(root.Tail[min(1, len(root.Tail)):]), 0)
		p.inline(0, "", root)
	}
	p.comments(root.Under, 0)
	p.comments(doc.Foot, 0)
	return p.out.String()
}

// line writes one line.
func (p *printer) line(indent int, text string) {
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

// empty writes an empty line where one may be.
func (p *printer) empty() {
	if !p.noBlank {
		p.out.WriteByte('\n')
	}
	p.noBlank = true
}

func (p *printer) comments(list []Comment, indent int) {
	for _, c := range list {
		if c.Blank {
			p.empty()
		}
		p.line(indent, c.Text)
	}
}

// texts makes comments of texts.
func texts(list []string) []Comment {
	out := make([]Comment, len(list))
	for i, text := range list {
		out[i].Text = text
	}
	return out
}

// block writes the entries of a collection, each from a new line on.
func (p *printer) block(n *Node, indent int) {
	for i, e := range n.Entries {
		// The comments before the first entry of an item are written before its dash.
		if p.lead == "" {
			if i > 0 && n.Role.isSpaced() {
				p.empty()
			}
			p.comments(e.heads(indent), indent)
			if e.Blank {
				p.empty()
			}
		}
		p.entry(e, indent)
		p.comments(e.Under, indent+2)
	}
	p.comments(n.Foot, indent)
}

// heads lists the comments before an entry: those of the first entry inside of an item, too,
// and those that have no line to be at the end of.
func (e *Entry) heads(indent int) []Comment {
	if e.Key != nil || !isBlock(e.Value, indent+2) || e.Value.properties() != "" {
		return slices.Concat(e.Head, texts(e.Tail[min(1, len(e.Tail)):]))
	}
	return slices.Concat(e.Head, texts(e.Tail), e.Value.Entries[0].heads(indent+2))
}

// tailText is the comment at the end of the entry's line.
func (e *Entry) tailText() string {
	if len(e.Tail) == 0 {
		return ""
	}
	return "  " + e.Tail[0]
}

// Entry writes an entry without the comments around it.
func (p *printer) entry(e *Entry, indent int) {
	prefix := "-"
	if e.Key != nil {
		prefix = join(e.Key.properties(), scalarText(e.Key, false)) + ":"
	}
	switch properties := e.Value.properties(); {
	case !isBlock(e.Value, indent+len(prefix)+1):
		p.inline(indent, prefix, e)
		return
	case e.Key == nil && properties == "":
		if p.lead == "" {
			p.lead = strings.Repeat(" ", indent)
		}
		p.lead += "- "
	default:
		p.line(indent, join(prefix, properties)+e.tailText())
		p.noBlank = true
	}
	p.block(e.Value, indent+2)
}

// inline writes an entry whose value begins on the line of the prefix.
func (p *printer) inline(indent int, prefix string, e *Entry) {
	n := e.Value
	prefix = join(prefix, n.properties())
	if n.Kind == ScalarNode && len(n.Lines) > 0 {
		if n.Style == LiteralStyle || n.Style == FoldedStyle {
			p.blockScalar(indent, prefix, e)
			return
		}
		p.line(indent, join(prefix, n.Lines[0]))
		last := len(n.Lines) - 1
		for i, line := range n.Lines[1:] {
			if i+1 == last {
				line += e.tailText()
			}
			p.line(indent+2, line)
		}
		return
	}
	p.line(indent, join(prefix, n.oneLine())+e.tailText())
}

// oneLine is a value on one line, outside of brackets.
func (n *Node) oneLine() string {
	switch n.Kind {
	case AliasNode:
		return "*" + n.Value
	case ScalarNode:
		return scalarText(n, false)
	}
	w := flowWriter{force: n.isOneLine()}
	w.collection(n)
	return w.text.String()
}

// properties is the anchor and the tag of a value.
func (n *Node) properties() string {
	anchor := ""
	if n.Anchor != "" {
		anchor = "&" + n.Anchor
	}
	return join(anchor, n.TagText)
}

// join puts a space between two parts if there are two.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// blockScalar writes a scalar with | or >.
func (p *printer) blockScalar(indent int, prefix string, e *Entry) {
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
	p.line(indent, join(prefix, header)+e.tailText())
	for _, line := range n.Lines {
		p.line(indent+2, line)
	}
	p.noBlank = n.Keep
}
