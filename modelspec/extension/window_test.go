package extension_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func window(t *testing.T, data string) (*extension.Window, []string) {
	t.Helper()
	m, d := extension.ReadMetric(owner, payloads(`{"v": "1.10", "requires": ["window.population"], "window": `+data+`}`))
	return m.Window, found(d)
}

func TestWindow_EachFamily(t *testing.T) {
	type w = catalog.Window
	n := func(i int) catalog.WindowCountOrParam { return catalog.WindowCountOrParam{N: i} }
	byTime, byValue := &catalog.WindowOrder{ByTime: true}, &catalog.WindowOrder{Desc: true}
	for _, c := range []struct {
		data string
		want w
	}{
		{`{"type": "pop", "offset": "1 month"}`, w{Offset: &catalog.OffsetWindow{Pop: true, Count: n(1), Grain: sqlexpr.GrainMonth, Calculation: "percent_change"}}},
		{`{"type": "pop", "offset": "12 Months", "calculation": "delta"}`, w{Offset: &catalog.OffsetWindow{Pop: true, Count: n(12), Grain: sqlexpr.GrainMonth, Calculation: "delta"}}},
		{`{"type": "pop", "offset": {"count": 1, "granularity": "year", "direction": "forward"}, "calculation": "ratio"}`, w{Offset: &catalog.OffsetWindow{Pop: true, Count: n(1), Grain: sqlexpr.GrainYear, Forward: true, Calculation: "ratio"}}},
		{`{"offset": {"count": ":k", "granularity": "week"}, "calculation": "value"}`, w{Offset: &catalog.OffsetWindow{Count: catalog.WindowCountOrParam{Param: "k"}, Grain: sqlexpr.GrainWeek, Calculation: "value"}}},
		{`{"type": "rolling", "function": "avg", "periods": 3}`, w{Rolling: &catalog.RollingWindow{Function: sqlexpr.FnAvg, Periods: n(3)}}},
		{`{"type": "cumulative", "population": "range"}`, w{Cumulative: &catalog.CumulativeWindow{Function: sqlexpr.FnSum}, Population: catalog.PopulationRange}},
		{`{"rank": {"function": "rank"}, "population": "all"}`, w{Rank: &catalog.RankWindow{Function: sqlexpr.FnRank}, Population: catalog.PopulationAll}},
		{`{"type": "rolling", "function": "avg", "span": {"count": 7, "granularity": "day"}}`, w{Rolling: &catalog.RollingWindow{Function: sqlexpr.FnAvg, Span: &catalog.WindowSpan{Count: n(7), Grain: sqlexpr.GrainDay}}}},
		{`{"type": "rolling", "function": "sum", "span": {"count": ":n", "granularity": "season"}, "require_full_window": true}`, w{Rolling: &catalog.RollingWindow{Function: sqlexpr.FnSum, Span: &catalog.WindowSpan{Count: catalog.WindowCountOrParam{Param: "n"}}, RequireFullWindow: true}}},
		{`{"type": "rolling", "function": "sum", "periods": ":n", "require_full_window": true}`, w{Rolling: &catalog.RollingWindow{Function: sqlexpr.FnSum, Periods: catalog.WindowCountOrParam{Param: "n"}, RequireFullWindow: true}}},
		{`{"type": "cumulative", "function": "max", "reset": "year"}`, w{Cumulative: &catalog.CumulativeWindow{Function: sqlexpr.FnMax, Reset: sqlexpr.GrainYear}}},
		{`{"type": "cumulative"}`, w{Cumulative: &catalog.CumulativeWindow{Function: sqlexpr.FnSum}}},
		{`{"frame": {"function": "sum", "preceding": "unbounded"}}`, w{Frame: &catalog.FrameWindow{Function: sqlexpr.FnSum, Unbounded: true}}},
		{`{"frame": {"function": "stddev_pop", "preceding": 0, "reset": "month", "require_full_window": true, "units": "range", "order": {"by": "time"}, "partition": {"mode": "none"}}}`,
			w{Frame: &catalog.FrameWindow{Function: sqlexpr.FnStddevPop, Reset: sqlexpr.GrainMonth, RequireFullWindow: true, Range: true, Order: byTime, Partition: catalog.WindowPartition{Mode: "none"}}}},
		{`{"frame": {"function": "count", "scope": "partition", "partition": {"mode": "time_bucket"}}}`, w{Frame: &catalog.FrameWindow{Function: sqlexpr.FnCount, PartitionScope: true, Partition: catalog.WindowPartition{Mode: "time_bucket"}}}},
		{`{"frame": {"function": "corr", "preceding": 5, "second": "other"}}`, w{Frame: &catalog.FrameWindow{Function: sqlexpr.FnCorr, Preceding: n(5)}}},
		{`{"rank": {"function": "dense_rank"}}`, w{Rank: &catalog.RankWindow{Function: sqlexpr.FnDenseRank}}},
		{`{"rank": {"function": "ntile", "buckets": 4, "order": {"by": "value", "direction": "asc"}}}`, w{Rank: &catalog.RankWindow{Function: sqlexpr.FnNtile, Buckets: n(4), Order: &catalog.WindowOrder{}}}},
		{`{"rank": {"function": "rank", "order": {}, "partition": {"exclude": ["a.b"]}}}`, w{Rank: &catalog.RankWindow{Function: sqlexpr.FnRank, Order: byValue}}},
		{`{"value": {"function": "nth_value", "n": 2, "order": {"by": "time", "direction": "desc"}}}`, w{Value: &catalog.ValueWindow{Function: sqlexpr.FnNthValue, N: n(2), Order: &catalog.WindowOrder{ByTime: true, Desc: true}}}},
		{`{"value": {"function": "first_value", "order": {}}}`, w{Value: &catalog.ValueWindow{Function: sqlexpr.FnFirstValue, Order: byTime}}},
	} {
		t.Run(c.data, func(t *testing.T) {
			got, flaws := window(t, c.data)
			if len(flaws) > 0 {
				t.Fatal(flaws)
			}
			if d := cmp.Diff(&c.want, got.Spec); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestWindow_Invalid(t *testing.T) {
	for _, c := range []struct {
		what, data string
		want       []string
	}{
		{"no object", `"rolling"`, []string{".window"}},
		{"nothing", `{}`, []string{".window"}},
		{"two families", `{"rank": {"function": "rank"}, "value": {"function": "first_value"}}`, []string{".window"}},
		{"a form and a family", `{"type": "cumulative", "function": "sum", "rank": {"function": "rank"}}`, []string{".window.rank"}},
		{"an unknown form", `{"type": "rollin"}`, []string{".window.type"}},
		{"an unknown key", `{"type": "rolling", "function": "sum", "periods": 2, "n": 1}`, []string{".window.n"}},
		{"no function", `{"type": "rolling", "periods": 2}`, []string{".window"}},
		{"an unknown function", `{"type": "rolling", "function": "median", "periods": 2}`, []string{".window.function"}},
		{"a function of two inputs in sugar", `{"type": "rolling", "function": "corr", "periods": 2}`, []string{".window.function"}},
		{"no periods", `{"type": "rolling", "function": "sum"}`, []string{".window"}},
		{"periods and a span", `{"type": "rolling", "function": "sum", "periods": 2, "span": {"count": 7, "granularity": "day"}}`, []string{".window.span"}},
		{"a span without a unit", `{"type": "rolling", "function": "sum", "span": {"count": 7}}`, []string{".window.span"}},
		{"a span that is too long", `{"type": "rolling", "function": "sum", "span": {"count": 401, "granularity": "day"}}`, []string{".window.span.count"}},
		{"a span that is text", `{"type": "rolling", "function": "sum", "span": "7 days"}`, []string{".window.span"}},
		{"a population of a window with a bound", `{"type": "rolling", "function": "sum", "periods": 3, "population": "range"}`, []string{".window.population"}},
		{"an unknown population", `{"type": "cumulative", "population": "some"}`, []string{".window.population"}},
		{"a population of a frame with a bound", `{"frame": {"function": "sum", "preceding": 2}, "population": "range"}`, []string{".window.population"}},
		{"no whole periods", `{"type": "rolling", "function": "sum", "periods": 1.5}`, []string{".window.periods"}},
		{"zero periods", `{"type": "rolling", "function": "sum", "periods": 0}`, []string{".window.periods"}},
		{"periods as text", `{"type": "rolling", "function": "sum", "periods": "3"}`, []string{".window.periods"}},
		{"a slot that is no name", `{"type": "rolling", "function": "sum", "periods": ":3"}`, []string{".window.periods"}},
		{"a flag that is text", `{"type": "rolling", "function": "sum", "periods": 3, "require_full_window": "yes"}`, []string{".window.require_full_window"}},
		{"a reset by minute", `{"type": "cumulative", "function": "sum", "reset": "minute"}`, []string{".window.reset"}},
		{"no offset", `{"type": "pop"}`, []string{".window"}},
		{"an offset in words", `{"type": "pop", "offset": "last month"}`, []string{".window.offset"}},
		{"an offset of zero", `{"type": "pop", "offset": "0 month"}`, []string{".window.offset"}},
		{"an offset as text in the family", `{"offset": "1 month"}`, []string{".window.offset"}},
		{"an offset without a count", `{"offset": {"granularity": "month"}}`, []string{".window.offset"}},
		{"an offset without a granularity", `{"offset": {"count": 1}}`, []string{".window.offset"}},
		{"an unknown direction", `{"offset": {"count": 1, "granularity": "day", "direction": "up"}}`, []string{".window.offset.direction"}},
		{"an unknown calculation", `{"type": "pop", "offset": "1 year", "calculation": "percent"}`, []string{".window.calculation"}},
		{"a frame of words", `{"frame": "sum"}`, []string{".window.frame"}},
		{"a frame without preceding", `{"frame": {"function": "sum"}}`, []string{".window.frame"}},
		{"a negative preceding", `{"frame": {"function": "sum", "preceding": -1}}`, []string{".window.frame.preceding"}},
		{"a partition scope with preceding", `{"frame": {"function": "sum", "scope": "partition", "preceding": 1}}`, []string{".window.frame.preceding"}},
		{"a partition scope with reset", `{"frame": {"function": "sum", "scope": "partition", "reset": "year"}}`, []string{".window.frame.reset"}},
		{"two inputs and no second", `{"frame": {"function": "corr", "preceding": 1}}`, []string{".window.frame"}},
		{"one input and a second", `{"frame": {"function": "sum", "preceding": 1, "second": "x"}}`, []string{".window.frame.second"}},
		{"a reset ordered by value", `{"frame": {"function": "sum", "preceding": 1, "reset": "year", "order": {"by": "value"}}}`, []string{".window.frame.reset"}},
		{"unknown units", `{"frame": {"function": "sum", "preceding": 1, "units": "groups"}}`, []string{".window.frame.units"}},
		{"ntile without buckets", `{"rank": {"function": "ntile"}}`, []string{".window.rank"}},
		{"rank with buckets", `{"rank": {"function": "rank", "buckets": 3}}`, []string{".window.rank.buckets"}},
		{"nth_value without n", `{"value": {"function": "nth_value"}}`, []string{".window.value"}},
		{"first_value with n", `{"value": {"function": "first_value", "n": 1}}`, []string{".window.value.n"}},
		{"a rank function among values", `{"value": {"function": "rank"}}`, []string{".window.value.function"}},
		{"an order by name", `{"rank": {"function": "rank", "order": {"by": "name"}}}`, []string{".window.rank.order.by"}},
		{"an order that is text", `{"rank": {"function": "rank", "order": "desc"}}`, []string{".window.rank.order"}},
		{"a partition that is text", `{"rank": {"function": "rank", "partition": "none"}}`, []string{".window.rank.partition"}},
		{"an unknown mode", `{"rank": {"function": "rank", "partition": {"mode": "all"}}}`, []string{".window.rank.partition.mode"}},
		{"except without exclude", `{"rank": {"function": "rank", "partition": {"mode": "query_dimensions_except"}}}`, []string{".window.rank.partition"}},
		{"exclude with another mode", `{"rank": {"function": "rank", "partition": {"mode": "none", "exclude": ["a.b"]}}}`, []string{".window.rank.partition.exclude"}},
		{"exclude of nothing", `{"rank": {"function": "rank", "partition": {"exclude": []}}}`, []string{".window.rank.partition.exclude"}},
		{"several flaws", `{"rank": {"function": "ranks", "partition": {"mode": "all"}, "x": 1}}`, []string{".window.rank.x", ".window.rank.function", ".window.rank.partition.mode"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			got, flaws := window(t, c.data)
			if got != nil {
				t.Errorf("it was read as %+v", got)
			}
			var want []string
			for _, path := range c.want {
				want = append(want, "invalid_vendor_extension "+path)
			}
			if d := cmp.Diff(want, flaws); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestWindow_KeepsNamesAndParams(t *testing.T) {
	w, _ := window(t, `{"frame": {"function": "corr", "preceding": ":n", "second": "other", "partition": {"exclude": ["a.b", "c"]}}}`)
	if w.Second.Name != "other" || len(w.Slots) != 1 || w.Slots[0].Name != "n" || len(w.Exclude) != 2 || w.Exclude[1].Name != "c" {
		t.Errorf("%+v", w)
	}
	if want := "m.custom_extensions[0].data.window.frame.partition.exclude[1]"; w.Exclude[1].Location != want {
		t.Errorf("%s, want %s", w.Exclude[1].Location, want)
	}
}
