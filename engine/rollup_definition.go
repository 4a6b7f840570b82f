package engine

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/sqlemit"
)

// RollupDefinition is a request for the SQL that makes the table of a rollup.
type RollupDefinition struct {
	Name    string
	Dialect string // "" for that of the connection, else duckdb
	// Connection is the profile whose dialect is meant; "" for none.
	Connection string
	// SelectOnly leaves out what creates the table.
	SelectOnly bool
	Pretty     bool
}

// RollupSQL returns the statement that makes the table of a rollup from the base tables, planned as a metric query. The error is a *planerr.Error,
// of code unknown_rollup for a name that the model does not have.
func (e *Engine) RollupSQL(ctx context.Context, d RollupDefinition) (sql string, err error) {
	if err := e.checkSeesSQL(); err != nil {
		return "", err
	}
	r, err := e.rollupNamed(d.Name)
	if err != nil {
		return "", err
	}
	t, err := e.chooseCompileTarget(d.Dialect, d.Connection)
	if err != nil {
		return "", err
	}
	defer e.recoverToError(&err)
	planned, err := e.planner.PlanRollup(ctx, r, t.planner)
	if err != nil {
		return "", e.toPlanError(ctx, err)
	}
	c, err := e.printPlanAsSQL(ctx, planned, t, d.Pretty, "")
	if err != nil || d.SelectOnly {
		if c == nil {
			return "", err
		}
		return c.sql, err
	}
	return sqlemit.CreateTableAs(e.rollupTarget(t).TableOf(r.Name, r.Source), c.sql, t.dialect, sqlemit.FormatOptions{Pretty: d.Pretty}), nil
}

// rollupNamed finds a rollup. The error is a *planerr.Error of code unknown_rollup.
func (e *Engine) rollupNamed(name string) (*catalog.Rollup, error) {
	if r := e.cat.Rollup(name); r != nil {
		return r, nil
	}
	names := make([]string, len(e.cat.Rollups))
	for i, o := range e.cat.Rollups {
		names[i] = o.Name
	}
	return nil, &planerr.Error{
		Code: planerr.CodeUnknownRollup, Message: "the model has no rollup named " + planerr.ClipText(name),
		Candidates: suggest.Nearest(name, names, suggest.MaxCandidates),
	}
}
