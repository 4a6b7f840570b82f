package cli

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/lineage"
)

// upstreamLineage finds the ways that lead to a node, joins left out.
type upstreamLineage struct {
	nodes map[string]lineage.Node
	into  map[string][]lineage.Edge
}

func newUpstreamLineage(l *lineage.Graph) upstreamLineage {
	u := upstreamLineage{map[string]lineage.Node{}, map[string][]lineage.Edge{}}
	for _, n := range l.Nodes {
		u.nodes[n.ID] = n
	}
	for _, x := range l.Edges {
		if x.Relation != lineage.RelationJoins {
			u.into[x.To] = append(u.into[x.To], x)
		}
	}
	return u
}

// metricLineageTreeText prints what the last node, a metric, is made of. What is met again
// is not taken apart again.
func metricLineageTreeText(l *lineage.Graph) string {
	u := newUpstreamLineage(l)
	var root lineage.Node
	for _, n := range l.Nodes {
		if n.Kind == lineage.KindMetric && !hasDownstream(l, n.ID) {
			root = n
		}
	}
	var b strings.Builder
	shown := map[string]bool{}
	b.WriteString(lineageNodeText(root) + "\n")
	u.writeUpstreamTree(&b, root.ID, "", shown)
	for _, x := range l.Edges {
		if x.Relation == lineage.RelationJoins {
			b.WriteString("joins " + terminalSafeLine(x.Relationship) + ": " + terminalSafeLine(strings.Join(x.On, " and ")) + locationInParentheses(x.Error) + "\n")
		}
	}
	return b.String()
}

// hasDownstream reports whether something in the graph is made of a node.
func hasDownstream(l *lineage.Graph, id string) bool {
	return slices.ContainsFunc(l.Edges, func(x lineage.Edge) bool { return x.From == id })
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

func lineageNodeText(n lineage.Node) string {
	text := string(n.Kind) + " " + terminalSafeLine(n.Name)
	switch {
	case n.Query != "":
		text = "query of " + terminalSafeLine(n.Name)
	case n.Kind == lineage.KindField && len(n.Columns) > 0:
		text += " (" + terminalSafeLine(strings.Join(n.Columns, ", ")) + ")"
	case n.Kind == lineage.KindMeasure:
		text += " (" + n.Aggregate + ")"
	}
	return text + locationInParentheses(n.Error)
}

// lineageRelationText describes how a node is used, if that is not obvious.
func lineageRelationText(r lineage.EdgeRelation) string {
	switch r {
	case lineage.RelationFilters:
		return "filtered by "
	case lineage.RelationTimeAxis:
		return "along "
	case lineage.RelationPartitions:
		return "apart from "
	case lineage.RelationGrain:
		return "per "
	case lineage.RelationDatasetRows:
		return "rows of "
	case lineage.RelationSource, lineage.RelationContains, lineage.RelationReads, lineage.RelationAggregatesMeasure, lineage.RelationDerives, lineage.RelationJoins:
	}
	return ""
}

// lineageTableOfAllMetrics lists every metric with what it comes from.
func lineageTableOfAllMetrics(l *lineage.Graph) textTable {
	u := newUpstreamLineage(l)
	g := textTable{columns: []string{"metric", "made of", "fields", "tables"}}
	for _, n := range l.Nodes {
		if n.Kind != lineage.KindMetric {
			continue
		}
		var made []string
		for _, x := range u.into[n.ID] {
			if from := u.nodes[x.From]; from.Kind == lineage.KindMetric || from.Kind == lineage.KindMeasure {
				made = append(made, from.Name)
			}
		}
		reached := map[string]bool{}
		u.markUpstreamNodes(n.ID, reached)
		list := func(kind lineage.NodeKind) tableCell {
			var names []string
			for _, other := range l.Nodes {
				if other.Kind == kind && reached[other.ID] {
					names = append(names, other.Name)
				}
			}
			return newTextCell(strings.Join(names, ", "))
		}
		g.rows = append(g.rows, []tableCell{
			newTextCell(n.Name + locationInParentheses(n.Error)), newTextCell(strings.Join(made, ", ")), list(lineage.KindField), list(lineage.KindTable),
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
