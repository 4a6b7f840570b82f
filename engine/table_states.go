package engine

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// freshnessStatements returns the statements that read the states of the tables of a plan.
func freshnessStatements(ctx context.Context, root plan.Node, t compileTarget) ([]string, error) {
	var out []string
	for _, q := range plan.FreshnessQueries(root) {
		sql, err := sqlemit.Emit(ctx, q.Root, t.dialect, sqlemit.FormatOptions{})
		if err != nil {
			return nil, err
		}
		out = append(out, sql)
	}
	return out, nil
}

// tableStates returns the function that reads the states of the tables of a statement, as one text; nil where no dataset declares one. A
// reading takes a slot if it is due.
func (e *Engine) tableStates(c *compiledQuery, session string, take slotTaker) func(context.Context) (string, error) {
	if len(c.freshness) == 0 {
		return nil
	}
	return func(ctx context.Context) (string, error) {
		ctx = audit.WithoutRecord(ctx)
		var states strings.Builder
		for _, sql := range c.freshness {
			key := session + scopeSeparator + e.dataFingerprint(c.target) + scopeSeparator + c.target.connectionName() + scopeSeparator + sql
			value, err := e.warehouses.results.states.value(ctx, key, c.target.cacheSettings().CheckOrDefault(), func(ctx context.Context) (string, error) {
				release, err := take(ctx)
				if err != nil {
					return "", err
				}
				return runUntilContextEnds(ctx, e, func() (string, error) {
					defer release()
					return e.readTableState(executor.WithAbandonFunc(ctx, release), c.target, sql)
				})
			})
			if err != nil {
				return "", err
			}
			states.WriteString(strconv.Quote(value))
		}
		return states.String(), nil
	}
}

// inSlotOfStatement takes no slot: the caller has one.
func inSlotOfStatement(ctx context.Context) (func(), error) {
	return func() {}, ctx.Err()
}

// readTableState runs a statement of one value.
func (e *Engine) readTableState(ctx context.Context, t compileTarget, sql string) (value string, err error) {
	defer e.recoverToError(&err)
	defer func() {
		if err != nil && ctx.Err() == nil {
			e.logUnreadState(ctx, t, err)
		}
	}()
	db, err := e.executorForReader(ctx, t)
	if err != nil {
		return "", err
	}
	rows, err := queryCountingBatches(ctx, db, sql, e.config.Memory.Part(memory.Results))
	if err != nil {
		return "", e.toExecuteErrorOfAuthor(ctx, err)
	}
	defer func() { _ = rows.Close() }() // the value is read
	batch, err := rows.Next(ctx)
	if errors.Is(err, io.EOF) {
		return "", errors.New("the state of a table has no row")
	}
	if err != nil {
		return "", e.toExecuteErrorOfAuthor(ctx, err)
	}
	defer batch.Release()
	column := batch.Column(0)
	if column.IsNull(0) {
		return "", nil
	}
	return "=" + column.ValueStr(0), nil
}

// logUnreadState reports that results are not kept because the state of a table cannot be read, with the code alone: the message may hold
// values.
func (e *Engine) logUnreadState(ctx context.Context, t compileTarget, err error) {
	if !e.warehouses.causes.mayLogNow("freshness "+t.connectionName(), time.Now()) {
		return
	}
	code := "internal"
	var coded CodedError
	if errors.As(err, &coded) {
		code = coded.ErrorCode()
	}
	e.log.LogAttrs(ctx, slog.LevelWarn, "the freshness of a dataset cannot be read", slog.String("connection", t.connectionName()), slog.String("code", code))
}
