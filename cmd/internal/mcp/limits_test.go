package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/planner/planerr"
)

// numbered answers with n rows of one number each.
func numbered(n int) fake {
	return fake{execute: func(context.Context) (*engine.Result, error) {
		var rows []string
		for i := range n {
			rows = append(rows, fmt.Sprintf(`{"n":%d.50}`, i))
		}
		return &engine.Result{Dialect: "duckdb", SQL: "SELECT a < 1", Columns: []string{"n"}, Rows: json.RawMessage("[" + strings.Join(rows, ",") + "]"), RowCount: n}, nil
	}}
}

type cutResult struct {
	SQL      string            `json:"sql"`
	Rows     []json.RawMessage `json:"rows"`
	RowCount int               `json:"row_count"`
	Shown    *int              `json:"rows_shown"`
	Note     string            `json:"note"`
}

func TestLimits_OmittedRowsAreNoted(t *testing.T) {
	for _, c := range []struct {
		what  string
		rows  int
		limit mcp.Config
		shown int
	}{
		{"as many as fit", 200, mcp.Config{}, 200},
		{"one more", 201, mcp.Config{}, 200},
		{"none at all", 0, mcp.Config{}, 0},
		{"rows", 10, mcp.Config{MaxRows: 3}, 3},
		{"bytes", 10, mcp.Config{MaxBytes: 34}, 3}, // [{"n":0.50},{"n":1.50},{"n":2.50}] is 34 bytes
		{"a byte less", 10, mcp.Config{MaxBytes: 33}, 2},
		{"no row fits", 10, mcp.Config{MaxBytes: 5}, 0},
	} {
		text, notes, result := callTool(t, direct(t, numbered(c.rows), c.limit), "run_query", `{"metrics":["n"]}`)
		var got cutResult
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s: %s", text, err)
		}
		if len(got.Rows) != c.shown || got.RowCount != c.rows || got.SQL != "SELECT a < 1" || result.IsError || len(notes) > 0 {
			t.Errorf("%s: %s", c.what, text)
		}
		if c.shown == c.rows {
			if got.Shown != nil || got.Note != "" {
				t.Errorf("%s: %s", c.what, text)
			}
			continue
		}
		if got.Shown == nil || *got.Shown != c.shown {
			t.Errorf("%s: %s", c.what, text)
		}
		for _, part := range []string{fmt.Sprintf("Only the first %d of %d rows", c.shown, c.rows), "where_sql", "POST /v1/query/execute", "semlayer query"} {
			if !strings.Contains(got.Note, part) {
				t.Errorf("%s: the note lacks %q: %s", c.what, part, got.Note)
			}
		}
		if c.shown > 0 && string(got.Rows[0]) != `{"n":0.50}` {
			t.Errorf("%s: %s", c.what, got.Rows[0])
		}
	}
}

// A cut result has what the whole one has, and the names that are reserved for it.
func TestLimits_CutKeepsEndOfResult(t *testing.T) {
	whole := numbered(3)
	end := engine.ResultEnd{
		ResolvedTimeRange: &engine.ResolvedTimeRange{One: &engine.ResolvedRange{Start: "2024-01-01"}}, ResolvedCompare: []engine.ResolvedCompare{{Start: "2023-01-01"}},
		Warnings: []planerr.QueryWarning{{Code: "c"}}, Saved: "s", Rollups: []engine.RollupUse{{Home: "orders"}}, View: &engine.ViewUse{Name: "v"},
	}
	for f, v := range reflect.ValueOf(end).Fields() {
		if v.IsZero() {
			t.Fatalf("the end has no %s", f.Name)
		}
	}
	f := fake{execute: func(ctx context.Context) (*engine.Result, error) {
		r, err := whole.execute(ctx)
		r.ResultEnd, r.Limit, r.AllRows = end, new(int64(3)), new(int64(9))
		return r, err
	}}
	members := func(c mcp.Config) (out map[string]json.RawMessage) {
		text, _, _ := callTool(t, direct(t, f, c), "run_query", `{"metrics":["n"]}`)
		if err := json.Unmarshal([]byte(text), &out); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		return out
	}
	cut, all := members(mcp.Config{MaxRows: 1}), members(mcp.Config{})
	for _, name := range engine.ReservedNames {
		if cut[name] == nil {
			t.Errorf("a cut result has no %s", name)
		}
		delete(cut, name)
	}
	delete(cut, "rows")
	delete(all, "rows")
	if d := cmp.Diff(all, cut); d != "" {
		t.Error(d)
	}
}

func TestLimits_ListsContinueAfterCut(t *testing.T) {
	f := fake{}
	for i := range 50 {
		f.metrics = append(f.metrics, describe.Metric{Name: fmt.Sprintf("m%02d", i), Description: strings.Repeat("d", 100)})
	}
	session := direct(t, f, mcp.Config{MaxBytes: 2000, MaxListBytes: 1000})
	var got []string
	offset, answers := 0, 0
	for {
		text, notes, result := callTool(t, session, "list_metrics", fmt.Sprintf(`{"offset":%d,"detail":true}`, offset))
		var page []describe.Metric
		if err := json.Unmarshal([]byte(text), &page); err != nil || result.IsError || len(text) > 2000 {
			t.Fatalf("%v %d bytes: %s", err, len(text), text)
		}
		for _, m := range page {
			got = append(got, m.Name)
		}
		answers++
		if len(notes) == 0 {
			break
		}
		if want := fmt.Sprintf("There are %d more of 50: continue with offset %d, or narrow the list with search.", 50-len(got), len(got)); notes[0] != want {
			t.Fatal(cmp.Diff(want, notes[0]))
		}
		offset = len(got)
	}
	if len(got) != 50 || got[49] != "m49" || answers < 3 {
		t.Errorf("%d answers: %v", answers, got)
	}
}

// Of a long report the segments that changed most stay, and the whole report
// stays an object.
func TestLimits_AttributionKeepsLargestChanges(t *testing.T) {
	e := retail(t)
	arguments := strings.Replace(change, `["customers.region"]`, `["customers.name","products.name","orders.status"]`, 1)
	whole, _, _ := callTool(t, direct(t, e, mcp.Config{MaxBytes: 1 << 20}), "attribute_metric", arguments)
	cut, _, result := callTool(t, direct(t, e, mcp.Config{MaxBytes: 20_000}), "attribute_metric", arguments)
	var before, after struct {
		Total        json.RawMessage `json:"total_change"`
		PerDimension map[string]struct {
			Values    []json.RawMessage `json:"values"`
			Truncated bool              `json:"truncated"`
		} `json:"per_dimension"`
		Note string `json:"note"`
	}
	for text, into := range map[string]any{whole: &before, cut: &after} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	all, few := before.PerDimension["customers.name"], after.PerDimension["customers.name"]
	if result.IsError || len(whole) < 25_000 || len(cut) > 21_000 || before.Note != "" || !strings.Contains(after.Note, "segments") {
		t.Fatalf("%d bytes became %d: %s", len(whole), len(cut), after.Note)
	}
	if len(few.Values) >= len(all.Values) || !few.Truncated || string(before.Total) != string(after.Total) {
		t.Errorf("%d of %d segments, truncated %v", len(few.Values), len(all.Values), few.Truncated)
	}
	if d := cmp.Diff(string(all.Values[0]), string(few.Values[0])); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(before.PerDimension["orders.status"], after.PerDimension["orders.status"]); d != "" {
		t.Error("a dimension with few segments was cut:", d)
	}
}

func TestLimits_OmittedDimensionsAreNoted(t *testing.T) {
	text, _, result := callTool(t, direct(t, retail(t), mcp.Config{MaxBytes: 1000}), "describe_metric", `{"metric":"revenue"}`)
	var got struct {
		Metric     describe.Metric      `json:"metric"`
		Dimensions []describe.Dimension `json:"dimensions"`
		Note       string               `json:"note"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if result.IsError || got.Metric.Name != "revenue" || len(got.Dimensions) == 0 || len(got.Dimensions) > 10 || !strings.Contains(got.Note, "list_dimensions") {
		t.Error(text)
	}
}

// The tool leaves out rows of a result that the query's limit may have cut already, so that
// the row count need not be the number of all rows.
func TestRun_NotesThatLimitMayHideRows(t *testing.T) {
	session := direct(t, retail(t), mcp.Config{})
	for _, tt := range []struct {
		name, arguments string
		rows, count     int
		limit           string
		limited         bool
		note            string
	}{
		{"rows left out by the tool alone", `{"from":"orders","fields":["order_id"],"limit":10000}`, 200, 5000, "10000", false,
			"Only the first 200 of 5000 rows are here. To see"},
		{"rows left out by the tool and by the limit", `{"from":"orders","fields":["order_id"],"limit":1000}`, 200, 1000, "1000", true,
			"Only the first 200 of 1000 rows are here, and the limit of 1000 may have left out more. To see"},
		{"rows left out by the limit alone", `{"from":"orders","fields":["order_id"],"limit":3}`, 3, 3, "3", true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, _, _ := callTool(t, session, "select", tt.arguments)
			var got struct {
				cutResult
				Limit   json.Number `json:"limit"`
				Limited bool        `json:"limited"`
			}
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			if len(got.Rows) != tt.rows || got.RowCount != tt.count || got.Limit.String() != tt.limit || got.Limited != tt.limited ||
				!strings.HasPrefix(got.Note, tt.note) || (got.Note == "") != (tt.note == "") {
				t.Errorf("%d rows, …%s", len(got.Rows), text[max(0, len(text)-400):])
			}
		})
	}
}
