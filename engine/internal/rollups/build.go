package rollups

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
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/sqlemit"
)

// Build is the refresh of the table of one rollup:
//
//	clock ─► states of the base tables ─► control row ─► new table ─► its indexes and grants ─► swap, with the control row
//	                                           └────────► the last partitions, deleted and inserted, with the control row
type Build struct {
	Catalog    *catalog.Catalog
	Planner    *planner.Planner
	Target     planner.Target
	Dialect    *sqlemit.Dialect
	Session    executor.WriteSession
	Rollup     *catalog.Rollup
	Table      sqlemit.TableName // of the rollup
	Control    sqlemit.TableName
	Definition string   // the hash of the rollup, from Definitions
	GrantTo    []string // roles that read the table
	Full       bool     // builds whole what could be built in part, or is as it was
	DryRun     bool     // writes nothing
	// Before is called with each statement that writes, before it runs; an error ends the refresh. nil for nothing.
	Before func(statement string) error
	// Freshness returns the statements that read the states of the base tables of a plan.
	Freshness func(ctx context.Context, root plan.Node) ([]string, error)
	// Print returns the SQL of a plan, and PlanError the error of a caller for one of planning.
	Print     func(context.Context, *planner.Planned) (string, error)
	PlanError func(context.Context, error) error

	Statements []string  // those that have written, or would
	Now        time.Time // of the warehouse, before anything else was read

	tables       [][]*string // of a warehouse that lists them: schema, name, whether it is in the default schema
	known        bool        // the table exists
	knowsControl bool        // the control table exists
	freshness    string      // a hash of the states of the base tables; "" where one declares none
	last         Record
}

// Run builds the table, or updates it, and returns what it has done.
func (b *Build) Run(ctx context.Context) (string, error) {
	if err := b.checkNoDataset(); err != nil {
		return "", err
	}
	planned, err := b.Planner.PlanRollup(ctx, b.Rollup, b.Target)
	if err != nil {
		return "", b.PlanError(ctx, err)
	}
	if err := b.readState(ctx, planned); err != nil {
		return "", err
	}
	if err := b.dropLeftOvers(ctx); err != nil {
		return "", err
	}
	if !b.knowsControl {
		if err := b.exec(ctx, sqlemit.CreateTable(b.Control, controlColumns, b.Dialect)); err != nil {
			return "", err
		}
		if err := b.grant(ctx, b.Control); err != nil {
			return "", err
		}
	}
	isSame := b.known && b.last.Definition == b.Definition && !b.Full
	next := Record{Definition: b.Definition, AsOf: b.Now, FullAsOf: b.Now, BuiltAt: b.Now, Freshness: b.freshness}
	switch r := b.Rollup.Refresh; {
	case isSame && b.freshness != "" && b.freshness == b.last.Freshness:
		return Unchanged, b.moveAge(ctx)
	case isSame && r != nil && r.Group >= 0 && !b.last.Cut.IsZero() && b.Dialect.TableWriting().Partial:
		next.FullAsOf = b.last.FullAsOf
		return Updated, b.update(ctx, next)
	}
	return Built, b.build(ctx, planned, next)
}

// What a build has done.
const (
	Built     = "built"     // a new table is in the place of the old one
	Updated   = "updated"   // the last partitions were replaced
	Unchanged = "unchanged" // the base tables are as they were at the last build
)

func newConfigError(message string) error {
	return &executor.Error{Code: executor.CodeConfig, Message: message}
}

// checkNoDataset rejects a rollup whose table is that of a dataset, which the build would replace.
func (b *Build) checkNoDataset() error {
	for _, d := range b.Catalog.Datasets {
		if d.Source.Query == "" && strings.EqualFold(d.Source.Text(), sqlexpr.DatasetTableOrQuery{Table: b.Table}.Text()) {
			return &planerr.Error{Code: planerr.CodeBadRequest, Message: "the table of the rollup " + b.Rollup.Name + " is that of the dataset " + d.Name, Hint: "give the rollup another source"}
		}
	}
	return nil
}

// readState reads the clock, then the states of the base tables and the last record: everything that is read later includes the changes before the time of the clock.
func (b *Build) readState(ctx context.Context, planned *planner.Planned) error {
	if err := b.readClock(ctx); err != nil {
		return err
	}
	if err := b.readFreshness(ctx, planned.Root); err != nil {
		return err
	}
	var err error
	if list, ok := tables.ListStatement(b.Dialect.Name()); ok {
		if b.tables, err = b.Session.Query(ctx, list); err != nil {
			return err
		}
		b.known, b.knowsControl = b.isListed(b.Table), b.isListed(b.Control)
	} else if b.known, err = b.canRead(ctx, b.Table); err != nil {
		return err
	} else if b.knowsControl, err = b.canRead(ctx, b.Control); err != nil {
		return err
	}
	if !b.knowsControl {
		return nil
	}
	rows, err := b.read(ctx, recordColumns(), b.Control, isRollupRow(b.Rollup))
	if err == nil && len(rows) > 0 {
		b.last = NewRecord(rows[0])
	}
	return err
}

// readClock sets Now.
func (b *Build) readClock(ctx context.Context) error {
	clock, err := sqlexpr.Parse("CURRENT_TIMESTAMP")
	if err != nil {
		return err
	}
	rows, err := b.read(ctx, []sqlexpr.Expr{clock}, nil, nil)
	if err != nil {
		return err
	}
	if len(rows) != 1 || rows[0][0] == nil || ParseTime(*rows[0][0]).IsZero() {
		return newConfigError("the clock of the warehouse cannot be read")
	}
	b.Now = ParseTime(*rows[0][0])
	return nil
}

// canRead finds out by reading no row of it whether a table exists: a warehouse may list its tables by names that the profile does not have.
func (b *Build) canRead(ctx context.Context, table sqlemit.TableName) (bool, error) {
	_, err := b.read(ctx, []sqlexpr.Expr{&sqlexpr.Number{Text: "1"}}, table, &sqlexpr.Bool{})
	if failed, ok := errors.AsType[*executor.Error](err); ok && failed.Code == executor.CodeSQLRejected {
		return false, nil
	}
	return err == nil, err
}

// readFreshness hashes the states of the base tables, where each of them declares one.
func (b *Build) readFreshness(ctx context.Context, root plan.Node) error {
	statements, err := b.Freshness(ctx, root)
	if err != nil || !plan.AllDeclareFreshness(root) {
		return err
	}
	h := sha256.New()
	for _, sql := range statements {
		rows, err := b.Session.Query(ctx, sql)
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
func (b *Build) read(ctx context.Context, values []sqlexpr.Expr, table sqlemit.TableName, cond sqlexpr.Expr) ([][]*string, error) {
	sql, err := sqlemit.SelectValues(values, table, cond, b.Dialect)
	if err != nil {
		return nil, err
	}
	return b.Session.Query(ctx, sql)
}

// isListed reports whether a table is in the list of the warehouse.
func (b *Build) isListed(table sqlemit.TableName) bool {
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
func (b *Build) dropLeftOvers(ctx context.Context) error {
	name := b.Table[len(b.Table)-1]
	for _, row := range b.tables {
		if isInSchema(row, b.Table) && isLeftOver(*row[1], name, b.Now) {
			if err := b.exec(ctx, sqlemit.DropTable(b.beside(sqlexpr.Name{Text: *row[1], Quoted: true}), b.Dialect)); err != nil {
				return err
			}
		}
	}
	return nil
}

// beside returns a table in the schema of that of the rollup.
func (b *Build) beside(name sqlexpr.Name) sqlemit.TableName {
	return append(slices.Clone(b.Table[:len(b.Table)-1]), name)
}

// exec runs a statement that writes, unless the refresh is a dry run.
func (b *Build) exec(ctx context.Context, sql string) error {
	if b.Before != nil {
		if err := b.Before(sql); err != nil {
			return err
		}
	}
	b.Statements = append(b.Statements, sql)
	if b.DryRun {
		return nil
	}
	return b.Session.Exec(ctx, sql)
}

// inTransaction runs statements in a transaction, all of them or none.
func (b *Build) inTransaction(ctx context.Context, statements []string) error {
	for _, sql := range slices.Concat([]string{b.Dialect.TableWriting().Begin}, statements, []string{"COMMIT"}) {
		if err := b.exec(ctx, sql); err != nil {
			if !b.DryRun {
				_ = b.Session.Exec(context.WithoutCancel(ctx), "ROLLBACK") // the error of the statement is the one to report
			}
			return err
		}
	}
	return nil
}

// grant lets the roles of the profile read a table.
func (b *Build) grant(ctx context.Context, table sqlemit.TableName) error {
	if b.Dialect.TableWriting().Grants == sqlemit.GrantsNone {
		return nil
	}
	for _, role := range b.GrantTo {
		if err := b.exec(ctx, sqlemit.GrantSelect(table, role, b.Dialect)); err != nil {
			return err
		}
	}
	return nil
}

// build makes a new table and puts it in the place of the old one.
func (b *Build) build(ctx context.Context, planned *planner.Planned, next Record) error {
	name := b.Table[len(b.Table)-1]
	made := b.beside(newBuildName(name, newMark, b.Now))
	sql, err := b.Print(ctx, planned)
	if err != nil {
		return err
	}
	if b.Dialect.TableWriting().Swap == sqlemit.SwapReplace {
		return b.replace(ctx, sql, next)
	}
	if err := b.exec(ctx, sqlemit.CreateTableAs(sqlexpr.DatasetTableOrQuery{Table: made}, sql, b.Dialect, sqlemit.FormatOptions{})); err != nil {
		return err
	}
	if err := b.finish(ctx, made, &next); err != nil {
		if !b.DryRun {
			_ = b.Session.Exec(context.WithoutCancel(ctx), sqlemit.DropTable(made, b.Dialect))
		}
		return err
	}
	if err := b.swap(ctx, made, next); err != nil {
		return err
	}
	if b.Dialect.TableWriting().Grants == sqlemit.GrantsAfter {
		return b.grant(ctx, b.Table)
	}
	return nil
}

// replace makes the new table in the place of the old one, in one statement.
func (b *Build) replace(ctx context.Context, sql string, next Record) error {
	if err := b.exec(ctx, sqlemit.ReplaceTableAs(b.Table, sql, b.Dialect)); err != nil {
		return err
	}
	if err := b.grant(ctx, b.Table); err != nil {
		return err
	}
	if !b.DryRun {
		if err := b.readCut(ctx, b.Table, &next); err != nil {
			return err
		}
	}
	return b.writeRecord(ctx, next)
}

// finish makes a new table ready to be read.
func (b *Build) finish(ctx context.Context, made sqlemit.TableName, next *Record) error {
	if err := b.narrowSums(ctx, made); err != nil {
		return err
	}
	if b.Rollup.Refresh != nil && b.Dialect.TableWriting().Indexes {
		for _, columns := range b.Rollup.Refresh.Indexes {
			if err := b.exec(ctx, sqlemit.CreateIndex(newIndexName(b.Table[len(b.Table)-1]), made, columns, b.Dialect)); err != nil {
				return err
			}
		}
	}
	if b.Dialect.TableWriting().Grants == sqlemit.GrantsBefore {
		if err := b.grant(ctx, made); err != nil {
			return err
		}
	}
	if b.DryRun {
		return nil
	}
	return b.readCut(ctx, made, next)
}

// readCut sets the beginning of the partitions that the next refresh replaces.
func (b *Build) readCut(ctx context.Context, table sqlemit.TableName, next *Record) error {
	if b.Rollup.Refresh == nil || b.Rollup.Refresh.Group < 0 {
		return nil
	}
	last, err := sqlexpr.NewCall(sqlexpr.CallParts{Name: sqlexpr.Name{Text: "MAX"}, Args: []sqlexpr.Expr{newColumn(b.Rollup.Groups[b.Rollup.Refresh.Group].Column)}})
	if err != nil {
		return err
	}
	rows, err := b.read(ctx, []sqlexpr.Expr{last}, table, nil)
	if err != nil || len(rows) == 0 || rows[0][0] == nil {
		return err
	}
	at := ParseTime(*rows[0][0])
	if at.IsZero() {
		return nil
	}
	next.Cut, err = planner.RollupCut(b.Catalog, b.Rollup, at)
	return err
}

// narrowSums stores sums of integers in 64 bits, where all of them fit: wider numbers take several times as long to add.
func (b *Build) narrowSums(ctx context.Context, made sqlemit.TableName) error {
	for _, m := range b.Rollup.Measures {
		change := sqlemit.ChangeColumnToInteger(made, m.Column, b.Dialect)
		if m.Measure.Agg != catalog.AggSum || m.Measure.Type != sqlexpr.TypeInt || change == "" {
			continue
		}
		fits := b.DryRun
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
func (b *Build) fitsInteger(ctx context.Context, table sqlemit.TableName, column string) (bool, error) {
	var ends []sqlexpr.Expr
	for _, name := range []string{"MIN", "MAX"} {
		end, err := sqlexpr.NewCall(sqlexpr.CallParts{Name: sqlexpr.Name{Text: name}, Args: []sqlexpr.Expr{newColumn(column)}})
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
func (b *Build) swap(ctx context.Context, made sqlemit.TableName, next Record) error {
	name, old := b.Table[len(b.Table)-1], made
	renamed := sqlemit.RenameTables([]sqlemit.TableName{made, b.Table}, b.Dialect)
	switch swap := b.Dialect.TableWriting().Swap; {
	case swap == sqlemit.SwapRename:
		record, err := replaceRecordStatements(b.Control, b.Rollup, next, b.Table, b.Dialect)
		if err != nil {
			return err
		}
		return b.inTransaction(ctx, append([]string{sqlemit.DropTable(b.Table, b.Dialect), sqlemit.RenameTable(made, name, b.Dialect)}, record...))
	case b.known && swap == sqlemit.SwapExchange:
		renamed = sqlemit.ExchangeTables(made, b.Table, b.Dialect)
	case b.known:
		old = b.beside(newBuildName(name, oldMark, b.Now))
		renamed = sqlemit.RenameTables([]sqlemit.TableName{b.Table, old, made, b.Table}, b.Dialect)
	}
	if err := b.exec(ctx, renamed); err != nil {
		return err
	}
	if b.known {
		if err := b.exec(ctx, sqlemit.DropTable(old, b.Dialect)); err != nil {
			return err
		}
	}
	return b.writeRecord(ctx, next)
}

// writeRecord replaces the record of the rollup.
func (b *Build) writeRecord(ctx context.Context, next Record) error {
	statements, err := replaceRecordStatements(b.Control, b.Rollup, next, b.Table, b.Dialect)
	if err != nil {
		return err
	}
	if b.Dialect.TableWriting().Begin != "" {
		return b.inTransaction(ctx, statements)
	}
	for _, sql := range statements {
		if err := b.exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// update replaces the partitions from the cut on, and the rows without a time.
func (b *Build) update(ctx context.Context, next Record) error {
	if err := b.readCut(ctx, b.Table, &next); err != nil {
		return err
	}
	if next.Cut.IsZero() {
		next.Cut = b.last.Cut
	}
	since := next.Cut
	planned, err := b.Planner.PlanRollupSince(ctx, b.Rollup, since, true, b.Target)
	if err != nil {
		return b.PlanError(ctx, err)
	}
	sql, err := b.Print(ctx, planned)
	if err != nil {
		return err
	}
	group := b.Rollup.Refresh.Group
	cond := planner.RollupSince(newColumn(b.Rollup.Groups[group].Column), planned.Root.Schema()[group].Type, since, true)
	remove, err := sqlemit.DeleteRows(b.Table, cond, b.Dialect)
	if err != nil {
		return err
	}
	record, err := replaceRecordStatements(b.Control, b.Rollup, next, b.Table, b.Dialect)
	if err != nil {
		return err
	}
	if err := b.inTransaction(ctx, append([]string{remove, sqlemit.InsertSelect(b.Table, b.Rollup.Columns(), sql, b.Dialect)}, record...)); err != nil || b.DryRun {
		return err
	}
	// Until here the cut is one that was right before: it only makes later reads longer.
	if err := b.readCut(ctx, b.Table, &next); err != nil || next.Cut.Equal(since) {
		return err
	}
	return b.writeRecord(ctx, next)
}

// moveAge records that the table is as it would be built now.
func (b *Build) moveAge(ctx context.Context) error {
	next := b.last
	next.AsOf = b.Now
	return b.writeRecord(ctx, next)
}
