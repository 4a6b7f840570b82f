package importer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/draft"
)

// RelationshipPathTo returns the names of the relationships that lead from each row of a dataset to at most one
// row of another, nil where none do. A field behind them is a value of the rows of the first dataset. Several
// paths are an error.
func RelationshipPathTo(m *draft.Model, from, to string) ([]string, error) {
	s := pathSearch{model: m, to: to}
	s.visit(from, []string{from}, nil)
	switch {
	case s.found == 0:
		return nil, nil
	case s.found > 1:
		return nil, fmt.Errorf("several relationships lead from %s to %s", from, to)
	}
	for _, d := range m.Datasets { // a dataset comes before a relationship of its name
		if strings.EqualFold(d.Name, s.path[0]) {
			return nil, fmt.Errorf("the relationship %s from %s has the name of a table", s.path[0], from)
		}
	}
	return s.path, nil
}

// pathSearch counts the paths to a dataset, and keeps the first.
type pathSearch struct {
	model *draft.Model
	to    string
	found int
	path  []string
}

// visit follows the relationships of a dataset. Two paths are enough to know that there are several.
func (s *pathSearch) visit(at string, visited, path []string) {
	for _, r := range s.model.Relationships {
		leadsToOne := r.Cardinality != modelspec.ManyToMany
		if s.found > 1 || r.From != at || !leadsToOne || slices.Contains(visited, r.To) {
			continue
		}
		next := slices.Concat(path, []string{r.Name})
		if r.To == s.to {
			if s.found++; s.found == 1 {
				s.path = next
			}
			continue
		}
		s.visit(r.To, slices.Concat(visited, []string{r.To}), next)
	}
}

// RecordValuesOverNoRow records the fields that have a value without a row: where a left join finds none, another
// tool computes them over nulls, and here they are null, as the columns of a view are.
func (r *Report) RecordValuesOverNoRow(m *draft.Model, tool, dialect string) {
	joined := map[string]bool{}
	for _, e := range m.Relationships {
		joined[e.To] = joined[e.To] || e.JoinType != "inner"
	}
	for _, d := range m.Datasets {
		for _, f := range d.Fields {
			isGroupable := f.IsDimension == nil || *f.IsDimension
			if joined[d.Name] && isGroupable && f.LOD == nil && !IsNullForNullColumns(f, dialect) {
				r.recordApproximatedObject(FieldPath(d.Name, f.Name), "a row without a match in "+d.Name+" has no value, and in "+tool+" the value of its SQL over nulls")
			}
		}
	}
}
