package compile_test

import (
	"fmt"
	"strings"
	"sync"
)

// hostileSize is about the most that a request may carry.
const hostileSize = 1_000_000

// hostileModels are models of about a megabyte each, made to cost the square of
// their size where a pass is careless.
var hostileModels = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"a CASE of many branches in a field":   hostile(hostileField("f", "CASE "+numbered(hostileSize/22, "WHEN x = %d THEN 1 ")+"END"), hostileMetric("m", "SUM(f)")),
		"a CASE of many branches in a metric":  hostile(hostileField("f", "x"), hostileMetric("m", "SUM(CASE "+numbered(hostileSize/22, "WHEN f = %d THEN 1 ")+"END)")),
		"many arguments in a field":            hostile(hostileField("f", "CONCAT("+strings.Repeat("x,", hostileSize/2)+"x)"), hostileMetric("m", "COUNT(f)")),
		"many arguments in a metric":           hostile(hostileField("f", "x"), hostileMetric("m", "COUNT(CONCAT("+strings.Repeat("f,", hostileSize/2)+"f))")),
		"one IN list":                          hostile(hostileField("f", "x"), hostileMetric("m", "SUM(CASE WHEN f IN ("+strings.Repeat("1,", 99_999)+"1) THEN 1 END)")),
		"one chain of AND":                     hostile(hostileField("f", "x"), hostileMetric("m", "SUM(CASE WHEN f"+strings.Repeat(" AND f", hostileSize/6)+" THEN 1 END)")),
		"unknown names in one metric":          hostile(hostileField("f", "x"), hostileMetric("m", "SUM(f)"+numbered(hostileSize/13, "+SUM(g%d)"))),
		"unknown names in one call":            hostile(hostileField("f", "x"), hostileMetric("m", "COALESCE(SUM(f)"+numbered(hostileSize/15, ",SUM(g%d)")+")")),
		"unknown qualified names in one field": hostile(hostileField("f", "CONCAT(x"+numbered(hostileSize/10, ",e.g%d")+")"), hostileMetric("m", "COUNT(f)")),
		"unknown functions":                    hostile(hostileField("f", "CONCAT(x"+numbered(hostileSize/12, ",fn%d(x)")+")"), hostileMetric("m", "COUNT(f)")),
		"aggregates in a field":                hostile(hostileField("f", "CONCAT(x"+strings.Repeat(",SUM(x)", hostileSize/7)+")"), hostileMetric("m", "COUNT(f)")),
		"windows in a metric":                  hostile(hostileField("f", "x"), hostileMetric("m", "COALESCE(SUM(f)"+strings.Repeat(",RANK() OVER ()", hostileSize/15)+")")),
		"nested aggregates in a metric":        hostile(hostileField("f", "x"), hostileMetric("m", "SUM(COALESCE(f"+strings.Repeat(",SUM(f)", hostileSize/7)+"))")),
		"lines in one expression":              hostile(hostileField("f", "x"), "- name: m\n  expression:\n    dialects:\n    - dialect: ANSI_SQL\n      expression: |\n        SUM(f)\n"+numbered(hostileSize/20, "        +SUM(g%d)\n")),
		"names that are not there": hostile(many(6000, func(i int) string { return hostileField(fmt.Sprint("f", i), "x")(i) }), many(5000, func(i int) string {
			return hostileMetric(fmt.Sprint("m", i), fmt.Sprintf("SUM(g%d) + SUM(d.h%[1]d)", i))(i)
		})),
		"long names that are not there": hostile(many(9, func(i int) string { return hostileField(strings.Repeat("n", 50_000+i), "x")(i) }), many(5000, func(i int) string { return hostileMetric(fmt.Sprint("m", i), fmt.Sprintf("SUM(g%d)", i))(i) })),
		"names of 128 letters": hostile(many(2000, func(i int) string { return hostileField(fmt.Sprint(strings.Repeat("n", 124), i), "x")(i) }), many(3000, func(i int) string {
			return hostileMetric(fmt.Sprint("m", i), fmt.Sprintf("SUM(%s%d)", strings.Repeat("m", 124), i))(i)
		})),
		"metrics over metrics":          hostile(hostileField("f", "x"), hostileMetric("m0", "SUM(f)")(0), many(10_000, func(i int) string { return hostileMetric(fmt.Sprint("m", i+1), fmt.Sprintf("m%d + m%d", i, i/2))(i) })),
		"one metric of many metrics":    hostile(hostileField("f", "x"), many(8000, func(i int) string { return hostileMetric(fmt.Sprint("m", i), "SUM(f)")(i) }), hostileMetric("all", "COALESCE(m0"+numbered(8000, ",m%d")+")")),
		"one metric of many aggregates": hostile(hostileField("f", "x"), hostileMetric("m", "COALESCE("+numbered(30_000, "SUM(f + %d), ")+"1)")),
		"fields over fields":            hostile(hostileField("f0", "x"), many(10_000, func(i int) string { return hostileField(fmt.Sprint("f", i+1), fmt.Sprintf("f%d + f%d", i, i/2))(i) }), hostileMetrics(hostileMetric("m", "SUM(f0)"))),
		"a field of many fields":        hostile(many(8000, func(i int) string { return hostileField(fmt.Sprint("f", i), "x")(i) }), hostileField("all", "CONCAT(x"+numbered(8000, ",f%d")+")"), hostileMetrics(hostileMetric("m", "SUM(f0)"))),
		"a circle of fields":            hostile(many(8000, func(i int) string { return hostileField(fmt.Sprint("f", i), fmt.Sprint("f", (i+1)%8000))(i) }), hostileMetrics(hostileMetric("m", "SUM(f0)"))),
		"a circle of metrics":           hostile(hostileField("f", "x"), many(8000, func(i int) string { return hostileMetric(fmt.Sprint("m", i), fmt.Sprint("m", (i+1)%8000))(i) })),
		"an alias of a long IN list":    aliased("SUM(CASE WHEN d.f IN (0"+numbered(80_000, ",%d")+") THEN 1 END)", 5000),
		"an alias of many arguments":    aliased("SUM(COALESCE(f"+strings.Repeat(",f", 200_000)+"))", 10_000),
		"an alias of unknown names":     aliased("SUM(f)"+numbered(400, "+SUM(g%d)"), 20_000),
		"an alias of many aggregates":   aliased("COALESCE(0"+numbered(4000, ",SUM(f+%d)")+")", 20_000),
		"an alias of a deep expression": aliased(strings.Repeat("ABS(", 490)+"SUM(f)"+strings.Repeat(")", 490), 20_000),
		"an alias of a long text":       aliased("SUM(f)"+strings.Repeat(" ", 500_000), 10_000),
		"an alias of a payload":         aliasedPayload(`{"v":"1.9","params":[{"name":"t","type":"int","allowed":[0`+numbered(999, ",%d")+`]}],"derive":{"type":"filter","base":"m","where":"f > :t"}}`, 10_000),
		"an alias of a compose":         aliasedPayload(`{"v":"1.9","derive":{"type":"compose","expr":"COALESCE(m`+strings.Repeat(",m", 20_000)+`)"}}`, 10_000),
		"an alias of a source":          "x: &s \"SELECT '" + strings.Repeat("y", 500_000) + "'\"\n" + hostileHead + many(10_000, func(i int) string { return fmt.Sprintf("- {name: d%d, source: *s}\n", i) }),
		"an alias of a list of fields":  "x: &s\n" + many(300, func(i int) string { return hostileField(fmt.Sprint("f", i), "x")(i) }) + hostileHead + many(280, func(i int) string { return fmt.Sprintf("- {name: d%d, source: t, fields: *s}\n", i) }),
		"derived metrics that double":   doubling(),
		"datasets and metrics":          "x: &e {dialects: [{dialect: ANSI_SQL, expression: COUNT(d0.f)}]}\n" + hostileHead + "- {name: d0, source: t, fields: [{name: f, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}]}\n" + many(18_000, func(i int) string { return fmt.Sprintf("- {name: e%d, source: t}\n", i) }) + "metrics:\n" + many(16_000, func(i int) string { return fmt.Sprintf("- {name: m%d, expression: *e}\n", i) }),
		"a chain of datasets":           chain(5000),
		"a star of datasets that reach all": chain(5000) + "metrics:\n" + many(4000, func(i int) string {
			return fmt.Sprintf("- {name: m%d, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(d%d.f)}]}}\n", i, i)
		}),
		"a relationship of many columns":     hostile(many(4000, func(i int) string { return hostileField(fmt.Sprint("f", i), "x")(i) }), "relationships:\n- {name: r, from: d, to: d, from_columns: [f0"+numbered(60_000, ",f%d")+"], to_columns: [f0"+numbered(60_000, ",f%d")+"]}\n"),
		"many unique keys":                   strings.Replace(hostile(many(4000, func(i int) string { return hostileField(fmt.Sprint("f", i), "x")(i) })), "  fields:", "  primary_key: [a"+numbered(40_000, ",k%d")+"]\n  unique_keys: [[a]"+numbered(40_000, ",[k%d]")+"]\n  fields:", 1),
		"one name for all metrics":           "x: &m {name: m, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(f)}]}}\n" + hostile(hostileField("f", "x"), strings.Repeat("- *m\n", 90_000)),
		"keys that the format does not know": hostile(hostileField("f", "x")) + numbered(hostileSize/12, "k%d: 1\n"),
		"merged mappings":                    "x: &a {" + strings.TrimPrefix(numbered(40_000, ", k%d: 1"), ", ") + "}\ny: &b {" + strings.TrimPrefix(numbered(40_000, ", j%d: 1"), ", ") + "}\nz: {<<: [*a, *b]}\n" + hostile(hostileField("f", "x")),
		"measure names that collide":         collisions(),
		"ambiguous names": hostileHead + many(6000, func(i int) string {
			return fmt.Sprintf("- {name: d%d, source: t, fields: [{name: f, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}]}\n", i)
		}) + "metrics:\n" + hostileMetric("m", "SUM(f)"+strings.Repeat("+SUM(f)", 40_000))(0),
		"crossing datasets in one aggregate": hostileHead + many(5000, func(i int) string {
			return fmt.Sprintf("- {name: d%d, source: t, fields: [{name: f, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}]}\n", i)
		}) + "metrics:\n" + hostileMetric("m", "COUNT(CONCAT(1"+numbered(5000, ",d%d.f")+"))")(0),
		"params without end": hostile(hostileField("f", "x"), hostileMetric("m", "SUM(f)")(0), many(14, func(i int) string {
			return paramsOf(i, `{"v":"1.9","derive":{"type":"filter","base":"m","where":"f > 0"},"params":[{"name":"a","type":"int"}`+numbered(1900, `,{"name":"p%d","type":"int"}`)+`]}`)
		})),
	}
})

const hostileHead = "version: 0.2.0.dev0\nname: m\ndatasets:\n"

// hostile joins the parts of a model of one dataset d: its fields, and then, from the
// first part that begins at the margin, its metrics.
func hostile(parts ...any) string {
	var fields, rest strings.Builder
	for i, part := range parts {
		var text string
		switch part := part.(type) {
		case string:
			text = part
		case func(int) string:
			text = part(i)
		}
		if strings.HasPrefix(text, "  - ") {
			fields.WriteString(text)
		} else {
			if rest.Len() == 0 && strings.HasPrefix(text, "- ") {
				rest.WriteString("metrics:\n")
			}
			rest.WriteString(text)
		}
	}
	return hostileHead + "- name: d\n  source: t\n  fields:\n" + fields.String() + rest.String()
}

func hostileField(name, expression string) func(int) string {
	return func(int) string { return "  " + hostileMetric(name, expression)(0) }
}

func hostileMetric(name, expression string) func(int) string {
	return func(int) string {
		return fmt.Sprintf("- {name: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: \"%s\"}]}}\n", name, expression)
	}
}

func hostileMetrics(one func(int) string) string { return one(0) }

func many(n int, one func(int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(one(i))
	}
	return b.String()
}

// numbered repeats a format with the numbers below n.
func numbered(n int, format string) string {
	return many(n, func(i int) string { return fmt.Sprintf(format, i) })
}

// aliased returns a model of n metrics that share one expression by an alias.
func aliased(expression string, n int) string {
	return "x: &e {dialects: [{dialect: ANSI_SQL, expression: \"" + expression + "\"}]}\n" +
		hostile(hostileField("f", "x"), many(n, func(i int) string { return fmt.Sprintf("- {name: m%d, expression: *e}\n", i) }))
}

// aliasedPayload returns a model of n metrics over m that share one payload by an alias.
func aliasedPayload(data string, n int) string {
	return "x: &e {dialects: [{dialect: ANSI_SQL, expression: SUM(f)}]}\ny: &p [{vendor_name: SEMLAYER, data: '" + data + "'}]\n" +
		hostile(hostileField("f", "x"), hostileMetric("m", "SUM(f)"), many(n, func(i int) string {
			return fmt.Sprintf("- {name: m%d, expression: *e, custom_extensions: *p}\n", i)
		}))
}

// paramsOf returns a metric with a payload.
func paramsOf(i int, data string) string {
	return strings.TrimSuffix(hostileMetric(fmt.Sprint("p", i), "SUM(f)")(i), "}\n") + ", custom_extensions: [{vendor_name: SEMLAYER, data: '" + data + "'}]}\n"
}

// doubling returns a chain of combined metrics each of which names the one before twice,
// and many that name its end.
func doubling() string {
	compose := func(name, expr string) string {
		return fmt.Sprintf("- {name: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: %s}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\":\"1.9\",\"derive\":{\"type\":\"compose\",\"expr\":\"%s\"}}'}]}\n", name, expr, expr)
	}
	return hostile(hostileField("f", "x"), hostileMetric("m0", "SUM(f)"),
		many(14, func(i int) string { return compose(fmt.Sprint("m", i+1), fmt.Sprintf("m%d + m%[1]d", i)) }),
		many(4500, func(i int) string { return compose(fmt.Sprint("n", i), "m14") }))
}

// chain returns a model of n datasets, each joined to the next.
func chain(n int) string {
	return hostileHead + many(n, func(i int) string {
		return fmt.Sprintf("- {name: d%d, source: t, primary_key: [f], fields: [{name: f, expression: {dialects: [{dialect: ANSI_SQL, expression: f}]}}]}\n", i)
	}) + "relationships:\n" + many(n-1, func(i int) string {
		return fmt.Sprintf("- {name: r%d, from: d%[1]d, to: d%d, from_columns: [f], to_columns: [f]}\n", i, i+1)
	})
}

// collisions returns a model of two datasets whose measures get the same names.
func collisions() string {
	const n = 2500
	fields := func(prefix string) string {
		return "  fields:\n" + many(n, func(i int) string { return hostileField(fmt.Sprint(prefix, i), "x")(i) })
	}
	return hostileHead + "- name: a\n  source: t\n" + fields("b_c") + "- name: a_b\n  source: t\n" + fields("c") + "metrics:\n" +
		many(n, func(i int) string {
			return hostileMetric(fmt.Sprint("m", i), fmt.Sprintf("SUM(a.b_c%d) + SUM(a_b.c%[1]d)", i))(i)
		})
}
