package extension_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/extension"
)

// FuzzPayload: any data is read on every carrier without a panic, and
// every error is complete.
func FuzzPayload(f *testing.F) {
	for _, seed := range []string{
		`{"v": "1.9", "dataset": "orders", "time_dimension": "d", "fill_nulls_with": -0.5, "unit": "EUR", "format": "x", "label": "L", "headline": true, "better": "up", "subject_path": ["a"]}`,
		`{"v": "1.10", "window": {"type": "pop", "offset": "1 month"}, "new": 1}`,
		`{"v": "1.9", "window": {"frame": {"function": "corr", "preceding": ":n", "second": "x", "partition": {"mode": "query_dimensions_except", "exclude": ["a.b"]}}}}`,
		`{"v": "1.9", "derive": {"type": "compose", "expr": "a / NULLIF(b, 0)", "fill": 0}, "params": [{"name": "t", "type": "int", "default": 1e2, "allowed": [100]}]}`,
		`{"v": "1.9", "params": [{"name": "d", "type": "date", "min": "2024-01-01"}, {"name": "f", "type": "float", "max": 1e-300}]}`,
		`{"v": "1.9", "time": {"format": "yyyy-MM-dd'T'HH:mm:ss"}, "lod": {"grain": ["a"], "where": "x = :t"}, "requires": ["time"]}`,
		`{"v": "1.10", "queries": [{"name": "a", "params": [{"name": "s", "type": "date"}], "query": {"where_sql": "d > :s", "time_range": {"start": ":s"}, "limit": 1e2}}]}`,
		`{"v": "1.10", "queries": [{"name": "a", "select": {"from": null, "where_sql": ":x ("}, "verified": {"by": "b", "on": "2024-02-30"}}, {"name": "A"}]}`,
		`{"join_type": "inner", "cardinality": "one_to_one"}`,
		`{"v": "2.0"}`, `[]`, `{`, `{"a": {"a": {"a": []}}}`, `{"v": 1, "v": 2}`, "\x00", `{"fill_nulls_with": 1e-400}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		entries := payloads(data)
		_, dataset := extension.ReadDataset(owner, entries)
		_, field := extension.ReadField(owner, entries)
		_, relationship := extension.ReadRelationship(owner, entries)
		_, metric := extension.ReadMetric(owner, entries)
		_, model := extension.ReadModel(owner, entries)
		for _, d := range []extension.Diagnostics{dataset, field, relationship, metric, model} {
			for _, e := range d.Errors {
				if e.Code == "" || e.Message == "" || !strings.Contains(e.Hint, "docs/extension.md#") || !strings.HasPrefix(e.Location, "m.custom_extensions[0]") {
					t.Errorf("incomplete: %+v", e)
				}
			}
			for _, w := range d.Warnings {
				if w.Code == "" || w.Message == "" || w.Location == "" {
					t.Errorf("incomplete: %+v", w)
				}
			}
		}
	})
}
