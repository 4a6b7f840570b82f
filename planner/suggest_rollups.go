package planner

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// SuggestedRollup is a rollup as a model declares it.
type SuggestedRollup struct {
	Name     string             `json:"name"`
	Of       string             `json:"of"`
	Groups   []SuggestedGroup   `json:"group_by,omitempty"`
	Measures []SuggestedMeasure `json:"measures,omitempty"`
	Where    string             `json:"where,omitempty"`
}

// SuggestedGroup is a column that the rows of a rollup are grouped by.
type SuggestedGroup struct {
	Field  string `json:"field"`
	Grain  string `json:"grain,omitempty"`
	Column string `json:"column,omitempty"` // where the name that a query gives is taken
}

// SuggestedMeasure is a column of a rollup that holds an aggregate.
type SuggestedMeasure struct {
	Expression string `json:"expression"`
	Column     string `json:"column"`
}

// SuggestRollups returns rollups that serve branches with the needs, which queries over Target.Rollups with Needs report: one for each home, and
// further ones where branches drop different rows, or a measure has no value over several groups. Needs with a missing rule are left out.
func SuggestRollups(cat *catalog.Catalog, needs []plan.RollupNeed) []SuggestedRollup {
	var tables []*suggestedTable
	for _, n := range needs {
		if n.Missing != nil {
			continue
		}
		at := slices.IndexFunc(tables, func(t *suggestedTable) bool { return t.canServe(n) })
		if at < 0 {
			at, tables = len(tables), append(tables, &suggestedTable{RollupNeed: plan.RollupNeed{Home: n.Home, Exact: n.Exact, Where: n.Where, Inner: n.Inner}})
		}
		tables[at].add(n)
	}
	taken := map[string]bool{}
	for _, d := range cat.Datasets {
		taken[strings.ToLower(d.Name)] = true
	}
	for _, r := range cat.Rollups {
		taken[strings.ToLower(r.Name)] = true
	}
	out := make([]SuggestedRollup, len(tables))
	for i, t := range tables {
		out[i] = t.declare(uniqueName(taken, t.Home+"_rollup"))
	}
	return out
}

// suggestedTable is what branches of one home need together.
type suggestedTable struct {
	plan.RollupNeed
}

// canServe reports whether a table with what a branch needs besides serves the others too.
func (t *suggestedTable) canServe(n plan.RollupNeed) bool {
	if t.Home != n.Home || t.Exact != n.Exact || !slices.Equal(t.Where, n.Where) || !slices.Equal(t.Inner, n.Inner) {
		return false
	}
	return !t.Exact || len(t.Fields) == len(n.Fields) && !slices.ContainsFunc(n.Fields, func(f plan.RollupField) bool {
		return !slices.ContainsFunc(t.Fields, func(o plan.RollupField) bool { return o.Field == f.Field && slices.Equal(o.Grains, f.Grains) })
	})
}

// add adds what a branch needs: the union of the fields, each by the buckets that serve all branches, or by its values.
func (t *suggestedTable) add(n plan.RollupNeed) {
	for _, f := range n.Fields {
		at := slices.IndexFunc(t.Fields, func(o plan.RollupField) bool { return o.Field == f.Field })
		if at < 0 {
			f.Grains = slices.Clone(f.Grains)
			t.Fields = append(t.Fields, f)
			continue
		}
		t.Fields[at].Grains = slices.DeleteFunc(t.Fields[at].Grains, func(g sqlexpr.Grain) bool { return !slices.Contains(f.Grains, g) })
	}
	for _, m := range n.Measures {
		if !slices.ContainsFunc(t.Measures, func(o plan.RollupMeasure) bool { return o.Expression == m.Expression }) {
			t.Measures = append(t.Measures, m)
		}
	}
}

// declare returns the declaration of the table, with the coarsest of the buckets that serve.
func (t *suggestedTable) declare(name string) SuggestedRollup {
	out := SuggestedRollup{Name: name, Of: t.Home}
	taken := map[string]bool{}
	for _, f := range t.Fields {
		g := SuggestedGroup{Field: f.Field}
		column := f.Column
		if len(f.Grains) > 0 {
			g.Grain = f.Grains[len(f.Grains)-1].String()
			column += "__" + g.Grain
		}
		if unique := uniqueName(taken, column); unique != column {
			g.Column = unique
		}
		out.Groups = append(out.Groups, g)
	}
	for _, m := range t.Measures {
		out.Measures = append(out.Measures, SuggestedMeasure{m.Expression, uniqueName(taken, m.Column)})
	}
	conds := make([]string, len(t.Where))
	for i, w := range t.Where {
		conds[i] = "(" + w + ")"
	}
	out.Where = strings.Join(conds, " AND ")
	return out
}

// uniqueName returns a name that is not taken, numbered where it has to be, and takes it.
func uniqueName(taken map[string]bool, name string) string {
	out := name
	for n := 2; taken[strings.ToLower(out)]; n++ {
		out = name + "_" + strconv.Itoa(n)
	}
	taken[strings.ToLower(out)] = true
	return out
}
