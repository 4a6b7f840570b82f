package window

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/grouping"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// matchWithLevels matches the branches on the group-bys, and adds the values of metrics at other levels.
func matchWithLevels(a *branch.Query, branches []*branch.Branch, slots []branch.Position, planned []grouping.Grouped, names *naming.Namer) *combine.Combined {
	if len(a.LevelTables) == 0 {
		return combine.Match(a, branches, slots, planned)
	}
	if !a.LevelsAreBranches {
		return joinLevelTables(a, combine.Match(a, branches, slots, planned), names)
	}
	out := combine.Match(a, branches, slots, addLevelBranches(planned, a.LevelTables, names))
	columns := map[int]int{}
	for i, u := range a.Cols.MeasureRefs {
		if u.Level != nil {
			columns[i] = out.FirstColumn(len(planned)+u.Level.Table) + u.Level.Value
		}
	}
	return out.WithWindows(out.Node, columns)
}

// addLevelBranches adds the tables to the branches, whose rows they have. The columns of the values get names that no other column has.
func addLevelBranches(planned []grouping.Grouped, tables []branch.LevelTable, names *naming.Namer) []grouping.Grouped {
	out := slices.Clip(planned)
	for _, t := range tables {
		node := *t.Node.(*plan.Aggregate)
		node.Measures = slices.Clone(node.Measures)
		for i := range node.Measures {
			node.Measures[i].Name = names.UniqueName(node.Measures[i].Name)
		}
		out = append(out, grouping.Grouped{Node: &node, Rows: -1})
	}
	return out
}

// joinLevelTables joins the tables to the rows of the branches. Each row finds at most one row of a table, and those of a table without
// keys find its only one.
func joinLevelTables(a *branch.Query, in *combine.Combined, names *naming.Namer) *combine.Combined {
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
			on := plan.JoinEquality{Left: build.DerivedColumn(rows, group), Right: build.DerivedColumn(table, key), NullSafe: true}
			on = sameTimes(on, rows.Schema()[group].Type, table.Schema()[key].Type)
			if w := t.Table.MovedBy; w != nil {
				switch {
				case group == w.AxisGroup:
					on.Left, on.NullSafe = bucketAtOffset(a, w, on.Left), false // without a bucket there is no value
				case a.In.BucketsOfAxis(a.Groups, t.Table.Inner.MeasureRefs[0].Axis).IsAttribute(group):
					continue // the other bucket has another one
				}
			}
			join.On = append(join.On, on)
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
	columns := map[int]int{}
	for i, u := range a.Cols.MeasureRefs {
		if u.Level != nil {
			columns[i] = values[u.Level.Table] + u.Level.Value
		}
	}
	return in.WithWindows(&plan.Project{Input: from, Cols: cols}, columns)
}

// sameTimes returns an equality in which a date or timestamp becomes what it meets, a timestamp or one of a zone: not every engine finds two types
// equal where NULL meets NULL.
func sameTimes(e plan.JoinEquality, left, right sqlexpr.Type) plan.JoinEquality {
	becomes := func(from, to sqlexpr.Type) bool {
		return from == sqlexpr.TypeDate && to.IsDateOrTimestamp() && to != from || from == sqlexpr.TypeTimestamp && to == sqlexpr.TypeTimestampTZ
	}
	switch {
	case becomes(left, right):
		e.Left = &sqlexpr.Cast{X: e.Left, To: sqlexpr.TypeName{Type: right}}
	case becomes(right, left):
		e.Right = &sqlexpr.Cast{X: e.Right, To: sqlexpr.TypeName{Type: left}}
	}
	return e
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
