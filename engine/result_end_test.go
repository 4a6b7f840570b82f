package engine_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/arrowstream"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// wholeEnd gives each member of the end of a result.
var wholeEnd = engine.ResultEnd{
	ResolvedTimeRange: &engine.ResolvedTimeRange{One: &engine.ResolvedRange{Start: "2024-01-01", End: "2024-02-01", AsOf: "2024-02-03", TimeZone: "UTC"}},
	ResolvedCompare:   []engine.ResolvedCompare{{Start: "2023-01-01", End: "2023-02-01"}},
	Warnings:          []planerr.QueryWarning{{Code: "c", Message: "a < b"}},
	Saved:             "by \"month\"",
	Rollups:           []engine.RollupUse{{Home: "orders", Metrics: []string{"revenue"}}},
	View:              &engine.ViewUse{Name: "sales"},
}

// The JSON of the members of wholeEnd, in the order of a result.
var wholeEndMembers = [][2]string{
	{"resolved_time_range", `{"start":"2024-01-01","end":"2024-02-01","as_of":"2024-02-03","time_zone":"UTC"}`},
	{"resolved_compare", `[{"start":"2023-01-01","end":"2023-02-01"}]`},
	{"warnings", `[{"code":"c","message":"a < b"}]`},
	{"saved", `"by \"month\""`},
	{"rollups", `[{"home":"orders","metrics":["revenue"],"rollup":null}]`},
	{"view", `{"name":"sales"}`},
}

// jsonNames returns the names of the members that a struct is written with.
func jsonNames(t reflect.Type) []string {
	var out []string
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			out = append(out, jsonNames(f.Type)...)
		case f.IsExported() && name != "-" && name != "":
			out = append(out, name)
		}
	}
	return out
}

func TestResultEnd_EachMemberIsInJSONAndArrow(t *testing.T) {
	var names []string
	text := `{"dialect":"","sql":"","columns":null,"rows":[],"row_count":0`
	for _, m := range wholeEndMembers {
		names = append(names, m[0])
		text += `,"` + m[0] + `":` + m[1]
	}
	if d := cmp.Diff(names, jsonNames(reflect.TypeFor[engine.ResultEnd]())); d != "" {
		t.Fatalf("wholeEndMembers has not each member: %s", d)
	}
	body, err := (&engine.Result{Rows: []byte("[]"), ResultEnd: wholeEnd}).AppendJSON(nil)
	if d := cmp.Diff(text+"}", string(body)); err != nil || d != "" {
		t.Errorf("JSON: %v %s", err, d)
	}
	e := open(t, engine.Config{ModelText: []byte(rows)})
	s, err := askStream(t.Context(), e, metricQuery(t, eachRow+`,"limit":1}`))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	s.ResultEnd = wholeEnd
	var out bytes.Buffer
	if _, err := s.Write(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	schema, err := arrowstream.Read(&out, func(arrow.RecordBatch) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	got := schema.Metadata().ToMap()
	want := map[string]string{"dialect": got["dialect"], "sql": got["sql"], "limit": "1"}
	for f, v := range reflect.ValueOf(wholeEnd).Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		i := slices.IndexFunc(wholeEndMembers, func(m [2]string) bool { return m[0] == name })
		if want[name] = wholeEndMembers[i][1]; v.Kind() == reflect.String {
			want[name] = v.String() // a text is not JSON there
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Arrow: %s", d)
	}
}

// A response would have a reserved name twice, if a key of a query or a member of a result had it too.
func TestReservedNames_AreFree(t *testing.T) {
	var taken []string
	for _, keys := range [][]query.KeyDescription{query.MetricKeys(), query.DetailKeys(), query.AttributeKeys(), query.SQLKeys(), query.CompatibleKeys()} {
		for _, k := range keys {
			taken = append(taken, k.Name)
		}
	}
	body, err := (&engine.Result{Rows: []byte("[]"), ResultEnd: wholeEnd, Limit: new(int64), AllRows: new(int64)}).AppendJSON(nil)
	var members map[string]any
	if err != nil || json.Unmarshal(body, &members) != nil {
		t.Fatal(string(body), err)
	}
	taken = append(slices.AppendSeq(taken, maps.Keys(members)), jsonNames(reflect.TypeFor[engine.Attribution]())...)
	for _, name := range engine.ReservedNames {
		if slices.Contains(taken, name) {
			t.Errorf("%s is reserved, and a key or a member of a result has the name", name)
		}
	}
}
