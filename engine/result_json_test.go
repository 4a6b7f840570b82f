package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
)

// rows is a model of a hundred thousand rows of a number each.
const rows = `
version: 0.2.0.dev0
name: m
datasets:
  - name: a
    source: SELECT i FROM range(100000) AS t(i)
    fields:
      - {name: i, expression: {dialects: [{dialect: ANSI_SQL, expression: i}]}}
metrics:
  - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(a.i)}]}}
`

const eachRow = `{"metrics":["n"],"group_by":[{"field":"a.i"}],"order_by":[{"key":"i"}]`

func TestResult_SameBytesInEveryForm(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(rows)})
	got, err := askRows(t.Context(), e, metricQuery(t, eachRow+`,"limit":2}`))
	if err != nil {
		t.Fatal(err)
	}
	sql, err := engine.MarshalWireJSON(got.SQL)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"dialect":"duckdb","sql":` + string(sql) + `,"columns":["i","n"],"rows":[{"i":0,"n":1},{"i":1,"n":1}],"row_count":2,"limit":2,"limited":true}`
	if d := cmp.Diff(`[{"i":0,"n":1},{"i":1,"n":1}]`, string(got.Rows)); d != "" {
		t.Error(d)
	}
	// A result that another program has built has no body.
	copied := engine.Result{Dialect: got.Dialect, SQL: got.SQL, Columns: got.Columns, Rows: got.Rows, RowCount: got.RowCount, Limit: got.Limit}
	for name, r := range map[string]*engine.Result{"read": got, "copied": &copied} {
		for form, write := range map[string]func() ([]byte, error){
			"body": r.Body, "appended": func() ([]byte, error) { return r.AppendJSON(nil) }, "marshalled": r.MarshalJSON,
		} {
			text, err := write()
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, string(text)); d != "" {
				t.Errorf("%s, %s: %s", name, form, d)
			}
		}
	}
}

func TestResult_OverLimitSuggestsFix(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(rows), MaxAnswerBytes: 100_000, MaxExecutions: 1})
	_, err := askRows(context.Background(), e, metricQuery(t, eachRow+`}`))
	var refused *engine.ExecuteError
	if !errors.As(err, &refused) || refused.Code != "driver" || !strings.Contains(refused.Message, "100000 bytes") || !strings.Contains(refused.Hint, "Arrow") {
		t.Fatalf("%v", err)
	}
	if n := e.RunningExecutions(); n != 0 {
		t.Errorf("%d slots are held", n)
	}
	got, err := askRows(context.Background(), e, metricQuery(t, eachRow+`,"limit":1000}`))
	if err != nil || got.RowCount != 1000 || !json.Valid(got.Rows) {
		t.Errorf("with a limit: %v", err)
	}
	s, err := askStream(t.Context(), e, metricQuery(t, eachRow+`}`))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n, err := s.Write(t.Context(), io.Discard); n != 100_000 || err != nil {
		t.Errorf("as a stream: %d rows, error %v", n, err)
	}
}
