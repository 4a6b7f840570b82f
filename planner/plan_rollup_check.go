package planner

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// The columns of PlanRollupCheck beside the groups.
const (
	RollupStoredRows   = "stored_rows" // rows of the table
	RollupBaseRows     = "base_rows"   // 1; NULL for a group that the base tables do not have
	RollupStoredPrefix = "stored "     // before the column of a measure: its value in the table
	RollupBasePrefix   = "base "       // its value over the base tables
)

// MaxRollupDifferences is how many groups PlanRollupCheck has at most.
const MaxRollupDifferences = 10

// PlanRollupCheck plans the groups in which the table of a rollup differs from the base tables: a group of one of the two alone, a group in several
// rows, or another value. Numbers of Float are equal within a billionth.
func (p *Planner) PlanRollupCheck(ctx context.Context, r *catalog.Rollup, t Target) (*Planned, error) {
	table := r.Source
	if t.Rollups != nil {
		table = t.Rollups.TableOf(r.Name, r.Source)
	}
	q := queryOfRollup(r)
	q.OrderBy = nil
	planned, err := p.planRollup(ctx, r, q, t)
	if err != nil {
		return nil, err
	}
	columns, keys := planned.Root.Schema(), len(r.Groups)
	stored := &plan.Aggregate{Input: &plan.Scan{Dataset: r.Of.Name, Source: table, Alias: r.Name, Rollup: r.Name}, Home: r.Of.Name, Why: "check"}
	base := &plan.Project{Input: planned.Root}
	for i, c := range columns {
		column := sqlexpr.NewTwoPartColumn(r.Name, sqlexpr.Name{Text: c.Name, Quoted: true})
		if i < keys {
			stored.Keys = append(stored.Keys, plan.NamedExpr{Name: c.Name, Expr: column, Type: c.Type})
			base.Cols = append(base.Cols, plan.NamedExpr{Name: c.Name, Expr: &sqlexpr.Ref{ID: i}, Type: c.Type})
			continue
		}
		value, err := sqlexpr.NewCall(sqlexpr.CallParts{Name: sqlexpr.Name{Text: "MAX"}, Args: []sqlexpr.Expr{column}})
		if err != nil {
			return nil, err
		}
		stored.Measures = append(stored.Measures, plan.NamedExpr{Name: RollupStoredPrefix + c.Name, Expr: value, Type: c.Type})
		base.Cols = append(base.Cols, plan.NamedExpr{Name: RollupBasePrefix + c.Name, Expr: &sqlexpr.Ref{ID: i}, Type: c.Type})
	}
	count, err := sqlexpr.Parse("COUNT(*)")
	if err != nil {
		return nil, err
	}
	stored.Measures = append(stored.Measures, plan.NamedExpr{Name: RollupStoredRows, Expr: count, Type: sqlexpr.TypeInt})
	base.Cols = append(base.Cols, plan.NamedExpr{Name: RollupBaseRows, Expr: &sqlexpr.Number{Text: "1"}, Type: sqlexpr.TypeInt})
	both := &plan.Combine{Branches: []plan.Node{stored, base}, Keys: keys, Zero: make([]bool, 2*len(stored.Measures))}
	schema := both.Schema()
	cond := differencesOfRollup(schema, keys, len(stored.Measures)-1)
	out := &Planned{Root: &plan.Limit{N: MaxRollupDifferences, Input: &plan.Project{Input: &plan.Filter{Input: both, Conds: []sqlexpr.Expr{cond}, Why: "check"}, Cols: schema.ColumnRefs()}}}
	for _, c := range schema {
		out.Columns = append(out.Columns, OutputColumn{Name: c.Name, Type: c.Type})
	}
	return out, nil
}

// differencesOfRollup returns the condition that a group differs. The columns are the groups, the values and the number of rows of the table, then
// the values and the row over the base tables.
func differencesOfRollup(schema plan.Schema, keys, measures int) sqlexpr.Expr {
	ref := func(i int) sqlexpr.Expr { return &sqlexpr.Ref{ID: i} }
	or := func(l, r sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.Binary{Op: sqlexpr.OpOr, L: l, R: r} }
	rows, baseRow := keys+measures, len(schema)-1
	out := or(or(&sqlexpr.IsNull{X: ref(rows)}, &sqlexpr.IsNull{X: ref(baseRow)}), &sqlexpr.Binary{Op: sqlexpr.OpNe, L: ref(rows), R: &sqlexpr.Number{Text: "1"}})
	for i := range measures {
		l, r := keys+i, rows+1+i
		out = or(out, differs(ref(l), ref(r), schema[l].Type))
		out = or(out, sqlexpr.And(&sqlexpr.IsNull{X: ref(l)}, &sqlexpr.IsNull{X: ref(r), Not: true}))
		out = or(out, sqlexpr.And(&sqlexpr.IsNull{X: ref(l), Not: true}, &sqlexpr.IsNull{X: ref(r)}))
	}
	return out
}

// differs returns the condition that two values of a type differ, neither of which is NULL.
func differs(l, r sqlexpr.Expr, typ sqlexpr.Type) sqlexpr.Expr {
	if typ != sqlexpr.TypeFloat {
		return &sqlexpr.Binary{Op: sqlexpr.OpNe, L: l, R: r}
	}
	abs := func(x sqlexpr.Expr) sqlexpr.Expr {
		return &sqlexpr.Call{Fn: sqlexpr.FnAbs, Name: sqlexpr.Name{Text: "ABS"}, Args: []sqlexpr.Expr{x}}
	}
	sum := &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: abs(l), R: abs(r)}
	most := &sqlexpr.Binary{Op: sqlexpr.OpMul, L: &sqlexpr.Number{Text: "0.000000001"}, R: sum}
	return &sqlexpr.Binary{Op: sqlexpr.OpGt, L: abs(&sqlexpr.Binary{Op: sqlexpr.OpSub, L: l, R: r}), R: most}
}
