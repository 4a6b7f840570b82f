package restapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/modelspec/lineage"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

// An execution ends when its client disconnects, in each response format. A client that
// waits longer than the poll interval gets its response.
func TestDisconnect_EndsExecution(t *testing.T) {
	eachForm(t, testDisconnectEndsExecution)
}

func testDisconnectEndsExecution(t *testing.T, live form) {
	for _, accept := range []string{"application/json", engine.ArrowStreamType} {
		t.Run(accept, func(t *testing.T) {
			begun, ended, release := make(chan struct{}, 1), make(chan error, 1), make(chan struct{})
			work := func(ctx context.Context) error {
				begun <- struct{}{}
				select {
				case <-ctx.Done():
					ended <- ctx.Err()
					return ctx.Err()
				case <-release:
					return &engine.ExecuteError{Code: "driver"}
				}
			}
			s := waiting{fake{execute: func(ctx context.Context, _ *query.MetricQuery) (*engine.Result, error) { return nil, work(ctx) }}, work}
			var log testwait.Log
			server := logged(t, s, &log)
			address := strings.TrimPrefix(live(t, server), "http://")
			ask := func() net.Conn {
				c, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
				if err != nil {
					t.Fatal(err)
				}
				_, err = io.WriteString(c, "POST /v1/query/execute HTTP/1.1\r\nHost: localhost\r\nAccept: "+accept+"\r\nContent-Length: 15\r\n\r\n{\"metrics\":[]} ")
				if err != nil {
					t.Fatal(err)
				}
				<-begun
				return c
			}
			_ = ask().Close()
			if err := testwait.Receive(t, "the end of the execution whose client is gone", ended); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			testwait.Until(t, "it counts as the client's", func() bool {
				return value(scrape(t, server), "semlayer_http_requests_total", "route", "/v1/query/execute", "status", "499", "code", "client_gone") == 1
			})
			testwait.Until(t, "it is logged as the client's", func() bool {
				line := log.String()
				return strings.Contains(line, "level=INFO msg=request") && strings.Contains(line, "status=499") && strings.Contains(line, "code=client_gone")
			})
			patient := ask()
			defer patient.Close()
			testwait.ExpectNothing(t, "the execution of a client that waits ends", ended)
			close(release)
			_ = patient.SetReadDeadline(time.Now().Add(testwait.Deadline))
			head := make([]byte, 12)
			if _, err := io.ReadFull(patient, head); err != nil || string(head) != "HTTP/1.1 502" {
				t.Errorf("%s %v", head, err)
			}
		})
	}
}

// waiting is a service whose executions wait.
type waiting struct {
	fake
	work func(context.Context) error
}

func (w waiting) Prepare(context.Context, query.Body) (engine.Statement, error) {
	return fakeStatement{fake: w.fake, stream: func(ctx context.Context) (*engine.Stream, error) { return nil, w.work(ctx) }}, nil
}

// What describes or judges a model ends with its client and within its time, like an
// execution.
func TestDisconnect_EndsDescription(t *testing.T) {
	eachForm(t, testDisconnectEndsDescription)
}

func testDisconnectEndsDescription(t *testing.T, live form) {
	for _, target := range []struct{ method, path, body string }{
		{"GET", "/v1/metrics", ""}, {"GET", "/v1/dimensions", ""}, {"GET", "/v1/dimensions?metric=m", ""},
		{"GET", "/v1/lineage", ""}, {"GET", "/v1/lineage?metric=m&format=dot", ""}, {"POST", "/v1/validate", `{"model":"m"}`},
	} {
		t.Run(target.path, func(t *testing.T) {
			s := describing{begun: make(chan struct{}, 1), ended: make(chan error, 1)}
			address := strings.TrimPrefix(live(t, serve(t, s, restapi.Config{})), "http://")
			c, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", target.method, target.path, len(target.body), target.body); err != nil {
				t.Fatal(err)
			}
			<-s.begun
			_ = c.Close()
			if err := testwait.Receive(t, "the end of the description", s.ended); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			hasty := serve(t, s, restapi.Config{RequestTimeout: 20 * time.Millisecond})
			if got := do(t, hasty, request(target.method, target.path, target.body)); got.status != 504 || !strings.Contains(got.body, `"code":"timeout"`) {
				t.Errorf("%+v", got)
			}
			if err := <-s.ended; !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		})
	}
}

// describing is a service whose descriptions wait for the end of their context.
type describing struct {
	fake
	begun chan struct{}
	ended chan error
}

func (d describing) wait(ctx context.Context) error {
	select {
	case d.begun <- struct{}{}:
	default:
	}
	<-ctx.Done()
	d.ended <- ctx.Err()
	return ctx.Err()
}

func (d describing) Metrics(ctx context.Context) ([]describe.Metric, error) {
	return nil, d.wait(ctx)
}

func (d describing) Dimensions(ctx context.Context, _ string) ([]describe.Dimension, error) {
	return nil, d.wait(ctx)
}

func (d describing) Lineage(ctx context.Context, _ string) (*lineage.Graph, error) {
	return nil, d.wait(ctx)
}

func (d describing) Validate(ctx context.Context, _ []byte) (*engine.Validation, error) {
	return nil, d.wait(ctx)
}
