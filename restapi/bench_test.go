package restapi_test

import (
	"bufio"
	"context"
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"github.com/valyala/fasthttp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

// BenchmarkCompile measures a request from its bytes to those of its response, without the
// network. The cost of the server is the difference to the engine's own benchmark.
func BenchmarkCompile(b *testing.B) {
	const body = `{"metrics":["revenue","order_count","avg_order_value"],"group_by":[{"field":"customers.region"},{"field":"products.category"},{"field":"orders.order_date","grain":"month"}],"where_sql":"orders.status = 'completed'","time_range":{"start":"2024-01-01","end":"2025-01-01"},"order_by":[{"key":"revenue","desc":true}],"limit":100}`
	e, err := engine.Open(context.Background(), engine.Config{Drivers: drivers(), ModelPath: "testdata/orders.yaml", StatementCache: -1, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	s, err := restapi.New(e, silent(restapi.Config{Tokens: []string{"token"}}))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("server", func(b *testing.B) {
		request := "POST /v1/query/compile HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer token\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
		sent := strings.NewReader(request)
		in := bufio.NewReader(sent)
		b.ReportAllocs()
		for b.Loop() {
			var c fasthttp.RequestCtx
			sent.Reset(request)
			in.Reset(sent)
			if err := c.Request.Read(in); err != nil {
				b.Fatal(err)
			}
			s.Handle(&c)
			if c.Response.StatusCode() != 200 {
				b.Fatalf("%s", c.Response.Body())
			}
		}
	})
	b.Run("engine", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			q, err := query.DecodeMetric([]byte(body))
			if err != nil {
				b.Fatal(err)
			}
			prepared, err := e.Prepare(context.Background(), q)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := prepared.SQL(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
