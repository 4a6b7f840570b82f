package restapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/restapi"
)

// For any body the response is a 4xx error with a code and arrives fast; the server stays
// up.
func requireRejected(t *testing.T, s *restapi.Server, path, body string) string {
	t.Helper()
	start := time.Now()
	got := do(t, s, request("POST", path, body))
	if got.status < 400 || got.status >= 500 && got.status != 501 {
		t.Errorf("%s %.80q: status %d: %.200s", path, body, got.status, got.body)
	}
	e := envelope(t, got.body)
	if e.Code == "" || e.Code == "internal" || e.Message == "" {
		t.Errorf("%s %.80q: %.200s", path, body, got.body)
	}
	if len(got.body) > 64<<10 {
		t.Errorf("%s %.80q: an answer of %d bytes", path, body, len(got.body))
	}
	if took := time.Since(start); took > testwait.Deadline {
		t.Errorf("%s %.80q took %s", path, body, took)
	}
	return e.Code
}

var queryPaths = []string{"/v1/query/compile", "/v1/query/explain", "/v1/query/execute"}

func TestHostileQuery_KeysRejectOtherTypes(t *testing.T) {
	s := shop(t, "orders", restapi.Config{})
	values := map[string]string{
		"string": `"x"`, "number": `1.5`, "boolean": `true`, "array": `[[]]`, "object": `{"":{}}`, "numbers": `[1]`, "nulls": `[null]`,
	}
	takes := map[string][]string{
		"metrics": nil, "group_by": nil, "order_by": nil, "time_range": nil, "time_ranges": nil, "limit": nil, "params": nil,
		"where_sql": {"string"}, "context_filter": {"string"}, "dialect": {"string"}, "connection": {"string"}, "pretty": {"boolean"},
	}
	for key, fitting := range takes {
	next:
		for kind, value := range values {
			for _, f := range fitting {
				if f == kind {
					continue next
				}
			}
			body := fmt.Sprintf(`{"metrics":["revenue"],%q:%s}`, key, value)
			if key == "metrics" {
				body = fmt.Sprintf(`{"metrics":%s}`, value)
			}
			requireRejected(t, s, "/v1/query/execute", body)
		}
	}
}

func TestHostileQuery_Rejected(t *testing.T) {
	s := shop(t, "orders", restapi.Config{MaxBodyBytes: 8 << 20})
	many := func(item string, n int) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	distinct := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format+",", i)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	quoted := func(sql string) string {
		text, err := json.Marshal(sql)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for name, body := range map[string]string{
		"empty":                         "",
		"spaces":                        strings.Repeat(" ", 1<<20),
		"NUL":                           "\x00",
		"no UTF-8":                      "{\"metrics\":[\"\xff\xfe\"]}",
		"open brackets":                 strings.Repeat("[", 1<<20),
		"open braces":                   strings.Repeat(`{"a":`, 1<<18),
		"10,000 metrics, one name":      `{"metrics":[` + many(`"revenue"`, 10000) + `]}`,
		"10,000 metrics, unknown":       `{"metrics":[` + distinct(`"m%d"`, 10000) + `]}`,
		"1,000 metrics, one name":       `{"metrics":[` + many(`"revenue"`, 1000) + `]}`,
		"1,000 metrics, unknown":        `{"metrics":[` + distinct(`"m%d"`, 1000) + `]}`,
		"a long metric":                 `{"metrics":["` + strings.Repeat("x", 1<<20) + `"]}`,
		"a long field":                  `{"metrics":["revenue"],"group_by":[{"field":"` + strings.Repeat("x.", 1<<18) + `"}]}`,
		"a long dialect":                `{"metrics":["revenue"],"dialect":"` + strings.Repeat("é", 1<<18) + `"}`,
		"a long connection":             `{"metrics":["revenue"],"connection":"` + strings.Repeat("é", 1<<18) + `"}`,
		"a long filter":                 `{"metrics":["revenue"],"where_sql":"` + strings.Repeat("x", 1<<17) + `"}`,
		"a deep filter":                 `{"metrics":["revenue"],"where_sql":"` + strings.Repeat("(", 5000) + `"}`,
		"a filter of many items":        `{"metrics":["revenue"],"where_sql":"orders.amount IN (` + many("1", 2000) + `)"}`,
		"NUL in a filter":               `{"metrics":["revenue"],"where_sql":"orders.status = 'a\u0000'"}`,
		"a second statement":            `{"metrics":["revenue"],"where_sql":"1=1; DROP TABLE orders"}`,
		"a subquery":                    `{"metrics":["revenue"],"where_sql":"orders.amount IN (SELECT 1)"}`,
		"a function of the database":    `{"metrics":["revenue"],"where_sql":` + quoted(`read_csv('/etc/passwd') = 1`) + `}`,
		"an unknown function":           `{"metrics":["revenue"],"where_sql":"pg_sleep(10) = 1"}`,
		"many unknown keys":             `{"metrics":["revenue"],` + distinct(`"k%d":1`, 50000) + `}`,
		"duplicate keys":                `{"metrics":["revenue"],"metrics":["order_count"]}`,
		"a range turned around":         `{"metrics":["revenue"],"time_range":{"start":"2024-02-01","end":"2024-01-01"}}`,
		"a date that does not exist":    `{"metrics":["revenue"],"time_range":{"start":"2024-02-31"}}`,
		"SQL in a date":                 `{"metrics":["revenue"],"time_range":{"start":"2024-01-01' OR '1'='1"}}`,
		"a quote in a group-by":         `{"metrics":["revenue"],"group_by":[{"field":"orders.status\"; --"}]}`,
		"an unknown grain":              `{"metrics":["revenue"],"group_by":[{"field":"orders.order_date","grain":"decade"}]}`,
		"limit beyond 64 bits":          `{"metrics":["revenue"],"limit":99999999999999999999}`,
		"parameters nobody declared":    `{"metrics":["revenue"],"params":{"t":1}}`,
		"a list of 10,000 values":       `{"metrics":["revenue"],"params":{"t":[` + distinct("%d", 10000) + `]}}`,
		"200 group-bys of one field":    `{"metrics":["revenue"],"group_by":[` + many(`{"field":"orders.status"}`, 200) + `]}`,
		"1,000 order keys, all unknown": `{"metrics":["revenue"],"order_by":[` + distinct(`{"key":"k%d"}`, 1000) + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range queryPaths {
				requireRejected(t, s, path, body)
			}
		})
	}
	if got := do(t, s, request("POST", "/v1/query/execute", `{"metrics":["revenue"]}`)); !strings.Contains(got.body, `[{"revenue":450}]`) {
		t.Errorf("after all that: %s", got.body)
	}
}

func TestValidate_NULInTheModelIsBadRequest(t *testing.T) {
	got := do(t, shop(t, "orders", restapi.Config{}), request("POST", "/v1/validate", `{"model":"version: \u0000"}`))
	if got.status != 400 || envelope(t, got.body).Code != "bad_request" {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestValidate_GarbageModelNeverValid(t *testing.T) {
	s := shop(t, "orders", restapi.Config{MaxBodyBytes: 16 << 20})
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for i, name := range strings.Split("bcdefghi", "") {
		prev := string("abcdefgh"[i])
		bomb += fmt.Sprintf("%s: &%s [%s]\n", name, name, strings.TrimSuffix(strings.Repeat("*"+prev+",", 9), ","))
	}
	for name, model := range map[string]string{
		"empty":              "",
		"a word":             "hello",
		"a list":             "[1, 2]",
		"no YAML":            "{{{{",
		"an alias bomb":      bomb,
		"an alias of itself": "a: &a [*a]",
		"deep YAML":          strings.Repeat("[", 100000),
		"deep JSON":          strings.Repeat(`{"a":`, 100000),
		"5 MB of noise":      strings.Repeat("x1!{[:,\n", 5<<20/8),
		"5 MB of one line":   strings.Repeat("x", 5<<20),
		"1 MB of keys":       keys(1 << 20),
		"1 MB of metrics":    "version: 0.2.0.dev0\nname: m\ndatasets: []\nmetrics:\n" + strings.Repeat("  - {name: a, expression: {}}\n", 1<<20/30),
		"another version":    "version: 9\nname: m\ndatasets: [{name: a, source: a}]\n",
		"an ontology":        "ontology: {}\n",
	} {
		t.Run(name, func(t *testing.T) {
			body, err := json.Marshal(map[string]string{"model": model})
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			got := do(t, s, request("POST", "/v1/validate", string(body)))
			if took := time.Since(start); took > testwait.Deadline {
				t.Errorf("took %s", took)
			}
			if got.status != 200 {
				t.Fatalf("status %d: %.300s", got.status, got.body)
			}
			var v struct {
				Valid  *bool
				Issues []struct{ Severity, Code, Message string }
			}
			if err := json.Unmarshal([]byte(got.body), &v); err != nil {
				t.Fatal(err)
			}
			if v.Valid == nil || *v.Valid || len(v.Issues) == 0 || v.Issues[0].Code == "" {
				t.Errorf("%.300s", got.body)
			}
		})
	}
	if got := do(t, s, request("GET", "/health", "")); got.status != 200 {
		t.Errorf("after all that: %+v", got)
	}
}

func keys(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "k%d: 1\n", i)
	}
	return b.String()
}
