package compile_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// windowOver returns the shop with one metric, an aggregate under a window.
func windowOver(aggregate, window string) string {
	return metricsOf("~ m: " + aggregate + "\n    @ {\"v\": \"1.9\", \"window\": " + window + "}")
}

func TestWindow_WarnsWhereItAddsBucketsThatDoNotAddUp(t *testing.T) {
	const warning = "window_adds_non_additive metrics[0]" + payloadOf + ".window"
	for _, c := range []struct {
		what, model string
		want        []string
	}{
		{"a sum over sums", windowOver("SUM(amount)", `{"type": "cumulative", "function": "sum"}`), nil},
		{"a mean over counts", windowOver("COUNT(order_id)", `{"type": "rolling", "function": "avg", "periods": 3}`), nil},
		{"a maximum over distinct counts", windowOver("COUNT(DISTINCT orders.customer_id)", `{"type": "cumulative", "function": "max"}`), nil},
		{"a rank of distinct counts", windowOver("COUNT(DISTINCT orders.customer_id)", `{"rank": {"function": "rank"}}`), nil},
		{"a change of distinct counts", windowOver("COUNT(DISTINCT orders.customer_id)", `{"type": "pop", "offset": "1 month"}`), nil},
		{"a sum over distinct counts", windowOver("COUNT(DISTINCT orders.customer_id)", `{"type": "cumulative"}`), []string{warning}},
		{"a mean over averages", windowOver("AVG(amount)", `{"frame": {"function": "avg", "preceding": 2}}`), []string{warning}},
		{"a sum over minimums of a partition", windowOver("MIN(amount)", `{"frame": {"function": "sum", "scope": "partition"}}`), []string{warning}},
		{"a filtered metric", metricsOf("~ buyers: COUNT(DISTINCT orders.customer_id)\n  ~ m: COUNT(DISTINCT CASE WHEN orders.status = 'done' THEN orders.customer_id END)\n" +
			"    @ {\"v\": \"1.9\", \"derive\": {\"type\": \"filter\", \"base\": \"buyers\", \"where\": \"status = 'done'\"}, \"window\": {\"type\": \"cumulative\"}}"),
			[]string{"window_adds_non_additive metrics[1]" + payloadOf + ".window"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			if d := cmp.Diff(c.want, warned(sound(t, c.model).Warnings)); d != "" {
				t.Error(d)
			}
		})
	}
	got := sound(t, windowOver("COUNT(DISTINCT orders.customer_id)", `{"type": "cumulative"}`)).Warnings[0].Message
	want := "the window of m takes the sum of the distinct counts of its buckets; that is not the distinct count over all rows of these buckets, which the window recompute computes"
	if got != want {
		t.Error(got)
	}
}

// Each bucket of a semi-additive metric has its own snapshot, so no window makes one number of
// several buckets.
func TestWindow_RefusesToAddSnapshots(t *testing.T) {
	for _, window := range []string{
		`{"type": "cumulative", "function": "sum"}`,
		`{"type": "rolling", "function": "avg", "periods": 3}`,
		`{"frame": {"function": "count", "preceding": 2}}`,
		`{"recompute": {"periods": 3}}`,
		`{"recompute": {"periods": "unbounded"}}`,
	} {
		model := metricsOf("~ m: SUM(amount)\n    @ {\"v\": \"1.10\", \"requires\": [\"non_additive\"], " +
			"\"non_additive\": {\"by\": \"order_date\", \"take\": \"last\"}, \"window\": " + window + "}")
		want := []string{"not_implemented metrics[0]" + payloadOf + ".window"}
		if d := cmp.Diff(want, listed(compiled(t, model).Errors)); d != "" {
			t.Errorf("%s: %s", window, d)
		}
	}
}
