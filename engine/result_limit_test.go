package engine_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/arrowstream"
)

const clamped = `[{"code":"limit_clamped","message":"a detail query returns at most 10000 rows, so the limit 50000 was lowered to 10000"}]`

// The keys of a result that describe its limit, in their order.
var limitCases = []struct{ name, body, tail, limit, warnings string }{
	{"a metric query without a limit says nothing", eachRow + `,"where_sql":"a.i < 3"}`, `"row_count":3}`, "", ""},
	{"as many rows as the limit are limited", eachRow + `,"limit":2}`, `"row_count":2,"limit":2,"limited":true}`, "2", ""},
	{"fewer rows than the limit are all there are", eachRow + `,"where_sql":"a.i < 3","limit":4}`, `"row_count":3,"limit":4}`, "4", ""},
	{"the limit may be no rows", eachRow + `,"limit":0}`, `"row_count":0,"limit":0,"limited":true}`, "0", ""},
	{"a detail query has a limit by default", `{"from":"a","fields":["i"]}`, `"row_count":100,"limit":100,"limited":true}`, "100", ""},
	{"a detail query has the limit that it asks for", `{"from":"a","fields":["i"],"limit":3}`, `"row_count":3,"limit":3,"limited":true}`, "3", ""},
	{"a limit above the maximum is lowered with a warning", `{"from":"a","fields":["i"],"limit":50000}`,
		`"row_count":10000,"limit":10000,"limited":true,"warnings":` + clamped + `}`, "10000", clamped},
}

func TestResult_NamesAppliedLimit(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(rows)})
	for _, tt := range limitCases {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 { // the second time the statement is known
				text := answered(t, e, tt.body)
				if !json.Valid(text) || !strings.HasSuffix(string(text), "],"+tt.tail) {
					t.Errorf("…%s\nwant …%s", text[max(0, len(text)-200):], tt.tail)
				}
			}
			meta := metadata(t, e, tt.body)
			delete(meta, "sql")
			want := map[string]string{"dialect": "duckdb"}
			if tt.limit != "" {
				want["limit"] = tt.limit
			}
			if tt.warnings != "" {
				want["warnings"] = tt.warnings
			}
			if d := cmp.Diff(want, meta); d != "" {
				t.Errorf("the Arrow schema: %s", d)
			}
		})
	}
}

func TestCompile_WarnsOfALimitThatIsLowered(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(rows)})
	for body, want := range map[string]string{
		`{"from":"a","fields":["i"],"limit":50000}`: `,"warnings":` + clamped + `}`,
		`{"from":"a","fields":["i"],"limit":10000}`: `LIMIT 10000"}`,
	} {
		c, err := askSQL(t.Context(), e, detail(t, body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := engine.MarshalWireJSON(c)
		if err != nil || !strings.HasSuffix(string(text), want) || !strings.HasSuffix(c.SQL, "LIMIT 10000") {
			t.Errorf("%s, %v, want …%s", text, err, want)
		}
	}
}

func isDetail(body string) bool { return strings.HasPrefix(body, `{"from"`) }

func answered(t *testing.T, e *engine.Engine, body string) []byte {
	t.Helper()
	var r *engine.Result
	var err error
	if isDetail(body) {
		r, err = askRows(t.Context(), e, detail(t, body))
	} else {
		r, err = askRows(t.Context(), e, metricQuery(t, body))
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.Body()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func metadata(t *testing.T, e *engine.Engine, body string) map[string]string {
	t.Helper()
	var s *engine.Stream
	var err error
	if isDetail(body) {
		s, err = askStream(t.Context(), e, detail(t, body))
	} else {
		s, err = askStream(t.Context(), e, metricQuery(t, body))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	var out bytes.Buffer
	if _, err := s.Write(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	schema, err := arrowstream.Read(&out, func(arrow.RecordBatch) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return schema.Metadata().ToMap()
}
