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
		left, right := mermaidBracketsOfKind(n.Kind)
		b.WriteString("  " + mermaidID(n.ID) + left + `"` + escapeMermaidText(n.labelText()) + `"` + right + mermaidClassOfBrokenNode(n) + "\n")
	}
	for _, x := range l.Edges {
		arrow := " --> "
		if x.Relation == RelationJoins {
			arrow = " -.-> "
		}
		if text := x.labelText(); text != "" {
			arrow += `|"` + escapeMermaidText(text) + `"| `
		}
		b.WriteString("  " + mermaidID(x.From) + arrow + mermaidID(x.To) + "\n")
	}
	b.WriteString("  classDef broken stroke:#c00,stroke-dasharray:4\n")
	return b.String()
}

func mermaidBracketsOfKind(k NodeKind) (left, right string) {
	switch k {
	case KindTable:
		return "[(", ")]"
	case KindDataset:
		return "[", "]"
	case KindField:
		return "(", ")"
	case KindMeasure:
		return "{{", "}}"
	case KindRollup:
		return "[[", "]]"
	case KindMetric:
	}
	return "([", "])"
}

func mermaidClassOfBrokenNode(n Node) string {
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

// escapeMermaidText writes what means something in a label as an entity, in Mermaid's
// spelling of them.
func escapeMermaidText(s string) string {
	var b strings.Builder
	for _, r := range joinIntoOneLine(s) {
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
		fmt.Fprintf(&b, "  %s [label=%s, shape=%s%s];\n", quoteForDOT(n.ID), quoteForDOT(n.labelText()), dotShape(n.Kind), style)
	}
	for _, x := range l.Edges {
		var attributes []string
		if text := x.labelText(); text != "" {
			attributes = append(attributes, "label="+quoteForDOT(text))
		}
		if x.Relation == RelationJoins {
			attributes = append(attributes, "style=dotted", "constraint=false")
		}
		b.WriteString("  " + quoteForDOT(x.From) + " -> " + quoteForDOT(x.To))
		if len(attributes) > 0 {
			b.WriteString(" [" + strings.Join(attributes, ", ") + "]")
		}
		b.WriteString(";\n")
	}
	b.WriteString("}\n")
	return b.String()
}

func dotShape(k NodeKind) string {
	switch k {
	case KindTable:
		return "cylinder"
	case KindDataset:
		return "box"
	case KindField:
		return "ellipse"
	case KindMeasure:
		return "hexagon"
	case KindRollup:
		return "component"
	case KindMetric:
	}
	return "doubleoctagon"
}

// quoteForDOT writes a quoted string. A backslash before a letter would be an
// escape of labels, so each is doubled.
func quoteForDOT(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(joinIntoOneLine(s)) + `"`
}

// labelText returns the text of a node in a drawing.
func (n Node) labelText() string {
	switch {
	case n.Query != "":
		return "query of " + n.Name
	case n.Error != "":
		return n.Name + " (" + n.Error + ")"
	}
	return n.Name
}

// labelText returns the text at an edge in a drawing; the usual relations need none.
func (x Edge) labelText() string {
	switch x.Relation {
	case RelationJoins:
		return x.Relationship
	case RelationGrain, RelationFilters, RelationTimeAxis, RelationPartitions, RelationDatasetRows:
		return strings.ReplaceAll(string(x.Relation), "_", " ")
	case RelationSource, RelationContains, RelationReads, RelationAggregatesMeasure, RelationDerives:
	}
	return ""
}

// joinIntoOneLine keeps a text to one line.
func joinIntoOneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x2028 || r == 0x2029 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
