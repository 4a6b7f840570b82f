package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/planner/plan"
)

// What follows fills the record of a request for the audit log, where its context has one.

// recordTarget notes what a query asks, as it is written, before the query is planned.
func recordTarget(ctx context.Context, plane QueryPlane, metrics []string, t compileTarget) {
	audit.RecordOf(ctx).Fill(func(f *audit.Facts) {
		f.Plane, f.Metrics = string(plane), metrics
		if t.dialect != nil {
			f.Dialect, f.Connection = t.dialect.Name(), t.connectionName()
		}
	})
}

// recordUses notes the names that a query uses. Those that mean nothing are as the query writes them.
func recordUses(ctx context.Context, uses *plan.Uses, datasets []string) {
	if uses == nil {
		return
	}
	audit.RecordOf(ctx).Fill(func(f *audit.Facts) {
		if len(uses.Metrics) > 0 {
			f.Metrics = uses.Metrics
		}
		f.Dimensions, f.Filtered, f.Datasets = uses.Dimensions, uses.Filtered, datasets
	})
}

// recordStatements notes the texts that a warehouse gets for a request.
func recordStatements(ctx context.Context, queries ...*compiledQuery) {
	audit.RecordOf(ctx).Fill(func(f *audit.Facts) {
		for _, c := range queries {
			if c == nil {
				continue
			}
			if c.countsBefore() {
				f.Statements = append(f.Statements, c.countSQL)
			}
			f.Statements = append(f.Statements, c.sql)
		}
	})
}

// datasetsOf returns the datasets that queries read, each once.
func datasetsOf(queries []*compiledQuery) []string {
	var out []string
	for _, c := range queries {
		for _, name := range c.datasets {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// recordPhase notes how long a phase takes, and the rows that it reads.
func recordPhase(ctx context.Context, phase QueryPhase, end func(PhaseOutcome)) func(PhaseOutcome) {
	record := audit.RecordOf(ctx)
	if record == nil {
		return end
	}
	begun := time.Now()
	return func(o PhaseOutcome) {
		took := time.Since(begun)
		record.Fill(func(f *audit.Facts) {
			if phase == PhasePlan {
				f.Plan += took
				return
			}
			f.Execute += took
			f.Executed = true
			f.Rows += o.Rows
		})
		end(o)
	}
}

// recordQueue notes how long a request waits for a slot.
func recordQueue(ctx context.Context, begun time.Time) {
	audit.RecordOf(ctx).Fill(func(f *audit.Facts) { f.Queue += time.Since(begun) })
}

// recordWarehouseWords notes the message of an error that holds words of a warehouse.
func recordWarehouseWords(ctx context.Context, err *ExecuteError) {
	if _, ok := messagesWithoutWarehouse[err.Code]; ok {
		audit.RecordOf(ctx).Fill(func(f *audit.Facts) { f.WarehouseWords = err.Message })
	}
}

// AuditMessage returns the message of an error for a log that holds no values: a fixed sentence where a warehouse can have chosen the words.
func AuditMessage(err CodedError) string {
	var failed *ExecuteError
	if !errors.As(err, &failed) {
		return strings.TrimPrefix(err.Error(), err.ErrorCode()+": ")
	}
	if said, ok := messagesWithoutWarehouse[failed.Code]; ok {
		return said
	}
	return failed.Message
}

// messagesWithoutWarehouse are the sentences for errors that can have the words of a warehouse, by code.
var messagesWithoutWarehouse = map[string]string{
	executor.CodeSQLRejected:       messagesWithoutSQL[executor.CodeSQLRejected],
	executor.CodeDriver:            messagesWithoutSQL[executor.CodeDriver],
	executor.CodeConnection:        messagesWithoutSQL[executor.CodeConnection],
	executor.CodeAuth:              messagesWithoutSQL[executor.CodeAuth],
	executor.CodeConfig:            "the connection cannot be used",
	executor.CodeTimeout:           "the statement did not end within its time limit",
	executor.CodeMemoryLimit:       "the statement needs more memory than it may have",
	executor.CodeCostLimitExceeded: "the statement would cost more than its limit",
}
