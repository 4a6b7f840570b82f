package describe

import (
	"cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Rollup describes a table of aggregations.
type Rollup struct {
	Name        string          `json:"name"`
	Of          string          `json:"of"`
	Source      string          `json:"source"`
	Store       string          `json:"store"` // connection or local
	GroupBy     []RollupGroup   `json:"group_by"`
	Measures    []RollupMeasure `json:"measures"`
	Where       string          `json:"where,omitempty"`
	Rows        int64           `json:"rows,omitempty"`
	MaxAge      int64           `json:"max_age,omitempty"`
	Description string          `json:"description,omitempty"`
	// States are what was last read of its table, on each connection.
	States []RollupState `json:"states"`
}

// RollupState is what was last read of the table of a rollup on a connection.
type RollupState struct {
	Connection string `json:"connection"` // "" for the embedded database
	Available  bool   `json:"available"`
	// Definition is whether the table was made by the definition of the model: current, changed or unknown.
	Definition string `json:"definition"`
	AsOf       string `json:"as_of,omitempty"` // nothing in the table is older; "" where that is not known
}

// Whether a table was made by the definition of the model.
const (
	RollupDefinitionCurrent = "current"
	RollupDefinitionChanged = "changed" // by another one: no query reads the table
	RollupDefinitionUnknown = "unknown" // nothing records how it was made
)

// RollupGroup describes a column that the rows of a rollup are grouped by.
type RollupGroup struct {
	Field  string `json:"field"`
	Grain  string `json:"grain,omitempty"`
	Column string `json:"column"`
}

// RollupMeasure describes a column that holds an aggregate.
type RollupMeasure struct {
	Measure string `json:"measure"`
	Column  string `json:"column"`
	// Combines is the aggregate that makes the value of several groups from theirs: sum, min or max, or
	// same_groups where none does.
	Combines string `json:"combines"`
}

// Rollups lists the rollups without an error in the order of the model.
func (d *Describer) Rollups() []Rollup {
	out := []Rollup{}
	for _, r := range d.catalog.Rollups {
		info := Rollup{
			Name: r.Name, Of: r.Of.Name, Store: r.Store(), GroupBy: []RollupGroup{}, Measures: []RollupMeasure{}, States: []RollupState{},
			Where: r.WhereText, Rows: r.Rows, MaxAge: r.MaxAge, Description: r.Description,
		}
		if !d.hidesSources {
			info.Source = r.Source.Text()
		}
		for _, g := range r.Groups {
			group := RollupGroup{Field: g.Text, Column: g.Column}
			if g.Grain != sqlexpr.GrainNone {
				group.Grain = g.Grain.String()
			}
			info.GroupBy = append(info.GroupBy, group)
		}
		for _, m := range r.Measures {
			info.Measures = append(info.Measures, RollupMeasure{m.Measure.Name, m.Column, aggregateOfGroups(m.Measure.Agg)})
		}
		out = append(out, info)
	}
	return out
}

// aggregateOfGroups returns what combines the values of groups.
func aggregateOfGroups(a catalog.Agg) string {
	return cmp.Or(a.FunctionOfGroups().String(), "same_groups")
}
