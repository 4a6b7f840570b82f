package cli

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/engine"
)

// upstreamLineage finds the ways that lead to a node, joins left out.
type upstreamLineage struct {
	nodes map[string]engine.LineageNode
	into  map[string][]engine.LineageEdge
}

func newUpstreamLineage(l *engine.Lineage) upstreamLineage {
	u := upstreamLineage{map[string]engine.LineageNode{}, map[string][]engine.LineageEdge{}}
	for _, n := range l.Nodes {
		u.nodes[n.ID] = n
	}
	for _, x := range l.Edges {
		if x.Relation != engine.LineageRelationJoins {
			u.into[x.To] = append(u.into[x.To], x)
		}
	}
	return u
}

// metricLineageTreeText prints what the last node, a metric, is made of. What is met again
// is not taken apart again.
func metricLineageTreeText(l *engine.Lineage) string {
	u := newUpstreamLineage(l)
	var root engine.LineageNode
	for _, n := range l.Nodes {
		if n.Kind == engine.LineageKindMetric && !hasDownstream(l, n.ID) {
			root = n
		}
	}
	var b strings.Builder
	shown := map[string]bool{}
	b.WriteString(lineageNodeText(root) + "\n")
	u.writeUpstreamTree(&b, root.ID, "", shown)
	for _, x := range l.Edges {
		if x.Relation == engine.LineageRelationJoins {
			b.WriteString("joins " + terminalSafeLine(x.Relationship) + ": " + terminalSafeLine(strings.Join(x.On, " and ")) + locationInParentheses(x.Error) + "\n")
		}
	}
	return b.String()
}

// hasDownstream reports whether something in the graph is made of a node.
func hasDownstream(l *engine.Lineage, id string) bool {
	return slices.ContainsFunc(l.Edges, func(x engine.LineageEdge) bool { return x.From == id })
}

func (u upstreamLineage) writeUpstreamTree(b *strings.Builder, id, indent string, shown map[string]bool) {
	shown[id] = true
	ways := u.into[id]
	for i, x := range ways {
		branch, below := "├─ ", "│  "
		if i == len(ways)-1 {
			branch, below = "└─ ", "   "
		}
		b.WriteString(indent + branch + lineageRelationText(x.Relation) + lineageNodeText(u.nodes[x.From]))
		if shown[x.From] && len(u.into[x.From]) > 0 {
			b.WriteString(" …\n")
			continue
		}
		b.WriteString("\n")
		u.writeUpstreamTree(b, x.From, indent+below, shown)
	}
}

func lineageNodeText(n engine.LineageNode) string {
	text := string(n.Kind) + " " + terminalSafeLine(n.Name)
	switch {
	case n.Query != "":
		text = "query of " + terminalSafeLine(n.Name)
	case n.Kind == engine.LineageKindField && len(n.Columns) > 0:
		text += " (" + terminalSafeLine(strings.Join(n.Columns, ", ")) + ")"
	case n.Kind == engine.LineageKindMeasure:
		text += " (" + n.Aggregate + ")"
	}
	return text + locationInParentheses(n.Error)
}

// lineageRelationText describes how a node is used, if that is not obvious.
func lineageRelationText(r engine.LineageRelation) string {
	switch r {
	case engine.LineageRelationFilters:
		return "filtered by "
	case engine.LineageRelationTimeAxis:
		return "along "
	case engine.LineageRelationPartitions:
		return "apart from "
	case engine.LineageRelationGrain:
		return "per "
	case engine.LineageRelationRows:
		return "rows of "
	case engine.LineageRelationSource, engine.LineageRelationContains, engine.LineageRelationReads, engine.LineageRelationAggregates, engine.LineageRelationDerives, engine.LineageRelationJoins:
	}
	return ""
}

// lineageTableOfAllMetrics lists every metric with what it comes from.
func lineageTableOfAllMetrics(l *engine.Lineage) textTable {
	u := newUpstreamLineage(l)
	g := textTable{columns: []string{"metric", "made of", "fields", "tables"}}
	for _, n := range l.Nodes {
		if n.Kind != engine.LineageKindMetric {
			continue
		}
		var made []string
		for _, x := range u.into[n.ID] {
			if from := u.nodes[x.From]; from.Kind == engine.LineageKindMetric || from.Kind == engine.LineageKindMeasure {
				made = append(made, from.Name)
			}
		}
		reached := map[string]bool{}
		u.markUpstreamNodes(n.ID, reached)
		list := func(kind engine.LineageKind) tableCell {
			var names []string
			for _, other := range l.Nodes {
				if other.Kind == kind && reached[other.ID] {
					names = append(names, other.Name)
				}
			}
			return newTextCell(strings.Join(names, ", "))
		}
		g.rows = append(g.rows, []tableCell{
			newTextCell(n.Name + locationInParentheses(n.Error)), newTextCell(strings.Join(made, ", ")), list(engine.LineageKindField), list(engine.LineageKindTable),
		})
	}
	return g
}

func (u upstreamLineage) markUpstreamNodes(id string, reached map[string]bool) {
	for _, x := range u.into[id] {
		if !reached[x.From] {
			reached[x.From] = true
			u.markUpstreamNodes(x.From, reached)
		}
	}
}
