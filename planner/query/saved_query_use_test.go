package query

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A key that members lacks would be neither overlaid nor removed.
func TestMembers_HaveEveryKeyOfTheDecoder(t *testing.T) {
	for _, c := range []struct {
		keys    []bodyKey
		members []bodyKeyWithValuePointer
	}{
		{keysOfReaders(metricQueryKeyReaders), new(MetricQuery).bodyMembers()},
		{keysOfReaders(detailQueryKeyReaders), new(DetailQuery).bodyMembers()},
		{keysOfReaders(attributeQueryKeyReaders), new(AttributeQuery).bodyMembers()},
	} {
		var want, got []string
		for _, k := range c.keys {
			if k.name != savedKey {
				want = append(want, k.name)
			}
		}
		for _, m := range c.members {
			got = append(got, m.key)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
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
