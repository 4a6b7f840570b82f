package query_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/query"
)

// keySample is a value of a key: as JSON, and as a retry holds it.
type keySample struct {
	json  string
	value any
}

// keySamples has a value of each key of the three bodies.
var keySamples = map[string]keySample{
	"metrics":                  {`["revenue"]`, []string{"revenue"}},
	"group_by":                 {`[{"field":"metric_time","grain":"month"}]`, []query.GroupBy{{Field: "metric_time", Grain: "month"}}},
	"where_sql":                {`"a < 'ü'"`, "a < 'ü'"},
	"context_filter":           {`"b > 1"`, "b > 1"},
	"time_range":               {`{"last":{"n":3,"unit":"month"}}`, query.TimeRange{Last: &query.RelativeRange{N: 3, Unit: "month"}}},
	"time_ranges":              {`{"a":{"start":"2024-01-01","dimension":"d"}}`, query.TaggedRanges{{Tag: "a", TimeRange: query.TimeRange{Start: "2024-01-01", Dimension: "d"}}}},
	"order_by":                 {`[{"key":"m","desc":true}]`, []query.OrderBy{{Key: "m", Desc: true}}},
	"limit":                    {`0`, new(int64)},
	"offset":                   {`3`, int64(3)},
	"params":                   {`{"p":[1,"x"]}`, query.Bindings{{Name: "p", List: true, Values: []query.ParamValue{{Kind: query.NumberValue, Text: "1"}, {Text: "x"}}}}},
	"dialect":                  {`"mysql"`, "mysql"},
	"pretty":                   {`true`, true},
	"connection":               {`"c"`, "c"},
	"saved":                    {`"s"`, "s"},
	"with":                     {`[{"dataset":"o","name":"f","expression":"a","lod":{"grain":["b"]}}]`, []query.LocalField{{Dataset: "o", Name: "f", Expression: "a", LOD: &query.LocalLOD{Grain: []string{"b"}}}}},
	"distinct":                 {`true`, true},
	"from":                     {`"orders"`, "orders"},
	"totals":                   {`[[],["a"]]`, [][]string{{}, {"a"}}},
	"shares":                   {`[{"metric":"m","of":["a"]}]`, []query.ShareRequest{{Metric: "m", Of: []string{"a"}}}},
	"compare":                  {`{"offset":{"count":1,"unit":"year"}}`, query.Comparisons{{Offset: &query.PeriodOffset{Count: 1, Unit: "year"}}}},
	"top":                      {`{"dimension":"a","n":3,"other":false}`, &query.Top{Dimension: "a", N: 3, Other: &query.TopOther{Off: true}}},
	"fill":                     {`{"value":0}`, &query.Fill{Value: "0"}},
	"fan_out":                  {`"once_per_group"`, query.FanOutOncePerGroup},
	"as_of":                    {`"2024-05-01"`, "2024-05-01"},
	"time_zone":                {`"Europe/Berlin"`, "Europe/Berlin"},
	"week_start":               {`"sunday"`, "sunday"},
	"hints":                    {`true`, new(true)},
	"count":                    {`true`, true},
	"view":                     {`"sales"`, "sales"},
	"sequences":                {`[{"name":"f","entity":["p"],"steps":[{"name":"a","dataset":"o","where":"k = 1"},{"name":"b","dataset":"o","at":"t","entity":["q"]}],"within":{"count":7,"granularity":"day"},"start":"first"},{"name":"r","entity":["p"],"steps":[{"name":"a","dataset":"o"},{"name":"b","dataset":"o"}],"every":"week","periods":4}]`, []query.Sequence{{Name: "f", Entity: []string{"p"}, Steps: []query.SequenceStep{{Name: "a", Dataset: "o", Where: "k = 1"}, {Name: "b", Dataset: "o", At: "t", Entity: []string{"q"}}}, Within: &query.SequenceWithin{Count: 7, Granularity: "day"}, Start: "first"}, {Name: "r", Entity: []string{"p"}, Steps: []query.SequenceStep{{Name: "a", Dataset: "o"}, {Name: "b", Dataset: "o"}}, Every: "week", Periods: 4}}},
	"defaults":                 {`false`, new(false)},
	"rollups":                  {`"only"`, query.RollupsOnly},
	"max_age":                  {`60`, int64(60)},
	"fields":                   {`["a","b:month"]`, []string{"a", "b:month"}},
	"metric":                   {`"revenue"`, "revenue"},
	"dimensions":               {`["a"]`, []string{"a"}},
	"baseline":                 {`{"start":"2023-01-01","end":"2024-01-01"}`, query.TimeRange{Start: "2023-01-01", End: "2024-01-01"}},
	"current":                  {`{"start":"2024-01-01","end":"2025-01-01"}`, query.TimeRange{Start: "2024-01-01", End: "2025-01-01"}},
	"time_dimension":           {`"orders.date"`, "orders.date"},
	"max_values_per_dimension": {`4`, new(int64(4))},
	"top_n_dimensions":         {`5`, new(int64(5))},
	"top_n_values":             {`6`, new(int64(6))},
}

// queryBody is a body with the operations that each of its keys has a part in.
type queryBody[T any] interface {
	*T
	json.Marshaler
	MergeOverSaved(*T, []query.ParamBinding) *T
	SavedUse() query.SavedQueryUse
}

type cachedQuery interface{ AppendCacheKey([]byte) []byte }

func TestKeys_EachIsReadWrittenMergedAndPatched(t *testing.T) {
	t.Run("metric", func(t *testing.T) {
		testEachKey(t, query.MetricKeys(), query.DecodeMetric, query.MetricQuery.ApplyRetryFragment)
	})
	t.Run("detail", func(t *testing.T) {
		testEachKey(t, query.DetailKeys(), query.DecodeDetail, query.DetailQuery.ApplyRetryFragment)
	})
	t.Run("attribute", func(t *testing.T) {
		testEachKey(t, query.AttributeKeys(), query.DecodeAttribute, query.AttributeQuery.ApplyRetryFragment)
	})
}

func testEachKey[T any, P queryBody[T]](t *testing.T, keys []query.KeyDescription, decode func([]byte) (*T, error), patch func(T, map[string]any) (T, bool)) {
	cacheKeys := map[string]string{}
	decodeText := func(text string) *T {
		q, err := decode([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return q
	}
	for _, k := range keys {
		sample, ok := keySamples[k.Name]
		if !ok {
			t.Errorf("keySamples has no value of %s", k.Name)
			continue
		}
		body := `{"` + k.Name + `":` + sample.json + `}`
		q := decodeText(body)
		var written bytes.Buffer
		json.HTMLEscape(&written, []byte(body))
		if text, err := P(q).MarshalJSON(); err != nil || string(text) != written.String() {
			t.Errorf("%s is written as %s: %v", body, text, err)
		}
		if cached, ok := any(q).(cachedQuery); ok {
			cacheKey := string(cached.AppendCacheKey(nil))
			if other, taken := cacheKeys[cacheKey]; taken {
				t.Errorf("%s and %s have one cache key", k.Name, other)
			}
			cacheKeys[cacheKey] = k.Name
			if again := string(any(decodeText(body)).(cachedQuery).AppendCacheKey(nil)); again != cacheKey {
				t.Errorf("%s: two cache keys of one body", body)
			}
		}
		patched, ok := patch(*new(T), map[string]any{k.Name: sample.value})
		if d := cmp.Diff(*q, patched); !ok || d != "" {
			t.Errorf("a retry of %s: %v %s", k.Name, ok, d)
		}
		if removed, ok := patch(*q, map[string]any{k.Name: nil}); !ok || cmp.Diff(*new(T), removed) != "" {
			t.Errorf("a retry that removes %s: %v %+v", k.Name, ok, removed)
		}
		if _, ok := patch(*new(T), map[string]any{k.Name: struct{}{}}); ok {
			t.Errorf("a retry sets %s to a value of another type", k.Name)
		}
		if k.Name == "saved" {
			continue
		}
		saved := decodeText(`{"saved":"s"}`)
		merged := P(saved).MergeOverSaved(q, nil)
		if k.Name == "params" {
			merged = P(saved).MergeOverSaved(new(T), sample.value.(query.Bindings))
		}
		if d := cmp.Diff(q, merged); d != "" {
			t.Errorf("%s over a saved query: %s", k.Name, d)
		}
		if merged := P(q).MergeOverSaved(new(T), nil); k.Name != "params" && cmp.Diff(q, merged) != "" {
			t.Errorf("%s of a request over a saved query: %s", k.Name, cmp.Diff(q, merged))
		}
		for _, value := range []string{sample.json, "null"} {
			body := `{"saved":"s","` + k.Name + `":` + value + `}`
			use := P(decodeText(body)).SavedUse()
			want := query.SavedQueryUse{Name: "s", Replaced: []string{k.Name}}
			if k.Name == "params" && value != "null" {
				want = query.SavedQueryUse{Name: "s", Params: sample.value.(query.Bindings)}
			}
			if d := cmp.Diff(want, use); d != "" {
				t.Errorf("%s: %s", body, d)
			}
		}
		withoutKey := decodeText(`{"saved":"s","` + k.Name + `":null}`)
		patched, _ = patch(*saved, map[string]any{k.Name: nil})
		if d := cmp.Diff(*withoutKey, patched); d != "" {
			t.Errorf("a retry that removes %s of a saved query: %s", k.Name, d)
		}
	}
}

// boundedByPlanning are keys whose bounds are those of planning, which refuses with a retry.
var boundedByPlanning = map[string]bool{"max_values_per_dimension": true}

// The bounds that describe a key are those by which a body with it is refused.
func TestKeys_HaveTheBoundsOfTheDecoder(t *testing.T) {
	testBounds(t, query.MetricKeys(), decoders["metric"])
	testBounds(t, query.DetailKeys(), decoders["detail"])
	testBounds(t, query.AttributeKeys(), decoders["attribute"])
}

func testBounds(t *testing.T, keys []query.KeyDescription, decode func([]byte) error) {
	for _, k := range keys {
		if boundedByPlanning[k.Name] {
			continue
		}
		refuses := func(value string) error { return decode([]byte(`{"` + k.Name + `":` + value + `}`)) }
		text := func(length int64) string { return `"` + strings.Repeat("a", int(length)) + `"` }
		b := k.Bounds
		beyond := map[string]bool{ // values, and whether the key has a bound that excludes them
			text(b.MaxLength + 1): b.MaxLength > 0, `""`: b.MinLength > 0, `"zzz"`: len(b.Values) > 0,
			strconv.FormatInt(b.Least-1, 10): true, strconv.FormatInt(b.Most+1, 10): b.Most > 0,
		}
		for value, excluded := range beyond {
			if isText := k.Type == query.BodyKeyTypeText; excluded && isText == (value[0] == '"') && (isText || k.Type == query.BodyKeyTypeInteger) && refuses(value) == nil {
				t.Errorf("%s takes %.20s, which is beyond its bounds %+v", k.Name, value, b)
			}
		}
		if k.Type == query.BodyKeyTypeText && b.MaxLength == 0 && len(b.Values) == 0 {
			err := refuses(text(1 << 17))
			if err != nil && !strings.Contains(err.Error(), strconv.Itoa(limits.QueryNameBytes)) { // a bound of every name
				t.Errorf("%s has a longest text that its row does not have: %v", k.Name, err)
			}
		}
		if b.MaxItems > 0 {
			first := strings.TrimSuffix(strings.TrimPrefix(keySamples[k.Name].json, "["), "]")
			if err := refuses("[" + strings.Repeat(first+",", int(b.MaxItems)) + first + "]"); err == nil {
				t.Errorf("%s takes more than %d items", k.Name, b.MaxItems)
			}
		}
	}
}

// Lists without elements and keys of a saved query that is not used change no query.
func TestKey_IsOneForEqualQueries(t *testing.T) {
	for _, c := range [][2]query.MetricQuery{
		{{}, {Metrics: []string{}, GroupBy: []query.GroupBy{}, With: []query.LocalField{}, Totals: [][]string{}, Shares: []query.ShareRequest{}, Params: []query.ParamBinding{}}},
		{{}, {TimeRanges: []query.TaggedRange{}, OrderBy: []query.OrderBy{}, Removed: []string{"limit"}}},
		{{Compare: query.Comparisons{{}}}, {Compare: query.Comparisons{{Metrics: []string{}}}}},
	} {
		if string(c[0].AppendCacheKey(nil)) != string(c[1].AppendCacheKey(nil)) {
			t.Errorf("%+v and %+v have two keys", c[0], c[1])
		}
	}
}

func BenchmarkCacheKey_Q3(b *testing.B) {
	q, err := query.DecodeMetric([]byte(q3))
	if err != nil {
		b.Fatal(err)
	}
	key := q.AppendCacheKey(nil)
	b.ReportAllocs()
	for b.Loop() {
		key = q.AppendCacheKey(key[:0])
	}
}

func BenchmarkMarshal_Q3(b *testing.B) {
	q, err := query.DecodeMetric([]byte(q3))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := q.MarshalJSON(); err != nil {
			b.Fatal(err)
		}
	}
}
