package mcp_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/cmd/internal/warehouses"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/access"
)

// hiddenLine ends the lines of readersModel that the reader of readersPolicies does not see.
const hiddenLine = " # hidden"

const readersModel = `
version: 0.2.0.dev0
name: shop
description: A shop.
custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10", "queries": [
        {"name": "by_region", "questions": ["Which region?"], "query": {"metrics": ["revenue"], "group_by": [{"field": "customers.region"}]}},
        {"name": "canary_saved", "questions": ["canary question?"], "params": [{"name": "low", "type": "int"}], "query": {"metrics": ["revenue"], "where_sql": "orders.canary_margin > :low"}}, # hidden
        {"name": "rows", "questions": ["Which rows?"], "select": {"from": "orders", "fields": ["order_id", "memo"]}}]}
datasets:
  - name: orders
    source: orders
    primary_key: [order_id]
    fields:
      - {name: order_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}}
      - {name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
      - {name: product_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: product_id}]}}
      - {name: order_date, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: order_date}]}}
      - {name: channel, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: channel}]}}
      - {name: memo, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: memo}]}}
      - {name: amount, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
      - {name: canary_margin, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: canary_margin}]}} # hidden
      - {name: gain, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: canary_margin}]}} # hidden
  - name: customers
    source: customers
    primary_key: [customer_id]
    fields:
      - {name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
      - {name: name, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: name}]}}
      - {name: region, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
      - {name: canary_ssn, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: canary_ssn}]}} # hidden
      - {name: spent, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "lod": {"grain": ["customer_id"]}}'}]}
  - name: products
    source: products
    primary_key: [product_id]
    fields:
      - {name: product_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: product_id}]}}
      - {name: title, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: title}]}}
  - {name: canary_pay, source: canary_pay, primary_key: [customer_id], fields: [{name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}, {name: salary, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: salary}]}}]} # hidden
relationships:
  - {name: order_customer, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id]}
  - {name: order_product, from: orders, to: products, from_columns: [product_id], to_columns: [product_id]}
  - {name: canary_paid, from: customers, to: canary_pay, from_columns: [customer_id], to_columns: [customer_id]} # hidden
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
  - {name: order_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(orders.order_id)}]}}
  - {name: mean_value, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount) / COUNT(orders.order_id)}]}}
  - {name: memos, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT orders.memo)}]}}
  - {name: customer_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(customers.customer_id)}]}}
  - {name: canary_total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.canary_margin)}]}} # hidden
  - {name: canary_rate, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.gain) / SUM(orders.amount)}]}} # hidden
`

const readersPolicies = `
version: 1
attributes: {regions: {type: string, list: true}}
roles:
  r:
    datasets:
      orders: {rows: "canary_margin > 5 AND customers.region IN (:user.regions)", fields: all, hide: [canary_margin], mask: {memo: "'***'"}}
      customers: {rows: "region IN (:user.regions)", fields: all, hide: [canary_ssn], mask: {name: "UPPER(region)"}}
      products: {rows: "product_id < 7", fields: all}
    metrics: all
`

// readersTables are the tables of the shop. Forbidden values are canaries, and text that no cast accepts.
const readersTables = `
CREATE TABLE customers AS SELECT i AS customer_id, 'canary name ' || i AS name, ['north', 'south', 'canary west', NULL][1 + i % 4] AS region, 'canary ssn ' || i AS canary_ssn FROM range(1, 41) AS t(i);
CREATE TABLE products AS SELECT i AS product_id, CASE WHEN i < 7 THEN 'title ' || i ELSE 'canary title' END AS title FROM range(1, 11) AS t(i);
CREATE TABLE canary_pay AS SELECT i AS customer_id, 1000 + i AS salary FROM range(1, 41) AS t(i);
CREATE TABLE orders AS SELECT i AS order_id, 1 + i * 7 % 45 AS customer_id, 1 + i * 3 % 12 AS product_id, DATE '2024-01-01' + (i * 11 % 240)::INTEGER AS order_date,
	CASE WHEN i % 13 > 5 THEN ['1', '2', '3'][1 + i % 3] ELSE 'canary channel' END AS channel, 'canary memo ' || i AS memo, CASE WHEN i % 13 > 5 THEN i * 37 % 500 ELSE 9000000000000000000 END AS amount, i % 13 AS canary_margin FROM range(1, 401) AS t(i);
UPDATE orders SET channel = 'canary channel', amount = 9000000000000000000 WHERE customer_id NOT IN (SELECT customer_id FROM customers WHERE region IN ('north', 'south'));
`

// otherForbiddenRows change what the reader does not see, and seenRows leave the rest.
const (
	otherForbiddenRows = `
DELETE FROM orders WHERE canary_margin = 3;
UPDATE orders SET channel = '17', amount = 0, order_date = DATE '1999-01-01' WHERE canary_margin <= 5;
UPDATE customers SET name = 'x', region = 'canary moon' WHERE region IS NULL;
UPDATE customers SET canary_ssn = NULL, name = 'canary ' || customer_id * 3;
DELETE FROM products WHERE product_id > 8;
UPDATE orders SET memo = '12', canary_margin = canary_margin + 100 WHERE canary_margin > 5;
DROP TABLE canary_pay;
CREATE TABLE canary_pay (customer_id VARCHAR, salary VARCHAR);
`
	seenRows = `
DELETE FROM orders WHERE canary_margin <= 5 OR customer_id NOT IN (SELECT customer_id FROM customers WHERE region IN ('north', 'south'));
DELETE FROM customers WHERE region IS NULL OR region NOT IN ('north', 'south');
DELETE FROM products WHERE product_id >= 7;
UPDATE orders SET memo = '***';
UPDATE customers SET name = upper(region);
`
)

// withoutHiddenLines returns the model without what the reader does not see.
func withoutHiddenLines(model string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(model, "\n"), func(line string) bool { return strings.HasSuffix(line, hiddenLine) }), "\n")
}

// readerSession serves a model as the tools of one reader.
func readerSession(t *testing.T, model, policies, setup string) *sdk.ClientSession {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: warehouses.Drivers(), ModelPath: "shop.yaml", ModelText: []byte(strings.ReplaceAll(model, hiddenLine, "")), Setup: []string{setup}, MaxExecutions: 2, Logger: slog.New(slog.DiscardHandler),
		PoliciesPath: "policies.yaml", PoliciesText: []byte(policies), As: &access.Claims{Name: "ana", Roles: []string{"r"}, Attributes: map[string]any{"regions": []any{"north", "south"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return direct(t, e, mcp.Config{MaxRows: 10000, MaxBytes: 1 << 20})
}

// readersQuestions makes calls at random. A third of the names are hidden ones, and many conditions fail on forbidden rows.
type readersQuestions struct{ *rand.Rand }

func (r readersQuestions) pick(of ...string) string { return of[r.IntN(len(of))] }

func (r readersQuestions) field() string {
	return r.pick("orders.channel", "orders.memo", "orders.amount", "orders.order_date", "orders.order_id", "customers.name", "customers.region", "customers.spent", "products.title", "order_customer.region", "memo",
		"orders.canary_margin", "orders.gain", "customers.canary_ssn", "canary_pay.salary", "canary_paid.salary", "gain")
}

func (r readersQuestions) metric() string {
	return r.pick("revenue", "order_count", "mean_value", "memos", "customer_count", "revenue", "order_count", "canary_total", "canary_rate")
}

func (r readersQuestions) condition() string {
	one := func() string {
		return r.pick("orders.amount > 100", "orders.amount * 3 > 100", "CAST(orders.channel AS INTEGER) > 1", "orders.memo = '12'", "orders.memo LIKE '%1%'", "customers.region = 'north'", "customers.name IS NULL",
			"customers.spent > 500", "products.title IS NULL", "products.title LIKE 'canary%'", "customers.region IS NULL", "orders.channel IN ('1', '17')", "orders.order_date < '2024-03-01'",
			"1 / (orders.amount - 37) > 0", "CAST(customers.region AS INTEGER) IS NULL", "orders.gain > 5", "canary_margin = 3", "customers.canary_ssn = 'x'", "canary_pay.salary > 1", "1 = 1")
	}
	switch r.IntN(4) {
	case 0:
		return one() + " AND " + one()
	case 1:
		return one() + " OR " + one()
	case 2:
		return "NOT (" + one() + ")"
	}
	return one()
}

// call returns a tool with its arguments.
func (r readersQuestions) call() (tool string, arguments map[string]any) {
	windows := func(start, end string) map[string]any { return map[string]any{"start": start, "end": end} }
	metrics := func() map[string]any {
		q := map[string]any{"metrics": []any{r.metric()}}
		switch r.IntN(5) {
		case 0:
			q["metrics"] = append(q["metrics"].([]any), map[string]any{"name": "own", "expression": r.pick("MAX(", "COUNT(DISTINCT ", "MIN(") + r.field() + ")"})
		case 1:
			q["metrics"] = append(q["metrics"].([]any), map[string]any{"name": "at_one", "expression": "revenue", "at": map[string]any{r.pick("exclude", "unfiltered"): []any{r.field()}}})
		case 2:
			q["totals"] = []any{[]any{}}
		}
		switch r.IntN(4) {
		case 0:
			q["group_by"] = []any{map[string]any{"field": r.field()}}
		case 1:
			q["group_by"] = []any{map[string]any{"field": r.field()}, map[string]any{"field": "metric_time", "grain": "month"}}
		case 2:
			q["group_by"] = []any{map[string]any{"name": "own_group", "expression": "COALESCE(" + r.field() + ", " + r.field() + ")"}}
		}
		if r.IntN(2) == 0 {
			q[r.pick("where_sql", "context_filter")] = r.condition()
		}
		if r.IntN(6) == 0 {
			q["order_by"] = []any{map[string]any{"key": r.pick("canary_margin", "memo", "revenue", "name")}}
		}
		return q
	}
	switch r.IntN(17) {
	case 0, 1, 2, 3:
		return r.pick("run_query", "run_query", "run_query", "compile_sql", "explain_query"), metrics()
	case 4, 5, 6:
		q := map[string]any{"from": r.pick("orders", "orders", "customers", "products", "canary_pay"), "fields": []any{r.field(), r.field()}, "limit": 10000}
		if r.IntN(2) == 0 {
			q["where_sql"] = r.condition()
		}
		return r.pick("select", "select", "compile_select"), q
	case 7, 8:
		column := func() string { f := r.field(); return f[strings.LastIndexByte(f, '.')+1:] }
		return r.pick("run_sql", "run_sql", "explain_sql"), map[string]any{"sql": fmt.Sprintf(r.pick(
			"SELECT %s, COUNT(*) AS n FROM %s GROUP BY 1", "SELECT %s AS n FROM %s", "SELECT n FROM (SELECT %s AS n FROM %s OFFSET 0) AS q WHERE n IS NOT NULL", "SELECT MAX(%s) FROM %s"), column(), r.pick("orders", "customers", "shop", "canary_pay"))}
	case 9, 10:
		q := map[string]any{"field": r.field(), "limit": 500}
		if r.IntN(2) == 0 {
			q["where_sql"] = r.condition()
		}
		return "values", q
	case 11:
		return "find", map[string]any{"q": r.pick("canary", "margin", "revenue by region", "memo", "title of products", "salary", "gain") + " " + r.metric()}
	case 12:
		return "compatible", metrics()
	case 13:
		return "attribute_metric", map[string]any{
			"metric": r.metric(), "dimensions": []any{r.field()}, "where_sql": r.condition(), "baseline": windows("2024-01-01", "2024-04-01"), "current": windows("2024-04-01", "2024-07-01"),
		}
	case 14:
		return r.pick("list_metrics", "list_datasets", "list_dimensions"), map[string]any{"search": r.pick("", "canary", "gain", "re", "margin"), "detail": r.IntN(2) == 0}
	case 15:
		q := map[string]any{"saved": r.pick("by_region", "rows", "canary_saved", "by_regio"), r.pick("where_sql", "limit", "params"): nil}
		if r.IntN(2) == 0 {
			q["where_sql"] = r.condition()
		}
		return r.pick("run_query", "select", "compatible"), q
	default:
		return r.pick("describe_metric", "list_dimensions"), map[string]any{"metric": r.metric()}
	}
}

var revisionInText = regexp.MustCompile(`(\\?"revision\\?":\s*\\?"|@)[0-9a-f]{12}`)

// textToCompare returns a response as text: without the revision of the model, and with the rows, which nothing orders, in the order of their texts.
func textToCompare(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var sorted func(v any) any
	sorted = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for key, x := range v {
				if list, ok := x.([]any); ok && (key == "rows" || key == "values") {
					slices.SortFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
				}
				v[key] = sorted(v[key])
			}
		case []any:
			for i := range v {
				v[i] = sorted(v[i])
			}
		case string:
			var inner any
			d := json.NewDecoder(strings.NewReader(v))
			if d.UseNumber(); strings.HasPrefix(v, "{") && d.Decode(&inner) == nil {
				return sorted(inner)
			}
		}
		return v
	}
	var tree any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		panic(err)
	}
	if text, err = json.Marshal(sorted(tree)); err != nil {
		panic(err)
	}
	return revisionInText.ReplaceAllString(string(text), "$1")
}

func orError(v any, err error) any {
	var refused interface{ Error() string }
	if errors.As(err, &refused) {
		return refused.Error()
	}
	return v
}

// A proxy between clients and the server keeps no list of a reader for others.
func TestReaders_ListsAreKeptForNobodyElse(t *testing.T) {
	s := readerSession(t, readersModel, readersPolicies, readersTables)
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil || tools.CacheScope != "private" {
		t.Errorf("tools: %q %v", tools.CacheScope, err)
	}
	prompts, err := s.ListPrompts(t.Context(), nil)
	if err != nil || prompts.CacheScope != "private" {
		t.Errorf("prompts: %q %v", prompts.CacheScope, err)
	}
	resources, err := s.ListResources(t.Context(), nil)
	if err != nil || resources.CacheScope != "private" {
		t.Errorf("resources: %q %v", resources.CacheScope, err)
	}
	metric, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "semlayer://metrics/revenue"})
	if err != nil || metric.CacheScope != "private" {
		t.Errorf("a resource: %q %v", metric.CacheScope, err)
	}
}

// Tools, prompts and resources respond to a reader as a server without policies does over the rows and the objects that the reader sees. Other
// forbidden rows change nothing.
func TestReaders_LearnNothingThroughTools(t *testing.T) {
	const everything = "version: 1\nroles: {r: {datasets: {\"*\": {rows: all, fields: all}}, metrics: all}}\n"
	reader := readerSession(t, readersModel, readersPolicies, readersTables)
	other := readerSession(t, readersModel, readersPolicies, readersTables+otherForbiddenRows)
	reduced := readerSession(t, withoutHiddenLines(readersModel), everything, readersTables+seenRows)
	counts := map[string]int{}
	compare := func(what string, ask func(*sdk.ClientSession) (any, error)) {
		t.Helper()
		counts["calls"]++
		want := textToCompare(orError(ask(reduced)))
		for name, session := range map[string]*sdk.ClientSession{"these": reader, "other": other} {
			got := textToCompare(orError(ask(session)))
			if got != want {
				t.Errorf("%s over %s forbidden rows:\n%.1500s\nwithout them:\n%.1500s", what, name, got, want)
			}
			for _, word := range regexp.MustCompile(`canary[ _]?\w*|9000000000000000000`).FindAllString(got, -1) {
				if !strings.Contains(what, word) {
					t.Errorf("%s: %s is in the response: %.1500s", what, word, got)
				}
			}
		}
		if !strings.Contains(want, `"isError":true`) {
			counts["answered"]++
		}
	}
	for _, what := range []string{"instructions", "tools", "prompts", "resources"} {
		compare(what, func(s *sdk.ClientSession) (any, error) {
			switch what {
			case "tools":
				return s.ListTools(t.Context(), nil)
			case "prompts":
				return s.ListPrompts(t.Context(), nil)
			case "resources":
				return s.ListResources(t.Context(), nil)
			}
			return s.InitializeResult(), nil
		})
	}
	for _, name := range []string{"by_region", "canary_saved", "rows", "revenue", "canary_total", "nothing"} {
		for _, uri := range []string{"semlayer://saved/" + name, "semlayer://metrics/" + name} {
			compare(uri, func(s *sdk.ClientSession) (any, error) {
				return s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
			})
		}
		compare("prompt "+name, func(s *sdk.ClientSession) (any, error) {
			return s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: map[string]string{"low": "1"}})
		})
		compare("saved "+name, func(s *sdk.ClientSession) (any, error) {
			return s.CallTool(t.Context(), &sdk.CallToolParams{Name: "run_query", Arguments: map[string]any{"saved": name}})
		})
	}
	calls := 600
	if os.Getenv("SEMLAYER_TEST_LONG") != "" {
		calls = 9000 // 500 and more of most tools, and of saved queries
	}
	r := readersQuestions{rand.New(rand.NewPCG(11, 11))}
	for range calls {
		tool, arguments := r.call()
		text, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		counts[tool]++
		if arguments["saved"] != nil {
			counts["saved"]++
		}
		compare(tool+" "+string(text), func(s *sdk.ClientSession) (any, error) {
			return s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(text)})
		})
		if t.Failed() {
			t.Fatal("there may be more")
		}
	}
	t.Log(counts)
	t.Attr("calls", strconv.Itoa(counts["calls"]))
	if counts["answered"] < calls/3 {
		t.Errorf("only %d of %d calls were answered", counts["answered"], counts["calls"])
	}
}
