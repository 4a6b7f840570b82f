package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/engine/internal/rollups"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/sqlemit"
)

// RollupRefresh is a request to build the tables of rollups.
type RollupRefresh struct {
	Names      []string // of rollups; none for all that the connection has
	Connection string   // the profile to write to; "" for the database file of the configuration
	Full       bool     // builds whole what could be built in part, or is as it was
	DryRun     bool     // writes nothing
	// Before is called with each statement that writes, before it runs; an error ends the refresh. nil for nothing.
	Before func(statement string) error
}

// RefreshedRollup is what a refresh has done to the table of a rollup.
type RefreshedRollup struct {
	Name   string `json:"name"`
	Action string `json:"action"` // built, updated or unchanged
	AsOf   string `json:"as_of"`  // nothing in the table is older
	// Statements are those that write, in the order in which they ran, or would.
	Statements []string `json:"statements"`
}

// What a refresh has done.
const (
	RollupBuilt     = rollups.Built     // a new table is in the place of the old one
	RollupUpdated   = rollups.Updated   // the last partitions were replaced
	RollupUnchanged = rollups.Unchanged // the base tables are as they were at the last build
)

// RefreshRollups builds the tables of rollups, one after another, while queries read them: a query sees the table as it was or as it is, never
// none. It returns what it has done, and the first error, a *planerr.Error or an *ExecuteError with the messages of all rollups that failed.
func (e *Engine) RefreshRollups(ctx context.Context, q RollupRefresh) (done []RefreshedRollup, err error) {
	if err := e.checkSeesSQL(); err != nil {
		return nil, err
	}
	t, err := e.chooseCompileTarget("", q.Connection)
	if err != nil {
		return nil, err
	}
	chosen, err := e.rollupsToWrite(q.Names, t, e.config.RollupDir != "")
	if err != nil {
		return nil, err
	}
	defer e.recoverToError(&err)
	local := slices.DeleteFunc(slices.Clone(chosen), func(r *catalog.Rollup) bool { return !r.Local })
	if chosen = slices.DeleteFunc(chosen, func(r *catalog.Rollup) bool { return r.Local }); len(chosen) > 0 || len(local) == 0 {
		done, err = e.refreshStoredRollups(ctx, q, chosen, t)
	}
	if len(local) > 0 && ctx.Err() == nil {
		more, failure := e.refreshLocalRollups(ctx, q, local, t)
		return append(done, more...), errors.Join(err, failure)
	}
	return done, err
}

// refreshStoredRollups builds tables on the connection.
func (e *Engine) refreshStoredRollups(ctx context.Context, q RollupRefresh, chosen []*catalog.Rollup, t compileTarget) (done []RefreshedRollup, err error) {
	if err := checkRollupsWritable(t, q.DryRun); err != nil {
		return nil, err
	}
	session, err := e.openRollupWriter(ctx, t, q.DryRun)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	var failed rollupFailures
	for _, r := range chosen {
		out, err := e.refreshRollup(ctx, q, r, t, session)
		if err == nil {
			done = append(done, out)
		} else if !failed.add(ctx, r, err) {
			return done, err
		}
	}
	return done, failed.err()
}

// rollupFailures are the errors of single rollups, for which a refresh builds the others all the same.
type rollupFailures struct {
	first error
	texts []string
}

// add adds the error of a rollup; false where it ends the refresh. What a warehouse or the planner rejects concerns one rollup alone.
func (f *rollupFailures) add(ctx context.Context, r *catalog.Rollup, err error) bool {
	var rejected *ExecuteError
	var unplanned *planerr.Error
	var text string
	switch {
	case ctx.Err() != nil:
		return false
	case errors.As(err, &rejected) && rejected.Code == executor.CodeSQLRejected:
		text = rejected.Message
	case errors.As(err, &unplanned):
		text = unplanned.Message
	default:
		return false
	}
	if f.first == nil {
		f.first = err
	}
	if !strings.Contains(text, "the rollup "+r.Name) {
		text = "the rollup " + r.Name + ": " + text
	}
	f.texts = append(f.texts, text)
	return true
}

// err returns the first error with the messages of all; nil for none.
func (f *rollupFailures) err() error {
	var rejected *ExecuteError
	var unplanned *planerr.Error
	switch {
	case errors.As(f.first, &rejected):
		out := *rejected
		out.Message = strings.Join(f.texts, "; ")
		return &out
	case errors.As(f.first, &unplanned):
		out := *unplanned
		out.Message = strings.Join(f.texts, "; ")
		return &out
	}
	return nil
}

// refreshRollup builds the table of one rollup, or updates it.
func (e *Engine) refreshRollup(ctx context.Context, q RollupRefresh, r *catalog.Rollup, t compileTarget, session executor.WriteSession) (RefreshedRollup, error) {
	to := e.rollupTarget(t)
	b := e.newRollupBuild(q, r, t, session)
	b.Table, b.Control = to.TableOf(r.Name, r.Source).Table, rollups.ControlTable(to)
	if t.connection != nil && t.connection.profile.Rollups != nil {
		b.GrantTo = t.connection.profile.Rollups.GrantTo
	}
	action, err := b.Run(ctx)
	return RefreshedRollup{Name: r.Name, Action: action, AsOf: formatAsOf(b.Now), Statements: b.Statements}, err
}

// newRollupBuild returns the build of a rollup over a connection.
func (e *Engine) newRollupBuild(q RollupRefresh, r *catalog.Rollup, t compileTarget, session executor.WriteSession) *rollups.Build {
	return &rollups.Build{
		Catalog: e.cat, Planner: e.planner, Target: t.planner, Dialect: t.dialect, Session: session, Rollup: r,
		Definition: e.definitionOnTarget(r.Name, t), Full: q.Full, DryRun: q.DryRun, Before: q.Before, Statements: []string{},
		Print: func(ctx context.Context, planned *planner.Planned) (string, error) {
			c, err := e.printPlanAsSQL(ctx, planned, t, false, "")
			if err != nil {
				return "", err
			}
			return c.sql, nil
		},
		Freshness: func(ctx context.Context, root plan.Node) ([]string, error) { return freshnessStatements(ctx, root, t) },
		PlanError: func(ctx context.Context, err error) error { return e.toPlanError(ctx, err) },
	}
}

// rollupsToWrite finds rollups by name, or all that a connection has, those of its local file only where there are such files.
func (e *Engine) rollupsToWrite(names []string, t compileTarget, withLocal bool) ([]*catalog.Rollup, error) {
	var out []*catalog.Rollup
	at := t.connectionName()
	for _, name := range names {
		r, err := e.rollupNamed(name)
		if err != nil {
			return nil, err
		}
		if r.Local && !withLocal {
			return nil, &planerr.Error{
				Code: planerr.CodeBadRequest, Message: "the table of the rollup " + name + " is in a local file, and not on a connection",
				Hint: "refresh builds it with --rollup-dir; check compares tables of connections alone",
			}
		}
		if !r.IsOn(at) {
			return nil, &planerr.Error{Code: planerr.CodeBadRequest, Message: "the rollup " + name + " is not one of the connection " + planerr.ClipText(at), Candidates: r.Connections}
		}
		out = append(out, r)
	}
	if len(names) > 0 {
		return out, nil
	}
	for _, r := range e.cat.Rollups {
		if r.IsOn(at) && (!r.Local || withLocal) {
			out = append(out, r)
		}
	}
	return out, nil
}

// checkRollupsWritable rejects a connection whose profile does not allow to write, or whose warehouse cannot replace a table in one step.
func checkRollupsWritable(t compileTarget, dry bool) error {
	if t.connection != nil && !dry && (t.connection.profile == nil || t.connection.profile.Rollups == nil || !t.connection.profile.Rollups.Writable) {
		return &planerr.Error{
			Code: planerr.CodeRollupNotWritable, Message: "the connection " + planerr.ClipText(t.connectionName()) + " does not allow to write tables",
			Hint: "its profile needs rollups: {writable: true}",
		}
	}
	name := t.dialect.Name()
	if t.dialect.TableWriting().Swap == sqlemit.SwapNone || t.connection != nil && t.connection.profile != nil && t.connection.profile.Type == "cockroachdb" {
		return &planerr.Error{
			Code: planerr.CodeRollupWriteUnsupported, Message: "no refresh replaces a table of " + name + " while queries read it",
			Hint: "semlayer rollup sql prints the statement that makes a table; run it where tables of the warehouse are made",
		}
	}
	return nil
}

// openRollupWriter opens the session that writes. A dry run only reads.
func (e *Engine) openRollupWriter(ctx context.Context, t compileTarget, dry bool) (executor.WriteSession, error) {
	c := e.warehouses.config
	if t.connection != nil && t.connection.profile != nil {
		return warehouse.OpenWriter(ctx, *t.connection.profile, c.warehouseOptions())
	}
	switch {
	case t.connection != nil:
		return nil, configError("the connection " + t.connectionName() + " was opened by the program, and a refresh needs a profile")
	case c.DBPath == "":
		return nil, configError("the embedded database is in memory, which keeps no table: name a connection or a database file")
	}
	o := c.embeddedDatabaseOptions()
	o.Path, o.ReadWrite = c.DBPath, !dry
	return warehouse.OpenEmbeddedWriter(ctx, o, c.warehouseOptions())
}
