package client_test

import (
	"context"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	client "github.com/semlayer/semlayer/clients/go"
)

var nan = client.NullableNumber(math.NaN())

func wantIs(t *testing.T, name string, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Errorf("%s: %v is not %v", name, err, target)
	}
}

func refusal(t *testing.T, err error) *client.Error {
	t.Helper()
	var e *client.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T %v", err, err)
	}
	return e
}

func TestErrors_KeepEveryField(t *testing.T) {
	for _, c := range []struct {
		name, body string
		status     int
		want       client.Error
		text       string
	}{
		{"plan", `{"error":{"code":"fan_out_risk","message":"m","metrics":["a"],"candidates":["b","c"],"suggested_retry":"{\"group_by\":null}","new":1}}`, 400,
			client.Error{Code: "fan_out_risk", Message: "m", Metrics: []string{"a"}, Candidates: []string{"b", "c"}, SuggestedRetry: `{"group_by":null}`}, "fan_out_risk: m"},
		{"compile", `{"error":{"code":"unknown_column","location":"metrics[0]","message":"m","hint":"h"}}`, 400,
			client.Error{Code: "unknown_column", Message: "m", Location: "metrics[0]", Hint: "h"}, "unknown_column: m"},
		{"authentication", `{"error":{"code":"unauthorized","message":"m"}}`, 401, client.Error{Code: "unauthorized", Message: "m"}, "unauthorized: m"},
		{"execution refused", `{"error":{"code":"forbidden","message":"m"}}`, 403, client.Error{Code: "forbidden", Message: "m"}, "forbidden: m"},
		{"a body too long", `{"error":{"code":"bad_request","message":"m"}}`, 413, client.Error{Code: "bad_request", Message: "m"}, "bad_request: m"},
		{"warehouse", `{"error":{"code":"sql_rejected","message":"m","hint":"h"}}`, 502, client.Error{Code: "sql_rejected", Message: "m", Hint: "h"}, "sql_rejected: m"},
		{"time", `{"error":{"code":"timeout","message":"m"}}`, 504, client.Error{Code: "timeout", Message: "m"}, "timeout: m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, _ := serve(t, c.status, "application/json", c.body)
			c.want.HTTPStatus, c.want.RequestID = c.status, "id-1"
			for _, err := range []error{second(server.Execute(ctx, revenue)), second(server.ExecuteArrow(ctx, revenue)), second(server.Datasets(ctx))} {
				got := refusal(t, err)
				if d := cmp.Diff(&c.want, got, cmpopts.IgnoreUnexported(client.Error{})); d != "" {
					t.Error(d)
				}
				if got.Error() != c.text {
					t.Error(got)
				}
			}
		})
	}
}

func TestErrors_ForeignResponseHasStatusOnly(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for _, c := range []struct {
		name        string
		status      int
		kind, body  string
		says, lacks string
	}{
		{"a proxy's page", 502, "text/html", "<html>\r\n<h1>502\x1b[31m Bad   Gateway</h1>", "HTTP 502: a response that is not the service's (Bad Gateway, text/html): <html> <h1>502 [31m Bad Gateway</h1>", "\x1b"},
		{"an empty body", 504, "", "", "HTTP 504", "timeout"},
		{"a long page", 500, "text/plain", long, "xxx…", long[:300]},
		{"bytes", 500, "text/plain", "\xff\xfe", "\uFFFD", "\xff"},
		{"another's JSON", 404, "application/json", `{"error":"not found"}`, `{"error":"not found"}`, ""},
		{"another's envelope", 404, "application/json", `{"error":{"message":"no route"}}`, "no route", ""},
		{"a page as a success", 200, "text/html", "<h1>sign in</h1>", "HTTP 200: a response that is not the service's (OK, text/html): <h1>sign in", ""},
		{"no content", 204, "", "", "HTTP 204", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, _ := serve(t, c.status, c.kind, c.body)
			e := refusal(t, second(server.Execute(ctx, revenue)))
			if e.Code != "" || e.HTTPStatus != c.status {
				t.Errorf("%+v", e)
			}
			if text := e.Error(); !strings.Contains(text, c.says) || c.lacks != "" && strings.Contains(text, c.lacks) {
				t.Errorf("%q does not say %q", text, c.says)
			}
		})
	}
}

func TestErrors_MalformedSuccess(t *testing.T) {
	for _, c := range []struct{ name, body string }{
		{"empty", ``},
		{"null", ` null `},
		{"an array", `[]`},
		{"cut off", `{"columns":["a"],"rows":[{"a":1}`},
		{"text after", `{"columns":["a"],"rows":[],"row_count":0} x`},
		{"no columns", `{"rows":[],"row_count":0}`},
		{"no rows", `{"columns":["a"],"row_count":0}`},
		{"fewer rows than announced", `{"columns":["a"],"rows":[{"a":1}],"row_count":2}`},
		{"a column missing", `{"columns":["a","b"],"rows":[{"a":1}],"row_count":1}`},
		{"a column too many", `{"columns":["a"],"rows":[{"a":1,"b":2}],"row_count":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, _ := serve(t, 200, "application/json", c.body)
			got, err := server.Execute(ctx, revenue)
			if err == nil || got != nil {
				t.Errorf("%+v %v", got, err)
			}
			var e *client.Error
			if errors.As(err, &e) {
				t.Errorf("the service refused nothing: %v", err)
			}
		})
	}
}

func TestErrors_TruncatedBody(t *testing.T) {
	for name, status := range map[string]int{"a result": 200, "a refusal": 500} {
		server := serveFunc(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "1000")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, `{"columns":["a"],"rows":[],"row_count":0}`)
		})
		wantIs(t, name, second(server.Execute(ctx, revenue)), io.ErrUnexpectedEOF)
	}
}

func TestErrors_ResponseOverLimit(t *testing.T) {
	const body = `{"plan":"0123456789"}`
	server, _ := serve(t, 200, "application/json", body, client.WithMaxResponseBytes(int64(len(body))))
	if _, err := server.Explain(ctx, revenue); err != nil {
		t.Error(err)
	}
	server, _ = serve(t, 200, "application/json", body, client.WithMaxResponseBytes(int64(len(body)-1)))
	wantIs(t, "one byte more", second(server.Explain(ctx, revenue)), client.ErrResponseTooLarge)
}

func TestErrors_DeadlineDuringResponse(t *testing.T) {
	t.Run("a deadline ends a call whose response is still arriving", func(t *testing.T) {
		server := serveFunc(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"plan":"`)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		})
		short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		wantIs(t, "Explain", second(server.Explain(short, revenue)), context.DeadlineExceeded)
	})
}

func TestErrors_UnreachableServer(t *testing.T) {
	err := dial(t, "http://127.0.0.1:1").Health(ctx) // a port that no program uses
	var refused *net.OpError
	if !errors.As(err, &refused) {
		t.Errorf("%T %v", err, err)
	}
}
