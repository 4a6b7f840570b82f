package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/tables"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
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
	RollupBuilt     = "built"     // a new table is in the place of the old one
	RollupUpdated   = "updated"   // the last partitions were replaced
	RollupUnchanged = "unchanged" // the base tables are as they were at the last build
)

// RefreshRollups builds the tables of rollups, one after another, while queries read them: a query sees the table as it was or as it is, never
// none. It returns what it has done until the first error, which is a *planerr.Error or an *ExecuteError.
func (e *Engine) RefreshRollups(ctx context.Context, q RollupRefresh) (done []RefreshedRollup, err error) {
	if err := e.checkSeesSQL(); err != nil {
		return nil, err
	}
	t, err := e.chooseCompileTarget("", q.Connection)
	if err != nil {
		return nil, err
	}
	rollups, err := e.rollupsToWrite(q.Names, t)
	if err != nil {
		return nil, err
	}
	defer e.recoverToError(&err)
	if err := checkRollupsWritable(t, q.DryRun); err != nil {
		return nil, err
	}
	session, err := e.openRollupWriter(ctx, t, q.DryRun)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	for _, r := range rollups {
		b := &rollupBuild{engine: e, request: q, target: t, session: session, rollup: r, dialect: t.dialect}
		out, err := b.run(ctx)
		if err != nil {
			return done, err
		}
		done = append(done, out)
	}
	return done, nil
}

// rollupsToWrite finds rollups by name, or all that a connection has.
func (e *Engine) rollupsToWrite(names []string, t compileTarget) ([]*catalog.Rollup, error) {
	var out []*catalog.Rollup
	at := t.connectionName()
	for _, name := range names {
		r, err := e.rollupNamed(name)
		if err != nil {
			return nil, err
		}
		if r.Connections != nil && !slices.Contains(r.Connections, at) {
			return nil, &planerr.Error{Code: planerr.CodeBadRequest, Message: "the rollup " + name + " is not one of the connection " + planerr.ClipText(at), Candidates: r.Connections}
		}
		out = append(out, r)
	}
	if len(names) > 0 {
		return out, nil
	}
	for _, r := range e.cat.Rollups {
		if !r.Local && (r.Connections == nil || slices.Contains(r.Connections, at)) {
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
	if !slices.Contains([]string{"duckdb", "sqlite", "postgres", "redshift", "mysql", "mariadb", "tidb"}, name) || t.connection != nil && t.connection.profile != nil && t.connection.profile.Type == "cockroachdb" {
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

// rollupBuild is the refresh of one rollup:
//
//	clock ─► states of the base tables ─► control row ─► new table ─► its indexes and grants ─► swap, with the control row
//	                                           └────────► the last partitions, deleted and inserted, with the control row
type rollupBuild struct {
	engine  *Engine
	request RollupRefresh
	target  compileTarget
	session executor.WriteSession
	rollup  *catalog.Rollup
	dialect *sqlemit.Dialect
	out     RefreshedRollup

	table, control sqlemit.TableName
	tables         [][]*string // of the warehouse: schema, name, whether it is in the default schema
	now            time.Time   // of the warehouse, before anything else was read
	freshness      string      // a hash of the states of the base tables; "" where one declares none
	last           rollupRecord
}

func (b *rollupBuild) run(ctx context.Context) (RefreshedRollup, error) {
	e, r := b.engine, b.rollup
	b.out = RefreshedRollup{Name: r.Name, Statements: []string{}}
	b.table = e.rollupTarget(b.target).Table(r.Source).Table
	b.control = controlTableOf(e.rollupTarget(b.target))
	if err := b.checkNoDataset(); err != nil {
		return b.out, err
	}
	planned, err := e.planner.PlanRollup(ctx, r, b.target.planner)
	if err != nil {
		return b.out, e.toPlanError(ctx, err)
	}
	if err := b.readState(ctx, planned); err != nil {
		return b.out, err
	}
	if err := b.dropLeftOvers(ctx); err != nil {
		return b.out, err
	}
	exists, known := b.exists(b.table), b.exists(b.control)
	if !known {
		if err := b.exec(ctx, sqlemit.CreateTable(b.control, rollupControlColumns, b.dialect)); err != nil {
			return b.out, err
		}
		if err := b.grant(ctx, b.control); err != nil {
			return b.out, err
		}
	}
	definition := e.definitions.of(r.Name, b.target)
	isSame := exists && b.last.definition == definition && !b.request.Full
	next := rollupRecord{definition: definition, asOf: b.now, fullAsOf: b.now, builtAt: b.now, freshness: b.freshness}
	switch {
	case isSame && b.freshness != "" && b.freshness == b.last.freshness:
		b.out.Action = RollupUnchanged
		err = b.moveAge(ctx)
	case isSame && r.Refresh != nil && r.Refresh.Group >= 0 && !b.last.cut.IsZero() && b.dialect.Name() != "redshift":
		next.fullAsOf = b.last.fullAsOf
		b.out.Action = RollupUpdated
		err = b.update(ctx, next)
	default:
		b.out.Action = RollupBuilt
		err = b.build(ctx, planned, next, exists)
	}
	b.out.AsOf = b.now.UTC().Format(time.RFC3339)
	return b.out, err
}

// checkNoDataset rejects a rollup whose table is that of a dataset, which the build would replace.
func (b *rollupBuild) checkNoDataset() error {
	for _, d := range b.engine.cat.Datasets {
		if d.Source.Query == "" && strings.EqualFold(d.Source.Text(), sqlexpr.DatasetTableOrQuery{Table: b.table}.Text()) {
			return &planerr.Error{Code: planerr.CodeBadRequest, Message: "the table of the rollup " + b.rollup.Name + " is that of the dataset " + d.Name, Hint: "give the rollup another source"}
		}
	}
	return nil
}

// readState reads the clock, then the states of the base tables and the last record: everything that is read later includes the changes before the time of the clock.
func (b *rollupBuild) readState(ctx context.Context, planned *planner.Planned) error {
	clock, err := sqlexpr.Parse("CURRENT_TIMESTAMP")
	if err != nil {
		return err
	}
	rows, err := b.read(ctx, []sqlexpr.Expr{clock}, nil, nil)
	if err != nil {
		return err
	}
	if len(rows) != 1 || rows[0][0] == nil || parseAsOf(*rows[0][0]).IsZero() {
		return configError("the clock of the warehouse cannot be read")
	}
	b.now = parseAsOf(*rows[0][0])
	if err := b.readFreshness(ctx, planned.Root); err != nil {
		return err
	}
	list, ok := tables.ListStatement(b.dialect.Name())
	if !ok {
		return configError("the tables of a warehouse of dialect " + b.dialect.Name() + " cannot be listed")
	}
	if b.tables, err = b.session.Query(ctx, list); err != nil || !b.exists(b.control) {
		return err
	}
	columns := make([]sqlexpr.Expr, len(readRecordColumns))
	for i, name := range readRecordColumns {
		columns[i] = newControlColumn(name)
	}
	if rows, err = b.read(ctx, columns, b.control, isRollupRow(b.rollup)); err == nil && len(rows) > 0 {
		b.last = newRollupRecord(rows[0])
	}
	return err
}

// readFreshness hashes the states of the base tables, where each of them declares one.
func (b *rollupBuild) readFreshness(ctx context.Context, root plan.Node) error {
	statements, err := freshnessStatements(ctx, root, b.target)
	if err != nil || !plan.AllDeclareFreshness(root) {
		return err
	}
	h := sha256.New()
	for _, sql := range statements {
		rows, err := b.session.Query(ctx, sql)
		if err != nil {
			return err
		}
		value := "NULL"
		if len(rows) > 0 && len(rows[0]) > 0 && rows[0][0] != nil {
			value = fmt.Sprintf("%q", *rows[0][0])
		}
		_, _ = h.Write([]byte(sql + "\x00" + value + "\x00"))
	}
	b.freshness = hex.EncodeToString(h.Sum(nil))
	return nil
}

// read returns the values of expressions over a table, as texts.
func (b *rollupBuild) read(ctx context.Context, values []sqlexpr.Expr, table sqlemit.TableName, cond sqlexpr.Expr) ([][]*string, error) {
	sql, err := sqlemit.SelectValues(values, table, cond, b.dialect)
	if err != nil {
		return nil, err
	}
	return b.session.Query(ctx, sql)
}

// exists reports whether the warehouse has a table.
func (b *rollupBuild) exists(table sqlemit.TableName) bool {
	return slices.ContainsFunc(b.tables, func(row []*string) bool {
		return isInSchema(row, table) && strings.EqualFold(*row[1], table[len(table)-1].Text)
	})
}

// isInSchema reports whether a row of the list of tables is in the schema of a table.
func isInSchema(row []*string, table sqlemit.TableName) bool {
	if len(row) < 3 || row[0] == nil || row[1] == nil || row[2] == nil {
		return false
	}
	if len(table) > 1 {
		return strings.EqualFold(*row[0], table[len(table)-2].Text)
	}
	return slices.Contains([]string{"true", "t", "1"}, *row[2])
}

// dropLeftOvers removes the tables that builds of the rollup have left when they were killed.
func (b *rollupBuild) dropLeftOvers(ctx context.Context) error {
	name := b.table[len(b.table)-1]
	for _, row := range b.tables {
		if isInSchema(row, b.table) && isLeftOver(*row[1], name, b.now) {
			if err := b.exec(ctx, sqlemit.DropTable(b.beside(sqlexpr.Name{Text: *row[1], Quoted: true}), b.dialect)); err != nil {
				return err
			}
		}
	}
	return nil
}

// beside returns a table in the schema of that of the rollup.
func (b *rollupBuild) beside(name sqlexpr.Name) sqlemit.TableName {
	return append(slices.Clone(b.table[:len(b.table)-1]), name)
}

// exec runs a statement that writes, unless the refresh is a dry run.
func (b *rollupBuild) exec(ctx context.Context, sql string) error {
	if b.request.Before != nil {
		if err := b.request.Before(sql); err != nil {
			return err
		}
	}
	b.out.Statements = append(b.out.Statements, sql)
	if b.request.DryRun {
		return nil
	}
	return b.session.Exec(ctx, sql)
}

// inTransaction runs statements in a transaction, all of them or none.
func (b *rollupBuild) inTransaction(ctx context.Context, statements []string) error {
	begin := "BEGIN"
	if b.dialect.Name() == "sqlite" { // whose lock cannot be taken later while others write
		begin = "BEGIN IMMEDIATE"
	}
	for _, sql := range slices.Concat([]string{begin}, statements, []string{"COMMIT"}) {
		if err := b.exec(ctx, sql); err != nil {
			if !b.request.DryRun {
				_ = b.session.Exec(context.WithoutCancel(ctx), "ROLLBACK") // the error of the statement is the one to report
			}
			return err
		}
	}
	return nil
}

// grant lets the roles of the profile read a table.
func (b *rollupBuild) grant(ctx context.Context, table sqlemit.TableName) error {
	if b.target.connection == nil || b.target.connection.profile.Rollups == nil || b.dialect.Name() == "duckdb" || b.dialect.Name() == "sqlite" {
		return nil
	}
	for _, role := range b.target.connection.profile.Rollups.GrantTo {
		if err := b.exec(ctx, sqlemit.GrantSelect(table, role, b.dialect)); err != nil {
			return err
		}
	}
	return nil
}

// renamesTogether reports whether the swap is one statement that renames both tables: where no transaction holds statements about tables.
func (b *rollupBuild) renamesTogether() bool {
	return slices.Contains([]string{"mysql", "mariadb", "tidb"}, b.dialect.Name())
}

// build makes a new table and puts it in the place of the old one.
func (b *rollupBuild) build(ctx context.Context, planned *planner.Planned, next rollupRecord, exists bool) error {
	name := b.table[len(b.table)-1]
	made := b.beside(newBuildName(name, rollupNewMark, b.now))
	c, err := b.engine.printPlanAsSQL(ctx, planned, b.target, false, "")
	if err != nil {
		return err
	}
	if err := b.exec(ctx, sqlemit.CreateTableAs(sqlexpr.DatasetTableOrQuery{Table: made}, c.sql, b.dialect, sqlemit.FormatOptions{})); err != nil {
		return err
	}
	if err := b.finish(ctx, made, &next); err != nil {
		if !b.request.DryRun {
			_ = b.session.Exec(context.WithoutCancel(ctx), sqlemit.DropTable(made, b.dialect))
		}
		return err
	}
	if err := b.swap(ctx, made, next, exists); err != nil {
		return err
	}
	if b.renamesTogether() { // where grants belong to a name, and stay with it
		return b.grant(ctx, b.table)
	}
	return nil
}

// finish makes a new table ready to be read.
func (b *rollupBuild) finish(ctx context.Context, made sqlemit.TableName, next *rollupRecord) error {
	if err := b.narrowSums(ctx, made); err != nil {
		return err
	}
	if b.rollup.Refresh != nil && b.dialect.Name() != "duckdb" && b.dialect.Name() != "redshift" {
		for _, columns := range b.rollup.Refresh.Indexes {
			if err := b.exec(ctx, sqlemit.CreateIndex(newIndexName(b.table[len(b.table)-1]), made, columns, b.dialect)); err != nil {
				return err
			}
		}
	}
	if !b.renamesTogether() {
		if err := b.grant(ctx, made); err != nil {
			return err
		}
	}
	if b.request.DryRun {
		return nil
	}
	return b.readCut(ctx, made, next)
}

// readCut sets the beginning of the partitions that the next refresh replaces.
func (b *rollupBuild) readCut(ctx context.Context, table sqlemit.TableName, next *rollupRecord) error {
	if b.rollup.Refresh == nil || b.rollup.Refresh.Group < 0 {
		return nil
	}
	last, err := sqlexpr.NewCall(sqlexpr.CallParts{Name: sqlexpr.Name{Text: "MAX"}, Args: []sqlexpr.Expr{newTableColumn(b.rollup.Groups[b.rollup.Refresh.Group].Column)}})
	if err != nil {
		return err
	}
	rows, err := b.read(ctx, []sqlexpr.Expr{last}, table, nil)
	if err != nil || len(rows) == 0 || rows[0][0] == nil {
		return err
	}
	at := parseAsOf(*rows[0][0])
	if at.IsZero() {
		return nil
	}
	next.cut, err = b.engine.planner.RollupCut(b.rollup, at)
	return err
}

// narrowSums stores sums of integers in 64 bits, where all of them fit: wider numbers take several times as long to add.
func (b *rollupBuild) narrowSums(ctx context.Context, made sqlemit.TableName) error {
	for _, m := range b.rollup.Measures {
		change := sqlemit.ChangeColumnToInteger(made, m.Column, b.dialect)
		if m.Measure.Agg != catalog.AggSum || m.Measure.Type != sqlexpr.TypeInt || change == "" {
			continue
		}
		fits := b.request.DryRun
		if !fits {
			var err error
			if fits, err = b.fitsInteger(ctx, made, m.Column); err != nil {
				return err
			}
		}
		if fits {
			if err := b.exec(ctx, change); err != nil {
				return err
			}
		}
	}
	return nil
}

// fitsInteger reports whether all values of a column are integers of 64 bits.
func (b *rollupBuild) fitsInteger(ctx context.Context, table sqlemit.TableName, column string) (bool, error) {
	var ends []sqlexpr.Expr
	for _, name := range []string{"MIN", "MAX"} {
		end, err := sqlexpr.NewCall(sqlexpr.CallParts{Name: sqlexpr.Name{Text: name}, Args: []sqlexpr.Expr{newTableColumn(column)}})
		if err != nil {
			return false, err
		}
		ends = append(ends, end)
	}
	rows, err := b.read(ctx, ends, table, nil)
	if err != nil || len(rows) == 0 {
		return false, err
	}
	for _, text := range rows[0] {
		if text == nil {
			continue
		}
		if n, ok := new(big.Int).SetString(*text, 10); !ok || !n.IsInt64() {
			return false, nil
		}
	}
	return true, nil
}

// swap puts a new table in the place of the old one, and records it.
func (b *rollupBuild) swap(ctx context.Context, made sqlemit.TableName, next rollupRecord, exists bool) error {
	name := b.table[len(b.table)-1]
	record, err := replaceRecordStatements(b.control, b.rollup, next, b.table, b.dialect)
	if err != nil {
		return err
	}
	if !b.renamesTogether() {
		statements := []string{sqlemit.DropTable(b.table, b.dialect), sqlemit.RenameTable(made, name, b.dialect)}
		return b.inTransaction(ctx, append(statements, record...))
	}
	names := []sqlemit.TableName{made, b.table}
	old := b.beside(newBuildName(name, rollupOldMark, b.now))
	if exists {
		names = append([]sqlemit.TableName{b.table, old}, names...)
	}
	if err := b.exec(ctx, sqlemit.RenameTables(names, b.dialect)); err != nil {
		return err
	}
	if exists {
		if err := b.exec(ctx, sqlemit.DropTable(old, b.dialect)); err != nil {
			return err
		}
	}
	return b.inTransaction(ctx, record)
}

// update replaces the partitions from the cut on, and the rows without a time.
func (b *rollupBuild) update(ctx context.Context, next rollupRecord) error {
	if err := b.readCut(ctx, b.table, &next); err != nil {
		return err
	}
	if next.cut.IsZero() {
		next.cut = b.last.cut
	}
	since := next.cut
	planned, err := b.engine.planner.PlanRollupSince(ctx, b.rollup, since, true, b.target.planner)
	if err != nil {
		return b.engine.toPlanError(ctx, err)
	}
	c, err := b.engine.printPlanAsSQL(ctx, planned, b.target, false, "")
	if err != nil {
		return err
	}
	group := b.rollup.Refresh.Group
	cond := planner.RollupSince(newTableColumn(b.rollup.Groups[group].Column), planned.Root.Schema()[group].Type, since, true)
	remove, err := sqlemit.DeleteRows(b.table, cond, b.dialect)
	if err != nil {
		return err
	}
	record, err := replaceRecordStatements(b.control, b.rollup, next, b.table, b.dialect)
	if err != nil {
		return err
	}
	if err := b.inTransaction(ctx, append([]string{remove, sqlemit.InsertSelect(b.table, b.rollup.Columns(), c.sql, b.dialect)}, record...)); err != nil || b.request.DryRun {
		return err
	}
	// Until here the cut is one that was right before: it only makes later reads longer.
	if err := b.readCut(ctx, b.table, &next); err != nil || next.cut.Equal(since) {
		return err
	}
	return b.setRecord(ctx, controlCut, next.cut)
}

// moveAge records that the table is as it would be built now.
func (b *rollupBuild) moveAge(ctx context.Context) error {
	return b.setRecord(ctx, controlAsOf, b.now)
}

// setRecord sets a time of the row of the rollup.
func (b *rollupBuild) setRecord(ctx context.Context, column string, to time.Time) error {
	sql, err := sqlemit.UpdateRows(b.control, []string{column}, []sqlexpr.Expr{newTimeValue(to)}, isRollupRow(b.rollup), b.dialect)
	if err != nil {
		return err
	}
	return b.exec(ctx, sql)
}
