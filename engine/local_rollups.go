package engine

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
)

const (
	// maxLocalFiles bounds the files of local rollups that are open, each of which has an equal share of the memory. Where requests need more at once,
	// one for each connection is open.
	maxLocalFiles = 4
	// localFileGrace is how long a file that was replaced takes statements of a request that has no time limit.
	localFileGrace = time.Minute
)

// localTarget is the file with the tables of the local rollups of a connection.
type localTarget struct {
	file *localFile
	of   compileTarget // the connection that has computed the rows
}

// localFile is a file of local rollups as it was when a request first found it. A refresh puts another file in its place: a request that was
// compiled for this one still runs on it.
type localFile struct {
	id   string      // of this file among all that were opened
	info os.FileInfo // nil: there was no file
	db   *lazyExecutor
	// used is when a request last asked for it, and needed is until when a request may start statements on it.
	used, needed time.Time
}

// localFiles are the files of local rollups.
type localFiles struct {
	open func(ctx context.Context, path string) (executor.Executor, error)

	mutex    sync.Mutex
	current  map[string]*localFile // by path
	replaced map[*localFile]*time.Timer
	count    int // of all that were opened
}

// newLocalFiles returns no open file.
func newLocalFiles(c Config) *localFiles {
	return &localFiles{
		current: map[string]*localFile{}, replaced: map[*localFile]*time.Timer{},
		open: func(ctx context.Context, path string) (executor.Executor, error) {
			return warehouse.OpenEmbeddedDatabase(ctx, c.localFileOptions(path), c.warehouseOptions())
		},
	}
}

// localFileOptions describes the database in a file of local rollups.
func (c Config) localFileOptions(path string) warehouse.EmbeddedDatabase {
	return warehouse.EmbeddedDatabase{Path: path, Connections: c.MaxExecutions, MemoryLimit: c.database.localMemory, SpillLimit: c.database.localSpill}
}

// file returns the file at a path, for a request that starts no statement on it after a time.
func (all *localFiles) file(path string, until time.Time) *localFile {
	info, err := os.Stat(path)
	if err != nil {
		info = nil
	}
	now := time.Now()
	all.mutex.Lock()
	defer all.mutex.Unlock()
	f := all.current[path]
	if f == nil || !isSameFile(f.info, info) {
		if f != nil {
			all.retire(path, f)
		}
		all.count++
		f = &localFile{id: strconv.Itoa(all.count), info: info}
		f.db = newLazyExecutor(func(ctx context.Context) (executor.Executor, error) { return all.open(ctx, path) })
		all.current[path] = f
	}
	f.used = now
	if until.After(f.needed) {
		f.needed = until
	}
	if len(all.current) > maxLocalFiles {
		all.retireLeastUsed(now)
	}
	return f
}

// known returns the file at a path that a request has found there; nil for none.
func (all *localFiles) known(path string) *localFile {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	return all.current[path]
}

func isSameFile(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// retireLeastUsed closes the file that no request needs and that was asked for least lately, if there is one. A file that a request needs would stay
// open, and the next request for it would open it once more.
func (all *localFiles) retireLeastUsed(now time.Time) {
	var path string
	for p, f := range all.current {
		if f.needed.Before(now) && (path == "" || f.used.Before(all.current[path].used)) {
			path = p
		}
	}
	if path != "" {
		all.retire(path, all.current[path])
	}
}

// retire closes a file as soon as no request can start a statement on it any more. Statements that run then end first.
func (all *localFiles) retire(path string, f *localFile) {
	delete(all.current, path)
	all.replaced[f] = time.AfterFunc(time.Until(f.needed), func() {
		all.mutex.Lock()
		delete(all.replaced, f)
		all.mutex.Unlock()
		_ = f.db.close()
	})
}

func (all *localFiles) close() error {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	var failures []error
	for _, f := range all.current {
		failures = append(failures, f.db.close())
	}
	for f, timer := range all.replaced {
		timer.Stop()
		failures = append(failures, f.db.close())
	}
	return errors.Join(failures...)
}

// localFilePath returns the file of the local rollups of a connection.
func (e *Engine) localFilePath(connection string) string {
	dir := e.config.RollupDir
	if e.config.RollupDirOfModels {
		dir = filepath.Join(dir, e.config.ModelName)
	}
	return filepath.Join(dir, url.PathEscape(connection)+".duckdb")
}

// localTargetOf returns the target of statements on the local file of a connection.
func (e *Engine) localTargetOf(t compileTarget, file *localFile) compileTarget {
	out := e.warehouses.targets[embeddedDialect]
	out.connection, out.local = t.connection, &localTarget{file, t}
	out.planner.Now = t.planner.Now
	out.planner.Rollups = e.rollupTarget(out)
	return out
}

// hasLocalRollups reports whether a statement on a connection can be tried on local rollups.
func (e *Engine) hasLocalRollups(t compileTarget) bool {
	if e.config.RollupDir == "" || t.planner.Rollups == nil || t.planner.Rollups.OfReader {
		return false
	}
	return slices.ContainsFunc(e.cat.Rollups, func(r *catalog.Rollup) bool { return r.Local && r.IsOn(t.connectionName()) })
}

// notLocal is why a statement is not answered from the local file of its connection.
type notLocal struct {
	why      string
	unusable map[string]plan.RollupRejection // rollups that their states exclude
}

// without returns the target of a statement that is not answered from the local file.
func (t compileTarget) without(failed notLocal) compileTarget {
	if failed.why != "" {
		next := *t.planner.Rollups
		next.NotLocal, next.Unusable = failed.why, failed.unusable
		t.planner.Rollups = &next
	}
	return t
}

// compileForLocalFile compiles queries that read rollups in the local file of a connection alone, all of one build. For other queries it returns
// why they are not answered from the file, and no query. The file is opened only for queries whose every branch it may serve.
func (e *Engine) compileForLocalFile(ctx context.Context, t compileTarget, compile func(compileTarget) ([]*compiledQuery, error)) ([]*compiledQuery, notLocal, error) {
	if !e.hasLocalRollups(t) {
		return nil, notLocal{}, nil
	}
	until, bounded := ctx.Deadline()
	if !bounded {
		until = time.Now().Add(localFileGrace)
	}
	local := e.localTargetOf(t, e.warehouses.local.file(e.localFilePath(t.connectionName()), until))
	queries, err := compile(local)
	if err != nil {
		return rejectLocal(err, nil)
	}
	if queries, failed, err := e.acceptLocal(queries, nil); queries == nil {
		return nil, failed, err
	}
	control, err := e.readRollupControl(ctx, local)
	if err != nil {
		return nil, notLocal{}, err
	}
	next := *local.planner.Rollups
	next.Local = &plan.LocalRollups{Dialect: next.Local.Dialect, Unordered: control.unordered, TextsAreKnown: true}
	local.planner.Rollups = &next
	queries, unusable, err := e.compileForTables(ctx, local, compile)
	if err != nil {
		return rejectLocal(err, unusable)
	}
	return e.acceptLocal(queries, unusable)
}

// rejectLocal returns the result for queries that do not compile for a local file.
func rejectLocal(err error, unusable map[string]plan.RollupRejection) ([]*compiledQuery, notLocal, error) {
	var ofQuery *planerr.Error
	var ofStatement *SQLError
	if errors.As(err, &ofQuery) || errors.As(err, &ofStatement) { // that of the connection is the one to report
		return nil, notLocal{needsOtherTables, unusable}, nil
	}
	return nil, notLocal{}, err
}

// needsOtherTables is why a statement is not answered from the local file where no more is known.
const needsOtherTables = "a branch needs other tables"

// acceptLocal returns queries that read rollups of one build in a local file alone; for others it returns no query, and why.
func (e *Engine) acceptLocal(queries []*compiledQuery, unusable map[string]plan.RollupRejection) ([]*compiledQuery, notLocal, error) {
	var builds []time.Time
	for _, c := range queries {
		if c.readsOthers || len(c.end.Rollups) == 0 {
			return nil, notLocal{e.whyOtherTables(c.end.Rollups), unusable}, nil
		}
		if c.textOrder != "" {
			return nil, notLocal{"the query orders texts, and " + c.textOrder + " has texts that the connection orders otherwise", unusable}, nil
		}
		builds = append(builds, c.builds...)
	}
	if slices.ContainsFunc(builds, func(at time.Time) bool { return !at.Equal(builds[0]) }) {
		return nil, notLocal{"the rollups of its branches have different ages", unusable}, nil
	}
	return queries, notLocal{}, nil
}

// whyOtherTables returns why the branches of a query do not all read the local file.
func (e *Engine) whyOtherTables(uses []RollupUse) string {
	i := slices.IndexFunc(uses, func(use RollupUse) bool { return use.Rollup == nil })
	if i >= 0 && len(uses[i].WhyNot) > 0 {
		if first := uses[i].WhyNot[0]; first.Rule == plan.RollupRuleLocal && e.cat.Rollup(first.Rollup).Local {
			return first.Message
		}
	}
	return needsOtherTables
}
