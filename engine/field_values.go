package engine

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// FieldValues are a page of the stored values of a field, the most frequent first.
type FieldValues struct {
	Field  string       `json:"field"`
	Values []FieldValue `json:"values"`
	// Complete: the field has no further values.
	Complete bool `json:"complete"`
	RowCount int  `json:"row_count"`
	// Min and Max are over all rows that where_sql admits; nil for a type without an order of sizes, where the request
	// has a text, and where no row has a value.
	Min json.RawMessage `json:"min,omitempty"`
	Max json.RawMessage `json:"max,omitempty"`
	// MinDate and MaxDate are the days on which the periods of Min and Max begin, where these are codes of time.
	MinDate string `json:"min_date,omitempty"`
	MaxDate string `json:"max_date,omitempty"`
	// Match is near where no value contains the text and the values are the nearest.
	Match string `json:"match,omitempty"`
	// Cached: no statement was run for this request.
	Cached  bool   `json:"cached"`
	Dialect string `json:"dialect"`
	SQL     string `json:"sql"` // the statement that gave the values
}

// FieldValue is a value of a field, with the number of rows of the field's dataset that have it.
type FieldValue struct {
	Value json.RawMessage `json:"value"`
	Count int64           `json:"count"`
}

// maxFrequentValuesBytes bounds the most frequent values that are read for near ones.
const maxFrequentValuesBytes = 16 << 20

// FieldValues reads the stored values of a field. Values that were read within the last minute are returned again unless
// the request is for fresh ones. Errors are as of Statement.Execute.
func (e *Engine) FieldValues(ctx context.Context, q *query.ValuesQuery) (values *FieldValues, err error) {
	t, err := e.chooseAndReportTarget(ctx, PlaneDetail, nil, q.Dialect, q.Connection)
	if err != nil {
		return nil, err
	}
	if err := e.checkExecutable(t); err != nil {
		return nil, err
	}
	r, err := e.compileFieldValueQueries(ctx, q, t)
	if err != nil {
		return nil, err
	}
	recordStatements(ctx, r.values, r.bounds, r.frequent)
	values, err = e.warehouses.values.getOrRead(ctx, r.cacheKey(ctx, e), q.Fresh, func(ctx context.Context) (*FieldValues, error) {
		ctx = e.withQueryTag(ctx)
		return runInExecutionSlot(ctx, e, t, e.cancelsPromptly(r.values), func(ctx context.Context) (*FieldValues, error) { return r.readFieldValues(ctx, e) })
	}, func() error { return e.toExecuteError(ctx, ctx.Err()) })
	return values, e.suggestConnection(err, func(t compileTarget) error {
		_, err := e.compileFieldValueQueries(audit.WithoutRecord(ctx), q, t)
		return err
	})
}

// fieldValuesReader reads the values of a field by statements over the same rows.
type fieldValuesReader struct {
	query    *query.ValuesQuery
	planned  *planner.ValueQueriesOfOneField
	values   *compiledQuery
	bounds   *compiledQuery // nil without
	frequent *compiledQuery // nil without
}

// compileFieldValueQueries plans and prints the statements of a request.
func (e *Engine) compileFieldValueQueries(ctx context.Context, q *query.ValuesQuery, t compileTarget) (r *fieldValuesReader, err error) {
	_, end := startPhase(ctx, PhasePlan, t)
	defer func() { end(PhaseOutcome{Err: err}) }()
	defer e.recoverToError(&err)
	uses := new(plan.Uses)
	planned, err := e.planner.PlanFieldValues(ctx, q, t.noting(uses).planner)
	if err != nil {
		recordUses(ctx, uses, nil)
		return nil, e.toPlanError(ctx, err)
	}
	r = &fieldValuesReader{query: q, planned: planned}
	for _, s := range []struct {
		plan *planner.Planned
		into **compiledQuery
	}{{planned.Values, &r.values}, {planned.Bounds, &r.bounds}, {planned.Frequent, &r.frequent}} {
		if s.plan == nil {
			continue
		}
		if *s.into, err = e.printPlanAsSQL(ctx, s.plan, t, false, ""); err != nil {
			return nil, err
		}
	}
	recordUses(ctx, uses, r.values.datasets)
	return r, nil
}

// cacheKey holds what the values depend on: the model, the field, the data files, the connection and the statements. Two fields can have the
// same statements.
func (r *fieldValuesReader) cacheKey(ctx context.Context, e *Engine) string {
	data := ""
	if held := e.warehouses.data.Load(); held != nil && r.values.target.connection == nil {
		data = string(held.fingerprint[:])
	}
	key := e.revision + "\x00" + r.planned.Field.QualifiedName() + "\x00" + data + "\x00" + r.values.target.connectionName() + "\x00" + r.values.sql
	if r.bounds != nil {
		key += "\x00" + r.bounds.sql
	}
	key += e.sessionKey(ctx, r.values.target)
	if r.values.hidesSQL { // which is part of the kept values
		key += "\x00"
	}
	return key
}

// readFieldValues runs the statements.
func (r *fieldValuesReader) readFieldValues(ctx context.Context, e *Engine) (*FieldValues, error) {
	found, err := r.readValueCounts(ctx, e, r.values, e.config.MaxAnswerBytes)
	if err != nil {
		return nil, err
	}
	out := &FieldValues{
		Field: r.planned.Field.QualifiedName(), Values: found, Complete: int64(len(found)) <= r.query.Limit,
		Dialect: r.values.target.dialect.Name(), SQL: r.values.shownSQL(),
	}
	switch {
	case r.bounds != nil:
		err = r.addLeastAndGreatest(ctx, e, out)
	case len(found) == 0 && r.frequent != nil && r.query.Offset == 0:
		err = r.setNearestValues(ctx, e, out)
	}
	out.Values = out.Values[:min(int64(len(out.Values)), r.query.Limit)]
	out.RowCount = len(out.Values)
	return out, err
}

// readValueCounts runs a statement with the columns value and count.
func (r *fieldValuesReader) readValueCounts(ctx context.Context, e *Engine, c *compiledQuery, maxBytes int) ([]FieldValue, error) {
	result, err := e.runStatement(ctx, c, maxBytes)
	if err != nil {
		return nil, err
	}
	found := []FieldValue{}
	if err := json.Unmarshal(result.Rows, &found); err != nil {
		return nil, e.toCodedError(err)
	}
	return found, nil
}

// addLeastAndGreatest adds the least and the greatest value.
func (r *fieldValuesReader) addLeastAndGreatest(ctx context.Context, e *Engine, out *FieldValues) error {
	least, greatest, err := r.readLeastAndGreatest(ctx, e)
	if err != nil {
		return err
	}
	out.Min, out.Max = least, greatest
	out.MinDate, _ = planner.DateOfTimeCode(r.planned, textOfValue(least))
	out.MaxDate, _ = planner.DateOfTimeCode(r.planned, textOfValue(greatest))
	return nil
}

// readLeastAndGreatest reads the least and the greatest value, both nil where there is none.
func (r *fieldValuesReader) readLeastAndGreatest(ctx context.Context, e *Engine) (least, greatest json.RawMessage, err error) {
	result, err := e.runStatement(ctx, r.bounds, e.config.MaxAnswerBytes)
	if err != nil {
		return nil, nil, err
	}
	var rows []struct{ Min, Max json.RawMessage }
	if err := json.Unmarshal(result.Rows, &rows); err != nil {
		return nil, nil, e.toCodedError(err)
	}
	if len(rows) != 1 || isNullValue(rows[0].Min) {
		return nil, nil, nil
	}
	return rows[0].Min, rows[0].Max, nil
}

// setNearestValues makes the nearest values of the most frequent ones the values of a page.
func (r *fieldValuesReader) setNearestValues(ctx context.Context, e *Engine, out *FieldValues) error {
	found, err := r.readValueCounts(ctx, e, r.frequent, maxFrequentValuesBytes)
	if err != nil {
		return err
	}
	if out.Values = nearestValues(r.query.Like, found); len(out.Values) > 0 {
		out.Match, out.SQL = findMatchNear, r.frequent.shownSQL()
		out.Complete = int64(len(out.Values)) <= r.query.Limit
	}
	return nil
}

// nearestValues lists the values that are like a text, the most alike first; never nil.
func nearestValues(text string, found []FieldValue) []FieldValue {
	like := find.NewLikenessScorer(text)
	type scored struct {
		FieldValue
		likeness float64
	}
	var near []scored
	for _, v := range found {
		if isNullValue(v.Value) {
			continue
		}
		if n := like.Score(textOfValue(v.Value)); n >= find.MinLikeness {
			near = append(near, scored{v, n})
		}
	}
	slices.SortStableFunc(near, func(a, b scored) int {
		switch {
		case a.likeness > b.likeness:
			return -1
		case a.likeness < b.likeness:
			return 1
		}
		return 0
	})
	out := make([]FieldValue, len(near))
	for i, v := range near {
		out[i] = v.FieldValue
	}
	return out
}

func isNullValue(v json.RawMessage) bool { return len(v) == 0 || string(v) == "null" }

// textOfValue returns a value as text: what a string holds, or the spelling of another value.
func textOfValue(v json.RawMessage) string {
	var text string
	if len(v) > 0 && v[0] == '"' && json.Unmarshal(v, &text) == nil {
		return text
	}
	return string(v)
}
