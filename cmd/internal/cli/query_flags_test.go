package cli

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/semlayer/semlayer/planner/query"
)

// queryForm are the flags of one kind of query.
type queryForm interface {
	addToCommand(cmd *cobra.Command)
	writeBody(cmd *cobra.Command) ([]byte, error)
}

func TestQueryFlags_TrimListItems(t *testing.T) {
	for _, c := range []struct {
		name string
		form queryForm
		args []string
		want string
	}{
		{
			"a metric query", new(queryFlags),
			[]string{"--metrics", "revenue, order_count ", "--metrics", " x", "--group-by", "orders.status , orders.order_date:month,metric_time:day_of_week", "--order", " -revenue, status"},
			`{"metrics":["revenue","order_count","x"],"group_by":[{"field":"orders.status"},{"field":"orders.order_date","grain":"month"},{"field":"metric_time","part":"day_of_week"}],` +
				`"order_by":[{"key":"revenue","desc":true},{"key":"status"}]}`,
		},
		{
			"a detail query", new(detailQueryFlags), []string{"--from", "orders", "--fields", "order_id,\tstatus", "--order", "-status, order_id"},
			`{"from":"orders","fields":["order_id","status"],"order_by":[{"key":"status","desc":true},{"key":"order_id"}]}`,
		},
		{
			"an attribution", new(attributeFlags), []string{"--metric", "revenue", "--dimensions", "status, customers.region"},
			`{"metric":"revenue","dimensions":["status","customers.region"]}`,
		},
		{"blanks within a name", new(queryFlags), []string{"--metrics", "net  revenue, gross revenue"}, `{"metrics":["net  revenue","gross revenue"]}`},
		{"no list", new(queryFlags), nil, `{"metrics":[]}`},
		{"a list of groups", new(queryFlags), []string{"--distinct", "--from", "orders", "--group-by", "status"}, `{"group_by":[{"field":"status"}],"distinct":true,"from":"orders"}`},
		{
			"metrics and groups with expressions", new(queryFlags),
			[]string{"--metric-expr", "large = SUM(amount) FILTER (WHERE amount >= 9)", "--metrics", "revenue", "--metric-expr", "double=large * 2", "--group-expr", "size=CASE WHEN a = 1 THEN 'x' END", "--group-by", "status"},
			`{"metrics":["revenue",{"name":"large","expression":"SUM(amount) FILTER (WHERE amount >= 9)"},{"name":"double","expression":"large * 2"}],` +
				`"group_by":[{"field":"status"},{"name":"size","expression":"CASE WHEN a = 1 THEN 'x' END"}]}`,
		},
		{
			"metrics at other levels", new(queryFlags),
			[]string{"--metric-expr", "a=AVG(m)", "--metric-expr", "b=m", "--metric-expr", "c=m", "--include", "a=buyer, day:month", "--exclude", "a=shop", "--only", "b=", "--unfiltered", "b", "--unfiltered", "c=shop,kind"},
			`{"metrics":[{"name":"a","expression":"AVG(m)","at":{"include":["buyer","day:month"],"exclude":["shop"]}},{"name":"b","expression":"m","at":{"only":[],"unfiltered":true}},` +
				`{"name":"c","expression":"m","at":{"unfiltered":["shop","kind"]}}]}`,
		},
		{
			"levels", new(queryFlags), []string{"--metrics", "m", "--totals", "region, status;region;", "--share", "m", "--share", "m: region ,status"},
			`{"metrics":["m"],"totals":[["region","status"],["region"],[]],"shares":[{"metric":"m"},{"metric":"m","of":["region","status"]}]}`,
		},
		{"the grand total", new(queryFlags), []string{"--metrics", "m", "--totals", ""}, `{"metrics":["m"],"totals":[[]]}`},
		{"an offset of a comparison", new(queryFlags), []string{"--metrics", "m", "--compare", " 1  year"}, `{"metrics":["m"],"compare":{"offset":{"count":1,"unit":"year"}}}`},
		{"comparisons", new(queryFlags), []string{"--metrics", "m", "--compare", "ly=1 year align weekday", "--compare", "1 month"}, `{"metrics":["m"],"compare":[{"offset":{"count":1,"unit":"year"},"name":"ly","align":"weekday"},{"offset":{"count":1,"unit":"month"}}]}`},
		{"a range of a comparison", new(queryFlags), []string{"--metrics", "m", "--compare", "2023-01-01..2023-02-01"}, `{"metrics":["m"],"compare":{"range":{"start":"2023-01-01","end":"2023-02-01"}}}`},
		{"largest values", new(queryFlags), []string{"--metrics", "m", "--top", "category:5"}, `{"metrics":["m"],"top":{"dimension":"category","n":5}}`},
		{"largest values by a metric", new(queryFlags), []string{"--metrics", "m", "--top", "category : 5 : m"}, `{"metrics":["m"],"top":{"dimension":"category","n":5,"by":"m"}}`},
		{"filled periods", new(queryFlags), []string{"--metrics", "m", "--fill"}, `{"metrics":["m"],"fill":{}}`},
		{"rows that count once", new(queryFlags), []string{"--metrics", "m", "--fan-out", "once_per_group"}, `{"metrics":["m"],"fan_out":"once_per_group"}`},
		{"filled values", new(queryFlags), []string{"--metrics", "m", "--fill=-0.50"}, `{"metrics":["m"],"fill":{"value":-0.50}}`},
		{
			"a relative range", new(queryFlags), []string{"--metrics", "m", "--last", "3 month", "--time-dimension", "d", "--as-of", "2024-05-15", "--time-zone", "Europe/Berlin", "--week-start", "sunday"},
			`{"metrics":["m"],"time_range":{"dimension":"d","last":{"n":3,"unit":"month"}},"as_of":"2024-05-15","time_zone":"Europe/Berlin","week_start":"sunday"}`,
		},
		{
			"a relative range of records", new(detailQueryFlags), []string{"--from", "orders", "--fields", "a", "--last", "1 day", "--as-of", "2024-05-15", "--time-zone", "UTC", "--week-start", "monday"},
			`{"from":"orders","fields":["a"],"time_range":{"last":{"n":1,"unit":"day"}},"as_of":"2024-05-15","time_zone":"UTC","week_start":"monday"}`,
		},
		{"the zone of an attribution", new(attributeFlags), []string{"--metric", "m", "--dimensions", "d", "--time-zone", "UTC"}, `{"metric":"m","dimensions":["d"],"time_zone":"UTC"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := new(cobra.Command)
			c.form.addToCommand(cmd)
			if err := cmd.ParseFlags(c.args); err != nil {
				t.Fatal(err)
			}
			body, err := c.form.writeBody(cmd)
			var got, want map[string]json.RawMessage // a body has its keys in any order
			if err != nil || json.Unmarshal(body, &got) != nil || json.Unmarshal([]byte(c.want), &want) != nil {
				t.Fatalf("%v: %s", err, body)
			}
			if d := cmp.Diff(want, got, cmp.Transformer("text", func(m json.RawMessage) string { return string(m) })); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestQueryFlags_MalformedConstructIsUsageError(t *testing.T) {
	for _, args := range [][]string{
		{"--metric-expr", "SUM(amount)"}, {"--metric-expr", "=SUM(amount)"}, {"--metric-expr", "a="}, {"--group-expr", "a"}, {"--group-expr", "a= "},
		{"--include", "a=b"}, {"--metric-expr", "a=SUM(b)", "--include", "a"}, {"--metric-expr", "a=SUM(b)", "--exclude", "a="},
		{"--compare", "year"}, {"--compare", "1 year ago"}, {"--compare", "one year"},
		{"--top", "category"}, {"--top", "category:five"}, {"--top", "category:5:"}, {"--top", "a:5:b:c"},
		{"--last", "month"}, {"--last", "3"}, {"--last", "x month"},
	} {
		cmd := new(cobra.Command)
		var q queryFlags
		q.addToCommand(cmd)
		if err := cmd.ParseFlags(args); err != nil {
			t.Fatal(err)
		}
		var usage *usageError
		if body, err := q.writeBody(cmd); !errors.As(err, &usage) {
			t.Errorf("%q: %s, %v", args, body, err)
		}
	}
	for _, value := range []string{"", "x", "0x10", "NaN", "Infinity", "1e", "01", "[1]", "true"} {
		cmd := new(cobra.Command)
		var q queryFlags
		q.addToCommand(cmd)
		if err := cmd.ParseFlags([]string{"--fill=" + value}); err == nil {
			t.Errorf("--fill=%s is accepted", value)
		}
	}
}

// Each flag that writes a part of a query is one of those that --json replaces.
func TestQueryFlags_ExcludeJSON(t *testing.T) {
	for name, c := range map[string]struct {
		form  queryForm
		flags []string
	}{
		"query": {new(queryFlags), metricQueryKeyFlagNames}, "select": {new(detailQueryFlags), detailQueryKeyFlagNames}, "attribute": {new(attributeFlags), attributeQueryKeyFlagNames},
	} {
		cmd := new(cobra.Command)
		c.form.addToCommand(cmd)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !slices.Contains(append(c.flags, "json", "sql", "explain"), f.Name) {
				t.Errorf("%s: --%s beside --json is not refused", name, f.Name)
			}
		})
	}
}

// flagsOfKeys are the flags of keys whose value a command puts together; "" for a key that has none.
var flagsOfKeys = map[string]string{
	"where_sql": "where", "order_by": "order", "params": "param", "shares": "share", "time_range": "start",
	"max_values_per_dimension": "max-values", "top_n_dimensions": "top-dimensions", "top_n_values": "top-values",
	"with": "", "hints": "", "rollups": rollupsOnlyFlag, "defaults": "no-defaults", "sequences": sequenceFlag,
}

func TestQueryFlags_EachKeyHasAFlag(t *testing.T) {
	for name, c := range map[string]struct {
		form queryForm
		keys []query.KeyDescription
	}{
		"query": {new(queryFlags), query.MetricKeys()}, "select": {new(detailQueryFlags), query.DetailKeys()}, "attribute": {new(attributeFlags), query.AttributeKeys()},
	} {
		cmd := new(cobra.Command)
		c.form.addToCommand(cmd)
		for _, k := range c.keys {
			flag, ok := flagsOfKeys[k.Name]
			if !ok {
				flag = strings.ReplaceAll(k.Name, "_", "-")
			}
			if flag != "" && cmd.Flags().Lookup(flag) == nil {
				t.Errorf("%s has no flag --%s of the key %s", name, flag, k.Name)
			}
		}
	}
}
