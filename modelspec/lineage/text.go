package lineage

import (
	"fmt"
	"hash/fnv"
	"strings"
)

// Mermaid draws the graph as a flowchart in Mermaid's notation.
func (l *Graph) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for _, n := range l.Nodes {
		left, right := mermaidShape(n.Kind)
		b.WriteString("  " + mermaidID(n.ID) + left + `"` + mermaidText(n.label()) + `"` + right + mermaidClass(n) + "\n")
	}
	for _, x := range l.Edges {
		arrow := " --> "
		if x.Relation == Joins {
			arrow = " -.-> "
		}
		if text := x.label(); text != "" {
			arrow += `|"` + mermaidText(text) + `"| `
		}
		b.WriteString("  " + mermaidID(x.From) + arrow + mermaidID(x.To) + "\n")
	}
	b.WriteString("  classDef broken stroke:#c00,stroke-dasharray:4\n")
	return b.String()
}

func mermaidShape(k Kind) (left, right string) {
	switch k {
	case Table:
		return "[(", ")]"
	case Dataset:
		return "[", "]"
	case Field:
		return "(", ")"
	case Measure:
		return "{{", "}}"
	case Metric:
	}
	return "([", "])"
}

func mermaidClass(n Node) string {
	if n.Error != "" {
		return ":::broken"
	}
	return ""
}

// mermaidID spells an id in letters, digits and underscores, two for a dot. A
// hash keeps ids apart that this would make alike.
func mermaidID(id string) string {
	exact := !strings.Contains(id, "__")
	var b strings.Builder
	for i, r := range id {
		switch {
		case r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			b.WriteRune(r)
		case r == '.':
			b.WriteString("__")
		default:
			b.WriteByte('_')
			exact = exact && r == ':' && i == strings.IndexByte(id, ':')
		}
	}
	if !exact {
		h := fnv.New64a()
		_, _ = h.Write([]byte(id))
		fmt.Fprintf(&b, "_%016x", h.Sum64())
	}
	return b.String()
}

// mermaidText writes what means something in a label as an entity, in Mermaid's
// spelling of them.
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range oneLine(s) {
		if strings.ContainsRune("#&\"<>`;\\*~[](){}|", r) {
			fmt.Fprintf(&b, "#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// DOT draws the graph in the language of Graphviz.
func (l *Graph) DOT() string {
	var b strings.Builder
	b.WriteString("digraph lineage {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n")
	for _, n := range l.Nodes {
		style := ""
		if n.Error != "" {
			style = ", color=red, style=dashed"
		}
		fmt.Fprintf(&b, "  %s [label=%s, shape=%s%s];\n", dotQuote(n.ID), dotQuote(n.label()), dotShape(n.Kind), style)
	}
	for _, x := range l.Edges {
		var attributes []string
		if text := x.label(); text != "" {
			attributes = append(attributes, "label="+dotQuote(text))
		}
		if x.Relation == Joins {
			attributes = append(attributes, "style=dotted", "constraint=false")
		}
		b.WriteString("  " + dotQuote(x.From) + " -> " + dotQuote(x.To))
		if len(attributes) > 0 {
			b.WriteString(" [" + strings.Join(attributes, ", ") + "]")
		}
		b.WriteString(";\n")
	}
	b.WriteString("}\n")
	return b.String()
}

func dotShape(k Kind) string {
	switch k {
	case Table:
		return "cylinder"
	case Dataset:
		return "box"
	case Field:
		return "ellipse"
	case Measure:
		return "hexagon"
	case Metric:
	}
	return "doubleoctagon"
}

// dotQuote writes a quoted string. A backslash before a letter would be an
// escape of labels, so each is doubled.
func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(s)) + `"`
}

// label is the text of a node in a drawing.
func (n Node) label() string {
	switch {
	case n.Query != "":
		return "query of " + n.Name
	case n.Error != "":
		return n.Name + " (" + n.Error + ")"
	}
	return n.Name
}

// label is the text at an edge in a drawing; the usual relations need none.
func (x Edge) label() string {
	switch x.Relation {
	case Joins:
		return x.Relationship
	case Grain, Filters, TimeAxis, Partitions, Rows:
		return strings.ReplaceAll(string(x.Relation), "_", " ")
	case Source, Contains, Reads, Aggregates, Derives:
	}
	return ""
}

// oneLine keeps a text to one line.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
