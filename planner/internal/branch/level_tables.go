package branch

import (
	"maps"
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// LevelTable is a planned table of a metric at another level: a row for each group of the group-bys that it keeps. Its columns are
// these, the level where it has several, and the values. Without a node no column reads it.
type LevelTable struct {
	Table *measure.LevelTable
	Node  plan.Node
	// Levels gives for each level of the query the level of its rows; nil where the table has one level.
	Levels []int
}

// CanLevelsBeBranches reports whether the tables of metrics at other levels have the rows of the query themselves, as its branches
// do: their groups are those of the query, and so are their conditions. Otherwise the rows of the query are those of its branches,
// which the tables are joined to.
func CanLevelsBeBranches(a *Query) bool {
	if a.Top != nil || a.GapFill != nil || a.Compare != nil || a.Levels.HasSeveralLevels() && a.Levels.LevelOfGroupSet(nil) >= 0 {
		return false
	}
	isWindow := func(u *measure.Ref) bool { return u.Window != nil }
	isOther := func(t *measure.LevelTable) bool { return !t.KeepsAll || t.IsUnfiltered() || len(t.Added) == 0 }
	return !slices.ContainsFunc(a.Cols.MeasureRefs, isWindow) && !slices.ContainsFunc(a.Cols.LevelTables, isOther)
}

// addLevelBranches adds the tables to the branches, whose rows they have. The column of each value gets a name of its own.
func addLevelBranches(planned []Grouped, tables []LevelTable, names *naming.Namer) []Grouped {
	out := slices.Clip(planned)
	for _, t := range tables {
		node := *t.Node.(*plan.Aggregate)
		node.Measures = slices.Clone(node.Measures)
		for i := range node.Measures {
			node.Measures[i].Name = names.UniqueName(node.Measures[i].Name)
		}
		out = append(out, Grouped{Node: &node, Rows: -1})
	}
	return out
}

// MatchWithLevels matches the branches and adds the values of metrics at other levels.
func MatchWithLevels(a *Query, branches []*Branch, slots []Position, planned []Grouped, names *naming.Namer) *Combined {
	if len(a.LevelTables) == 0 {
		return Match(a, branches, slots, planned)
	}
	if a.LevelsAreBranches {
		first := len(planned)
		out := Match(a, branches, slots, addLevelBranches(planned, a.LevelTables, names))
		columns := map[int]int{}
		for i, u := range a.Cols.MeasureRefs {
			if u.Level != nil {
				columns[i] = out.first[first+u.Level.Table] + u.Level.Value
			}
		}
		out.windows = columns
		return out
	}
	return joinLevelTables(a, Match(a, branches, slots, planned), names)
}

// joinLevelTables joins the tables to the rows of the branches. Each row finds at most one row of a table, and those of a table without
// keys find its only one.
func joinLevelTables(a *Query, in *Combined, names *naming.Namer) *Combined {
	rows := &plan.Derived{Input: in.Node, Alias: "level_rows", Why: "at"}
	cols := build.DerivedColumns(rows)
	var from plan.Node = rows
	values := make([]int, len(a.LevelTables)) // the index of the first column of each table
	for i, t := range a.LevelTables {
		if t.Node == nil {
			continue
		}
		table := &plan.Derived{Input: t.Node, Alias: names.UniqueName("at_" + t.Table.Metric.Name), Why: "at"}
		join := &plan.Join{Left: from, Right: table, Kind: plan.LeftJoin, Cardinality: "one row per group"}
		for key, group := range t.Table.Kept {
			join.On = append(join.On, plan.JoinEquality{Left: build.DerivedColumn(rows, group), Right: build.DerivedColumn(table, key), NullSafe: true})
		}
		keys := len(t.Table.Kept)
		if t.Levels != nil {
			join.On = append(join.On, plan.JoinEquality{Left: levelOfTable(build.DerivedColumn(rows, len(a.Groups)), t.Levels), Right: build.DerivedColumn(table, keys)})
			keys++
		}
		if len(join.On) == 0 {
			join.Kind = plan.InnerJoin
		}
		from, values[i] = join, len(cols)
		for at := keys; at < len(table.Schema()); at++ {
			c := table.Schema()[at]
			cols = append(cols, plan.NamedExpr{Name: names.UniqueName(c.Name), Expr: build.DerivedColumn(table, at), Type: c.Type})
		}
	}
	columns := maps.Clone(in.windows)
	if columns == nil {
		columns = map[int]int{}
	}
	for i, u := range a.Cols.MeasureRefs {
		if u.Level != nil {
			columns[i] = values[u.Level.Table] + u.Level.Value
		}
	}
	out := *in.WithRows(&plan.Project{Input: from, Cols: cols})
	out.windows, out.lacksLevels = columns, true
	return &out
}

// levelOfTable returns the level of a table that a level of the query has.
func levelOfTable(level sqlexpr.Expr, levels []int) sqlexpr.Expr {
	same := true
	out := &sqlexpr.Case{}
	for of, in := range levels {
		same = same && of == in
		out.Whens = append(out.Whens, sqlexpr.When{Cond: &sqlexpr.Binary{Op: sqlexpr.OpEq, L: level, R: build.Integer(of)}, Then: build.Integer(in)})
	}
	if same {
		return level
	}
	return out
}
