package rollups

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/sqlemit"
)

// LocalBuild is the refresh of the table of one rollup in a local file:
//
//	states of the base tables ─► record ─► how texts compare ─► rows of the connection ─► new table ─► swap, with the record
//	                                                                  └─► the last partitions, deleted and inserted, with the record
type LocalBuild struct {
	// Build reads the connection: its Session has no Exec, and its Now is that of all rollups of the refresh.
	Build
	File *LocalFile
	// Rows starts the statement of a plan on the connection.
	Rows func(ctx context.Context, planned *planner.Planned) (executor.Rows, error)

	made sqlemit.TableName // with the rows of the connection; nil before it is there
}

// comparedTexts are texts of which one of the collations in use takes two for equal, or orders them otherwise than their bytes: by case, accents, spaces
// at the end, punctuation, width, kana, composed letters, digits as numbers and units of UTF-16.
func comparedTexts() []string {
	texts := []string{
		" ", "-", "0", "10", "9", "A", "B", "Z", "a", "a ", "a b", "a-b", "ab", "aB", "b", "e\u0301", "ss", "z", "\u00df", "\u00e1", "\u00e9", "\u0131", "i", "I",
		"\u304b", "\u30ab", "\uff21", "\U0001F600", "\U0001F601",
	}
	slices.Sort(texts)
	return texts
}

// Run builds the table, or updates it, and returns what it has done. After an error the file is as it was.
func (b *LocalBuild) Run(ctx context.Context) (string, error) {
	action, err := b.run(ctx)
	if err != nil && b.made != nil {
		_ = b.File.session.Exec(context.WithoutCancel(ctx), sqlemit.DropTable(b.made, b.File.dialect)) // the first error is the one to report
	}
	return action, err
}

func (b *LocalBuild) run(ctx context.Context) (string, error) {
	planned, err := b.Planner.PlanRollup(ctx, b.Rollup, b.Target)
	if err != nil {
		return "", b.PlanError(ctx, err)
	}
	if err := b.readFreshness(ctx, planned.Root); err != nil {
		return "", err
	}
	in := b.inFile()
	rows, err := in.read(ctx, recordColumns(), in.Control, isRollupRow(b.Rollup))
	if err != nil {
		return "", err
	}
	if len(rows) > 0 {
		b.last = NewRecord(rows[0])
		in.last = b.last
	}
	isSame := b.last.Definition == b.Definition && !b.Full
	next := Record{Definition: b.Definition, AsOf: b.Now, FullAsOf: b.Now, BuiltAt: b.Now, Freshness: b.freshness}
	switch r := b.Rollup.Refresh; {
	case isSame && b.freshness != "" && b.freshness == b.last.Freshness:
		in.Now = b.Now
		return Unchanged, in.moveAge(ctx)
	case isSame && r != nil && r.Group >= 0 && !b.last.Cut.IsZero():
		next.FullAsOf = b.last.FullAsOf
		isUpdated, err := b.update(ctx, in, next)
		if err != nil || isUpdated {
			return Updated, err
		}
		next.FullAsOf = b.Now
	}
	return Built, b.build(ctx, in, planned, next)
}

// inFile returns the build of the table in the file.
func (b *LocalBuild) inFile() *Build {
	return &Build{
		Catalog: b.Catalog, Planner: b.Planner, Dialect: b.File.dialect, Session: b.File.session, Rollup: b.Rollup, DryRun: b.DryRun, Before: b.Before,
		Table: b.tableInFile(b.Rollup.Name), Control: localTableName(controlTable),
	}
}

func (b *LocalBuild) tableInFile(name string) sqlemit.TableName {
	return sqlemit.TableName{{Text: plan.LocalSchema}, {Text: name, Quoted: true}}
}

// build makes a new table and puts it in the place of the old one.
func (b *LocalBuild) build(ctx context.Context, in *Build, planned *planner.Planned, next Record) error {
	made, texts, err := b.load(ctx, in, planned)
	if err != nil || b.DryRun {
		return err
	}
	if err := in.narrowSums(ctx, made); err != nil {
		return err
	}
	if err := in.readCut(ctx, made, &next); err != nil {
		return err
	}
	record, err := replaceRecordStatements(in.Control, b.Rollup, next, in.Table, in.Dialect)
	if err != nil {
		return err
	}
	swap := []string{sqlemit.DropTable(in.Table, in.Dialect), sqlemit.RenameTable(made, in.Table[1], in.Dialect)}
	return in.inTransaction(ctx, slices.Concat(swap, record, texts))
}

// update replaces the partitions from the cut on, and the rows without a time. It reports false, and changes nothing, where the columns have other types
// than before, such as more digits behind the point: the table would round the new values.
func (b *LocalBuild) update(ctx context.Context, in *Build, next Record) (done bool, err error) {
	since := b.last.Cut
	if err := in.readCut(ctx, in.Table, &next); err != nil {
		return false, err
	}
	if !next.Cut.IsZero() {
		since = next.Cut
	}
	planned, err := b.Planner.PlanRollupSince(ctx, b.Rollup, since, true, b.Target)
	if err != nil {
		return false, b.PlanError(ctx, err)
	}
	made, texts, err := b.load(ctx, in, planned)
	if err != nil || b.DryRun {
		return true, err
	}
	if fits, err := b.fitsTable(ctx, in, made); err != nil || !fits {
		return false, errors.Join(err, in.exec(ctx, sqlemit.DropTable(made, in.Dialect)))
	}
	next.Cut = since
	replace, err := b.replacePartitions(in, made, planned.Root.Schema(), since)
	if err != nil {
		return false, err
	}
	record, err := replaceRecordStatements(in.Control, b.Rollup, next, in.Table, in.Dialect)
	if err != nil {
		return false, err
	}
	if err := in.inTransaction(ctx, slices.Concat(replace, record, texts)); err != nil {
		return false, err
	}
	if err := in.readCut(ctx, in.Table, &next); err != nil || next.Cut.Equal(since) {
		return true, err
	}
	return true, in.writeRecord(ctx, next)
}

// fitsTable reports whether the columns of new rows have the types of the table.
func (b *LocalBuild) fitsTable(ctx context.Context, in *Build, made sqlemit.TableName) (bool, error) {
	if err := in.narrowSums(ctx, made); err != nil {
		return false, err
	}
	before, err := b.File.session.ColumnTypes(ctx, plan.LocalSchema, in.Table[1].Text)
	if err != nil {
		return false, err
	}
	now, err := b.File.session.ColumnTypes(ctx, plan.LocalSchema, made[1].Text)
	return slices.Equal(before, now), err
}

// replacePartitions returns the statements that replace rows of the table by the new ones, and remove the table of those.
func (b *LocalBuild) replacePartitions(in *Build, made sqlemit.TableName, schema plan.Schema, since time.Time) ([]string, error) {
	group := b.Rollup.Refresh.Group
	remove, err := sqlemit.DeleteRows(in.Table, planner.RollupSince(newColumn(b.Rollup.Groups[group].Column), schema[group].Type, since, true), in.Dialect)
	if err != nil {
		return nil, err
	}
	columns := make([]sqlexpr.Expr, len(b.Rollup.Columns()))
	for i, name := range b.Rollup.Columns() {
		columns[i] = newColumn(name)
	}
	fresh, err := sqlemit.SelectValues(columns, made, nil, in.Dialect)
	if err != nil {
		return nil, err
	}
	return []string{remove, sqlemit.InsertSelect(in.Table, b.Rollup.Columns(), fresh, in.Dialect), sqlemit.DropTable(made, in.Dialect)}, nil
}

// load makes a table in the file with the rows of a plan on the connection. It returns also the statements that record how the texts of its columns compare.
func (b *LocalBuild) load(ctx context.Context, in *Build, planned *planner.Planned) (sqlemit.TableName, []string, error) {
	sql, err := b.Print(ctx, planned)
	if err != nil {
		return nil, nil, err
	}
	if b.Before != nil {
		if err := b.Before(sql); err != nil {
			return nil, nil, err
		}
	}
	if b.Statements = append(b.Statements, sql); b.DryRun {
		return nil, nil, nil
	}
	rows, err := b.Rows(ctx, planned)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = rows.Close() }()
	b.made = b.tableInFile(newBuildName(in.Table[1], newMark, b.Now).Text)
	if err := b.File.session.LoadTable(ctx, plan.LocalSchema, b.made[1].Text, rows); err != nil {
		return nil, nil, err
	}
	schema := rows.Schema()
	if err := rows.Close(); err != nil {
		return nil, nil, err
	}
	texts, err := b.compareTexts(ctx, in, schema)
	return b.made, texts, err
}

// compareTexts finds out how the connection compares the texts of each column, and returns the statements that record it. It rejects a column that takes
// different texts for equal.
func (b *LocalBuild) compareTexts(ctx context.Context, in *Build, schema *arrow.Schema) ([]string, error) {
	isRollup := &sqlexpr.Binary{Op: sqlexpr.OpEq, L: newColumn(textRollup), R: &sqlexpr.String{Value: b.Rollup.Name}}
	remove, err := sqlemit.DeleteRows(localTableName(textTable), isRollup, in.Dialect)
	if err != nil {
		return nil, err
	}
	out := []string{remove}
	for i, name := range b.Rollup.Columns() {
		f := schema.Field(i)
		kind := executor.TextKindOfField(f)
		switch {
		case kind == executor.TextKindEnum:
			return nil, b.textError(name, "is of an enumeration, which the connection does not compare as text", "convert it to text in the expression of the field")
		case f.Type.ID() != arrow.STRING && f.Type.ID() != arrow.LARGE_STRING || kind != executor.TextKindPlain:
			continue
		}
		equal, ordered, err := b.comparesByBytes(ctx, name)
		if err != nil {
			return nil, err
		}
		if !equal {
			return nil, b.textError(name, "has texts that the connection takes for equal to others", "give the column a collation that compares bytes")
		}
		isOrdered := "0"
		if ordered {
			isOrdered = "1"
		}
		row, err := sqlemit.SelectValues([]sqlexpr.Expr{
			&sqlexpr.String{Value: b.Rollup.Name}, &sqlexpr.String{Value: name}, &sqlexpr.Number{Text: "1"}, &sqlexpr.Number{Text: isOrdered},
		}, nil, nil, in.Dialect)
		if err != nil {
			return nil, err
		}
		out = append(out, sqlemit.InsertSelect(localTableName(textTable), []string{textRollup, textColumn, textEqual, textOrdered}, row, in.Dialect))
	}
	return out, nil
}

// textError rejects a column whose texts the connection compares in another way than a local file.
func (b *LocalBuild) textError(column, why, instead string) error {
	return &planerr.Error{
		Code: planerr.CodeRollupWriteUnsupported, Message: "the rollup " + b.Rollup.Name + " cannot be in a local file: its column " + column + " " + why,
		Hint: "leave out store: local, or " + instead,
	}
}

// comparesByBytes reports whether the connection takes texts of a column for equal, and orders them, by their bytes. A column that takes no
// other texts, as one of an enumeration of PostgreSQL, does not.
func (b *LocalBuild) comparesByBytes(ctx context.Context, column string) (equal, ordered bool, err error) {
	planned, err := b.Planner.PlanEmptyRollup(ctx, b.Rollup, b.Target)
	if err != nil {
		return false, false, b.PlanError(ctx, err)
	}
	selected, err := b.Print(ctx, planned)
	if err != nil {
		return false, false, err
	}
	texts := comparedTexts()
	sql, err := sqlemit.SelectComparedTexts(selected, column, texts, b.Dialect)
	if err != nil {
		return false, false, err
	}
	rows, err := b.Session.Query(ctx, sql)
	if err != nil {
		if ctx.Err() != nil {
			return false, false, err
		}
		return false, false, nil
	}
	var got []string
	for _, row := range rows {
		if len(row) > 0 && row[0] != nil { // the NULL is that of a table without groups
			got = append(got, *row[0])
		}
	}
	return len(got) == len(texts), slices.Equal(got, texts), nil
}

// Clock reads the time of the connection.
func Clock(ctx context.Context, session executor.WriteSession, d *sqlemit.Dialect) (time.Time, error) {
	b := Build{Session: session, Dialect: d}
	err := b.readClock(ctx)
	return b.Now, err
}
