package engine

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/resultcache"
	"github.com/semlayer/semlayer/planner/planerr"
)

// A statement whose result may be kept is opened by openCached in place of openStatement:
//
//	request ─► kept result ────────────────────────────────────► shapeRows ─► JSON or stream
//	   └─► statement that runs, or a new one: slot ─► warehouse ──┘
//
// The statement takes its slot itself, and serves all requests that wait for it: only what follows shapeRows belongs to one request.

// keepsResults reports whether the results of statements may be kept, and records that they are not.
func (e *Engine) keepsResults(ctx context.Context, queries ...*compiledQuery) bool {
	s := e.warehouses.results
	if s == nil {
		return false
	}
	if !slices.ContainsFunc(queries, func(c *compiledQuery) bool { return c.volatile || c.target.cacheSettings().Disabled }) {
		return true
	}
	for range queries {
		s.kept.CountBypass()
	}
	recordCacheUse(ctx, resultcache.Bypass, 0, time.Time{})
	return false
}

// slotTaker takes the slot of a statement.
type slotTaker func(context.Context) (release func(), err error)

// ownSlot takes a slot for each statement.
func (e *Engine) ownSlot(t compileTarget) slotTaker {
	return func(ctx context.Context) (func(), error) { return e.acquireSlot(ctx, t) }
}

// openCached returns the rows of a kept result, of a statement that runs for another request, or of a new one. The context bounds the call
// and not the rows. With deadlineForRows, the server gets a time limit for the whole statement.
func (e *Engine) openCached(ctx context.Context, c *compiledQuery, take slotTaker, deadlineForRows bool) (*cachedRows, error) {
	s := e.warehouses.results
	if _, err := e.sessionOfCaller(ctx, c.target); err != nil { // without its session a caller has no key
		return nil, e.toExecuteError(ctx, err)
	}
	scope, session := e.resultScope(), e.sessionKey(ctx, c.target)
	leave := s.enter(scope)
	opening := &sharedOpening{engine: e, query: c, session: session, take: take, deadlineForRows: deadlineForRows, keeps: true}
	answer, err := s.kept.Get(ctx, resultcache.Request{
		Key: e.resultKey(scope, session, c), Scope: scope, TTL: cmp.Or(c.target.cacheSettings().TTL, e.config.CacheTTL), MaxAge: durationOfSeconds(c.maxAge),
		State: e.tableStates(c, session, take), Open: opening.of(ctx), Keep: func() bool { return opening.keeps },
	})
	if err != nil {
		leave()
		var busy *BusyError
		if errors.As(err, &busy) {
			return nil, busy
		}
		return nil, e.toLoggedExecuteError(ctx, c.target, err)
	}
	recordCacheUse(ctx, answer.Outcome, answer.Age, answer.Oldest)
	return &cachedRows{Rows: answer.Rows, leave: leave, fromMemory: answer.Outcome == resultcache.Hit || answer.Outcome == resultcache.Shared}, nil
}

// cacheSettings returns what the profile of the target changes of the result cache.
func (t compileTarget) cacheSettings() profile.ResultCache {
	if t.connection == nil {
		return profile.ResultCache{}
	}
	return t.connection.cache
}

// maxAgeSeconds is the greatest age that a Duration holds.
const maxAgeSeconds = int64(1<<63-1) / int64(time.Second)

func durationOfSeconds(n *int64) *time.Duration {
	if n == nil {
		return nil
	}
	return new(time.Duration(min(*n, maxAgeSeconds)) * time.Second)
}

// cachedRows are rows of the result cache.
type cachedRows struct {
	resultcache.Rows
	leave      func()
	fromMemory bool // no statement was run for them
}

// Close ends the use of the rows.
func (r *cachedRows) Close() error {
	defer r.leave()
	return r.Rows.Close()
}

// sharedOpening starts a statement for all requests of a key.
type sharedOpening struct {
	engine          *Engine
	query           *compiledQuery
	session         string
	take            slotTaker
	deadlineForRows bool
	keeps           bool // the states of the tables are known
}

// of returns the function that starts the statement. The context of the first request is only read for the time that the statement may
// take: twice that of the request, so that one that joins it within that time is not cut off.
func (o *sharedOpening) of(first context.Context) func(context.Context, func(resultcache.Beginning)) (executor.Rows, error) {
	e, c := o.engine, o.query
	begun := time.Now()
	deadline, limited := first.Deadline()
	return func(ctx context.Context, begin func(resultcache.Beginning)) (rows executor.Rows, err error) {
		x := e.listExecution(ctx, c.target)
		ctx = x.context(ctx)
		release, finish := func() {}, func() {}
		defer func() {
			if err != nil {
				finish()
				release()
				x.end()
			}
		}()
		defer e.recoverToError(&err)
		if limited {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, deadline.Add(deadline.Sub(begun)))
			if o.deadlineForRows {
				ctx, finish = executor.WithDeadlineForRows(ctx), cancel
			} else {
				defer cancel()
			}
		}
		if release, err = o.take(ctx); err != nil {
			release = func() {}
			return nil, err
		}
		x.run()
		ctx = executor.WithAbandonFunc(ctx, release)
		begin(resultcache.Beginning{State: o.readStates(ctx), Oldest: c.freshTime})
		ctx, end := startPhase(ctx, PhaseExecute, c.target)
		counted, err := e.openStatement(ctx, c)
		if err != nil {
			end(PhaseOutcome{Err: err})
			return nil, err
		}
		return &sharedStatementRows{Rows: counted, engine: e, listed: x, release: release, finish: finish, endPhase: end}, nil
	}
}

// readStates reads the states of the tables before the statement, in its slot. Without them nothing is kept, and the statement runs.
func (o *sharedOpening) readStates(ctx context.Context) string {
	read := o.engine.tableStates(o.query, o.session, inSlotOfStatement)
	if read == nil {
		return ""
	}
	states, err := read(ctx)
	o.keeps = err == nil
	return states
}

// sharedStatementRows are the rows of a statement that runs for the result cache.
type sharedStatementRows struct {
	executor.Rows
	engine   *Engine
	listed   *listedExecution
	release  func() // the slot
	finish   func()
	endPhase func(PhaseOutcome)
	outcome  PhaseOutcome
	closing  sync.Once
}

// Next returns the next batch. Its errors have codes: those that receive them did not send the statement.
func (r *sharedStatementRows) Next(ctx context.Context) (batch arrow.RecordBatch, err error) {
	defer r.engine.recoverToError(&err)
	ctx, leave := r.listed.join(ctx)
	defer leave()
	batch, err = r.Rows.Next(executor.WithAbandonFunc(ctx, r.release))
	switch {
	case err == nil:
		r.outcome.Rows += batch.NumRows()
	case !errors.Is(err, io.EOF):
		err = r.engine.toExecuteErrorOfAuthor(ctx, err)
		r.outcome.Err = err
	}
	return batch, err
}

// Close ends the statement and gives its slot back.
func (r *sharedStatementRows) Close() (err error) {
	r.closing.Do(func() {
		defer r.engine.recoverToError(&err)
		defer func() { r.endPhase(r.outcome) }()
		defer r.listed.end()
		defer r.finish()
		defer r.release()
		if err = r.Rows.Close(); err != nil {
			err = r.engine.toExecuteErrorOfAuthor(context.Background(), err)
		}
	})
	return err
}

// executeCached executes a statement whose result may be kept.
func (e *Engine) executeCached(ctx context.Context, c *compiledQuery, find emptyResultProbesFinder) (*Result, error) {
	tagged := e.withQueryTag(ctx)
	bounded, cancel := c.target.withConnectionTimeout(withRowQuota(tagged)) // the hints have their own time
	defer cancel()
	c, rows, err := e.openCachedWithCount(bounded, c, true)
	if err != nil {
		return nil, err
	}
	result, err := e.readCached(bounded, c, rows)
	if err != nil || find == nil || !result.isEmpty(c.columns) {
		return result, err
	}
	if warnings := e.hintsOfCachedResult(tagged, c, find); len(warnings) > 0 {
		result.Warnings = slices.Concat(result.Warnings, warnings)
		result.body = nil // it is written again, with the warnings
	}
	return result, nil
}

// readCached reads the rows of a cached result and closes them. It returns when ctx ends, even if the rows come from a driver that does not.
func (e *Engine) readCached(ctx context.Context, c *compiledQuery, rows *cachedRows) (*Result, error) {
	read := func() (result *Result, err error) {
		defer e.recoverToError(&err)
		return e.readResult(ctx, c, rows, e.config.MaxAnswerBytes)
	}
	if !rows.fromMemory {
		return runUntilContextEnds(ctx, e, read)
	}
	result, err := read()
	if err == nil {
		recordKeptRows(ctx, int64(result.RowCount))
	}
	return result, err
}

// hintsOfCachedResult looks up what the filter of an empty result requests, in a separate slot; nothing where all are in use.
func (e *Engine) hintsOfCachedResult(ctx context.Context, c *compiledQuery, find emptyResultProbesFinder) []planerr.QueryWarning {
	release, err := e.acquireSlot(ctx, c.target)
	if err != nil {
		return nil
	}
	warnings, _ := e.awaitEmptyResultHints(ctx, e.startEmptyResultHints(ctx, c.target, find, release))
	return warnings
}

// streamCached opens the stream of a statement whose result may be kept.
func (e *Engine) streamCached(ctx context.Context, c *compiledQuery, find emptyResultProbesFinder) (*Stream, error) {
	tagged := e.withQueryTag(ctx)
	ctx, cancel := c.target.withConnectionTimeout(withRowQuota(tagged))
	defer cancel()
	return e.awaitStream(ctx, func() (s *Stream, err error) {
		defer e.recoverToError(&err)
		c, rows, err := e.openCachedWithCount(ctx, c, false)
		if err != nil {
			return nil, err
		}
		s, empty, err := e.newStreamOfRows(ctx, c, rows, find != nil)
		if err != nil {
			return nil, err
		}
		s.kept = rows.Rows
		if rows.fromMemory {
			s.endPhase = func(o PhaseOutcome) { recordKeptRows(tagged, o.Rows) }
		}
		if empty {
			s.Warnings = slices.Concat(s.Warnings, e.hintsOfCachedResult(tagged, c, find))
		}
		return s, nil
	})
}
