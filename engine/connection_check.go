package engine

import (
	"context"
	"errors"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/coerce"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// ConnectionCheck is the result of CheckConnection.
type ConnectionCheck struct {
	Name    string
	Dialect string
	// Err is why no statement runs on the connection, nil when one did.
	Err error
	// Sources holds one entry for each dataset whose source was checked, in the order
	// of the model. It is empty if Err is set.
	Sources []SourceCheck
}

// SourceCheck is the result of the check of one dataset's source.
type SourceCheck struct {
	Dataset string
	Source  string // a table, or the text of a query
	Err     error  // nil where the source can be read
	// Caseless are the text fields whose values the warehouse compares without regard to
	// case: 'north' and 'North' are one group. Nothing is known of a source without rows.
	Caseless []string
}

// OK reports whether the connection works and all sources can be read.
func (c ConnectionCheck) OK() bool { return len(c.FailedSources()) == 0 && c.Err == nil }

// FailedSources lists the sources that cannot be read.
func (c ConnectionCheck) FailedSources() []SourceCheck {
	var out []SourceCheck
	for _, s := range c.Sources {
		if s.Err != nil {
			out = append(out, s)
		}
	}
	return out
}

// CheckConnection runs SELECT 1 on a connection, and a statement without rows on the
// source of each dataset. The name "" is the embedded database. The error is an
// *ExecuteError of code config when no connection has that name; what the
// warehouse rejects is in the result.
func (e *Engine) CheckConnection(ctx context.Context, name string) (c ConnectionCheck, err error) {
	defer e.recoverToError(&err)
	t, err := e.chooseCompileTarget("", name)
	if err != nil {
		return ConnectionCheck{}, err
	}
	c = ConnectionCheck{Name: name, Dialect: t.dialect.Name()}
	if c.Err = e.checkExecutable(t); c.Err != nil {
		return c, nil
	}
	db, err := e.executorOfTarget(ctx, t)
	if err == nil {
		err = drainStatement(ctx, db, "SELECT 1")
	}
	if err != nil {
		c.Err = e.toExecuteError(ctx, err)
		return c, nil
	}
	for _, d := range e.cat.Datasets {
		if d.Sequence != nil {
			continue // it has no source
		}
		s := SourceCheck{Dataset: d.Name, Source: d.Source.Text()}
		if err := checkDatasetSourceReadableByQuery(ctx, db, d, t); err != nil {
			s.Err = e.toExecuteError(ctx, err)
		} else {
			s.Caseless = fieldsComparedIgnoringCase(ctx, db, d, t)
		}
		c.Sources = append(c.Sources, s)
	}
	return c, nil
}

// checkDatasetSourceReadableByQuery runs a statement on the source of a dataset that reads no row of it.
func checkDatasetSourceReadableByQuery(ctx context.Context, db executor.Executor, d *catalog.Dataset, t compileTarget) error {
	sql, err := sqlemit.Emit(ctx, &plan.Project{
		Input: &plan.Filter{
			Input: &plan.Scan{Dataset: d.Name, Source: d.Source, Alias: d.Name},
			Conds: []sqlexpr.Expr{&sqlexpr.Bool{Value: false}},
		},
		Cols: []plan.NamedExpr{{Name: "one", Expr: &sqlexpr.Number{Text: "1"}, Type: sqlexpr.TypeInt}},
	}, t.dialect, sqlemit.FormatOptions{})
	if err != nil {
		return err
	}
	return drainStatement(ctx, db, sql)
}

// drainStatement runs a statement and reads its rows, to the last error that it may have.
func drainStatement(ctx context.Context, db executor.Executor, sql string) error {
	return forEachBatch(ctx, db, sql, nil, func(arrow.RecordBatch) {})
}

// forEachBatch runs a statement and hands its rows to read, as the types of the columns
// where they are given, else as the driver has them.
func forEachBatch(ctx context.Context, db executor.Executor, sql string, columns []planner.OutputColumn, read func(arrow.RecordBatch)) (err error) {
	rows, err := db.Query(ctx, sql)
	if err != nil {
		return err
	}
	if len(columns) > 0 {
		rows = coerce.CoerceRows(withPlanColumnNames(rows, columns), columnTypeHints(columns))
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	return executor.ReadBatches(ctx, rows, func(batch arrow.RecordBatch) error {
		read(batch)
		return nil
	})
}
