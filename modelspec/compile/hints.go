package compile

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// Hints in words must lead somewhere: a model that follows one has the fault no more.
// A field cannot name a field of another dataset, so where a value of a parent is
// needed row by row, the source of the dataset has to select it.

// sourceHint describes how rows of a dataset get a value of another.
func sourceHint(d, other *catalog.Dataset) string {
	return fmt.Sprintf("make the source of %s a query that joins %s and selects the value, and declare that column as a field of %s", d.Name, other.Name, d.Name)
}

// foreignFieldHint is for a field whose expression names a field of another dataset.
func (c *compiler) foreignFieldHint(own, other *dataset) string {
	if c.reachesDataset(other, own) {
		return fmt.Sprintf("aggregate the rows of %s and give the field an lod block with the grain that they add up to", other.cat.Name)
	}
	return sourceHint(own.cat, other.cat) + ", or name the field of " + other.cat.Name + " in the query"
}

// reachesDataset reports whether relationships lead from one dataset to another, each to one row
// at most. It reads the document: fields expand before the join graph exists.
func (c *compiler) reachesDataset(from, to *dataset) bool {
	seen := map[*dataset]bool{from: true}
	for open := []*dataset{from}; len(open) > 0; open = open[1:] {
		for _, doc := range c.model.Relationships {
			a, b := c.byName[foldCase(doc.From.Value)], c.byName[foldCase(doc.To.Value)]
			if a != open[0] || b == nil || seen[b] {
				continue
			}
			switch inferCardinality(doc, a.doc, b.doc, doc.DeclaredCardinality(c.Basic)) {
			case catalog.ManyToOne, catalog.OneToOne:
				seen[b] = true
				open = append(open, b)
			}
		}
	}
	return seen[to]
}

// mixedHint is for an aggregate over fields of several datasets.
func (l *metricLowering) mixedHint(call *sqlexpr.Call, homes []*dataset) string {
	if call.Fn == sqlexpr.FnSum && l.isSumByDataset(call.Args[0]) {
		return "split it into one aggregate per dataset"
	}
	for _, d := range homes {
		for _, other := range homes {
			if d != other && l.cat.Reaches(d.cat, other.cat) {
				return sourceHint(d.cat, other.cat) + ", which the metric aggregates"
			}
		}
	}
	return sourceHint(homes[0].cat, homes[1].cat) + ", which the metric aggregates"
}

// isSumByDataset reports whether an expression is a sum or a difference of terms that each name
// fields of one dataset.
func (l *metricLowering) isSumByDataset(e sqlexpr.Expr) bool {
	if b, ok := e.(*sqlexpr.Binary); ok && (b.Op == sqlexpr.OpAdd || b.Op == sqlexpr.OpSub) {
		return l.isSumByDataset(b.L) && l.isSumByDataset(b.R)
	}
	var homes []*dataset
	sqlexpr.Walk(e, func(n sqlexpr.Expr) bool {
		if column, ok := n.(*sqlexpr.Column); ok {
			if f, err := l.argumentField(column); err == nil {
				homes = appendUnique(homes, f.ds)
			}
		}
		return true
	})
	return len(homes) == 1
}

// unreachedHint is for a level-of-detail field over a dataset that does not lead to
// the field's own.
func (c *compiler) unreachedHint(own, home *catalog.Dataset) string {
	if c.cat.Reaches(own, home) {
		return fmt.Sprintf("leave the field out: a row of %s has one row of %s, whose fields a query of %s can name", own.Name, home.Name, own.Name)
	}
	if rels, ok := c.cat.PathsWithoutKeys(home, own, suggest.Limit); ok {
		return rels[0].KeyHint()
	}
	return fmt.Sprintf("declare a relationship from %s to %s that joins on a key of %s", home.Name, own.Name, own.Name)
}
