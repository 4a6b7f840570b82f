package engine

import (
	"context"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
)

// columnKind is what a column holds, as far as values of two kinds do not compare, or compare in another order. It is the word of messages.
type columnKind string

// The kinds. Truth values are numbers on some engines, and days are midnights in some tables.
const (
	kindNumbers columnKind = "numbers"
	kindTexts   columnKind = "texts"
	kindTimes   columnKind = "times"
)

// kindOfDatatype returns the kind of a column; "" where its type does not determine it.
func kindOfDatatype(d modelspec.Datatype) columnKind {
	switch d {
	case modelspec.DatatypeInteger, modelspec.DatatypeDecimal, modelspec.DatatypeFloat, modelspec.DatatypeBoolean:
		return kindNumbers
	case modelspec.DatatypeString:
		return kindTexts
	case modelspec.DatatypeDate, modelspec.DatatypeDateTime, modelspec.DatatypeDateTimeTz:
		return kindTimes
	}
	return ""
}

// RetypedColumn is a column of the table of a rollup that holds another kind of values than the base tables give.
type RetypedColumn struct {
	Column string `json:"column"`
	Stored string `json:"stored"` // numbers, texts or times
	Base   string `json:"base"`
}

func (c RetypedColumn) String() string {
	return "column " + c.Column + " holds " + c.Stored + " where the base tables give " + c.Base
}

// retypedColumns lists the columns of a table that hold other kinds than wanted ones; both are in the order of the names. A kind that is not known
// is that of the other.
func retypedColumns(names []string, stored, wanted []columnKind) []RetypedColumn {
	var out []RetypedColumn
	for i, name := range names {
		if i < len(stored) && i < len(wanted) && stored[i] != "" && wanted[i] != "" && stored[i] != wanted[i] {
			out = append(out, RetypedColumn{name, string(stored[i]), string(wanted[i])})
		}
	}
	return out
}

// kindsOfResult lists the kinds of the columns of a result, as the warehouse reports them. One whose columns hold any type reports none.
func kindsOfResult(r *Result, t compileTarget) []columnKind {
	out := make([]columnKind, len(r.Datatypes))
	if t.dialect.Capabilities().AnyColumnType {
		return out
	}
	for i, d := range r.Datatypes {
		out[i] = kindOfDatatype(modelspec.Datatype(d))
	}
	return out
}

// kindsOfBaseTables runs a statement that lists the kinds of the columns of a rollup, as the base tables give them to the whole model.
func (e *Engine) kindsOfBaseTables(ctx context.Context, r *catalog.Rollup, t compileTarget, run func(context.Context, *compiledQuery) (*Result, error)) ([]columnKind, error) {
	whole := e.definitions.Catalog
	planned, err := planner.New(whole).PlanEmptyRollup(ctx, whole.Rollup(r.Name), t.planner)
	if err != nil {
		return nil, e.toPlanError(ctx, err)
	}
	c, err := e.printPlanAsSQL(ctx, planned, t, false, "")
	if err != nil {
		return nil, err
	}
	result, err := run(ctx, &compiledQuery{target: t, sql: c.sql})
	if err != nil {
		return nil, err
	}
	return kindsOfResult(result, t), nil
}
