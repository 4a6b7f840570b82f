package catalog

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Rollup is a table that holds an aggregation of the rows of one dataset: a row for each distinct combination of its groups.
type Rollup struct {
	modelspec.Place // of its object in the payload

	ID          int // index in Catalog.Rollups
	Name        string
	Of          *Dataset // the home of its measures
	Source      sqlexpr.DatasetTableOrQuery
	SourceText  string // as the model writes it, or the name
	Groups      []RollupGroup
	Measures    []RollupMeasure
	Where       []RollupCondition // all of which the rows of the table meet
	WhereText   string
	AsOf        sqlexpr.Expr // an aggregate over columns of the table; nil when not declared
	AsOfText    string
	MaxAge      int64    // seconds; 0 when not declared
	Rows        int64    // about how many the table has; 0 when not declared
	Connections []string // nil: all
	Local       bool     // the table is in a local file, not on the connection
	Refresh     *RollupRefresh
	Description string
}

// RollupGroup is a column of a rollup by which its rows are grouped.
type RollupGroup struct {
	Field  *Field // of the home, or a joined field of it
	Text   string // as the model writes the field
	Grain  sqlexpr.Grain
	Column string
}

// RollupMeasure is a column of a rollup that holds a measure.
type RollupMeasure struct {
	Measure *Measure
	Text    string // the expression that the model writes, or the name of the measure
	Named   bool   // Text is the name of the measure
	Column  string
}

// RollupCondition is one of the conditions of a rollup's rows, over Ref{Field.ID} of its home.
type RollupCondition struct {
	Text string
	Expr sqlexpr.Expr
}

// RollupRefresh is how the table of a rollup is built again.
type RollupRefresh struct {
	Partition sqlexpr.Grain // GrainNone: the table is built whole
	Group     int           // the group that carries the partition; -1 without one
	Lookback  int
	Fresh     bool
	Indexes   [][]string
}

// Path returns the path of relationships to the field of the group; nil for a field of the home.
func (g RollupGroup) Path() []JoinStep {
	if g.Field.Joined == nil {
		return nil
	}
	return g.Field.Joined.Path
}

// IsRaw reports whether the column holds the values of the field as they are: without a grain, or a Date by day.
func (g RollupGroup) IsRaw() bool {
	f := g.Field.SourceField()
	return g.Grain == sqlexpr.GrainNone || g.Grain == sqlexpr.GrainDay && f.Type == sqlexpr.TypeDate && f.Encoding == nil
}

// Store returns where the table is, as the model writes it: connection or local.
func (r *Rollup) Store() string {
	if r.Local {
		return "local"
	}
	return "connection"
}

// IsOn reports whether the rollup is one of a connection.
func (r *Rollup) IsOn(connection string) bool {
	return r.Connections == nil || slices.Contains(r.Connections, connection)
}

// Columns lists the columns of the table that the model declares: those of the groups, then those of the measures.
func (r *Rollup) Columns() []string {
	out := make([]string, 0, len(r.Groups)+len(r.Measures))
	for _, g := range r.Groups {
		out = append(out, g.Column)
	}
	for _, m := range r.Measures {
		out = append(out, m.Column)
	}
	return out
}

// RollupsOf lists the rollups whose measures aggregate the rows of a dataset, in the order of the model.
func (c *Catalog) RollupsOf(home *Dataset) []*Rollup {
	if len(c.Rollups) == 0 || c.rollupsByHome[home.ID] == nil {
		return nil
	}
	return c.rollupsByHome[home.ID].list
}

// rollupsOfHome are the rollups whose measures aggregate the rows of one dataset.
type rollupsOfHome struct {
	list        []*Rollup
	fields      map[*Field][]RollupsByGrain // by the field at the end of the path
	measures    []RollupsByMeasure
	conditional RollupSet
}

// RollupsByGrain are the rollups of a dataset that have a group of one field with a grain: GrainNone where the column holds the values.
type RollupsByGrain struct {
	Grain sqlexpr.Grain
	By    RollupSet
}

// RollupsByMeasure are the rollups of a dataset that have a column of a measure.
type RollupsByMeasure struct {
	Measure *Measure
	By      RollupSet
}

// RollupSet has a bit for each of RollupsOf, by its index.
type RollupSet []uint64

// Has reports whether the set has a rollup, by its index in RollupsOf.
func (s RollupSet) Has(i int) bool { return s.Word(i/64)&(1<<(i%64)) != 0 }

// Word returns the bits of 64 rollups, of which the first has the index 64*i.
func (s RollupSet) Word(i int) uint64 {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// with returns the set with a rollup, by its index in RollupsOf.
func (s RollupSet) with(i int) RollupSet {
	for len(s) <= i/64 {
		s = append(s, 0)
	}
	s[i/64] |= 1 << (i % 64)
	return s
}

// RollupsHolding returns the rollups of a dataset that have a group of a field by any path, by the grain of the group.
func (c *Catalog) RollupsHolding(home *Dataset, f *Field) []RollupsByGrain {
	if of := c.rollupsByHome[home.ID]; of != nil {
		return of.fields[f]
	}
	return nil
}

// MeasuresOfRollups lists the measures of which the rollups of a dataset have columns, each once.
func (c *Catalog) MeasuresOfRollups(home *Dataset) []RollupsByMeasure {
	if of := c.rollupsByHome[home.ID]; of != nil {
		return of.measures
	}
	return nil
}

// RollupsWithConditions returns the rollups of a dataset that do not hold all its rows.
func (c *Catalog) RollupsWithConditions(home *Dataset) RollupSet {
	if of := c.rollupsByHome[home.ID]; of != nil {
		return of.conditional
	}
	return nil
}

// Rollup finds a rollup by its exact name; nil when there is none.
func (c *Catalog) Rollup(name string) *Rollup {
	for _, r := range c.Rollups {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// AddRollup adds a rollup. Only compilers call it.
func (c *Catalog) AddRollup(r *Rollup) {
	if c.rollupsByHome == nil {
		c.rollupsByHome = map[int]*rollupsOfHome{}
	}
	r.ID = len(c.Rollups)
	c.Rollups = append(c.Rollups, r)
	of := c.rollupsByHome[r.Of.ID]
	if of == nil {
		of = &rollupsOfHome{fields: map[*Field][]RollupsByGrain{}}
		c.rollupsByHome[r.Of.ID] = of
	}
	of.add(r)
}

func (of *rollupsOfHome) add(r *Rollup) {
	id := len(of.list)
	for _, g := range r.Groups {
		f, grain := g.Field.SourceField(), g.Grain
		if g.IsRaw() {
			grain = sqlexpr.GrainNone
		}
		at := slices.IndexFunc(of.fields[f], func(held RollupsByGrain) bool { return held.Grain == grain })
		if at < 0 {
			at = len(of.fields[f])
			of.fields[f] = append(of.fields[f], RollupsByGrain{Grain: grain})
		}
		of.fields[f][at].By = of.fields[f][at].By.with(id)
	}
	for _, m := range r.Measures {
		at := slices.IndexFunc(of.measures, func(held RollupsByMeasure) bool { return held.Measure == m.Measure })
		if at < 0 {
			at = len(of.measures)
			of.measures = append(of.measures, RollupsByMeasure{Measure: m.Measure})
		}
		of.measures[at].By = of.measures[at].By.with(id)
	}
	if len(r.Where) > 0 {
		of.conditional = of.conditional.with(id)
	}
	of.list = append(of.list, r)
}
