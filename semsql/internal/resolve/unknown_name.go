package resolve

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/relations"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// newUnknownName returns a name that none of the sources has, with the columns that may be meant.
func (s *Scope) newUnknownName(text string, isMetric bool) *sqlerror.UnknownName {
	return &sqlerror.UnknownName{Text: text, IsMetric: isMetric, ColumnsOf: s.columnNamesShowingMetricOrField}
}

// columnNamesShowingMetricOrField names the columns of the sources that show a metric or a field, each name once. The columns of derived tables
// that choose their columns are not among them.
func (s *Scope) columnNamesShowingMetricOrField(m *catalog.Metric, f *catalog.Field) []string {
	var out []string
	for _, source := range s.Sources {
		if !source.keepsAllRelationColumns() {
			continue
		}
		for _, c := range findColumnsOfObject(source.Relation, m, f) {
			if !slices.Contains(out, c.Name) {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

// findColumnsOfObject lists the columns of a relation that show a metric or a field.
func findColumnsOfObject(r *relations.Relation, m *catalog.Metric, f *catalog.Field) []*relations.Column {
	name := ""
	switch {
	case m != nil:
		name = m.Name
	case f != nil:
		name = f.Name
	}
	return slices.DeleteFunc(slices.Clone(r.FindColumns(sqlexpr.Name{Text: name})), func(c *relations.Column) bool {
		return c.Metric != m || c.Field != f
	})
}
