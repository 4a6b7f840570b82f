package catalog_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// sumOf returns a metric over one measure of its name.
func sumOf(name string) *catalog.Metric {
	return made(name, &catalog.Measure{Name: name + "_sum"})
}

// made returns a metric with a form over operands.
func made(name string, operands ...catalog.Operand) *catalog.Metric {
	return &catalog.Metric{Name: name, Forms: catalog.DialectVariants[*catalog.ArithmeticOverOperands]{Default: &catalog.ArithmeticOverOperands{Operands: operands}}}
}

// filtered returns a metric over the rows of a base that meet a predicate.
func filtered(name string, base *catalog.Metric) *catalog.Metric {
	return &catalog.Metric{Name: name, Derive: &catalog.DeriveBlock{Base: base}}
}

func metricNames(metrics []*catalog.Metric) string {
	var names []string
	for _, m := range metrics {
		names = append(names, m.Name)
	}
	return strings.Join(names, " ")
}

func TestMetric_MembersAreBaseOrOperands(t *testing.T) {
	a, b := sumOf("a"), sumOf("b")
	both := made("both", a, b)
	both.Forms.ByDialect = map[string]*catalog.ArithmeticOverOperands{"mysql": {Operands: []catalog.Operand{b, sumOf("c")}}}
	for _, c := range []struct {
		what           string
		metric         *catalog.Metric
		all, on, other string
	}{
		{"an aggregate", a, "", "", ""},
		{"a compose", both, "a b c", "b c", "a b"},
		{"a filter", filtered("f", both), "both", "both", "both"},
		{"a metric that did not compile", &catalog.Metric{}, "", "", ""},
	} {
		got := []string{metricNames(c.metric.MemberMetrics()), metricNames(c.metric.MemberMetricsOnDialect("mysql")), metricNames(c.metric.MemberMetricsOnDialect("duckdb"))}
		if d := cmp.Diff([]string{c.all, c.on, c.other}, got); d != "" {
			t.Errorf("%s: %s", c.what, d)
		}
	}
}

func TestMetric_LeafMeasures(t *testing.T) {
	a, b := sumOf("a"), sumOf("b")
	windowed := sumOf("w")
	windowed.Window = &catalog.Window{Frame: &catalog.FrameWindow{Second: &catalog.Measure{Name: "second"}}}
	windowedFilter := filtered("wf", a)
	windowedFilter.Window = &catalog.Window{Rank: &catalog.RankWindow{}}
	for _, c := range []struct {
		what   string
		metric *catalog.Metric
		want   []string
	}{
		{"an aggregate", a, []string{"a_sum"}},
		{"members that share a measure", made("x", b, made("y", a, b)), []string{"b_sum", "a_sum"}},
		{"a filter", filtered("f", a), []string{"a_sum"}},
		{"a window of two inputs", windowed, []string{"w_sum", "second"}},
		{"a window over a filter", windowedFilter, []string{"a_sum"}},
		{"a metric that did not compile", &catalog.Metric{}, nil},
	} {
		var got []string
		for _, l := range c.metric.LeafMeasures() {
			got = append(got, l.Name)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.what, d)
		}
	}
}

func TestMetric_TimeAxis(t *testing.T) {
	t.Run("the time axis is the declared one or the only primary time dimension", func(t *testing.T) {
		day, hired, own := &catalog.Field{Name: "day"}, &catalog.Field{Name: "hired"}, &catalog.Field{Name: "own"}
		orders, people, things := &catalog.Dataset{PrimaryTime: day}, &catalog.Dataset{PrimaryTime: hired}, &catalog.Dataset{}
		for _, c := range []struct {
			what          string
			metric        catalog.Metric
			axis, primary *catalog.Field
		}{
			{"one dataset", catalog.Metric{Datasets: []*catalog.Dataset{orders}}, day, day},
			{"only one with time", catalog.Metric{Datasets: []*catalog.Dataset{things, orders}}, day, day},
			{"two with time", catalog.Metric{Datasets: []*catalog.Dataset{orders, people}}, nil, nil},
			{"none with time", catalog.Metric{Datasets: []*catalog.Dataset{things}}, nil, nil},
			{"declared", catalog.Metric{TimeAxis: own, Datasets: []*catalog.Dataset{orders}}, own, day},
			{"declared over two", catalog.Metric{TimeAxis: own, Datasets: []*catalog.Dataset{orders, people}}, own, nil},
		} {
			if axis, primary := c.metric.TimeAxisField(), c.metric.SinglePrimaryTimeField(); axis != c.axis || primary != c.primary {
				t.Errorf("%s: axis %v, primary %v", c.what, axis, primary)
			}
		}
	})
}

func TestMetric_WindowsRequireGroupBys(t *testing.T) {
	t.Run("the windows under a metric determine the fields that a query must group by", func(t *testing.T) {
		region := &catalog.Field{Name: "region"}
		running := sumOf("running")
		running.Window = &catalog.Window{Cumulative: &catalog.CumulativeWindow{Function: sqlexpr.FnSum}}
		share := sumOf("share")
		share.Window = &catalog.Window{Frame: &catalog.FrameWindow{Function: sqlexpr.FnSum, PartitionScope: true, Partition: catalog.WindowPartition{Exclude: []*catalog.Field{region}}}}
		plain := sumOf("plain")
		onMySQL := made("on_mysql", plain)
		onMySQL.Forms.ByDialect = map[string]*catalog.ArithmeticOverOperands{"mysql": {Operands: []catalog.Operand{running}}}
		rank := filtered("rank", share)
		rank.Window = &catalog.Window{Rank: &catalog.RankWindow{Function: sqlexpr.FnRank}}
		for _, c := range []struct {
			metric   *catalog.Metric
			windowed string
			axis     bool
			groups   []*catalog.Field
		}{
			{plain, "", false, nil},
			{running, "running", true, nil},
			{share, "share", false, []*catalog.Field{region}},
			{rank, "rank share", false, []*catalog.Field{region}},
			{made("all", running, made("inner", share, running), rank), "running share rank", true, []*catalog.Field{region}},
			{onMySQL, "running", true, nil},
		} {
			got := metricNames(c.metric.WindowedMetrics("mysql"))
			if got != c.windowed || c.metric.NeedsTimeAxis("mysql") != c.axis || !cmp.Equal(c.metric.RequiredGroupByFields("mysql"), c.groups) {
				t.Errorf("%s: windows %s, axis %v, groups %v", c.metric.Name, got, c.metric.NeedsTimeAxis("mysql"), c.metric.RequiredGroupByFields("mysql"))
			}
		}
		if onMySQL.NeedsTimeAxis("duckdb") {
			t.Error("the window of another dialect asks for its axis")
		}
	})
}

func TestWindow_CountAndReset(t *testing.T) {
	for _, c := range []struct {
		what   string
		window catalog.Window
		count  catalog.WindowCountOrParam
		reset  sqlexpr.Grain
	}{
		{"offset", catalog.Window{Offset: &catalog.OffsetWindow{Count: catalog.WindowCountOrParam{N: 1}}}, catalog.WindowCountOrParam{N: 1}, sqlexpr.GrainNone},
		{"rolling", catalog.Window{Rolling: &catalog.RollingWindow{Periods: catalog.WindowCountOrParam{N: 2}}}, catalog.WindowCountOrParam{N: 2}, sqlexpr.GrainNone},
		{"cumulative", catalog.Window{Cumulative: &catalog.CumulativeWindow{Reset: sqlexpr.GrainYear}}, catalog.WindowCountOrParam{}, sqlexpr.GrainYear},
		{"frame", catalog.Window{Frame: &catalog.FrameWindow{Preceding: catalog.WindowCountOrParam{Param: "n"}, Reset: sqlexpr.GrainMonth}}, catalog.WindowCountOrParam{Param: "n"}, sqlexpr.GrainMonth},
		{"rank", catalog.Window{Rank: &catalog.RankWindow{Buckets: catalog.WindowCountOrParam{N: 4}}}, catalog.WindowCountOrParam{N: 4}, sqlexpr.GrainNone},
		{"value", catalog.Window{Value: &catalog.ValueWindow{N: catalog.WindowCountOrParam{N: 5}}}, catalog.WindowCountOrParam{N: 5}, sqlexpr.GrainNone},
	} {
		if count, reset := c.window.CountArgument(), c.window.ResetUnit().Grain; count != c.count || reset != c.reset {
			t.Errorf("%s: %v %v", c.what, count, reset)
		}
	}
}

func TestWindow_OrderDeclaredOrDefault(t *testing.T) {
	byTime, byValue := &catalog.WindowOrder{ByTime: true}, &catalog.WindowOrder{Desc: true}
	latest := &catalog.WindowOrder{ByTime: true, Desc: true}
	for _, c := range []struct {
		what   string
		window catalog.Window
		want   *catalog.WindowOrder
	}{
		{"offset", catalog.Window{Offset: &catalog.OffsetWindow{}}, byTime},
		{"rolling", catalog.Window{Rolling: &catalog.RollingWindow{}}, byTime},
		{"cumulative", catalog.Window{Cumulative: &catalog.CumulativeWindow{}}, byTime},
		{"frame", catalog.Window{Frame: &catalog.FrameWindow{}}, byTime},
		{"frame with an order", catalog.Window{Frame: &catalog.FrameWindow{Order: latest}}, latest},
		{"the whole partition", catalog.Window{Frame: &catalog.FrameWindow{PartitionScope: true, Order: latest}}, nil},
		{"rank", catalog.Window{Rank: &catalog.RankWindow{}}, byValue},
		{"rank with an order", catalog.Window{Rank: &catalog.RankWindow{Order: latest}}, latest},
		{"value", catalog.Window{Value: &catalog.ValueWindow{}}, byTime},
		{"value with an order", catalog.Window{Value: &catalog.ValueWindow{Order: byValue}}, byValue},
	} {
		if d := cmp.Diff(c.want, c.window.EffectiveOrder()); d != "" {
			t.Errorf("%s: %s", c.what, d)
		}
		if by := c.want != nil && c.want.ByTime; c.window.OrderedByTime() != by {
			t.Errorf("%s: by time %v", c.what, c.window.OrderedByTime())
		}
	}
}
