package engine

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/engine/internal/rollups"
	"github.com/semlayer/semlayer/planner"
)

// rollupControlQuery returns the statement that reads the control table of a connection; "" where the connection has none.
func (e *Engine) rollupControlQuery(t compileTarget) string {
	to := e.rollupTarget(t)
	if !to.Recorded || t.dialect == nil {
		return ""
	}
	sql, err := rollups.ControlQuery(rollups.ControlTable(to), t.dialect)
	if err != nil {
		return ""
	}
	return sql
}

// askRollupControl reads the control table.
func (e *Engine) askRollupControl(ctx context.Context, t compileTarget, sql string) (rollupState, error) {
	c := &compiledQuery{target: t, sql: sql}
	for i, typ := range rollups.ControlQueryTypes() {
		c.columns = append(c.columns, planner.OutputColumn{Name: "c" + strconv.Itoa(i), Type: typ})
	}
	result, err := e.runStatement(ctx, c, e.config.MaxAnswerBytes)
	if err != nil {
		return rollupState{}, err
	}
	var rows []map[string]*string
	if err := json.Unmarshal(result.Rows, &rows); err != nil {
		return rollupState{}, err
	}
	out := rollupState{records: map[string]rollups.Record{}}
	for _, r := range rows {
		row := make([]*string, len(c.columns))
		for i, column := range c.columns {
			row[i] = r[column.Name]
		}
		if name := row[len(row)-1]; name != nil {
			out.records[*name] = rollups.NewRecord(row)
		}
	}
	if t.local != nil {
		out.unordered, err = e.askUnorderedTexts(ctx, t)
	}
	return out, err
}

// askUnorderedTexts reads which columns of a local file have texts that the connection orders otherwise than by their bytes, by rollup.
func (e *Engine) askUnorderedTexts(ctx context.Context, t compileTarget) (map[string][]string, error) {
	sql, err := rollups.UnorderedTextsQuery(t.dialect)
	if err != nil {
		return nil, err
	}
	result, err := e.runStatement(ctx, &compiledQuery{target: t, sql: sql}, e.config.MaxAnswerBytes)
	if err != nil {
		return nil, err
	}
	var rows []struct{ C0, C1 string }
	if err := json.Unmarshal(result.Rows, &rows); err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, row := range rows {
		out[row.C0] = append(out[row.C0], row.C1)
	}
	return out, nil
}

// definitionOf returns whether the table of a rollup was built by the definition of the model.
func (e *Engine) definitionOf(name string, x rollups.Record, t compileTarget) string {
	switch x.Definition {
	case "":
		return describe.RollupDefinitionUnknown
	case e.definitionOnTarget(name, t):
		return describe.RollupDefinitionCurrent
	}
	return describe.RollupDefinitionChanged
}

// definitionOnTarget returns the hash of the definition of a rollup on a connection.
func (e *Engine) definitionOnTarget(name string, t compileTarget) string {
	if t.local != nil { // whose rows the connection has computed
		t = t.local.of
	}
	return e.definitions.Of(name, t.dialect, t.planner.Caps.TextByCast)
}
