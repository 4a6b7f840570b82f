package engine

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/semlayer/semlayer/engine/audit"
	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// The bounds of the hints about a result without rows.
const (
	maxHintLookups           = 3
	maxHintTime              = 500 * time.Millisecond
	maxTextHintsPerCondition = 10 // of one condition
	maxNearValuesInHint      = 5
	maxQuotedValueLength     = 60 // characters of a value in a message
	timeRangeQueryKey        = "time_range"
)

// emptyResultProbesFinder finds out what to ask of the data when the result of a query is empty; nil where the query needs no
// hints.
type emptyResultProbesFinder func(ctx context.Context) (planner.EmptyResultProbes, error)

// mayRequestEmptyResultHints reports whether a query may want hints: it requests them, or a saved query may.
func mayRequestEmptyResultHints(given *bool, saved string) bool {
	if given != nil {
		return *given
	}
	return saved != ""
}

// executeWithEmptyResultHints executes a statement and, where its result is empty, looks up what the filter requests. The
// look-ups run in the slot of the statement and keep it until they have ended; the result does not wait for them
// longer than half a second.
func (e *Engine) executeWithEmptyResultHints(ctx context.Context, c *compiledQuery, find emptyResultProbesFinder) (*Result, error) {
	if find == nil {
		return e.executeInSlot(ctx, c)
	}
	ctx = e.withQueryTag(ctx)
	x := e.listExecution(ctx, c.target)
	defer x.end()
	running, cancel := c.target.withConnectionTimeout(x.context(ctx)) // the hints have their own time
	defer cancel()
	bounded := withRowQuota(running)
	release, err := e.acquireSlot(running, c.target)
	if err != nil {
		return nil, err
	}
	x.run()
	type resultAndHints struct {
		result *Result
		hints  <-chan []planerr.QueryWarning // nil where the result is not empty
	}
	answer, err := runUntilContextEnds(running, e, func() (resultAndHints, error) {
		result, err := e.runStatement(executor.WithAbandonFunc(bounded, release), c, e.config.MaxAnswerBytes)
		if err != nil || !result.isEmpty(c.columns) {
			release() // before the caller has the result and may query again
			return resultAndHints{result: result}, err
		}
		return resultAndHints{result, e.startEmptyResultHints(ctx, c.target, find, release)}, nil
	})
	if err != nil || answer.hints == nil {
		return answer.result, err
	}
	if warnings, _ := e.awaitEmptyResultHints(ctx, answer.hints); len(warnings) > 0 {
		answer.result.Warnings = slices.Concat(answer.result.Warnings, warnings)
		answer.result.body = nil // it is written again, with the warnings
	}
	return answer.result, nil
}

// startEmptyResultHints looks up in the background what a filter requests, and then releases a slot.
func (e *Engine) startEmptyResultHints(ctx context.Context, t compileTarget, find emptyResultProbesFinder, release func()) <-chan []planerr.QueryWarning {
	ctx = audit.WithoutRecord(ctx)
	out := make(chan []planerr.QueryWarning, 1)
	go func() {
		defer release()
		found := e.findEmptyResultHints(ctx, t, find)
		release() // before the caller has the result and may query again
		out <- found
	}()
	return out
}

// awaitEmptyResultHints returns the hints, if they arrive in time.
func (e *Engine) awaitEmptyResultHints(ctx context.Context, hints <-chan []planerr.QueryWarning) (found []planerr.QueryWarning, arrived bool) {
	late := time.NewTimer(e.hintTime)
	defer late.Stop()
	select {
	case found := <-hints:
		return found, true
	case <-late.C:
	case <-ctx.Done():
	}
	return nil, false
}

// addEmptyStreamHints adds hints to a stream without rows. The stream releases its slot when late look-ups have ended.
func (e *Engine) addEmptyStreamHints(ctx context.Context, s *Stream, c *compiledQuery, find emptyResultProbesFinder) {
	hints := e.startEmptyResultHints(ctx, c.target, find, func() {})
	found, arrived := e.awaitEmptyResultHints(ctx, hints)
	s.Warnings = slices.Concat(s.Warnings, found)
	if release := s.release; !arrived {
		s.release = sync.OnceFunc(func() {
			go func() {
				<-hints
				release()
			}()
		})
	}
}

// findEmptyResultHints looks up what a filter requests. A look-up that fails or is late adds nothing.
func (e *Engine) findEmptyResultHints(ctx context.Context, t compileTarget, find emptyResultProbesFinder) (warnings []planerr.QueryWarning) {
	var err error
	defer e.recoverToError(&err)
	ctx, cancel := context.WithTimeout(ctx, e.hintTime)
	defer cancel()
	asked, err := find(ctx)
	if err != nil {
		return nil
	}
	lookups := 0
	for _, text := range asked.Texts {
		if lookups++; lookups > maxHintLookups || ctx.Err() != nil {
			return warnings
		}
		warnings = append(warnings, e.missingTextHints(ctx, t, text)...)
	}
	if asked.Range != nil && lookups < maxHintLookups && ctx.Err() == nil {
		warnings = append(warnings, e.timeRangeOutsideDataHints(ctx, t, asked.Range)...)
	}
	return warnings
}

// missingTextHints returns the warnings about those texts of a condition that no row of the field has.
func (e *Engine) missingTextHints(ctx context.Context, t compileTarget, text planner.TextConditionProbe) []planerr.QueryWarning {
	occurring, err := e.compileFieldValueQueries(ctx, text.OccurringTextsQuery(), t)
	if err != nil {
		return nil
	}
	found, err := occurring.readValueCounts(ctx, e, occurring.values, maxFrequentValuesBytes)
	if err != nil {
		return nil
	}
	var frequent []FieldValue
	var warnings []planerr.QueryWarning
	spellings := map[int]string{} // of the data, by text
	var respelt []int             // of these texts, the warnings
	for i, asked := range text.Texts {
		if slices.ContainsFunc(found, func(v FieldValue) bool { return isStoredTextAskedFor(textOfValue(v.Value), asked, len(text.Texts)) }) {
			continue
		}
		if len(warnings) == maxTextHintsPerCondition {
			break
		}
		if frequent == nil {
			if frequent, err = e.readFrequentFieldValues(ctx, t, text.SimilarValuesQuery(asked)); err != nil {
				return nil
			}
		}
		warning, spelling := newMissingTextHint(text.Field, asked, frequent)
		if spelling != nil {
			spellings[i] = *spelling
			respelt = append(respelt, len(warnings))
		}
		warnings = append(warnings, warning)
	}
	if len(respelt) > 0 {
		// With one of several texts respelt, the query would have rows and say nothing of the others.
		retry := text.RetryFragmentOfTexts(spellings)
		for _, i := range respelt {
			warnings[i].SuggestedRetry = retry
		}
	}
	return warnings
}

// isStoredTextAskedFor reports whether a stored value is the one that a filter of some texts requests. The engine has found that it
// is one of them; with a collation that ignores case it need not have the same letters.
func isStoredTextAskedFor(stored, asked string, texts int) bool {
	return stored == asked || texts == 1 || strings.EqualFold(stored, asked)
}

// readFrequentFieldValues reads the most frequent values of a field.
func (e *Engine) readFrequentFieldValues(ctx context.Context, t compileTarget, q *query.ValuesQuery) ([]FieldValue, error) {
	if q.Like == "" {
		q.Like = " " // no text is like the empty one
	}
	r, err := e.compileFieldValueQueries(ctx, q, t)
	if err != nil {
		return nil, err
	}
	return r.readValueCounts(ctx, e, r.frequent, maxFrequentValuesBytes)
}

// newMissingTextHint returns the warning that no row has a text, with the values that are like it. spelling is the only one of them that
// differs by case, marks or surrounding spaces; nil where there is none, or several.
func newMissingTextHint(field, asked string, frequent []FieldValue) (w planerr.QueryWarning, spelling *string) {
	like := find.NewLikenessScorer(asked)
	w = planerr.QueryWarning{Code: planerr.WarningFilterMatchedNothing, Field: field, Value: &asked}
	var spellings []string
	for _, v := range nearestValues(asked, frequent) {
		value := textOfValue(v.Value)
		if like.EqualsFolded(value) {
			spellings = append(spellings, value)
		}
		if len(w.Near) < maxNearValuesInHint {
			w.Near = append(w.Near, value)
		}
	}
	w.Message = "no row has " + field + " = " + quoteForMessage(asked)
	if len(w.Near) > 0 {
		quoted := make([]string, len(w.Near))
		for i, value := range w.Near {
			quoted[i] = quoteForMessage(value)
		}
		w.Message += "; near: " + strings.Join(quoted, ", ")
	}
	if len(spellings) == 1 {
		spelling = &spellings[0]
	}
	return w, spelling
}

// timeRangeOutsideDataHints returns the warning that a range of time lies outside of the data.
func (e *Engine) timeRangeOutsideDataHints(ctx context.Context, t compileTarget, asked *planner.TimeRangeProbe) []planerr.QueryWarning {
	r, err := e.compileFieldValueQueries(ctx, asked.StoredBoundsQuery(), t)
	if err != nil || r.bounds == nil {
		return nil
	}
	least, greatest, err := r.readLeastAndGreatest(ctx, e)
	if err != nil || least == nil {
		return nil
	}
	from, to := textOfValue(least), textOfValue(greatest)
	if day, ok := planner.DateOfTimeCode(r.planned, from); ok {
		from = day
	}
	if day, ok := planner.DateOfTimeCode(r.planned, to); ok {
		to = day
	}
	if !asked.IsOutsideStoredTimes(from, to) {
		return nil
	}
	return []planerr.QueryWarning{{
		Code: planerr.WarningTimeRangeMatchedNothing, Field: asked.Field, Min: from, Max: to,
		Message: timeRangeQueryKey + " lies outside of the data: " + asked.Field + " is from " + from + " to " + to,
	}}
}

// quoteForMessage returns a value in single quotes, cut where it is long.
func quoteForMessage(value string) string {
	return "'" + strings.ReplaceAll(clipText(value, maxQuotedValueLength), "'", "''") + "'"
}

// isEmpty reports whether the result has no row but totals, or one row without groups whose metrics are null or 0.
func (r *Result) isEmpty(columns []planner.OutputColumn) bool {
	if r.RowCount == r.TotalRows {
		return true
	}
	if r.RowCount != 1 || slices.ContainsFunc(columns, func(c planner.OutputColumn) bool { return c.Metric == "" }) {
		return false
	}
	var rows []map[string]json.RawMessage
	if json.Unmarshal(r.Rows, &rows) != nil || len(rows) != 1 {
		return false
	}
	for _, v := range rows[0] {
		if !isNullValue(v) && !isZeroNumberText(string(v)) {
			return false
		}
	}
	return true
}

func isZeroNumberText(text string) bool {
	n, err := strconv.ParseFloat(text, 64)
	return err == nil && n == 0
}
