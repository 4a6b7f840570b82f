//go:build unix

package engine_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/limits"
)

// worstCase is a query that reaches limits, over a model made for it,
// and the code of the error that it gets, if any.
type worstCase struct{ name, code, model, query string }

const monthly = `"group_by":[{"field":"d.day","grain":"month"}],`

// spans are n time ranges.
func spans(n int) string {
	return `"time_ranges":{` + counted(n, func(i int) string {
		return fmt.Sprintf(`"k%d":{"start":"%d-01-01","end":"%d-01-01"}`, i, 1800+i, 1801+i)
	}) + `}`
}

// facts are n datasets, each with a metric over it and its own date.
func facts(n int) string {
	text := strings.Replace(smallModel("", lines(n, func(i int) string {
		return metric(fmt.Sprint("h", i), fmt.Sprintf("SUM(e%d.v)", i))
	})), "metrics:\n", lines(n, func(i int) string {
		return fmt.Sprintf("- name: e%d\n  source: t%d\n  primary_key: [k]\n  fields:\n", i, i) + field("k", "k") + field("v", "v") + field("x", "x")
	})+"relationships:\n"+lines(n, func(i int) string {
		return fmt.Sprintf("- {name: r%d, from: e%d, to: d, from_columns: [x], to_columns: [x]}\n", i, i)
	})+"metrics:\n", 1)
	return text
}

// dims are n dimensions beside x.
func dims(n int) string {
	return lines(n, func(i int) string { return field(fmt.Sprint("g", i), fmt.Sprint("g", i)) })
}

func groups(n int) string {
	return counted(n, func(i int) string { return fmt.Sprintf(`{"field":"d.g%d"}`, i) })
}

func narrowed(name, base, where string) string {
	return payload(metric(name, "SUM(CASE WHEN "+where+" THEN d.x END)"), `{"v":"1.9","derive":{"type":"filter","base":"`+base+`","where":"`+where+`"}}`)
}

func worstCases() []worstCase {
	const m, r = limits.QueryMetrics, limits.QueryTimeRanges
	plain := smallModel(dims(200), lines(m, func(i int) string { return metric(fmt.Sprint("m", i), fmt.Sprintf("SUM(d.x + %d)", i)) }))
	windows := smallModel("", lines(m, func(i int) string {
		return payload(metric(fmt.Sprint("w", i), fmt.Sprintf("SUM(d.x + %d)", i)), fmt.Sprintf(`{"v":"1.9","window":{"type":"rolling","function":"sum","periods":%d}}`, i+2))
	}))
	inItems := "d.x IN (" + ascending(limits.ConditionInListItems) + ")"
	chain := func(n int, next func(a, b string) string) string {
		return smallModel("", metric("c0", "SUM(d.x)")+metric("c1", "COUNT(d.x)")+lines(n, func(i int) string {
			return metric(fmt.Sprint("c", i+2), next(fmt.Sprint("c", i+1), fmt.Sprint("c", i)))
		}))
	}
	params := smallModel("", lines(m, func(i int) string {
		return strings.ReplaceAll(filtered(`"min":0`), "filtered", fmt.Sprint("f", i))
	}))
	return []worstCase{
		{"metrics", "", plain, `{"metrics":[` + names("m", m) + `]}`},
		{"metrics by time ranges", "bad_request", plain, `{"metrics":[` + names("m", m) + `],` + monthly + spans(r) + `}`},
		{"columns at the limit", "", plain, `{"metrics":[` + names("m", 9) + `],` + monthly + spans(r) + `}`},
		{"two time ranges", "", plain, `{"metrics":[` + names("m", m-1) + `],` + monthly + spans(2) + `}`},
		{"group-bys", "", plain, `{"metrics":[` + names("m", m) + `],"group_by":[` + groups(200) + `]}`},
		{"order keys", "", plain, `{"metrics":[` + names("m", m) + `],"order_by":[` + counted(m, func(i int) string { return fmt.Sprintf(`{"key":"m%d"}`, i) }) + `]}`},
		{"unknown order keys", "unknown_order_key", plain, `{"metrics":[` + names("m", m) + `],"order_by":[` + counted(m, func(i int) string { return fmt.Sprintf(`{"key":"n%d"}`, i) }) + `]}`},
		{"windows", "", windows, `{"metrics":[` + names("w", m) + `],` + monthly[:len(monthly)-1] + `}`},
		{"windows by time ranges", "not_implemented", windows, `{"metrics":[` + names("w", 9) + `],` + monthly + spans(r) + `}`},
		{"windows by metric_time and ranges", "not_implemented", windows, `{"metrics":[` + names("w", 9) + `],"group_by":[{"field":"metric_time","grain":"day"}],` + spans(r) + `}`},
		{"homes", "not_implemented", facts(m), `{"metrics":[` + names("h", m) + `],"group_by":[{"field":"d.x"}]}`},
		{"homes without keys", "", facts(m), `{"metrics":[` + names("h", m) + `]}`},
		{"homes by time ranges", "", facts(200), `{"metrics":[` + names("h", 9) + `],` + monthly + spans(r) + `}`},
		{"a long list in a condition", "", plain, `{"metrics":[` + names("m", m) + `],"where_sql":"` + inItems + strings.Repeat(" OR "+inItems, 12) + `"}`},
		{"a deep condition", "", plain, `{"metrics":[` + names("m", m) + `],"where_sql":"` + strings.Repeat("NOT (", 48) + "d.x = 1" + strings.Repeat(")", 48) + `"}`},
		{"a condition on results", "", plain, `{"metrics":[` + names("m", m) + `],"where_sql":"` + strings.TrimSuffix(lines(4000, func(i int) string { return fmt.Sprintf("m%d > 1 AND ", i%m) }), " AND ") + `"}`},
		{"many conjuncts", "bad_request", facts(m), `{"metrics":[` + names("h", m) + `],"group_by":[{"field":"d.x"}],"where_sql":"` + strings.TrimSuffix(strings.Repeat("d.x>1 AND ", 6000), " AND ") + `"}`},
		{"a chain", "", chain(400, func(a, _ string) string { return a + " + 1" }), `{"metrics":["c400"]}`},
		{"a chain that doubles", "bad_request", chain(400, func(a, _ string) string { return a + " + " + a }), `{"metrics":["c60"]}`},
		{"a chain that doubles, by ranges", "bad_request", chain(400, func(a, _ string) string { return a + " + " + a }), `{"metrics":["c14"],` + monthly + spans(r) + `}`},
		{"a chain of two", "bad_request", chain(400, func(a, b string) string { return a + " + " + b }), `{"metrics":["c60"]}`},
		{"all of a chain", "", chain(m, func(a, _ string) string { return a + " + 1" }), `{"metrics":[` + names("c", m) + `]}`},
		{"metrics over all metrics", "", smallModel("", lines(200, func(i int) string { return metric(fmt.Sprint("m", i), fmt.Sprintf("SUM(d.x + %d)", i)) })+
			lines(m, func(i int) string {
				return metric(fmt.Sprint("s", i), strings.ReplaceAll(counted(200, func(i int) string { return "m" + strconv.Itoa(i) }), ",", "+")+"+"+strconv.Itoa(i))
			})), `{"metrics":[` + names("s", m) + `]}`},
		{"filters over filters", "", smallModel("", narrowed("f0", "m", "d.x > 0")), `{"metrics":["f0"]}`},
		{"params", "", params, `{"metrics":[` + names("f", m) + `],"params":{"t":1}}`},
		{"lists of params", "param_expansion_too_large", params, `{"metrics":[` + names("f", m) + `],"params":{"t":[` + ascending(64) + `]}}`},
		{"long lists in metrics", "bad_request", smallModel("", lines(15, func(i int) string {
			return metric(fmt.Sprint("l", i), fmt.Sprintf("SUM(CASE WHEN d.x IN (%s) THEN %d END)", ascending(30_000), i))
		})), `{"metrics":[` + names("l", 15) + `],` + monthly + spans(60) + `}`},
	}
}

// computed returns the processor time that the process has taken.
func computed(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// compiledWithin is ten times what the worst query takes of one processor, which other tests
// may share; and of a processor that the race detector slows down.
const compiledWithin = slowdown * 5 * time.Second

// Each query at the limits is compiled, or rejected as what a limit rejects, before its
// time is over.
func TestCompile_WorstQueriesAreCompiledOrRefusedInTime(t *testing.T) {
	slowest := time.Duration(0)
	for _, c := range worstCases() {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			e := open(t, engine.Config{ModelText: []byte(c.model)})
			q := metricQuery(t, c.query)
			before := computed(t)
			ctx, stop := context.WithTimeout(t.Context(), 6*compiledWithin) // other tests may use the processors meanwhile
			defer stop()
			_, err := askSQL(ctx, e, q)
			took := computed(t) - before
			slowest = max(slowest, took)
			t.Attr("compile-ms", strconv.FormatInt(took.Milliseconds(), 10))
			if code := codeOf(err); code != c.code {
				t.Errorf("%q, want %q: %v", code, c.code, err)
			}
			if took > compiledWithin {
				t.Errorf("took %s", took)
			}
		})
	}
	t.Attr("queries", strconv.Itoa(len(worstCases())))
	t.Attr("slowest-ms", strconv.FormatInt(slowest.Milliseconds(), 10))
}
