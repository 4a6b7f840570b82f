package format

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

func printDocument(doc *document) string {
	p := &printer{noBlank: true}
	p.comments(doc.prelude, 0)
	for _, line := range doc.directives {
		p.line(0, line)
	}
	if doc.marker {
		p.line(0, "---")
	}
	p.comments(doc.head, 0)
	if doc.blank {
		p.empty()
	}
	root := doc.root
	p.comments(root.head, 0)
	if len(root.value.entries) > 0 {
		for _, text := range root.tail {
			p.line(0, text)
		}
		if properties := root.value.properties(); properties != "" {
			p.line(0, properties)
		}
		p.block(root.value, 0)
	} else if !root.value.absent || len(root.tail) > 0 {
		p.comments(texts(root.tail[min(1, len(root.tail)):]), 0)
		p.inline(0, "", root)
	}
	p.comments(root.under, 0)
	p.comments(doc.foot, 0)
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

func (p *printer) comments(list []comment, indent int) {
	for _, c := range list {
		if c.blank {
			p.empty()
		}
		p.line(indent, c.text)
	}
}

// texts makes comments of texts.
func texts(list []string) []comment {
	out := make([]comment, len(list))
	for i, text := range list {
		out[i].text = text
	}
	return out
}

// block writes the entries of a collection, each from a new line on.
func (p *printer) block(n *node, indent int) {
	for i, e := range n.entries {
		// The comments before the first entry of an item are written before its dash.
		if p.lead == "" {
			if i > 0 && n.role.isSpaced() {
				p.empty()
			}
			p.comments(e.heads(indent), indent)
			if e.blank {
				p.empty()
			}
		}
		p.entry(e, indent)
		p.comments(e.under, indent+2)
	}
	p.comments(n.foot, indent)
}

// heads lists the comments before an entry: those of the first entry inside of an item, too,
// and those that have no line to be at the end of.
func (e *entry) heads(indent int) []comment {
	if e.key != nil || !isBlock(e.value, indent+2) || e.value.properties() != "" {
		return slices.Concat(e.head, texts(e.tail[min(1, len(e.tail)):]))
	}
	return slices.Concat(e.head, texts(e.tail), e.value.entries[0].heads(indent+2))
}

// tailText is the comment at the end of the entry's line.
func (e *entry) tailText() string {
	if len(e.tail) == 0 {
		return ""
	}
	return "  " + e.tail[0]
}

// entry writes an entry without the comments around it.
func (p *printer) entry(e *entry, indent int) {
	prefix := "-"
	if e.key != nil {
		prefix = join(e.key.properties(), scalarText(e.key, false)) + ":"
	}
	switch properties := e.value.properties(); {
	case !isBlock(e.value, indent+len(prefix)+1):
		p.inline(indent, prefix, e)
		return
	case e.key == nil && properties == "":
		if p.lead == "" {
			p.lead = strings.Repeat(" ", indent)
		}
		p.lead += "- "
	default:
		p.line(indent, join(prefix, properties)+e.tailText())
		p.noBlank = true
	}
	p.block(e.value, indent+2)
}

// inline writes an entry whose value begins on the line of the prefix.
func (p *printer) inline(indent int, prefix string, e *entry) {
	n := e.value
	prefix = join(prefix, n.properties())
	if n.kind == scalarNode && len(n.lines) > 0 {
		if n.style == literalStyle || n.style == foldedStyle {
			p.blockScalar(indent, prefix, e)
			return
		}
		p.line(indent, join(prefix, n.lines[0]))
		last := len(n.lines) - 1
		for i, line := range n.lines[1:] {
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
func (n *node) oneLine() string {
	switch n.kind {
	case aliasNode:
		return "*" + n.value
	case scalarNode:
		return scalarText(n, false)
	}
	w := flowWriter{force: n.isOneLine()}
	w.collection(n)
	return w.text.String()
}

// properties is the anchor and the tag of a value.
func (n *node) properties() string {
	anchor := ""
	if n.anchor != "" {
		anchor = "&" + n.anchor
	}
	return join(anchor, n.tagText)
}

// join puts a space between two parts if there are two.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// blockScalar writes a scalar with | or >.
func (p *printer) blockScalar(indent int, prefix string, e *entry) {
	n := e.value
	header := "|"
	if n.style == foldedStyle {
		header = ">"
	}
	for _, line := range n.lines {
		if line != "" {
			if line[0] == ' ' || line[0] == '\t' {
				header += "2"
			}
			break
		}
	}
	switch {
	case !strings.HasSuffix(n.value, "\n"):
		header += "-"
	case n.keep:
		header += "+"
	}
	p.line(indent, join(prefix, header)+e.tailText())
	for _, line := range n.lines {
		p.line(indent+2, line)
	}
	p.noBlank = n.keep
}
