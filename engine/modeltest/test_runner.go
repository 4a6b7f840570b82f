package modeltest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/planner/query"
)

// Status is the outcome of a test.
type Status string

// The outcomes.
const (
	StatusPassed  Status = "passed"
	StatusFailed  Status = "failed"
	StatusSkipped Status = "skipped"
)

// Result is the outcome of one test.
type Result struct {
	File    string        `json:"file,omitempty"`
	Line    int           `json:"line,omitempty"`
	Name    string        `json:"name"`
	Status  Status        `json:"status"`
	Message string        `json:"message,omitempty"` // why it failed or was skipped
	Rows    []string      `json:"rows,omitempty"`    // that differ, "-" before an expected one and "+" before another
	SQL     string        `json:"sql,omitempty"`     // of a failed test
	Took    time.Duration `json:"-"`
}

// Options are the settings of a run.
type Options struct {
	Connection string         // "" is the embedded database
	Only       *regexp.Regexp // of names; nil runs all
	FailFast   bool           // stop after the first failure
	Timeout    time.Duration  // of each test; 0 means 60 s
}

// DefaultTimeout is how long one test may take.
const DefaultTimeout = 60 * time.Second

// RunTests runs the tests of the files in their order, then compiles the saved queries of the
// model that no test names. It ends early when ctx does. Tests with an identity ask as that reader,
// all others as the author of the model.
func RunTests(ctx context.Context, e *engine.Engine, files []*TestFile, o Options) []Result {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	author := e.AsAuthor().Engine
	r := testRunner{engine: author, readers: e, Options: o, saved: map[string]describe.SavedQuery{}, named: map[string]bool{}}
	for _, s := range author.SavedQueries() {
		r.saved[strings.ToLower(s.Name)] = s
	}
	for _, f := range files {
		for _, t := range f.Tests {
			r.named[strings.ToLower(t.Saved)] = true
			if o.Only != nil && !o.Only.MatchString(t.Name) || r.shouldStop(ctx) {
				continue
			}
			result := r.runTest(ctx, t)
			result.File, result.Line = f.Path, t.Line
			r.results = append(r.results, result)
		}
	}
	if o.Only == nil {
		r.addUntestedSavedQueryResults(ctx)
	}
	return r.results
}

type testRunner struct {
	Options
	engine  *engine.Engine                 // of the author
	readers *engine.Engine                 // which As is asked of
	saved   map[string]describe.SavedQuery // by folded name
	named   map[string]bool                // saved queries that a test names
	results []Result
}

func (r *testRunner) shouldStop(ctx context.Context) bool {
	n := len(r.results)
	return ctx.Err() != nil || r.FailFast && n > 0 && r.results[n-1].Status == StatusFailed
}

// addUntestedSavedQueryResults reports the saved queries that do not plan and that no test names.
func (r *testRunner) addUntestedSavedQueryResults(ctx context.Context) {
	broken := map[string]string{}
	for _, c := range r.engine.CompileErrors() {
		if c.Code == "saved_query_invalid" {
			broken[c.Location] = c.Message
		}
	}
	for _, s := range r.engine.SavedQueries() {
		if r.named[strings.ToLower(s.Name)] || r.shouldStop(ctx) {
			continue
		}
		result := Result{Name: "saved query " + s.Name + " compiles", Status: StatusPassed}
		for _, message := range broken {
			if strings.HasPrefix(message, "the saved query "+s.Name+" does not plan: ") {
				result.Status, result.Message = StatusFailed, message
			}
		}
		r.results = append(r.results, result)
	}
}

func (r *testRunner) runTest(ctx context.Context, t Test) Result {
	result := Result{Name: t.Name, Status: StatusPassed}
	if t.Skip != "" {
		result.Status, result.Message = StatusSkipped, t.Skip
		return result
	}
	unlimited := ctx
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	begun := time.Now()
	e := t.Expect
	got, err := r.runTestRequest(ctx, t, e.HasRows || e.SQL != "" || e.Count != nil)
	if err == nil && e.Error != "" { // the database may be what rejects
		_, err = r.runTestRequest(ctx, t, true)
	}
	if err == nil && t.Expect.Error == "" {
		result.Message, result.Rows, err = r.compareWithExpectation(ctx, t, got)
	}
	var coded engine.CodedError
	switch {
	case t.Expect.Error != "" && err == nil:
		result.Message = "the query is valid; the error " + t.Expect.Error + " was expected"
	case t.Expect.Error != "" && errors.As(err, &coded) && coded.ErrorCode() == t.Expect.Error:
	case t.Expect.Error != "":
		result.Message = "the error " + t.Expect.Error + " was expected: " + err.Error()
	case err != nil:
		result.Message = err.Error()
	}
	if result.Message != "" {
		result.Status = StatusFailed
		if got == nil { // the execution failed, perhaps at the end of its time: the SQL shows of what
			got, _ = r.runTestRequest(unlimited, t, false)
		}
		if got != nil {
			result.SQL = got.sql
		}
	}
	result.Took = time.Since(begun)
	return result
}

// testResponse is the response to a request; rows is nil where nothing was executed.
type testResponse struct {
	sql     string
	columns []string
	rows    [][]any
	count   int
}

// engineOfTest returns the model as the reader of a test sees it, else the whole model.
func (r *testRunner) engineOfTest(ctx context.Context, t Test) (*engine.Engine, error) {
	if t.As == nil {
		return r.engine, nil
	}
	reader, err := r.readers.AsClaims(ctx, *t.As)
	if err != nil {
		return nil, err
	}
	return reader.Engine, nil
}

// runTestRequest sends the request of a test: to be executed, else to be compiled.
func (r *testRunner) runTestRequest(ctx context.Context, t Test, execute bool) (*testResponse, error) {
	e, err := r.engineOfTest(ctx, t)
	if err != nil {
		return nil, err
	}
	kind := t.Kind
	if kind == KindSavedQuery {
		kind = KindQuery
		if s, ok := r.saved[strings.ToLower(t.Saved)]; ok {
			kind = RequestKind(s.Kind)
		}
	}
	switch kind {
	case KindSelect:
		return r.runDetailRequest(ctx, e, t, execute)
	case KindAttribute:
		return r.runAttributionRequest(ctx, e, t, execute)
	}
	q, err := query.DecodeMetric(t.Body)
	if err != nil {
		return nil, err
	}
	if q.Connection == "" && q.Dialect == "" {
		q.Connection = r.Connection
	}
	return runBody(ctx, e, q, execute)
}

func (r *testRunner) runDetailRequest(ctx context.Context, e *engine.Engine, t Test, execute bool) (*testResponse, error) {
	q, err := query.DecodeDetail(t.Body)
	if err != nil {
		return nil, err
	}
	if q.Connection == "" && q.Dialect == "" {
		q.Connection = r.Connection
	}
	return runBody(ctx, e, q, execute)
}

func runBody(ctx context.Context, e *engine.Engine, body query.Body, execute bool) (*testResponse, error) {
	prepared, err := e.Prepare(ctx, body)
	if err != nil {
		return nil, err
	}
	if execute {
		result, err := prepared.Execute(ctx)
		return decodeTestResponse(result, err)
	}
	c, err := prepared.SQL(ctx)
	if err != nil {
		return nil, err
	}
	return &testResponse{sql: c.SQL}, nil
}

// runAttributionRequest requests an attribution. Its rows are the segments of its dimensions, in the
// order of the ranking.
func (r *testRunner) runAttributionRequest(ctx context.Context, e *engine.Engine, t Test, execute bool) (*testResponse, error) {
	q, err := query.DecodeAttribute(t.Body)
	if err != nil {
		return nil, err
	}
	if q.Connection == "" && q.Dialect == "" {
		q.Connection = r.Connection
	}
	if !execute {
		return &testResponse{}, e.CheckAttribution(ctx, q)
	}
	report, err := e.Attribute(ctx, q)
	if err != nil {
		return nil, err
	}
	a := &testResponse{columns: []string{"dimension", "value", "baseline_value", "current_value", "delta"}}
	for _, rank := range report.DimensionRanking {
		for _, v := range report.PerDimension[rank.Dimension].Values {
			row := []any{v.Dimension, v.Value}
			for _, n := range []engine.AttributionNumber{v.BaselineValue, v.CurrentValue, v.Delta} {
				text, err := n.MarshalJSON()
				if err != nil {
					return nil, err
				}
				if string(text) == "null" {
					row = append(row, nil)
				} else {
					row = append(row, json.Number(text))
				}
			}
			a.rows = append(a.rows, row)
		}
	}
	a.count = len(a.rows)
	return a, nil
}

func decodeTestResponse(result *engine.Result, err error) (*testResponse, error) {
	if err != nil {
		return nil, err
	}
	a := &testResponse{sql: result.SQL, columns: result.Columns, count: result.RowCount}
	d := json.NewDecoder(bytes.NewReader(result.Rows))
	d.UseNumber()
	var rows []map[string]any
	if err := d.Decode(&rows); err != nil {
		return nil, fmt.Errorf("reading the rows: %w", err)
	}
	for _, object := range rows {
		row := make([]any, len(a.columns))
		for i, c := range a.columns {
			row[i] = object[c]
		}
		a.rows = append(a.rows, row)
	}
	return a, nil
}
