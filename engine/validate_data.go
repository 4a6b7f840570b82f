package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/semlayer/semlayer/engine/datacheck"
	"github.com/semlayer/semlayer/modelspec"
)

// ValidateData validates the model of c, and checks it against the data of a connection: the sources,
// columns and types, the keys, the relationships, the formats of time fields, and the SQL of metrics.
// The connection "" is the embedded database. Its findings are among the issues.
//
// A model with structural errors is not compared with data; the field DataChecked of the result is then
// false. The check only reads, and runs one statement after another.
//
// Beyond the errors of Open there is an *ExecuteError where the warehouse cannot be reached, and an
// error for a code of o.Skip that is not known.
func ValidateData(ctx context.Context, c Config, connection string, o datacheck.Options) (*Validation, error) {
	if err := o.RejectUnknownSkipCodes(); err != nil {
		return nil, err
	}
	doc, text, err := readModelDocument(c)
	if v := validationOfLoadError(err); v != nil {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	v, err := validateDocument(ctx, doc, c.Basic)
	if err != nil || modelspec.HasErrors(v.Issues) || doc.CheckSingleModel() != nil {
		return v, err
	}
	c.ModelText = text // so that the file is read once
	e, err := Open(ctx, c)
	if err != nil {
		return nil, err
	}
	found, err := e.checkData(ctx, doc, connection, o)
	if err := errors.Join(err, e.Close()); err != nil {
		return nil, err
	}
	v.DataChecked = true
	v.Issues = append(v.Issues, found...)
	slices.SortStableFunc(v.Issues, func(a, b modelspec.Issue) int { return a.Position.Compare(b.Position) })
	v.Valid = v.Valid && !modelspec.HasErrors(found)
	return v, nil
}

// checkData checks a document, which is the one that the engine serves, against the data of a connection.
func (e *Engine) checkData(ctx context.Context, doc *modelspec.Document, connection string, o datacheck.Options) (found []modelspec.Issue, err error) {
	defer e.recoverToError(&err)
	t, err := e.chooseCompileTarget("", connection)
	if err != nil {
		return nil, err
	}
	if err := e.checkExecutable(t); err != nil {
		return nil, err
	}
	db, err := e.executorOfTarget(ctx, t)
	if err == nil {
		err = drainStatement(ctx, db, "SELECT 1")
	}
	if err != nil {
		return nil, e.toExecuteError(ctx, err)
	}
	found, err = datacheck.CheckData(ctx, datacheck.ModelAndWarehouse{
		Document: doc, Catalog: e.cat, Planner: e.planner, Target: t.planner, Dialect: t.dialect, DB: db, Basic: e.config.Basic,
	}, o)
	if err != nil {
		return nil, e.toExecuteError(ctx, err)
	}
	return found, nil
}
