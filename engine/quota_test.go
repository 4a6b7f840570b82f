package engine_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/query"
)

const fiveRows = `
version: 0.2.0.dev0
name: m
datasets:
  - name: five
    source: SELECT range AS x FROM range(5)
    fields: [{name: x, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}]
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(five.x)}]}}
`

func withRows(ctx context.Context, most int64) context.Context {
	return access.WithQuota(ctx, access.Quota{Limits: access.Limits{Rows: most}})
}

func TestQuota_RowsBeyondItAreAnError(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(fiveRows)})
	grouped := &query.MetricQuery{Metrics: []string{"total"}, GroupBy: []query.GroupBy{{Field: "five.x"}}}
	three, six := int64(3), int64(6)
	limited, beyond := *grouped, *grouped
	limited.Limit, beyond.Limit = &three, &six
	for _, tt := range []struct {
		name string
		body *query.MetricQuery
		most int64
		code string
	}{
		{"as many rows as the quota", grouped, 5, ""},
		{"a row more", grouped, 4, "result_too_large"},
		{"a limit within the quota", &limited, 3, ""},
		{"a limit beyond the quota, and fewer rows", &beyond, 5, ""},
		{"a limit beyond the quota, and more rows", &beyond, 4, "result_too_large"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := askRows(withRows(t.Context(), tt.most), e, tt.body)
			if codeOf(err) != tt.code {
				t.Fatalf("rows: %v", err)
			}
			if err != nil {
				wire, _ := engine.MarshalWireJSON(err)
				if want := `{"code":"result_too_large","message":"the result has more rows than the quota of 4","metrics":["total"],"suggested_retry":"{\"limit\":4}"}`; string(wire) != want {
					t.Errorf("%s", wire)
				}
			}
			stream, err := askStream(withRows(t.Context(), tt.most), e, tt.body)
			if err == nil {
				_, err = stream.Write(withRows(t.Context(), tt.most), io.Discard)
				_ = stream.Close()
			}
			if codeOf(err) != tt.code {
				t.Errorf("a stream: %v", err)
			}
		})
	}
	if e.RunningExecutions() != 0 {
		t.Error("a slot is taken")
	}
}

func TestQuota_ConcurrentExecutionsOfOneIdentity(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(slowAndSoon), MaxExecutions: 4})
	of := func(ctx context.Context, identity string, waitMS int) context.Context {
		return access.WithQuota(ctx, access.Quota{Identity: identity, Limits: access.Limits{Concurrent: 1, QueueMS: &waitMS}})
	}
	running, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := askRows(of(running, "a", 0), e, &query.MetricQuery{Metrics: []string{"forever"}})
		ended <- err
	}()
	testwait.Until(t, "the execution runs", func() bool { return e.RunningExecutions() == 1 })
	soon := &query.MetricQuery{Metrics: []string{"soon"}}
	if _, err := askRows(of(t.Context(), "a", 0), e, soon); codeOf(err) != "busy" || !strings.Contains(err.Error(), "as many as its quota allows") {
		t.Errorf("a second execution: %v", err)
	}
	if _, err := askRows(of(t.Context(), "b", 0), e, soon); err != nil {
		t.Errorf("another identity: %v", err)
	}
	waited := make(chan error, 1)
	go func() {
		_, err := askRows(of(t.Context(), "a", 60_000), e, soon)
		waited <- err
	}()
	testwait.Until(t, "the second execution waits", func() bool {
		queues, _ := e.Queues()
		return len(queues) == 1 && queues[0].Waiting == 1
	})
	cancel()
	_ = testwait.Receive(t, "the end of the first execution", ended)
	if err := testwait.Receive(t, "the second execution", waited); err != nil {
		t.Errorf("after the wait: %v", err)
	}
}
