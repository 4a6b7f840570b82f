package engine_test

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/planner/query"
)

// edge sends an input that reaches a limit with the given size and returns the
// codes of the errors that it gets.
type edge func(t *testing.T, n int) []string

// edges has an input for every limit of the table.
var edges = map[string]edge{
	"model_bytes": func(t *testing.T, n int) []string {
		text := smallModel("", "")
		return judged(t, text+"#"+strings.Repeat("x", n-len(text)-1))
	},
	"model_depth": func(t *testing.T, n int) []string {
		text := smallModel("", "")
		return judged(t, text+"ai_context: {x: "+strings.Repeat("[", n-3)+"1"+strings.Repeat("]", n-3)+"}\n")
	},
	"model_nodes": func(t *testing.T, n int) []string {
		const bare = 16 // all but the items of the list
		return judged(t, "version: 0.2.0.dev0\nname: m\ndatasets: [{name: d, source: t}]\nai_context: {x: ["+list("x", n-bare)+"]}\n")
	},
	"model_value_bytes": func(t *testing.T, n int) []string {
		const bare = 42 + len("x") + len("z") // version, name, datasets and their contents
		long := 100_000
		rest := n - bare - long
		return judged(t, "version: 0.2.0.dev0\nname: m\ndatasets: [{name: d, source: t}]\nx: &a ["+strings.Repeat("y", long)+"]\nz: ["+
			strings.Repeat("*a,", rest/long)+strings.Repeat("w", rest%long)+"]\n")
	},
	"model_tokens": func(t *testing.T, n int) []string {
		const bare = 8 + 2*9 // the small model, and COALESCE(SUM(d.x)) twice
		args := (n - bare) / 2
		odd := strings.Repeat("-", (n-bare)%2)
		coalesce := func(args int) string { return "COALESCE(SUM(d.x)" + strings.Repeat(",0", args) + ")" }
		return judged(t, smallModel("", metric("n", coalesce(args/2))+metric("o", strings.Replace(coalesce(args-args/2), ",0", ","+odd+"0", 1))))
	},
	"key_columns": func(t *testing.T, n int) []string {
		return judged(t, strings.Replace(smallModel("", ""), "primary_key: [x]", "primary_key: ["+list("x", n)+"]", 1))
	},
	"unique_keys": func(t *testing.T, n int) []string {
		return judged(t, strings.Replace(smallModel("", ""), "primary_key: [x]", "unique_keys: ["+list("[x]", n)+"]", 1))
	},
	"expression_dialects": func(t *testing.T, n int) []string {
		entries := counted(n, func(i int) string { return fmt.Sprintf("{dialect: D%d, expression: SUM(d.x)}", i) })
		return judged(t, smallModel("", "- name: n\n  expression: {dialects: ["+entries+"]}\n"))
	},
	"metric_datasets": func(t *testing.T, n int) []string {
		var datasets strings.Builder
		for i := range n {
			fmt.Fprintf(&datasets, "- {name: e%d, source: t, fields: [{name: x, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}]}\n", i)
		}
		sum := "COALESCE(" + counted(n, func(i int) string { return fmt.Sprintf("COUNT(e%d.x)", i) }) + ")"
		return judged(t, strings.Replace(smallModel("", metric("n", sum)), "metrics:\n", datasets.String()+"metrics:\n", 1))
	},
	"expression_bytes": func(t *testing.T, n int) []string {
		return judged(t, smallModel("", metric("n", "SUM("+strings.Repeat(" ", n-len("SUM(d.x)"))+"d.x)")))
	},
	"expression_depth": func(t *testing.T, n int) []string {
		return judged(t, smallModel("", metric("n", "SUM("+strings.Repeat("ABS(", n-1)+"d.x"+strings.Repeat(")", n-1)+")")))
	},
	"expression_in_items": func(t *testing.T, n int) []string {
		return judged(t, smallModel("", metric("n", "SUM(CASE WHEN d.x IN ("+list("1", n)+") THEN 1 END)")))
	},
	"field_nodes": func(t *testing.T, n int) []string {
		return judged(t, smallModel(field("y", "CONCAT("+list("c", n-1)+")"), ""))
	},
	"field_levels": func(t *testing.T, n int) []string {
		var fields strings.Builder
		for i := range n {
			fields.WriteString(field(fmt.Sprint("x", i), "x"+strings.TrimPrefix(fmt.Sprint(i-1), "-1")+" + 1"))
		}
		return judged(t, smallModel(fields.String(), ""))
	},
	"payload_bytes": func(t *testing.T, n int) []string {
		return judged(t, smallModel("", payload(metric("n", "SUM(d.x)"), `{"v":"1.9"`+strings.Repeat(" ", n-len(`{"v":"1.9"}`))+`}`)))
	},
	"payload_depth": func(t *testing.T, n int) []string {
		deep := strings.Repeat("[", n-1) + "1" + strings.Repeat("]", n-1)
		return judged(t, smallModel("", payload(metric("n", "SUM(d.x)"), `{"v":"1.99","later":`+deep+`}`)))
	},
	"param_allowed": func(t *testing.T, n int) []string {
		return judged(t, smallModel("", filtered(`"allowed":[`+ascending(n)+`]`)))
	},
	"calendar_periods": func(t *testing.T, n int) []string {
		periods := counted(n, func(i int) string { return fmt.Sprintf(`"p%d":"x"`, i) })
		return judged(t, "version: 0.2.0.dev0\nname: small\ndatasets:\n"+
			payload("- name: d\n  source: t\n  primary_key: [day]\n  fields:\n"+field("x", "x")+field("day", "day")+"    datatype: Date\n", `{"v":"1.10","calendar":{"date":"day","periods":{`+periods+`}}}`)+
			"metrics:\n"+metric("m", "SUM(d.x)"))
	},

	"query_depth": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["m"],"x":`+strings.Repeat("[", n-1)+strings.Repeat("]", n-1)+`}`)
	},
	"query_metrics": func(t *testing.T, n int) []string { return asked(t, `{"metrics":[`+list(`"m"`, n)+`]}`) },
	"query_group_by": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["m"],"group_by":[`+list(`{"field":"d.x"}`, n)+`]}`)
	},
	"query_order_by": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["m"],"order_by":[`+list(`{"key":"m"}`, n)+`]}`)
	},
	"query_fields":     func(t *testing.T, n int) []string { return selected(t, `{"from":"d","fields":[`+list(`"x"`, n)+`]}`) },
	"query_params":     func(t *testing.T, n int) []string { return asked(t, `{"metrics":["m"],"params":{`+keyed("1", n)+`}}`) },
	"query_name_bytes": func(t *testing.T, n int) []string { return asked(t, `{"metrics":["`+strings.Repeat("x", n)+`"]}`) },
	"query_column_name_bytes": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["m"],"group_by":[{"field":"d.x","name":"`+strings.Repeat("x", n)+`"}]}`)
	},
	"sql_depth": func(t *testing.T, n int) []string {
		return stated(t, "SELECT "+strings.Repeat("(", n)+"x"+strings.Repeat(")", n)+" FROM d")
	},
	"sql_in_items": func(t *testing.T, n int) []string { return stated(t, "SELECT x FROM d WHERE x IN ("+list("1", n)+")") },
	"sql_relations": func(t *testing.T, n int) []string {
		return stated(t, "SELECT x FROM d"+strings.Repeat(" UNION ALL SELECT x FROM d", n-1))
	},
	"sql_items": func(t *testing.T, n int) []string { return stated(t, "SELECT "+list("x", n)+" FROM d") },
	"sql_name_bytes": func(t *testing.T, n int) []string {
		return stated(t, "SELECT x AS "+strings.Repeat("y", n)+" FROM d")
	},
	"sql_constant_bytes": func(t *testing.T, n int) []string {
		return stated(t, "SELECT x, '"+strings.Repeat("y", n-2)+"' AS y FROM d")
	},
	"query_inline_metrics": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":[`+counted(n, func(i int) string { return fmt.Sprintf(`{"name":"i%d","expression":"SUM(d.x)"}`, i) })+`]}`)
	},
	"query_metrics_at_levels": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":[`+counted(n, func(i int) string { return fmt.Sprintf(`{"name":"i%d","expression":"m","at":{"only":[]}}`, i) })+`]}`)
	},
	"query_with": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["m"],"with":[`+counted(n, func(i int) string { return fmt.Sprintf(`{"dataset":"d","name":"f%d","expression":"x"}`, i) })+`]}`)
	},
	"query_sequences": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["m"],"sequences":[`+counted(n, func(i int) string {
			return fmt.Sprintf(`{"name":"s%d","entity":["x"],"steps":[{"name":"a","dataset":"d"},{"name":"b","dataset":"d"}]}`, i)
		})+`]}`)
	},
	"sequence_steps": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["m"],"sequences":[{"name":"s","entity":["x"],"steps":[`+counted(n, func(i int) string { return fmt.Sprintf(`{"name":"a%d","dataset":"d"}`, i) })+`]}]}`)
	},
	"sequence_periods": func(t *testing.T, n int) []string {
		return asked(t, fmt.Sprintf(`{"metrics":["m"],"sequences":[{"name":"s","entity":["x"],"steps":[{"name":"a","dataset":"d"},{"name":"b","dataset":"d"}],"every":"day","periods":%d}]}`, n))
	},
	"query_totals": func(t *testing.T, n int) []string {
		fields := counted(6, func(i int) string { return fmt.Sprintf(`{"field":"d.x","name":"c%d"}`, i) })
		sets := counted(n, func(i int) string { // the bits of i choose the columns
			var columns []string
			for c := range 6 {
				if i>>c&1 == 1 {
					columns = append(columns, fmt.Sprintf(`"c%d"`, c))
				}
			}
			return "[" + strings.Join(columns, ",") + "]"
		})
		return asked(t, `{"metrics":["m"],"group_by":[`+fields+`],"totals":[`+sets+`]}`)
	},
	"query_shares": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["m"],"group_by":[{"field":"d.x"}],"shares":[`+list(`{"metric":"m"}`, n)+`]}`)
	},
	"query_compare": func(t *testing.T, n int) []string {
		items := make([]string, n)
		for i := range items {
			items[i] = fmt.Sprintf(`{"name":"c%d","offset":{"count":%d,"unit":"day"}}`, i, i+1)
		}
		return asked(t, `{"metrics":["m"],"time_range":{"start":"2024-01-01","end":"2024-01-02","dimension":"d.day"},"compare":[`+strings.Join(items, ",")+`]}`)
	},
	"query_filled_buckets": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["m"],"group_by":[{"field":"d.day","grain":"day"}],"time_range":{"start":"1990-01-01","end":"`+dayAfter(n)+`","dimension":"d.day"},"fill":{}}`)
	},
	"query_filled_buckets_of_groups": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["m"],"group_by":[{"field":"d.x"},{"field":"d.day","grain":"day"}],"time_range":{"start":"1990-01-01","end":"`+dayAfter(n)+`","dimension":"d.day"},"fill":{}}`)
	},
	"query_top_values": func(t *testing.T, n int) []string {
		return asked(t, fmt.Sprintf(`{"metrics":["m"],"group_by":[{"field":"d.x"}],"top":{"dimension":"x","n":%d}}`, n))
	},
	"query_time_ranges": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["m"],"time_ranges":{`+keyed(`{"start":"2024-01-01","end":"2024-02-01"}`, n)+`}}`)
	},
	"query_columns": func(t *testing.T, n int) []string {
		wide := func(i int) string { return metric(fmt.Sprint("w", i), "SUM(d.x)") }
		ranges := counted(n/1000, func(i int) string { return fmt.Sprintf(`"k%d":{"start":"2024-01-01","dimension":"d.day"}`, i) })
		groups := strings.TrimSuffix(strings.Repeat(`{"field":"d.x"},`, n%1000), ",")
		return compiledQuery(t, smallModel("", lines(1000, wide)), `{"metrics":[`+names("w", 1000)+`],"group_by":[`+groups+`],"time_ranges":{`+ranges+`}}`)
	},
	"query_nodes": func(t *testing.T, n int) []string {
		// The sizes of c0, c1, … are 1, 3, 7, … and that of the aggregate is 1.
		doubles := bits.Len(uint(n)) - 2
		rest := n - 1
		for i := range doubles {
			rest -= 2<<i - 1
		}
		model := smallModel("", metric("c0", "SUM(d.x)")+lines(doubles-1, func(i int) string {
			return metric(fmt.Sprint("c", i+1), fmt.Sprintf("c%d + c%d", i, i))
		})+metric("rest", "COALESCE(c0"+strings.Repeat(",0", rest-2)+")"))
		return compiledQuery(t, model, `{"metrics":[`+names("c", doubles)+`,"rest"]}`)
	},
	"query_param_values": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["filtered"],"params":{"t":[`+ascending(n)+`]}}`)
	},
	"param_columns": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["filtered"],"params":{"t":[`+ascending(n)+`]}}`)
	},
	"find_question": func(t *testing.T, n int) []string {
		return parsed(query.DecodeFind, `{"q":"`+strings.Repeat("ü", n)+`"}`)
	},
	"find_hits": func(t *testing.T, n int) []string {
		return parsed(query.DecodeFind, fmt.Sprintf(`{"q":"x","limit":%d}`, n))
	},
	"compatible_items": func(t *testing.T, n int) []string {
		return parsed(query.DecodeCompatible, fmt.Sprintf(`{"limit":%d}`, n))
	},
	"values_items": func(t *testing.T, n int) []string {
		return parsed(query.DecodeValues, fmt.Sprintf(`{"field":"x","limit":%d}`, n))
	},
	"values_like": func(t *testing.T, n int) []string {
		return parsed(query.DecodeValues, `{"field":"x","like":"`+strings.Repeat("ü", n)+`"}`)
	},
	"condition_bytes": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["m"],"where_sql":"d.x = 1`+strings.Repeat(" ", n-len("d.x = 1"))+`"}`)
	},
	"condition_depth": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["m"],"where_sql":"`+strings.Repeat("ABS(", n-1)+"d.x"+strings.Repeat(")", n-1)+` = 1"}`)
	},
	"condition_in_items": func(t *testing.T, n int) []string {
		return asked(t, `{"metrics":["m"],"where_sql":"d.x IN (`+list("1", n)+`)"}`)
	},
	"condition_text_bytes": func(t *testing.T, n int) []string {
		return where(t, "CONCAT('"+strings.Repeat("x", n)+"') = 'q'")
	},
	"condition_search": func(t *testing.T, n int) []string {
		text := func(n int) string { return "'" + strings.Repeat("x", n) + "'" }
		condition := "CONTAINS(" + text(8192) + ", " + text(n/8192) + ")"
		if n%8192 > 0 {
			condition += " OR CONTAINS(" + text(257) + ", 'x')"
		}
		return where(t, condition)
	},
	"pattern_bytes":     func(t *testing.T, n int) []string { return where(t, "'a' LIKE '"+strings.Repeat("x", n)+"'") },
	"pattern_wildcards": func(t *testing.T, n int) []string { return where(t, "'a' LIKE '"+strings.Repeat("_", n)+"'") },
	"made_pattern_runs": func(t *testing.T, n int) []string {
		return where(t, "'a' LIKE CONCAT('"+strings.Repeat("%", n)+"', 'a')")
	},
	"regexp_repeats": func(t *testing.T, n int) []string {
		return where(t, "REGEXP_LIKE('a', '"+strings.Repeat("a*", n)+"')")
	},
	"window_buckets": func(t *testing.T, n int) []string {
		return asked(t, fmt.Sprintf(`{"metrics":["rolling"],"group_by":[{"field":"metric_time","grain":"day"}],"params":{"n":%d}}`, n))
	},
	"recomputed_periods": func(t *testing.T, n int) []string {
		return judged(t, smallModel("", payload(metric("n", "SUM(d.x)"), fmt.Sprintf(`{"v":"1.10","window":{"recompute":{"periods":%d}}}`, n))))
	},
	"recomputed_holistic_periods": func(t *testing.T, n int) []string {
		return judged(t, smallModel("", payload(metric("n", "COUNT(DISTINCT d.x)"), fmt.Sprintf(`{"v":"1.10","window":{"recompute":{"periods":%d}}}`, n))))
	},
	"window_levels": func(t *testing.T, n int) []string {
		metrics := payload(metric("n1", "SUM(d.x)"), `{"v":"1.10","window":{"type":"cumulative"}}`)
		for i := 2; i <= n; i++ {
			metrics += "\n" + payload(metric(fmt.Sprintf("n%d", i), fmt.Sprintf("n%d", i-1)), `{"v":"1.10","window":{"type":"pop","offset":"1 months","calculation":"delta"}}`)
		}
		return judged(t, smallModel("", metrics))
	},
	"statement_bytes": statementOf,
}

// where requests a metric under a condition.
func where(t *testing.T, condition string) []string {
	return asked(t, `{"metrics":["m"],"where_sql":"`+condition+`"}`)
}

// parsed reads a request and returns the code of its error.
func parsed[Q any](decode func([]byte) (*Q, error), body string) []string {
	_, err := decode([]byte(body))
	return []string{codeOf(err)}
}

// Every bound of the table is met at its value and rejected one beyond it, with the
// code that the table gives.
func TestLimits_HoldAtTheirEdge(t *testing.T) {
	for _, l := range limits.All() {
		t.Run(l.Name, func(t *testing.T) {
			if l.Name == "detail_rows" { // lowered, not rejected
				c, err := askSQL(t.Context(), askable(t), detail(t, `{"from":"d","fields":["x"],"limit":10001}`))
				if err != nil || !strings.HasSuffix(c.SQL, "LIMIT 10000") {
					t.Errorf("%v, %v", c, err)
				}
				return
			}
			input := edges[l.Name]
			if input == nil {
				t.Fatal("no input reaches this limit: add one to edges")
			}
			if codes := input(t, int(l.Value)); contains(codes, l.Code) {
				t.Errorf("at %d: %v", l.Value, codes)
			}
			if codes := input(t, int(l.Value)+1); !contains(codes, l.Code) {
				t.Errorf("one beyond %d: %v, want %s", l.Value, codes, l.Code)
			}
		})
	}
	if got, want := len(edges)+1, len(limits.All()); got != want {
		t.Errorf("%d inputs for %d limits", got, want)
	}
}

// The capabilities list the limits, with the values of the configuration where a
// flag changes one.
func TestCapabilities_ListLimits(t *testing.T) {
	found := map[string]limits.Limit{}
	for _, l := range open(t, engine.Config{ModelText: []byte(smallModel("", "")), MaxExecutions: 3}).Capabilities().Limits {
		if found[l.Name].Name != "" || l.Value < 1 || l.Unit == "" || l.AppliesTo == "" {
			t.Errorf("%+v", l)
		}
		found[l.Name] = l
	}
	if got := found["query_metrics"]; got.Value != 1000 || got.Code != "bad_request" {
		t.Errorf("%+v", got)
	}
	if got := found["concurrent_executions"]; got.Value != 3 || got.Setting != "--max-concurrent-executions" {
		t.Errorf("%+v", got)
	}
}
