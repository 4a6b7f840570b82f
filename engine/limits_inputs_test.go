package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// smallModel has the dataset d with the fields x and day, and the metric m.
func smallModel(fields, metrics string) string {
	return "version: 0.2.0.dev0\nname: small\ndatasets:\n- name: d\n  source: t\n  primary_key: [x]\n  fields:\n" +
		field("x", "x") + field("day", "day") + "    datatype: Date\n" + fields +
		"metrics:\n" + metric("m", "SUM(d.x)") + metrics
}

func field(name, expression string) string {
	return fmt.Sprintf("  - name: %s\n    expression: {dialects: [{dialect: ANSI_SQL, expression: \"%s\"}]}\n", name, expression)
}

func metric(name, expression string) string {
	return fmt.Sprintf("- name: %s\n  expression: {dialects: [{dialect: ANSI_SQL, expression: \"%s\"}]}\n", name, expression)
}

func payload(object, data string) string {
	return object + "  custom_extensions: [{vendor_name: SEMLAYER, data: '" + data + "'}]\n"
}

// filtered returns a metric of its name with one parameter t.
func filtered(domain string) string {
	return payload(metric("filtered", "SUM(CASE WHEN d.x > 0 THEN d.x END)"),
		`{"v":"1.9","derive":{"type":"filter","base":"m","where":"d.x > :t"},"params":[{"name":"t","type":"int","default":0,`+domain+`}]}`)
}

func list(item string, n int) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }

func ascending(n int) string { return counted(n, func(i int) string { return fmt.Sprint(i) }) }

func keyed(value string, n int) string {
	return counted(n, func(i int) string { return fmt.Sprintf(`"k%d":%s`, i, value) })
}

func counted(n int, item func(int) string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item(i)
	}
	return strings.Join(items, ",")
}

func contains(codes []string, code string) bool {
	for _, c := range codes {
		if c == code {
			return true
		}
	}
	return false
}

// judged returns the codes of the errors about a model.
func judged(t *testing.T, text string) []string {
	t.Helper()
	v, err := askable(t).Validate(t.Context(), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, i := range v.Issues {
		out = append(out, i.Code)
	}
	for _, e := range v.CompileErrors {
		out = append(out, e.Code)
	}
	return out
}

// askable returns an engine of a small model that every limit on queries can be
// reached with.
func askable(t *testing.T) *engine.Engine {
	t.Helper()
	return open(t, engine.Config{ModelText: []byte(smallModel("", filtered(`"min":0`)+
		payload(metric("rolling", "SUM(d.x)"), `{"v":"1.9","window":{"type":"rolling","function":"sum","periods":":n"},"params":[{"name":"n","type":"int","default":2,"min":1}]}`)))})
}

// asked returns the code of a metric query.
func asked(t *testing.T, body string) []string {
	t.Helper()
	q, err := query.DecodeMetric([]byte(body))
	if err == nil {
		_, err = askSQL(t.Context(), askable(t), q)
	}
	return []string{codeOf(err)}
}

// stated returns the error code of a statement in SQL.
func stated(t *testing.T, sql string) []string {
	t.Helper()
	_, err := askSQL(t.Context(), askable(t), &query.SQLStatement{SQL: sql})
	return []string{codeOf(err)}
}

// dayAfter returns the day that many days after the first of 1990.
func dayAfter(days int) string {
	return time.Date(1990, 1, 1+days, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

// compiledQuery returns the error code of a metric query over the given model.
func compiledQuery(t *testing.T, model, body string) []string {
	t.Helper()
	_, err := askSQL(t.Context(), open(t, engine.Config{ModelText: []byte(model)}), metricQuery(t, body))
	return []string{codeOf(err)}
}

func names(stem string, n int) string {
	return counted(n, func(i int) string { return fmt.Sprintf(`"%s%d"`, stem, i) })
}

// lines are n parts of a model.
func lines(n int, line func(i int) string) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(line(i))
	}
	return out.String()
}

func selected(t *testing.T, body string) []string {
	t.Helper()
	q, err := query.DecodeDetail([]byte(body))
	if err == nil {
		_, err = askSQL(t.Context(), askable(t), q)
	}
	return []string{codeOf(err)}
}

// statementOf compiles a query whose SQL has exactly n bytes: the length of one
// literal makes up for the rest.
func statementOf(t *testing.T, n int) []string {
	t.Helper()
	const parts = 10
	sql := func(last int) (string, error) {
		var metrics, names strings.Builder
		for i := range parts {
			size := n/parts - 200 // the rest of each aggregate is shorter than that
			if i == parts-1 {
				size = last
			}
			metrics.WriteString(metric(fmt.Sprint("l", i), "SUM(CASE WHEN d.x = '"+strings.Repeat("y", size)+"' THEN 1 END)"))
			fmt.Fprintf(&names, `"l%d",`, i)
		}
		e := open(t, engine.Config{ModelText: []byte(smallModel("", metrics.String()))})
		c, err := askSQL(t.Context(), e, metricQuery(t, `{"metrics":[`+strings.TrimSuffix(names.String(), ",")+`]}`))
		if err != nil {
			return "", err
		}
		return c.SQL, nil
	}
	shorter, err := sql(1)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := sql(1 + n - len(shorter))
	if err == nil && len(exact) != n {
		t.Fatalf("%d bytes, want %d", len(exact), n)
	}
	return []string{codeOf(err)}
}
