package engine

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/engine/internal/rollups"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/sqlemit"
)

// DefaultRollupStateTime is how long a reading of the state of a rollup counts.
const DefaultRollupStateTime = 10 * time.Second

// rollupLogInterval is the least time between two lines in the log about one rollup that is not available.
const rollupLogInterval = time.Minute

// rollupStates holds what was read of the tables of rollups. One request reads the state of a table at a time.
type rollupStates struct {
	mutex  sync.Mutex
	tables map[string]*rollupTable // by connection and table
	// rolled and base count the branches of executions that have read a rollup, and those that have read base tables.
	rolled, base atomic.Int64
}

// rollupTable is the table of a rollup on one connection.
type rollupTable struct {
	reading chan struct{} // full while a request reads the state
	read    time.Time     // of the last reading; zero before the first
	logged  time.Time     // of the last line in the log
	state   rollupState
}

// rollupState is what was read of the table of a rollup.
type rollupState struct {
	available bool
	retyped   []RetypedColumn           // the columns that hold other kinds of values than the base tables give
	asOf      time.Time                 // zero: not known
	records   map[string]rollups.Record // of the control table: of rollups, by name
	record    rollups.Record            // of the rollup; zero where none is known
	unordered map[string][]string       // of a local file: the columns whose texts have another order than their bytes, by rollup
}

func newRollupStates() *rollupStates { return &rollupStates{tables: map[string]*rollupTable{}} }

func (s *rollupStates) table(key string) *rollupTable {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	t := s.tables[key]
	if t == nil {
		if len(s.tables) >= maxTableStates {
			s.forgetOneIdle()
		}
		t = &rollupTable{reading: make(chan struct{}, 1)}
		s.tables[key] = t
	}
	return t
}

// forgetOneIdle makes room for a table.
func (s *rollupStates) forgetOneIdle() {
	for key, t := range s.tables {
		if len(t.reading) == 0 {
			delete(s.tables, key)
			return
		}
	}
}

// lastState returns what was last read of a table; false where nothing was, or a request reads it for the first time.
func (s *rollupStates) lastState(key string) (rollupState, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	t := s.tables[key]
	if t == nil || t.read.IsZero() {
		return rollupState{}, false
	}
	return t.state, true
}

// record keeps what was read of a table.
func (s *rollupStates) record(t *rollupTable, state rollupState, at time.Time) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	t.state, t.read = state, at
}

// compileWithStates compiles queries for rollups whose tables are there and are young enough: for the local file of the connection where every branch
// reads a rollup in it, else for the connection.
func (e *Engine) compileWithStates(ctx context.Context, t compileTarget, compile func(compileTarget) ([]*compiledQuery, error)) ([]*compiledQuery, error) {
	queries, failed, err := e.compileForLocalFile(ctx, t, compile)
	if err != nil {
		return nil, err
	}
	if queries == nil {
		if queries, _, err = e.compileForTables(ctx, t.without(failed), compile); err != nil {
			return nil, err
		}
	}
	e.recordRollupUse(ctx, queries)
	return queries, nil
}

// compileForTables compiles queries for the tables of one target: it leaves out rollups that their states exclude, and compiles again, until the statements
// read none of these, and the fresh rows of those that have some. It returns the rollups that it has left out.
func (e *Engine) compileForTables(ctx context.Context, t compileTarget, compile func(compileTarget) ([]*compiledQuery, error)) ([]*compiledQuery, map[string]plan.RollupRejection, error) {
	for range 2*len(e.cat.Rollups) + 1 { // each time, another rollup is left out, or has its fresh rows
		left := t.planner.Rollups.Excluded()
		queries, err := compile(t)
		if err != nil || len(e.cat.Rollups) == 0 {
			return queries, left, err
		}
		checked, unusable, fresh, err := e.checkRollupStates(ctx, t, queries)
		if err != nil {
			return nil, left, err
		}
		if len(unusable)+len(fresh) == 0 {
			return checked, left, nil
		}
		next := *t.planner.Rollups
		next.Fresh = maps.Clone(next.Fresh)
		if next.Fresh == nil {
			next.Fresh = map[string]plan.FreshRows{}
		}
		maps.Copy(next.Fresh, fresh)
		next.Unusable = maps.Clone(next.Unusable)
		if next.Unusable == nil {
			next.Unusable = map[string]plan.RollupRejection{}
		}
		maps.Copy(next.Unusable, unusable)
		t.planner.Rollups = &next
	}
	return nil, nil, &planerr.Error{Code: planerr.CodeInternal, Message: "a query reads a rollup that its state excludes"}
}

// checkRollupStates returns the queries with the ages of the rollups that they read, the rollups whose state excludes them, and the fresh rows that
// are not in the queries yet.
func (e *Engine) checkRollupStates(ctx context.Context, t compileTarget, queries []*compiledQuery) (out []*compiledQuery, unusable map[string]plan.RollupRejection, fresh map[string]plan.FreshRows, err error) {
	unusable, fresh = map[string]plan.RollupRejection{}, map[string]plan.FreshRows{}
	out = slices.Clone(queries)
	now := e.config.Now()
	for i, c := range queries {
		own := *c
		own.rollupKey, own.freshTime, own.builds = "", time.Time{}, nil
		uses := slices.Clone(c.end.Rollups)
		for j, use := range uses {
			if use.Rollup == nil {
				continue
			}
			r := e.cat.Rollup(*use.Rollup)
			state, err := e.readRollupState(ctx, t, r)
			if err != nil {
				return nil, nil, nil, err
			}
			own.rollupKey += state.key(r)
			own.builds = append(own.builds, state.record.AsOf)
			isFresh := hasFreshRows(r)
			if isFresh {
				state.asOf, own.freshTime = now, now
			}
			rejected, isUnusable := e.rejectionByState(r, state, t, c.maxAge)
			if isFresh && !isUnusable {
				rejected, isUnusable = e.rejectionOfFreshRows(r, state)
			}
			if isUnusable {
				unusable[r.Name] = rejected
				continue
			}
			if _, has := t.planner.Rollups.Fresh[r.Name]; isFresh && !has {
				if fresh[r.Name], err = e.freshRows(ctx, t, r, state.record.Cut); err != nil {
					return nil, nil, nil, err
				}
			}
			if !state.asOf.IsZero() {
				uses[j].AsOf = formatAsOf(state.asOf)
			}
		}
		if len(uses) > 0 {
			own.end.Rollups = uses
			out[i] = &own
		}
	}
	return out, unusable, fresh, nil
}

// rejectionOfFreshRows returns why the fresh rows of a rollup cannot be read; false where they can.
func (e *Engine) rejectionOfFreshRows(r *catalog.Rollup, s rollupState) (plan.RollupRejection, bool) {
	switch {
	case s.record.Cut.IsZero():
		return plan.RollupRejection{Rollup: r.Name, Rule: plan.RollupRuleUnavailable, Subject: r.Name, Message: "no refresh has recorded from which time the base tables are read"}, true
	case e.rights != nil && !e.rights.view.SeesAll:
		return plan.RollupRejection{Rollup: r.Name, Rule: plan.RollupRulePolicy, Subject: r.Name, Message: "fresh rows are read for readers of the whole model alone"}, true
	}
	return plan.RollupRejection{}, false
}

// freshRows plans the rows of a rollup of which the newest come from the base tables.
func (e *Engine) freshRows(ctx context.Context, t compileTarget, r *catalog.Rollup, cut time.Time) (plan.FreshRows, error) {
	rows, err := e.planner.PlanFreshRollup(ctx, r, cut, t.planner)
	if err != nil {
		return rows, e.toPlanError(ctx, err)
	}
	return rows, nil
}

// rejectionByState returns the rule by which the state of a rollup excludes it; false where it does not. Most is the age that the query accepts.
func (e *Engine) rejectionByState(r *catalog.Rollup, s rollupState, t compileTarget, most *int64) (plan.RollupRejection, bool) {
	if len(s.retyped) > 0 {
		return plan.RollupRejection{Rollup: r.Name, Rule: plan.RollupRuleUnavailable, Subject: s.retyped[0].Column, Message: "its " + s.retyped[0].String()}, true
	}
	if !s.available || t.local != nil && s.record.Definition == "" { // a local file has a table only with its record
		return plan.RollupRejection{Rollup: r.Name, Rule: plan.RollupRuleUnavailable, Subject: r.Name, Message: "the table or one of its columns cannot be read"}, true
	}
	if e.definitionOf(r.Name, s.record, t) == describe.RollupDefinitionChanged {
		return plan.RollupRejection{Rollup: r.Name, Rule: plan.RollupRuleDefinition, Subject: r.Name, Message: "the table was built by another definition"}, true
	}
	if r.MaxAge > 0 && (most == nil || r.MaxAge < *most) {
		most = &r.MaxAge
	}
	if most == nil {
		return plan.RollupRejection{}, false
	}
	rejected := plan.RollupRejection{Rollup: r.Name, Rule: plan.RollupRuleMaxAge, Subject: r.Name, Message: "the age of the rollup is not known"}
	if !s.asOf.IsZero() {
		age := max(0, int64(e.config.Now().Sub(s.asOf)/time.Second))
		if age <= *most {
			return plan.RollupRejection{}, false
		}
		rejected.Message = "the rollup is older than " + strconv.FormatInt(*most, 10) + " seconds"
	}
	return rejected, true
}

// readRollupState returns the state of a rollup on a connection: the last reading while it counts, else a new one. The error is that of a context that
// ended, or of a request for which there is no slot.
func (e *Engine) readRollupState(ctx context.Context, t compileTarget, r *catalog.Rollup) (rollupState, error) {
	probes := e.rollupProbes(ctx, t, r)
	if probes == nil {
		return rollupState{}, nil // what cannot be asked is not available
	}
	// The record comes first: one that is older than the table has the age of an older table.
	control, err := e.readRollupControl(ctx, t)
	if err != nil {
		return rollupState{}, err
	}
	state, err := e.readStateOfTable(ctx, t, tableStateKey(t, probes), r.Name, func(ctx context.Context) (rollupState, error) {
		return e.askRollupTable(ctx, t, r, probes, control.records[r.Name].Definition != "")
	})
	return state.withRecord(r, control), err
}

// withRecord returns the state of a table with the record of its refreshes.
func (s rollupState) withRecord(r *catalog.Rollup, control rollupState) rollupState {
	s.record = control.records[r.Name]
	if s.record.Definition != "" {
		s.retyped = nil // a refresh made the types of the base tables, after the table was read
	}
	if r.AsOf == nil {
		s.asOf = s.record.AsOf
	}
	return s
}

func tableStateKey(t compileTarget, probes []string) string {
	file := ""
	if t.local != nil {
		file = t.local.file.id
	}
	return t.connectionName() + "\x00" + file + "\x00" + strings.Join(probes, "\x00")
}

// readRollupControl returns the records of the control table; none where the connection has none.
func (e *Engine) readRollupControl(ctx context.Context, t compileTarget) (rollupState, error) {
	sql := e.rollupControlQuery(t)
	if sql == "" {
		return rollupState{}, nil
	}
	return e.readStateOfTable(ctx, t, tableStateKey(t, []string{sql}), "", func(ctx context.Context) (rollupState, error) {
		return e.askRollupControl(ctx, t, sql)
	})
}

// readStateOfTable returns the last reading of a table while it counts, else a new one. A failure is that the table is not available, and is logged
// where the table is that of a rollup. A control table need not exist.
func (e *Engine) readStateOfTable(ctx context.Context, t compileTarget, key, rollup string, ask func(context.Context) (rollupState, error)) (rollupState, error) {
	table := e.warehouses.rollups.table(key)
	select {
	case table.reading <- struct{}{}:
		defer func() { <-table.reading }()
	case <-ctx.Done():
		return rollupState{}, e.toExecuteError(ctx, ctx.Err())
	}
	now := e.config.Now()
	if age := now.Sub(table.read); !table.read.IsZero() && age >= 0 && age < e.config.RollupStateTime {
		return table.state, nil
	}
	running, cancel := t.withConnectionTimeout(e.withQueryTag(ctx))
	defer cancel()
	var began atomic.Bool
	state, failure := runInExecutionSlot(running, e, t, false, func(ctx context.Context) (rollupState, error) {
		began.Store(true)
		return ask(ctx)
	})
	if failure != nil {
		if ctx.Err() != nil || !began.Load() { // there is no time for the query either, or no slot
			return rollupState{}, failure
		}
		state = rollupState{}
		if rollup != "" && (now.Sub(table.logged) >= rollupLogInterval || table.logged.IsZero()) {
			table.logged = now
			e.log.Warn("a rollup is not available, and queries read its base tables", "rollup", rollup, "connection", t.connectionName())
		}
	}
	e.warehouses.rollups.record(table, state, now)
	return state, nil
}

// rollupProbes returns the statements that read the state of a rollup: its columns without a row, and its age where the rollup declares it; nil where
// the dialect has no such statement.
func (e *Engine) rollupProbes(ctx context.Context, t compileTarget, r *catalog.Rollup) []string {
	scan := &plan.Scan{Dataset: r.Of.Name, Source: e.rollupTarget(t).TableOf(r.Name, r.Source), Alias: r.Name, Rollup: r.Name}
	columns := &plan.Project{Input: scan}
	for _, name := range r.Columns() {
		columns.Cols = append(columns.Cols, plan.NamedExpr{Name: name, Expr: sqlexpr.NewTwoPartColumn(r.Name, sqlexpr.Name{Text: name, Quoted: true})})
	}
	roots := []plan.Node{&plan.Limit{Input: columns}}
	if r.AsOf != nil {
		e := sqlexpr.Rewrite(r.AsOf, func(x sqlexpr.Expr) sqlexpr.Expr {
			if c, ok := x.(*sqlexpr.Column); ok {
				return sqlexpr.NewTwoPartColumn(r.Name, c.Path[len(c.Path)-1])
			}
			return nil
		})
		roots = append(roots, &plan.Aggregate{Input: scan, Measures: []plan.NamedExpr{{Name: asOfColumn, Expr: e, Type: sqlexpr.TypeTimestamp}}})
	}
	out := make([]string, len(roots))
	for i, root := range roots {
		sql, err := sqlemit.Emit(ctx, root, t.dialect, sqlemit.FormatOptions{})
		if err != nil {
			return nil
		}
		out[i] = sql
	}
	return out
}

const asOfColumn = "as_of"

// askRollupTable runs the statements that read the state of a rollup, in a slot. Where no refresh has made the table, the base tables are asked for the
// kinds of its columns: a column may have another type than the model declares.
func (e *Engine) askRollupTable(ctx context.Context, t compileTarget, r *catalog.Rollup, probes []string, isRefreshed bool) (rollupState, error) {
	state := rollupState{available: true}
	for i, sql := range probes {
		c := &compiledQuery{target: t, sql: sql}
		if i > 0 {
			c.columns = []planner.OutputColumn{{Name: asOfColumn, Type: sqlexpr.TypeTimestamp}}
		}
		result, err := e.runStatement(ctx, c, e.config.MaxAnswerBytes)
		if err != nil {
			return state, err
		}
		if i == 0 {
			if isRefreshed || t.dialect.Capabilities().AnyColumnType {
				continue
			}
			wanted, err := e.kindsOfBaseTables(ctx, r, t, func(ctx context.Context, c *compiledQuery) (*Result, error) {
				return e.runStatement(ctx, c, e.config.MaxAnswerBytes)
			})
			if err != nil {
				return state, err
			}
			state.retyped = retypedColumns(r.Columns(), kindsOfResult(result, t), wanted)
			continue
		}
		var rows []map[string]any
		if err := json.Unmarshal(result.Rows, &rows); err != nil || len(rows) != 1 {
			continue
		}
		if text, ok := rows[0][asOfColumn].(string); ok {
			state.asOf = rollups.ParseTime(text)
		}
	}
	return state, nil
}
