package query

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A field without a row would be neither read nor written, merged or cached.
func TestRows_HoldEachFieldOnce(t *testing.T) {
	testRowsOfFields(t, metricQueryRows)
	testRowsOfFields(t, detailQueryRows)
	testRowsOfFields(t, attributeQueryRows)
	testRowsOfFields(t, limitedSQLStatementRows)
}

func testRowsOfFields[T any](t *testing.T, rows []keyRow[T]) {
	q := new(T)
	v := reflect.ValueOf(q).Elem()
	for f, field := range v.Fields() {
		if f.Tag.Get("json") == "-" {
			continue
		}
		holders := 0
		for _, r := range rows {
			if reflect.ValueOf(r.at(q)).Pointer() == field.Addr().Pointer() {
				holders++
			}
		}
		if holders != 1 {
			t.Errorf("%d rows hold the field %T.%s", holders, *q, f.Name)
		}
	}
	seen := map[int]string{}
	for _, r := range rows {
		if other := seen[r.Rank]; r.Rank > 0 && other != "" {
			t.Errorf("%T: %s and %s have one rank", *q, other, r.name)
		}
		seen[r.Rank] = r.name
		if r.Doc == "" {
			t.Errorf("%T: %s has no description", *q, r.name)
		}
		if r.Flag != "" && r.FlagDoc == "" && r.Flag != rollupsFlag { // the command describes the flags of rollups
			t.Errorf("%T: the flag of %s has no description", *q, r.name)
		}
	}
}

func TestDecode_RemovedKeysOfASavedQuery(t *testing.T) {
	for _, c := range []struct {
		body     string
		replaced []string
	}{
		{`{"metrics":["a"],"limit":null}`, nil},
		{`{"saved":"s"}`, nil},
		{`{"saved":"s","limit":null,"where_sql":"","group_by":[],"params":null}`, []string{"group_by", "where_sql", "limit", "params"}},
		{`{"saved":"s","params":{},"limit":0,"pretty":false,"time_range":{"start":"2024-01-01"}}`, []string{"pretty", "time_range", "limit"}},
		{`{"saved":null,"limit":null}`, nil},
		{`{"saved":"s","fan_out":"refuse"}`, []string{"fan_out"}},
		{`{"saved":"s","fan_out":"once_per_group"}`, []string{"fan_out"}},
	} {
		q, err := DecodeMetric([]byte(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.replaced, q.SavedUse().Replaced); d != "" {
			t.Errorf("%s: %s", c.body, d)
		}
	}
}

// Merging a fragment into a request means what sending the merged JSON means.
func TestWith_EqualsTheMergedBody(t *testing.T) {
	base := `{"saved":"s","limit":null,"metrics":["m"]}`
	for _, c := range []struct {
		fragment map[string]any
		merged   string
	}{
		{map[string]any{"where_sql": nil}, `{"saved":"s","metrics":["m"],"limit":null,"where_sql":null}`},
		{map[string]any{"metrics": []string{"n"}}, `{"saved":"s","limit":null,"metrics":["n"]}`},
		{map[string]any{"params": Bindings{}}, `{"saved":"s","limit":null,"metrics":["m"],"params":{}}`},
		{map[string]any{"params": nil}, `{"saved":"s","limit":null,"metrics":["m"],"params":null}`},
		{map[string]any{"saved": "t"}, `{"saved":"t","limit":null,"metrics":["m"]}`},
		{map[string]any{"time_range": TimeRange{Start: "2024-01-01"}}, `{"saved":"s","limit":null,"metrics":["m"],"time_range":{"start":"2024-01-01"}}`},
	} {
		q, err := DecodeMetric([]byte(base))
		if err != nil {
			t.Fatal(err)
		}
		got, ok := q.ApplyRetryFragment(c.fragment)
		if !ok {
			t.Fatalf("%v does not merge", c.fragment)
		}
		want, err := DecodeMetric([]byte(c.merged))
		if err != nil {
			t.Fatal(err)
		}
		sortedUse := func(q MetricQuery) map[string]bool {
			out := map[string]bool{"params given: " + reflect.TypeOf(q.Params).String(): len(q.Params) > 0}
			for _, key := range q.SavedUse().Replaced {
				out[key] = true
			}
			return out
		}
		if d := cmp.Diff(sortedUse(*want), sortedUse(got)); d != "" || got.Saved != want.Saved {
			t.Errorf("%v: %s", c.fragment, d)
		}
	}
}
