package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/sqlemit"
)

// RollupCheck is a request to compare the tables of rollups with the base tables.
type RollupCheck struct {
	Names      []string // of rollups; none for all that the connection has
	Connection string   // "" for the default connection
}

// CheckedRollup is what a check has found.
type CheckedRollup struct {
	Name string `json:"name"`
	// Missing are the columns that the table does not have.
	Missing []string `json:"missing,omitempty"`
	// Retyped are the columns that hold other kinds of values, which are not compared.
	Retyped []RetypedColumn `json:"retyped,omitempty"`
	// Differences are the first groups that differ.
	Differences []RollupDifference `json:"differences"`
}

// RollupDifference is a group in which the table of a rollup differs from the base tables.
type RollupDifference struct {
	Group  map[string]any `json:"group"`            // by column
	Rows   int64          `json:"rows"`             // of the table; 1 is right
	Stored map[string]any `json:"stored,omitempty"` // the values of the table, by column; nil where it has no row
	Base   map[string]any `json:"base,omitempty"`   // the values over the base tables; nil where they have no row
}

// CheckRollups compares the tables of rollups with the base tables, each in one statement that only reads. The error is a *planerr.Error of code
// rollup_mismatch where one differs, and lists the first groups of all.
func (e *Engine) CheckRollups(ctx context.Context, q RollupCheck) (out []CheckedRollup, err error) {
	if err := e.checkSeesSQL(); err != nil {
		return nil, err
	}
	t, err := e.chooseCompileTarget("", q.Connection)
	if err != nil {
		return nil, err
	}
	if err := e.checkExecutable(t); err != nil {
		return nil, err
	}
	rollups, err := e.rollupsToWrite(q.Names, t, false)
	if err != nil {
		return nil, err
	}
	defer e.recoverToError(&err)
	t.planner.Now, t.planner.Rollups = e.config.Now(), e.rollupTarget(t)
	var wrong []string
	for _, r := range rollups {
		one, err := e.checkRollup(ctx, r, t)
		if err != nil {
			return out, err
		}
		out = append(out, one)
		if text := one.describe(); text != "" {
			wrong = append(wrong, text)
		}
	}
	if len(wrong) > 0 {
		return out, &planerr.Error{Code: planerr.CodeRollupMismatch, Message: strings.Join(wrong, "; "), Hint: "semlayer rollup refresh --full builds the whole table"}
	}
	return out, nil
}

func (e *Engine) checkRollup(ctx context.Context, r *catalog.Rollup, t compileTarget) (CheckedRollup, error) {
	out := CheckedRollup{Name: r.Name, Differences: []RollupDifference{}}
	table, err := e.columnsOfTable(ctx, r, t)
	if err != nil {
		return out, err
	}
	var stored []columnKind
	for _, name := range r.Columns() {
		i := slices.Index(table.Columns, name)
		if i < 0 {
			out.Missing = append(out.Missing, name)
			continue
		}
		stored = append(stored, kindsOfResult(table, t)[i])
	}
	if len(out.Missing) > 0 {
		return out, nil
	}
	wanted, err := e.kindsOfBaseTables(ctx, r, t, e.executeInSlot)
	if err != nil {
		return out, err
	}
	if out.Retyped = retypedColumns(r.Columns(), stored, wanted); len(out.Retyped) > 0 {
		return out, nil
	}
	planned, err := e.planner.PlanRollupCheck(ctx, r, t.planner)
	if err != nil {
		return out, e.toPlanError(ctx, err)
	}
	c, err := e.printPlanAsSQL(ctx, planned, t, false, "")
	if err != nil {
		return out, err
	}
	result, err := e.executeInSlot(ctx, c)
	if err != nil {
		return out, err
	}
	var rows []map[string]any
	if err := json.Unmarshal(result.Rows, &rows); err != nil {
		return out, err
	}
	for _, row := range rows {
		out.Differences = append(out.Differences, newRollupDifference(r, row))
	}
	return out, nil
}

// columnsOfTable returns the columns of the table of a rollup, without rows.
func (e *Engine) columnsOfTable(ctx context.Context, r *catalog.Rollup, t compileTarget) (*Result, error) {
	sql, err := sqlemit.EmitSelectAllColumnsNoRows(ctx, t.planner.Rollups.TableOf(r.Name, r.Source), t.dialect)
	if err != nil {
		return nil, err
	}
	return e.executeInSlot(ctx, &compiledQuery{target: t, sql: sql})
}

func newRollupDifference(r *catalog.Rollup, row map[string]any) RollupDifference {
	d := RollupDifference{Group: map[string]any{}}
	for _, g := range r.Groups {
		d.Group[g.Column] = row[g.Column]
	}
	if n, ok := row[planner.RollupStoredRows].(float64); ok {
		d.Rows, d.Stored = int64(n), map[string]any{}
	}
	if row[planner.RollupBaseRows] != nil {
		d.Base = map[string]any{}
	}
	for _, m := range r.Measures {
		if d.Stored != nil {
			d.Stored[m.Column] = row[planner.RollupStoredPrefix+m.Column]
		}
		if d.Base != nil {
			d.Base[m.Column] = row[planner.RollupBasePrefix+m.Column]
		}
	}
	return d
}

// describe returns what is wrong with the table of a rollup; "" for nothing.
func (c CheckedRollup) describe() string {
	if len(c.Missing) > 0 {
		return "the table of the rollup " + c.Name + " has no column " + strings.Join(c.Missing, ", ")
	}
	if len(c.Retyped) > 0 {
		texts := make([]string, len(c.Retyped))
		for i, column := range c.Retyped {
			texts[i] = column.String()
		}
		return "the table of the rollup " + c.Name + " has other types: " + strings.Join(texts, ", ")
	}
	if len(c.Differences) == 0 {
		return ""
	}
	parts := make([]string, len(c.Differences))
	for i, d := range c.Differences {
		parts[i] = fmt.Sprintf("%s: %s, and %s over the base tables", compactJSON(d.Group), describeStored(d), describeBase(d))
	}
	return "the table of the rollup " + c.Name + " differs from the base tables: " + strings.Join(parts, "; ")
}

func describeStored(d RollupDifference) string {
	switch {
	case d.Stored == nil:
		return "no row"
	case d.Rows > 1:
		return fmt.Sprintf("%d rows", d.Rows)
	}
	return compactJSON(d.Stored)
}

func describeBase(d RollupDifference) string {
	if d.Base == nil {
		return "no row"
	}
	return compactJSON(d.Base)
}

// compactJSON prints values that came from JSON.
func compactJSON(x map[string]any) string {
	text, err := json.Marshal(x)
	if err != nil {
		return "{}"
	}
	return string(text)
}
