package soak_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor/arrowstream"
)

const token = "a-token-of-the-soak"

// model has orders, long texts, and numbers: some that take a little time to count and some
// that take longer than anyone waits.
const model = `
version: 0.2.0.dev0
name: soak
datasets:
  - name: orders
    source: orders
    primary_key: [order_id]
    fields:
      - {name: order_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}}
      - {name: status, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: status}]}}
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
  - name: wide
    source: SELECT i, repeat('x', 1000) AS text FROM range(10000) AS t(i)
    fields:
      - {name: i, expression: {dialects: [{dialect: ANSI_SQL, expression: i}]}}
      - {name: text, expression: {dialects: [{dialect: ANSI_SQL, expression: text}]}}
  - name: long
    source: SELECT hash(i) AS h FROM range(1000000) AS t(i)
    fields:
      - {name: h, expression: {dialects: [{dialect: ANSI_SQL, expression: h}]}}
  - name: endless
    source: SELECT hash(i) AS h FROM range(1000000000000) AS t(i)
    fields:
      - {name: h, expression: {dialects: [{dialect: ANSI_SQL, expression: h}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
  - {name: order_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(orders.order_id)}]}}
  - {name: later, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT long.h % 10)}]}}
  - {name: never, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT endless.h % 10)}]}}
`

// data are the orders 1 to 1000 of as much as their numbers: five statuses in turn, the
// first half in January, the second in February.
const data = `CREATE TABLE orders AS SELECT i AS order_id, 's' || i % 5 AS status,
	CASE WHEN i <= 500 THEN DATE '2024-01-15' ELSE DATE '2024-02-15' END AS day, i AS amount FROM range(1, 1001) AS t(i)`

// What follows from that: the orders n = 5k + r, k from 0 to 199, add up to 99500 + 200r,
// and those of r = 0, which begin at 5, to 100500. 1 to 500 add up to 125250, all to
// 500500.
const byStatus = `[{"status":"s0","revenue":100500,"order_count":200},{"status":"s1","revenue":99700,"order_count":200},` +
	`{"status":"s2","revenue":99900,"order_count":200},{"status":"s3","revenue":100100,"order_count":200},{"status":"s4","revenue":100300,"order_count":200}]`

const grouped = `{"metrics":["revenue","order_count"],"group_by":[{"field":"orders.status"}],"order_by":[{"key":"status"}]}`

// requestKind is a request and what is wrong with a response to it, nil when nothing is.
type requestKind struct {
	name, method, path, body string
	accept, token            string
	status                   int
	check                    func(body io.Reader) error
	// patience is after how long the client gives up; a response before that will do.
	patience time.Duration
	// hasty asks the server whose executions have hardly any time.
	hasty bool
}

// kinds returns all kinds of requests. Each is asked as often as the others.
func kinds() []requestKind {
	post := func(name, path, body string, status int, check func(io.Reader) error) requestKind {
		return requestKind{name: name, method: http.MethodPost, path: path, body: body, token: token, status: status, check: check}
	}
	wrong := func(k requestKind, token string) requestKind { k.token = token; return k }
	arrowOf := func(k requestKind) requestKind { k.accept = arrowstream.ContentType; return k }
	impatient := func(k requestKind) requestKind { k.patience = 2 * time.Millisecond; return k }
	hasty := func(k requestKind) requestKind { k.hasty = true; return k }
	return []requestKind{
		{name: "health", method: http.MethodGet, path: "/health", status: 200},
		{name: "metrics", method: http.MethodGet, path: "/metrics", status: 200, check: expectPart("semlayer_http_requests_total")},
		{name: "model", method: http.MethodGet, path: "/v1/metrics", token: token, status: 200, check: expectPart(`"revenue"`)},
		post("compile", "/v1/query/compile", grouped, 200, expectPart(`"sql":"SELECT`)),
		post("explain", "/v1/query/explain", grouped, 200, expectPart(`"plan"`)),
		post("execute", "/v1/query/execute", grouped, 200, rows(byStatus)),
		post("execute under a condition", "/v1/query/execute", `{"metrics":["revenue"],"where_sql":"orders.order_id <= 500"}`, 200, rows(`[{"revenue":125250}]`)),
		post("select", "/v1/select/execute", `{"from":"orders","fields":["order_id","status"],"where_sql":"orders.order_id < 3","order_by":[{"key":"order_id"}]}`, 200,
			rows(`[{"order_id":1,"status":"s1"},{"order_id":2,"status":"s2"}]`)),
		post("attribute", "/v1/query/attribute", `{"metric":"revenue","dimensions":["orders.status"],"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`, 200,
			change(125250, 375250)),
		arrowOf(post("Arrow", "/v1/select/execute", `{"from":"orders","fields":["order_id","status","day"],"limit":10000}`, 200, stream(1000, 500500))),
		arrowOf(post("Arrow of metrics", "/v1/query/execute", `{"metrics":["order_count"],"group_by":[{"field":"orders.order_id"}]}`, 200, stream(1000, 500500))),
		post("unknown metric", "/v1/query/execute", `{"metrics":["revenu"]}`, 400, code("unknown_metric")),
		arrowOf(post("unknown metric for Arrow", "/v1/query/execute", `{"metrics":["revenu"]}`, 400, code("unknown_metric"))),
		post("no query", "/v1/query/compile", `{`, 400, expectPart(`"error"`)),
		post("rejected by the database", "/v1/query/execute", `{"metrics":["revenue"],"where_sql":"YEAR(CAST(orders.status AS DATE)) = 1"}`, 502, code("sql_rejected")),
		wrong(post("wrong token", "/v1/query/compile", grouped, 401, code("unauthorized")), "guess"),
		post("too long", "/v1/query/compile", strings.Repeat(" ", 2<<20), 413, expectPart(`"error"`)),
		post("nowhere", "/v1/nowhere", `{}`, 404, code("bad_request")),
		impatient(post("given up", "/v1/query/execute", `{"metrics":["later"]}`, 200, rows(`[{"later":10}]`))),
		arrowOf(post("given up in mid-stream", "/v1/select/execute", `{"from":"wide","fields":["i","text"],"limit":10000}`, 200, readBeginning)),
		hasty(post("too slow", "/v1/query/execute", `{"metrics":["never"]}`, 504, code("timeout"))),
		hasty(arrowOf(post("too slow for Arrow", "/v1/query/execute", `{"metrics":["never"]}`, 504, code("timeout")))),
	}
}

// ask sends one request and returns what is wrong with its response.
func (k requestKind) ask(ctx context.Context, client *http.Client, at bases) error {
	base := at.patient
	if k.hasty {
		base = at.hasty
	}
	if k.patience > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, k.patience)
		defer cancel()
	}
	r, err := http.NewRequestWithContext(ctx, k.method, base+k.path, strings.NewReader(k.body))
	if err != nil {
		return err
	}
	if k.token != "" {
		r.Header.Set("Authorization", "Bearer "+k.token)
	}
	if k.accept != "" {
		r.Header.Set("Accept", k.accept)
	}
	err = k.send(client, r)
	if k.patience > 0 && errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

func (k requestKind) send(client *http.Client, r *http.Request) error {
	got, err := client.Do(r)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	if got.StatusCode != k.status {
		text, _ := io.ReadAll(got.Body)
		return fmt.Errorf("status %d, want %d: %s", got.StatusCode, k.status, text)
	}
	if k.check == nil {
		_, err := io.Copy(io.Discard, got.Body)
		return err
	}
	return k.check(got.Body)
}

// readBeginning reads the beginning of a body and needs no more of it.
func readBeginning(body io.Reader) error {
	_, err := io.CopyN(io.Discard, body, 10)
	return err
}

func expectPart(part string) func(io.Reader) error {
	return func(body io.Reader) error {
		text, err := io.ReadAll(body)
		if err == nil && !strings.Contains(string(text), part) {
			err = fmt.Errorf("no %s in %s", part, text)
		}
		return err
	}
}

// decode reads a body to its end, so that its connection can be used again.
func decode(body io.Reader, into any) error {
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

func code(want string) func(io.Reader) error { return expectPart(`"code":"` + want + `"`) }

func rows(want string) func(io.Reader) error {
	return func(body io.Reader) error {
		var answer struct{ Rows json.RawMessage }
		if err := decode(body, &answer); err != nil {
			return err
		}
		if string(answer.Rows) != want {
			return fmt.Errorf("rows %s, want %s", answer.Rows, want)
		}
		return nil
	}
}

func change(from, to float64) func(io.Reader) error {
	return func(body io.Reader) error {
		var answer struct {
			Total struct {
				Baseline float64 `json:"baseline_value"`
				Current  float64 `json:"current_value"`
			} `json:"total_change"`
			Dimensions map[string]struct {
				Values []struct{ Delta float64 }
			} `json:"per_dimension"`
		}
		if err := decode(body, &answer); err != nil {
			return err
		}
		sum := 0.0
		for _, d := range answer.Dimensions {
			for _, v := range d.Values {
				sum += v.Delta
			}
		}
		if answer.Total.Baseline != from || answer.Total.Current != to || sum != to-from {
			return fmt.Errorf("%+v, want %v to %v", answer, from, to)
		}
		return nil
	}
}

// stream needs so many rows whose first column adds up to a total.
func stream(want int64, total int64) func(io.Reader) error {
	return func(body io.Reader) error {
		var n, sum int64
		_, err := arrowstream.Read(body, func(b arrow.RecordBatch) error {
			column, is := b.Column(0).(*array.Int64)
			if !is {
				return fmt.Errorf("a column of %s", b.Column(0).DataType())
			}
			for i := range column.Len() {
				sum += column.Value(i)
			}
			n += b.NumRows()
			return nil
		})
		if err == nil {
			_, err = io.Copy(io.Discard, body)
		}
		if err == nil && (n != want || sum != total) {
			err = fmt.Errorf("%d rows that add up to %d, want %d and %d", n, sum, want, total)
		}
		return err
	}
}
