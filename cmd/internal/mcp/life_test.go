package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/cmd/internal/mcp"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/query"
)

// waiting is a warehouse that works until its context ends.
type waiting struct {
	begun, ended chan struct{}
}

func newWaiting() (waiting, fake) {
	w := waiting{make(chan struct{}, 1), make(chan struct{}, 1)}
	return w, fake{execute: func(ctx context.Context) (*engine.Result, error) {
		w.begun <- struct{}{}
		<-ctx.Done()
		w.ended <- struct{}{}
		return nil, ctx.Err()
	}}
}

func TestCancel_EndsWarehouseWork(t *testing.T) {
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			w, f := newWaiting()
			session := connect(t, transport(t, server(f, mcp.Config{})))
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				_, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "run_query", Arguments: map[string]any{"metrics": []string{"n"}}})
				done <- err
			}()
			testwait.Receive(t, "the execution", w.begun)
			cancel()
			testwait.Receive(t, "its end", w.ended)
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			// The connection is as good as before.
			if _, _, result := callTool(t, session, "list_datasets", ""); result.IsError {
				t.Error(result)
			}
		})
	}
}

// post sends one message as a host of the protocol of 2025 does.
func post(t *testing.T, url, session, body string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
		r.Header.Set("Mcp-Protocol-Version", "2025-06-18")
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return &http.Response{Header: http.Header{}}, ""
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	return res, string(text)
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// Hosts that keep their connection open cancel a call with a separate message. Only the
// client that sent the call can cancel it.
func TestCancel_PostedEndsOnlyOwnCall(t *testing.T) {
	t.Run("a posted cancellation ends only the call of the client that sent it", func(t *testing.T) {
		w, f := newWaiting()
		front := httptest.NewServer(server(f, mcp.Config{}).Handler(false, new(mcp.CancelFuncsOfCalls)))
		defer front.Close()
		first, _ := post(t, front.URL, "", hello)
		second, _ := post(t, front.URL, "", hello)
		mine, other := first.Header.Get("Mcp-Session-Id"), second.Header.Get("Mcp-Session-Id")
		if mine == "" || mine == other {
			t.Fatal(mine, other)
		}
		answered := make(chan string, 1)
		go func() {
			_, text := post(t, front.URL, mine, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"run_query","arguments":{"metrics":["n"]}}}`)
			answered <- text
		}()
		testwait.Receive(t, "the execution", w.begun)
		for _, c := range []struct{ session, id string }{{other, "7"}, {mine, "8"}, {mine, `"7"`}} {
			post(t, front.URL, c.session, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+c.id+`}}`)
		}
		testwait.ExpectNothing(t, "the call of another client ends", w.ended)
		post(t, front.URL, mine, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
		testwait.Receive(t, "the end", w.ended)
		if text := <-answered; !strings.Contains(text, "cancelled") {
			t.Error(text)
		}
	})
}

// Another identity that sends the same header of the session ends nothing.
func TestCancel_PostedByAnotherIdentityEndsNothing(t *testing.T) {
	w, f := newWaiting()
	handler := server(f, mcp.Config{}).Handler(true, new(mcp.CancelFuncsOfCalls))
	as := func(identity, message string) string {
		r := httptest.NewRequestWithContext(access.WithQuota(t.Context(), access.Quota{Identity: identity}), http.MethodPost, "/mcp", strings.NewReader(message))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Mcp-Session-Id", "s")
		r.Header.Set("Mcp-Protocol-Version", "2025-06-18")
		answered := httptest.NewRecorder()
		handler.ServeHTTP(answered, r)
		return answered.Body.String()
	}
	answered := make(chan string, 1)
	go func() {
		answered <- as("ana", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"run_query","arguments":{"metrics":["n"]}}}`)
	}()
	testwait.Receive(t, "the execution", w.begun)
	const cancelled = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`
	as("bo", cancelled)
	testwait.ExpectNothing(t, "the call of another identity ends", w.ended)
	as("ana", cancelled)
	testwait.Receive(t, "the end", w.ended)
	if text := <-answered; !strings.Contains(text, "cancelled") {
		t.Error(text)
	}
}

func TestCall_EndsWithTimeBudget(t *testing.T) {
	w, f := newWaiting()
	session := direct(t, f, mcp.Config{ExecuteTimeout: 20 * time.Millisecond})
	got, _, result := callTool(t, session, "run_query", `{"metrics":["n"]}`)
	if !result.IsError || codeOf(t, got) != "timeout" || !strings.Contains(got, "20ms") {
		t.Error(got)
	}
	testwait.Receive(t, "the end", w.ended)
}

func TestCall_PanicEndsOnlyItself(t *testing.T) {
	session := direct(t, fake{}, mcp.Config{})
	if got, _, result := callTool(t, session, "get_capabilities", ""); !result.IsError || codeOf(t, got) != "internal" || strings.Contains(got, "defect") {
		t.Error(got)
	}
	if _, _, result := callTool(t, session, "list_datasets", ""); result.IsError {
		t.Error(result)
	}
}

// The tools share the slots of the engine: one for each call.
func TestCall_RejectedWithoutSlot(t *testing.T) {
	e := retail(t) // two slots
	slow := `{"metrics":["revenue"],"where_sql":"orders.amount > 0"}`
	held := make(chan struct{})
	for range 2 {
		go func() {
			s, err := askStream(context.Background(), e, decoded(query.DecodeMetric([]byte(slow))))
			if err != nil {
				t.Error(err)
				return
			}
			<-held
			_ = s.Close()
		}()
	}
	session := direct(t, e, mcp.Config{})
	testwait.Until(t, "both slots are taken", func() bool { return e.RunningExecutions() == 2 })
	for tool, arguments := range map[string]string{"run_query": byRegion, "select": detail, "attribute_metric": change} {
		if got, _, result := callTool(t, session, tool, arguments); !result.IsError || codeOf(t, got) != "busy" {
			t.Errorf("%s: %s", tool, got)
		}
	}
	close(held)
	testwait.Until(t, "both slots are free", func() bool { return e.RunningExecutions() == 0 })
	if got, _, result := callTool(t, session, "attribute_metric", change); result.IsError {
		t.Error(got)
	}
}

// A list, and any other description or validation of a model, ends with its call.
func TestCancel_EndsDescriptionOfModel(t *testing.T) {
	for tool, arguments := range map[string]string{
		"list_metrics": `{}`, "list_dimensions": `{"metric":"m"}`, "describe_metric": `{"metric":"m"}`, "validate_model": `{"model":"m"}`,
	} {
		t.Run(tool, func(t *testing.T) {
			w := describing{begun: make(chan struct{}, 1), ended: make(chan struct{}, 1)}
			session := direct(t, w, mcp.Config{})
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				_, err := session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
				done <- err
			}()
			testwait.Receive(t, "the description", w.begun)
			cancel()
			testwait.Receive(t, "its end", w.ended)
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			_, _, result := callTool(t, direct(t, w, mcp.Config{RequestTimeout: 10 * time.Millisecond}), tool, arguments)
			testwait.Receive(t, "its end in time", w.ended)
			if !result.IsError {
				t.Error(result)
			}
		})
	}
}

// describing is a service whose descriptions wait for the end of their context.
type describing struct {
	fake
	begun, ended chan struct{}
}

func (d describing) wait(ctx context.Context) error {
	select {
	case d.begun <- struct{}{}:
	default:
	}
	<-ctx.Done()
	d.ended <- struct{}{}
	return ctx.Err()
}

func (d describing) Metrics(ctx context.Context) ([]describe.Metric, error) {
	return nil, d.wait(ctx)
}

func (d describing) Metric(ctx context.Context, _ string) (describe.Metric, error) {
	return describe.Metric{}, d.wait(ctx)
}

func (d describing) Dimensions(ctx context.Context, _ string) ([]describe.Dimension, error) {
	return nil, d.wait(ctx)
}

func (d describing) Validate(ctx context.Context, _ []byte) (*engine.Validation, error) {
	return nil, d.wait(ctx)
}
