package catalogue

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// The bounds of one statement and of all.
const (
	maxResultRows           = 100_000
	maxResultBytes          = 32 << 20
	maxStatementTime        = 5 * time.Second
	maxConcurrentStatements = 4
	maxTableSets            = 4 // whose engines are open, fewer where they have little memory
)

// Catalogue answers statements about the catalogue. Its tables are made when the first statement asks.
type Catalogue struct {
	log    *slog.Logger
	memory *memory.Budget
	bounds tableSetBounds
	open   chan struct{} // holds one element for each set whose engine is open
	turns  *statementTurns
	wait   prometheus.Histogram
	seed   maphash.Seed

	numbers columnNumbersByDatabase
	maxTime time.Duration // of a statement that runs

	mu     sync.Mutex
	sets   []*cachedTableSet   // the last used one last
	shapes map[uint64]struct{} // hashes of what is logged
}

// cachedTableSet is the tables of a revision; ready is closed when they are made.
type cachedTableSet struct {
	database, revision, view string
	ready                    chan struct{}
	set                      *tableSet
	err                      error
	users                    int
	dropped                  bool
}

var _ pgwire.Catalogue = (*Catalogue)(nil)

// New returns a catalogue without tables. Its engine and its rows have their shares of a budget; nil means that memory is not counted.
func New(log *slog.Logger, budget *memory.Budget) *Catalogue {
	bounds := newTableSetBounds(budget)
	return &Catalogue{
		log: log, memory: budget, bounds: bounds, open: make(chan struct{}, bounds.sets), maxTime: maxStatementTime, turns: newStatementTurns(maxConcurrentStatements), seed: maphash.MakeSeed(), shapes: map[uint64]struct{}{},
		wait: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "semlayer_pg_catalogue_wait_seconds", Help: "Time that statements about the catalogue wait for their turn.",
			Buckets: []float64{.001, .01, .1, .5, 1, 2.5, 5, 10, 30},
		}),
	}
}

// Metrics returns the measurements of the catalogue.
func (c *Catalogue) Metrics() prometheus.Collector { return c.wait }

// Close drops the tables. Statements that run end first.
func (c *Catalogue) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.sets {
		c.retireTableSet(s)
	}
	c.sets = nil
}

// Describe finds the columns of a statement and the types of its parameters.
func (c *Catalogue) Describe(ctx context.Context, s pgwire.CatalogueSession, statement *parse.Statement, declared []uint32) (pgwire.StatementDescription, error) {
	var out pgwire.StatementDescription
	err := c.runWithTableSet(ctx, s, func(set *tableSet) error {
		r := newTranslator(set, s, declared, nil)
		_, columns, err := r.translateStatement(statement)
		if err != nil {
			return err
		}
		out = pgwire.StatementDescription{Columns: toWireColumns(columns), Parameters: r.parameterTypes()}
		return nil
	})
	return out, err
}

// Answer reads the rows of a statement.
func (c *Catalogue) Answer(ctx context.Context, s pgwire.CatalogueSession, statement *parse.Statement, params []pgwire.BindParameterValue) (pgwire.CatalogueRows, error) {
	var out pgwire.CatalogueRows
	c.logStatementShape(ctx, statement.Text)
	err := c.runWithTableSet(ctx, s, func(set *tableSet) error {
		declared := make([]uint32, len(params))
		for i, p := range params {
			declared[i] = p.Type
		}
		if params == nil {
			params = []parameter{}
		}
		r := newTranslator(set, s, declared, params)
		r.session.answers = true
		node, columns, err := r.translateStatement(statement)
		if err != nil {
			return err
		}
		out.Columns = toWireColumns(columns)
		held, err := c.memory.Part(memory.Catalogue).Reserve(0)
		if err != nil {
			return err
		}
		if out.Rows, err = c.queryRows(ctx, set, r, node, columnsBeforeEffects(columns), held); err != nil {
			held.Release()
			return err
		}
		out.Close = held.Release
		return runEffects(out.Rows, columns, held)
	})
	return out, err
}

func newTranslator(set *tableSet, s pgwire.CatalogueSession, declared []uint32, params []parameter) *translator {
	return &translator{set: set, declared: declared, params: params, session: session{
		database: s.Database, user: s.User, processID: s.ProcessID, databases: s.Databases, version: s.Version,
		variables: s.Variables, server: s.Server, client: s.Client, sessions: s.Sessions, now: time.Now().UTC().Format("2006-01-02 15:04:05.000000"),
	}}
}

// translateStatement resolves a statement.
func (r *translator) translateStatement(statement *parse.Statement) (ducksql.Node, []*scopeColumn, error) {
	q, err := statement.CatalogueTree()
	if err != nil {
		return nil, nil, convertParseError(err)
	}
	r.text, r.effective, r.estimate.oneRow = statement.Text, effectiveCalls(q), true
	return r.translateQuery(withOrderOfInformationSchemaColumns(q), nil)
}

func (r *translator) parameterTypes() []uint32 {
	for i, t := range r.declared {
		if t == 0 || t == unknownTypeOID {
			r.declared[i] = textTypeOID
		}
	}
	return r.declared
}

func toWireColumns(columns []*scopeColumn) []pgwire.Column {
	out := make([]pgwire.Column, len(columns))
	for i, c := range columns {
		out[i] = pgwire.Column{Name: c.name, Type: c.value.typ, Table: c.value.table, Attribute: uint16(max(c.value.number, 0))}
		switch c.value.typ {
		case unknownTypeOID:
			out[i].Type = textTypeOID
		case computedIntervalType:
			out[i].Type = intervalTypeOID
		}
	}
	return out
}

// queryRows runs a statement on the engine when its turn comes. The statements share the memory of the engine: one that has failed
// beside others for lack of it runs again alone.
func (c *Catalogue) queryRows(ctx context.Context, set *tableSet, r *translator, node ducksql.Node, columns []*scopeColumn, held *memory.Reservation) ([][]any, error) {
	if isEmptyResult(node) {
		return [][]any{}, nil
	}
	// The engine counts the memory of a table, but not of the rows that it gives.
	kept := r.newUniqueName("k")
	mostRows := min(maxResultRows, maxResultBytes/max(rowBytes(columns), 1))
	limited := ducksql.Print(ducksql.FillTemplate("WITH ? AS MATERIALIZED (SELECT * FROM (?) LIMIT "+strconv.Itoa(mostRows+1)+") SELECT * FROM ?", kept, node, kept))
	begun := time.Now()
	turn, err := c.turns.wait(ctx, r.session.processID)
	c.wait.Observe(time.Since(begun).Seconds())
	if err != nil {
		return nil, err
	}
	run := func() ([][]any, error) {
		defer turn.release() // also where the statement is a defect that panics
		return c.runStatement(ctx, set, r, limited, columns, held)
	}
	rows, err := run()
	if turn.shared && isOutOfMemoryError(err) {
		if turn, err = c.turns.waitAlone(ctx, turn); err != nil {
			return nil, err
		}
		rows, err = run()
	}
	if len(rows) > mostRows {
		return nil, resultTooLargeError()
	}
	return rows, err
}

// runStatement runs a statement for a limited time.
func (c *Catalogue) runStatement(ctx context.Context, set *tableSet, r *translator, sql string, columns []*scopeColumn, held *memory.Reservation) ([][]any, error) {
	running, cancel := context.WithTimeout(ctx, c.maxTime)
	defer cancel()
	if err := set.createKeptViews(running, r.keptViews); err != nil {
		return nil, c.logAndConvertError(ctx, running, err)
	}
	rows, err := set.engine.Query(running, sql)
	if err != nil {
		return nil, c.logAndConvertError(ctx, running, err)
	}
	defer func() { _ = rows.Close() }()
	out, err := convertRowsToPostgres(running, rows, set, r.session, columns, held)
	if err != nil {
		return nil, c.logAndConvertError(ctx, running, err)
	}
	return out, nil
}

// logAndConvertError gives an error of the engine the form of the others. Its text is for the log alone.
func (c *Catalogue) logAndConvertError(ctx, running context.Context, err error) error {
	var known *engine.SQLError
	var full *memory.LimitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &known), errors.As(err, &full):
		return err
	case errors.Is(err, duckdb.ErrRowsTooWide):
		return resultTooLargeError()
	case running.Err() != nil:
		return newStatementError(nil, sqlstateQueryCanceled, "a statement about the catalogue runs at most "+c.maxTime.String())
	}
	var failed *executor.Error
	if errors.As(err, &failed) {
		c.log.Debug("a catalogue statement failed", "error", failed.Message)
	}
	return convertDuckDBError(err)
}

// runWithTableSet runs a function with the tables of the session's model.
func (c *Catalogue) runWithTableSet(ctx context.Context, s pgwire.CatalogueSession, run func(*tableSet) error) error {
	cached := c.acquireTableSet(ctx, s)
	defer c.releaseTableSet(cached)
	select {
	case <-cached.ready:
	case <-ctx.Done():
		return ctx.Err()
	}
	if cached.err != nil {
		return newStatementError(nil, sqlstateInternalError, "the tables of the catalogue cannot be created")
	}
	return run(cached.set)
}

func (c *Catalogue) acquireTableSet(ctx context.Context, s pgwire.CatalogueSession) *cachedTableSet {
	c.mu.Lock()
	defer c.mu.Unlock()
	revision, view := s.Model.Revision(), s.Model.ViewKey()
	for i, known := range c.sets {
		if known.database == s.Database && known.view == view {
			c.sets = append(append(c.sets[:i:i], c.sets[i+1:]...), known)
			known.users++
			return known
		}
	}
	made := &cachedTableSet{database: s.Database, revision: revision, view: view, ready: make(chan struct{}), users: 1}
	c.dropSetsUnlessKept(func(known *cachedTableSet) bool { return known.database != s.Database || known.revision == revision }) // which a reload has replaced
	c.sets = append(c.sets, made)
	if len(c.sets) > c.bounds.sets {
		c.retireTableSet(c.sets[0])
		c.sets = slices.Delete(c.sets, 0, 1)
	}
	go c.openTableSetForWaitingStatements(context.WithoutCancel(ctx), made, s.Model.Relations())
	return made
}

// ReplaceModels drops the tables of all other models: of those that were removed, and of former revisions. The tables
// of a new revision are made when a statement asks.
func (c *Catalogue) ReplaceModels(models []pgwire.Model) {
	c.numbers.drop()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dropSetsUnlessKept(func(s *cachedTableSet) bool {
		return slices.ContainsFunc(models, func(m pgwire.Model) bool { return m.Name == s.database && m.Service.Revision() == s.revision })
	})
}

// dropSetsUnlessKept drops the sets that are not to be kept.
func (c *Catalogue) dropSetsUnlessKept(keep func(*cachedTableSet) bool) {
	c.sets = slices.DeleteFunc(c.sets, func(s *cachedTableSet) bool {
		if keep(s) {
			return false
		}
		c.retireTableSet(s)
		return true
	})
}

// openTableSetForWaitingStatements makes the tables for all statements that wait for them, also after the first one has abandoned.
// Where as many sets are open as their memory allows, one that was retired closes first.
func (c *Catalogue) openTableSetForWaitingStatements(ctx context.Context, s *cachedTableSet, relations []engine.RelationInfo) {
	c.open <- struct{}{}
	set, err := recoverToError(func() (*tableSet, error) { return openTableSet(ctx, relations, c.bounds) })
	if err != nil {
		<-c.open
	}
	c.mu.Lock()
	s.set, s.err = set, err
	c.mu.Unlock()
	if err != nil {
		c.log.Error("the tables of the catalogue cannot be created", "error", err)
	}
	close(s.ready)
	c.lockAndCloseIfUnused(s)
}

// recoverToError turns a panic into an error, because no session is there to end with it.
func recoverToError[T any](work func() (T, error)) (result T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a panic: %v\n%s", p, debug.Stack())
		}
	}()
	return work()
}

func (c *Catalogue) lockAndCloseIfUnused(s *cachedTableSet) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closeIfUnused(s)
}

// retireTableSet takes a set out of use; it closes with its last statement.
func (c *Catalogue) retireTableSet(s *cachedTableSet) {
	s.dropped = true
	c.closeIfUnused(s)
}

func (c *Catalogue) closeIfUnused(s *cachedTableSet) {
	if s.dropped && s.users == 0 && s.set != nil && s.set.engine != nil {
		_ = s.set.engine.Close()
		s.set.engine = nil
		<-c.open
	}
}

func (c *Catalogue) releaseTableSet(s *cachedTableSet) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.users--
	c.closeIfUnused(s)
}
