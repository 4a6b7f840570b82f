package sqlemit

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// FormatOptions choose the form of the text, never its meaning.
type FormatOptions struct {
	// Pretty breaks the text into indented lines; the tokens stay the same.
	Pretty bool
}

// maxStatementBytes bounds the text of one statement in bytes. A few functions have to
// name an argument twice in some dialects; nested a hundred deep by a hostile
// query they would double a hundred times.
const maxStatementBytes = limits.StatementBytes

// Emit prints the plan as one SQL statement without a final semicolon. It stops when
// ctx ends, with the error of ctx; any other error is an *Error.
func Emit(ctx context.Context, root plan.Node, d *Dialect, opt FormatOptions) (string, error) {
	m := statementBuffersPool.Get().(*reusableStatementBuffers)
	w := &m.writer
	w.d, w.pretty, w.buf, w.memory, w.contextErr = d, opt.Pretty, m.text, m, ctx.Err
	defer func() { m.returnToPool(w) }()
	w.names, w.scans, w.derivedColumns.tables = &nameSet{few: m.aliases}, m.scans, m.derived
	w.collectTablesAndAliases(root)
	b := w.buildBlock(root)
	w.setResultLabels(b)
	w.buildAndAliasTables(b)
	if d.inspect != nil {
		d.inspect(w, b)
	}
	w.printWithClause()
	w.printStatement(b)
	if d.settings != "" {
		w.printClauseSpace()
		w.appendText(d.settings)
	}
	if w.shouldStopPrinting() {
		if w.endErr != nil {
			return "", w.endErr
		}
		return "", w.err
	}
	return string(w.buf), nil
}

// EmitSelectAllColumnsNoRows prints the statement that selects all columns of a source and no row, so that its
// result names the columns. Errors are as of Emit.
func EmitSelectAllColumnsNoRows(ctx context.Context, source sqlexpr.DatasetTableOrQuery, d *Dialect) (string, error) {
	const alias = "source_columns"
	w := &writer{d: d, buf: make([]byte, 0, 256), contextErr: ctx.Err}
	w.appendText("SELECT * FROM ")
	w.printScan(&plan.Scan{Source: source, Alias: alias})
	w.appendText(" LIMIT 0")
	if w.shouldStopPrinting() {
		return "", w.err
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return string(w.buf), nil
}

// Error is why a plan has no SQL in a dialect.
type Error struct {
	// Code is CodeNotImplemented, CodeUnsupportedFunction or CodeInternal.
	Code string
	// Function is the function that the dialect lacks, with CodeUnsupportedFunction.
	Function sqlexpr.Func
	// Dialect is the canonical name of the target.
	Dialect string
	// Message is for people.
	Message string
}

// The codes of an Error.
const (
	// CodeNotImplemented: the dialect has no SQL for what the plan requests.
	CodeNotImplemented = "not_implemented"
	// CodeUnsupportedFunction: the dialect lacks a scalar function of the expression language.
	CodeUnsupportedFunction = "dialect_unsupported_function"
	// CodeInternal: the plan breaks an invariant of package plan.
	CodeInternal = "internal"
)

func (e *Error) Error() string { return e.Dialect + ": " + e.Message }

// ErrorCode returns the code.
func (e *Error) ErrorCode() string { return e.Code }
