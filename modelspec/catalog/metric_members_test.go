package catalog_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func TestWindow_FamilyDefaults(t *testing.T) {
	byValue := &catalog.WindowOrder{}
	leavesOut := catalog.WindowPartition{Exclude: []*catalog.Field{{}}}
	for _, c := range []struct {
		what   string
		window catalog.Window
		want   string
	}{
		{"pop", catalog.Window{Offset: &catalog.OffsetWindow{Pop: true, Calculation: "percent_change"}}, "pop percent_change query_dimensions true double"},
		{"offset", catalog.Window{Offset: &catalog.OffsetWindow{Calculation: "delta"}}, "offset delta query_dimensions true integer"},
		{"rolling", catalog.Window{Rolling: &catalog.RollingWindow{Function: sqlexpr.FnAvg}}, "rolling avg query_dimensions true double"},
		{"cumulative", catalog.Window{Cumulative: &catalog.CumulativeWindow{Function: sqlexpr.FnSum}}, "cumulative sum query_dimensions true integer"},
		{"frame", catalog.Window{Frame: &catalog.FrameWindow{Function: sqlexpr.FnCount}}, "frame count query_dimensions true integer"},
		{"frame by value", catalog.Window{Frame: &catalog.FrameWindow{Function: sqlexpr.FnStddevPop, Order: byValue}}, "frame stddev_pop query_dimensions false double"},
		{"frame by value that starts anew", catalog.Window{Frame: &catalog.FrameWindow{Function: sqlexpr.FnSum, Order: byValue, Reset: sqlexpr.GrainYear}}, "frame sum query_dimensions true integer"},
		{"partition scope", catalog.Window{Frame: &catalog.FrameWindow{Function: sqlexpr.FnMax, PartitionScope: true}}, "frame max query_dimensions false integer"},
		{"partition scope per bucket", catalog.Window{Frame: &catalog.FrameWindow{Function: sqlexpr.FnMax, PartitionScope: true, Partition: catalog.WindowPartition{Mode: "time_bucket"}}}, "frame max time_bucket true integer"},
		{"rank", catalog.Window{Rank: &catalog.RankWindow{Function: sqlexpr.FnRank}}, "rank rank none false integer"},
		{"rank per bucket", catalog.Window{Rank: &catalog.RankWindow{Function: sqlexpr.FnCumeDist, Partition: catalog.WindowPartition{Mode: "time_bucket"}}}, "rank cume_dist time_bucket true double"},
		{"rank by time", catalog.Window{Rank: &catalog.RankWindow{Function: sqlexpr.FnNtile, Order: &catalog.WindowOrder{ByTime: true}}}, "rank ntile none true integer"},
		{"value", catalog.Window{Value: &catalog.ValueWindow{Function: sqlexpr.FnFirstValue}}, "value first_value query_dimensions true integer"},
		{"excluded dimensions", catalog.Window{Frame: &catalog.FrameWindow{Function: sqlexpr.FnSum, Partition: leavesOut}}, "frame sum query_dimensions_except true integer"},
		{"excluded dimensions of a rank", catalog.Window{Rank: &catalog.RankWindow{Function: sqlexpr.FnRowNumber, Partition: leavesOut}}, "rank row_number query_dimensions_except false integer"},
		{"excluded dimensions of a value", catalog.Window{Value: &catalog.ValueWindow{Function: sqlexpr.FnNthValue, Order: byValue, Partition: leavesOut}}, "value nth_value query_dimensions_except false integer"},
	} {
		w := &c.window
		got := fmt.Sprint(w.Family(), " ", w.FunctionOrCalculation(), " ", w.EffectivePartition().Mode, " ", w.RequiresTimeAxis(), " ", w.ResultType(sqlexpr.TypeInt))
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

func TestConformedDimensions_OfDatasets(t *testing.T) {
	c := edges("oc orders customers n:1", "op orders products n:1", "rp returns products n:1")
	hidden := false
	for i, d := range c.Datasets {
		d.Fields = []*catalog.Field{
			{ID: 3 * i, Dataset: d, Name: "id"},
			{ID: 3*i + 1, Dataset: d, Name: "x", IsDimension: &hidden},
			{ID: 3*i + 2, Dataset: d, Name: "broken", Err: &modelspec.CompileError{}},
		}
	}
	over := func(homes ...string) *catalog.Metric {
		m := &catalog.Metric{}
		for _, name := range homes {
			m.Datasets = append(m.Datasets, c.Dataset(name))
		}
		return m
	}
	for _, x := range []struct {
		what   string
		metric *catalog.Metric
		want   []string
	}{
		{"one fact", over("orders"), []string{"orders.id", "customers.id", "products.id"}},
		{"two facts", over("orders", "returns"), []string{"products.id"}},
		{"nothing shared", over("customers", "products"), nil},
		{"nothing at all", &catalog.Metric{}, nil},
	} {
		var got []string
		for _, f := range c.ConformedDimensions(x.metric) {
			got = append(got, f.QualifiedName())
		}
		if d := cmp.Diff(x.want, got); d != "" {
			t.Errorf("%s: %s", x.what, d)
		}
	}
}

func TestParamToken_FromText(t *testing.T) {
	for text, want := range map[string]string{
		"50": "50", "-5": "neg5", "1.5": "1_5", "north - east": "north_east", "2024-01-31": "2024_01_31", "é": "_", "": "", "a--b": "a_b",
	} {
		if got := catalog.ColumnNameTokenOfParamValue(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestLiteral_TextAndValue(t *testing.T) {
	number := func(text string) sqlexpr.Expr { return &sqlexpr.Number{Text: text} }
	for _, c := range []struct {
		literal sqlexpr.Expr
		text    string
		value   string
	}{
		{number("1.50"), "1.50", "3/2"},
		{&sqlexpr.Unary{Op: sqlexpr.OpNeg, X: number("2")}, "-2", "-2/1"},
		{number("1e3"), "1e3", "1000/1"},
		{number("1e-999999999"), "1e-999999999", "0/1"},
		{number("1e999999999"), "1e999999999", ""},
		{&sqlexpr.String{Value: "it's"}, "it's", ""},
		{&sqlexpr.Bool{Value: true}, "true", ""},
		{&sqlexpr.TypedLiteral{Type: sqlexpr.TypeDate, Value: "2024-01-31"}, "2024-01-31", ""},
	} {
		value := ""
		if r, ok := catalog.LiteralAsRat(c.literal); ok {
			value = r.String()
		}
		if got := catalog.UnquotedLiteralText(c.literal); got != c.text || value != c.value {
			t.Errorf("%q %q, want %q %q", got, value, c.text, c.value)
		}
	}
}

func TestVariants_FallBackToDefault(t *testing.T) {
	v := catalog.DialectVariants[string]{Default: "d", ByDialect: map[string]string{"mysql": "m"}}
	if got := v.ForDialect("mysql") + v.ForDialect("duckdb"); got != "md" {
		t.Error(got)
	}
}
