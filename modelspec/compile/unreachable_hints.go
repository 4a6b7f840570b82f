package compile

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
)

// Hints in words must lead somewhere: a model that follows one has the fault no more.

// addJoinToSourceHint describes how rows of a dataset get a value of another.
func addJoinToSourceHint(d, other *catalog.Dataset) string {
	return fmt.Sprintf("make the source of %s a query that joins %s and selects the value, and declare that column as a field of %s", d.Name, other.Name, d.Name)
}

// unreachableFieldHint returns the hint for an expression over the rows of a dataset that names a field of another one
// to whose rows they do not lead.
func (c *compiler) unreachableFieldHint(own, other *catalog.Dataset) string {
	if c.cat.ReachesSafely(other, own) {
		return fmt.Sprintf("aggregate the rows of %s in a field of %s with an lod block, and name that field", other.Name, own.Name)
	}
	if rels, ok := c.cat.RelationshipsMissingTargetKeysOnOnlyPath(own, other, suggest.MaxCandidates); ok {
		return rels[0].KeyDeclarationHint()
	}
	return addJoinToSourceHint(own, other)
}

// hasOneDatasetPerTerm reports whether an expression is a sum or a difference of terms that each name
// fields of one dataset.
func (l *metricLowering) hasOneDatasetPerTerm(e sqlexpr.Expr) bool {
	if b, ok := e.(*sqlexpr.Binary); ok && (b.Op == sqlexpr.OpAdd || b.Op == sqlexpr.OpSub) {
		return l.hasOneDatasetPerTerm(b.L) && l.hasOneDatasetPerTerm(b.R)
	}
	var homes []*catalog.Dataset
	for _, column := range sqlexpr.ColumnReferences(e) {
		if ref, err := l.resolveArgumentName(column, nil); err == nil {
			homes = appendUnique(homes, ref.startDataset())
		}
	}
	return len(homes) == 1
}

// unreachableLODHint returns the hint for a level-of-detail field over a dataset that does not lead to
// the field's own.
func (c *compiler) unreachableLODHint(own, home *catalog.Dataset) string {
	if c.cat.ReachesSafely(own, home) {
		return fmt.Sprintf("leave the field out: a row of %s has one row of %s, whose fields a query of %s can name", own.Name, home.Name, own.Name)
	}
	if rels, ok := c.cat.RelationshipsMissingTargetKeysOnOnlyPath(home, own, suggest.MaxCandidates); ok {
		return rels[0].KeyDeclarationHint()
	}
	return fmt.Sprintf("declare a relationship from %s to %s that joins on a key of %s", home.Name, own.Name, own.Name)
}
