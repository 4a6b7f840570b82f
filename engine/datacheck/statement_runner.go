package datacheck

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/engine/internal/typehint"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// statementRunner runs the statements of the checks.
type statementRunner struct {
	db      executor.Executor
	dialect *sqlemit.Dialect
	timeout time.Duration
}

// statementError is the error of a statement that did not run to its end, while the warehouse can run
// others. Every other error ends the check.
type statementError struct {
	reason failureReason
	words  string // what happened, in a sentence without its end
}

// failureReason is why a statement did not run.
type failureReason uint8

const (
	failureRejected failureReason = iota // the warehouse does not accept the statement
	failureDenied                        // the account may not read what the statement reads
	failureTimedOut
	failureNotPlanned   // a query of the model would be rejected alike, without the warehouse
	failureWhileRunning // the warehouse gave the statement up, or the dialect cannot express it
)

func (r *statementError) Error() string { return r.words }

// statementResult is the result of a statement.
type statementResult struct {
	schema *arrow.Schema
	rows   [][]any // nil, a string, a bool or a json.Number
}

// runPlan prints a plan and runs it. The error is a *statementError, or ends the check.
func (w statementRunner) runPlan(ctx context.Context, root plan.Node) (statementResult, error) {
	sql, err := sqlemit.Emit(ctx, root, w.dialect, sqlemit.FormatOptions{})
	var unsupported *sqlemit.Error
	if errors.As(err, &unsupported) && (unsupported.Code == sqlemit.CodeNotImplemented || unsupported.Code == sqlemit.CodeUnsupportedFunction) {
		return statementResult{}, &statementError{failureWhileRunning, unsupported.Error()}
	}
	if err != nil {
		return statementResult{}, err
	}
	return w.runStatement(ctx, sql, columnTypeHints(root.Schema()))
}

// readSourceColumns returns the names of the columns of a source.
func (w statementRunner) readSourceColumns(ctx context.Context, source sqlexpr.DatasetTableOrQuery) ([]string, error) {
	sql, err := sqlemit.EmitSelectAllColumnsNoRows(ctx, source, w.dialect)
	if err != nil {
		return nil, err
	}
	a, err := w.runStatement(ctx, sql, nil)
	if err != nil {
		return nil, err
	}
	return jsonrows.ColumnNamesOfSchema(a.schema), nil
}

func (w statementRunner) runStatement(ctx context.Context, sql string, hints jsonrows.TypeHints) (a statementResult, err error) {
	limited, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	rows, err := w.db.Query(limited, sql)
	if err != nil {
		return statementResult{}, w.classifyError(ctx, limited, err)
	}
	defer func() {
		if closing := rows.Close(); err == nil && closing != nil {
			a, err = statementResult{}, w.classifyError(ctx, limited, closing)
		}
	}()
	result, err := jsonrows.CollectResult(limited, rows, hints)
	if err != nil {
		return statementResult{}, w.classifyError(ctx, limited, err)
	}
	a.schema = rows.Schema()
	a.rows, err = decodeJSONRows(result)
	return a, err
}

// classifyError decides whether an error concerns the statement alone.
func (w statementRunner) classifyError(ctx, limited context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(limited.Err(), context.DeadlineExceeded) {
		return &statementError{failureTimedOut, "the statement did not end within " + w.timeout.String()}
	}
	var failure *executor.Error
	if !errors.As(err, &failure) {
		return err
	}
	switch {
	case failure.Denied:
		return &statementError{failureDenied, warehouseMessage(failure)}
	case failure.Code == executor.CodeSQLRejected:
		return &statementError{failureRejected, warehouseMessage(failure)}
	case failure.Code == executor.CodeTimeout:
		return &statementError{failureTimedOut, failure.Message}
	case failure.Code == executor.CodeDriver:
		return &statementError{failureWhileRunning, failure.Message}
	}
	return err
}

// warehouseMessage returns the warehouse's own words about a statement that it rejects.
func warehouseMessage(e *executor.Error) string {
	return strings.Join(strings.Fields(strings.TrimPrefix(e.Message, "the warehouse rejected the SQL: ")), " ")
}

// columnTypeHints gives a reader of rows the types that a warehouse may not report.
func columnTypeHints(schema plan.Schema) jsonrows.TypeHints {
	hints := jsonrows.TypeHints{}
	for _, c := range schema {
		hints[c.Name] = typehint.HintOfType(c.Type)
	}
	return hints
}

func decodeJSONRows(result jsonrows.CollectedResult) ([][]any, error) {
	if result.Count == 0 {
		return nil, nil
	}
	var objects []map[string]any
	decoder := json.NewDecoder(bytes.NewReader(result.Rows))
	decoder.UseNumber()
	if err := decoder.Decode(&objects); err != nil {
		return nil, fmt.Errorf("the rows of a check: %w", err)
	}
	rows := make([][]any, len(objects))
	for i, o := range objects {
		for _, name := range result.Columns {
			rows[i] = append(rows[i], o[name])
		}
	}
	return rows, nil
}

// readCount reads a count, which drivers carry as a number or as the text of one. A sum over no rows
// is null and counts as 0.
func readCount(v any) (int64, error) {
	if v == nil {
		return 0, nil
	}
	text := strings.TrimSuffix(fmt.Sprint(v), ".0")
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		return n, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("a count of a check is %q", text)
	}
	return int64(f), nil
}

// runCountingPlan reads the only row of a statement that counts.
func (w statementRunner) runCountingPlan(ctx context.Context, root plan.Node) ([]int64, error) {
	a, err := w.runPlan(ctx, root)
	if err != nil {
		return nil, err
	}
	if len(a.rows) != 1 {
		return nil, fmt.Errorf("a statement that counts has %d rows", len(a.rows))
	}
	out := make([]int64, len(a.rows[0]))
	for i, v := range a.rows[0] {
		if out[i], err = readCount(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// asStatementError returns the *statementError in an error, nil if there is none.
func asStatementError(err error) *statementError {
	var r *statementError
	errors.As(err, &r)
	return r
}
