package clients_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	client "github.com/semlayer/semlayer/clients/go"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

func refusal(t *testing.T, err error, code string, status int) *client.Error {
	t.Helper()
	var e *client.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T %v", err, err)
	}
	if e.Code != code || e.HTTPStatus != status || e.Message == "" || e.RequestID == "" {
		t.Errorf("%+v is not %s with %d", e, code, status)
	}
	return e
}

func TestErrors_KeepEveryField(t *testing.T) {
	c := shop(t)
	ask := func(q client.MetricQuery) error {
		_, err := c.Execute(ctx, q)
		return err
	}
	e := refusal(t, ask(metrics("revenu")), "unknown_metric", 400)
	if len(e.Metrics) != 1 || e.Metrics[0] != "revenu" || len(e.Candidates) == 0 || e.Candidates[0] != "revenue" {
		t.Errorf("%+v", e)
	}
	refusal(t, ask(metrics()), "empty_query", 400)
	e = refusal(t, ask(by(metrics("revenue"), client.GroupBy{Field: "customer_id"})), "ambiguous_dimension", 400)
	if d := cmp.Diff([]string{"orders.customer_id", "customers.customer_id"}, e.Candidates); d != "" {
		t.Error(d)
	}
	far := metrics("revenue")
	far.Connection = "prod"
	if e := refusal(t, ask(far), "config", 400); e.Hint == "" {
		t.Errorf("%+v", e)
	}
	_, err := c.Dimensions(ctx, "revenu")
	refusal(t, err, "unknown_metric", 400)
	_, err = c.Attribute(ctx, client.AttributeQuery{Metric: "revenue"})
	refusal(t, err, "dimensions_required", 400)
	_, err = c.SelectExecute(ctx, client.DetailQuery{From: "order", Fields: []string{"status"}})
	refusal(t, err, "unknown_dataset", 400)
}

func TestSuggestion_MergedQueryRuns(t *testing.T) {
	c := shop(t)
	unselected := metrics("revenue")
	unselected.WhereSQL = "order_count > 2"
	for name, q := range map[string]client.MetricQuery{
		"grain_on_non_time_dimension":       by(metrics("revenue"), client.GroupBy{Field: "orders.status", Grain: "month"}),
		"fan_out_risk":                      by(metrics("customer_count"), client.GroupBy{Field: "orders.status"}),
		"result_filter_metric_not_selected": unselected,
	} {
		_, err := c.Execute(ctx, q)
		e := refusal(t, err, name, 400)
		for steps := 0; err != nil; steps++ {
			if steps == 3 {
				t.Fatalf("%s: still refused after three steps: %v", name, err)
			}
			better, ok := e.ApplySuggestedRetry(q)
			if !ok {
				t.Fatalf("%s offers words: %s", name, e.SuggestedRetry)
			}
			q = better
			if _, err = c.Execute(ctx, q); err != nil && !errors.As(err, &e) {
				t.Fatal(err)
			}
		}
	}
}

func TestErrors_WrongTokenIsUnauthorized(t *testing.T) {
	url := serving.Serve(t, open(t, "orders"), config())
	for _, wrong := range []string{"", "another"} {
		c := dial(t, url, client.WithToken(wrong))
		_, err := c.Model(ctx)
		refusal(t, err, "unauthorized", 401)
		if err := c.Health(ctx); err != nil {
			t.Error(err)
		}
		if ready, err := c.Ready(ctx); !ready || err != nil {
			t.Error(ready, err)
		}
	}
}

func TestErrors_CompileOnlyServerForbidsExecution(t *testing.T) {
	c := dial(t, serving.Serve(t, open(t, "orders"), restapi.Config{DisableExecute: true}))
	if _, err := c.Compile(ctx, metrics("revenue")); err != nil {
		t.Error(err)
	}
	_, err := c.Execute(ctx, metrics("revenue"))
	refusal(t, err, "forbidden", 403)
	_, err = c.ExecuteArrow(ctx, metrics("revenue"))
	refusal(t, err, "forbidden", 403)
}

// crowded is an engine whose slots are taken for a while.
type crowded struct {
	*engine.Engine
	refusals atomic.Int32
}

func (c *crowded) Prepare(ctx context.Context, q query.Body) (engine.Statement, error) {
	s, err := c.Engine.Prepare(ctx, q)
	return crowdedStatement{s, c}, err
}

type crowdedStatement struct {
	engine.Statement
	c *crowded
}

func (s crowdedStatement) Execute(ctx context.Context) (*engine.Result, error) {
	if s.c.refusals.Add(-1) >= 0 {
		return nil, &engine.BusyError{Code: engine.CodeBusy, Message: "all slots are taken"}
	}
	return s.Statement.Execute(ctx)
}

func TestRetry_BusyServer(t *testing.T) {
	service := &crowded{Engine: open(t, "orders")}
	url := serving.Serve(t, service, config())
	service.refusals.Store(1)
	start := time.Now()
	got, err := dial(t, url).Execute(ctx, metrics("revenue"))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := got.Rows[0].Int64("revenue"); n != 450 || err != nil {
		t.Error(n, err)
	}
	if waited := time.Since(start); waited < time.Second {
		t.Errorf("came back after %s", waited)
	}
	service.refusals.Store(10)
	_, err = dial(t, url, client.WithMaxRetries(0)).Execute(ctx, metrics("revenue"))
	if e := refusal(t, err, "busy", 429); e.RetryAfter != time.Second {
		t.Error(e.RetryAfter)
	}
}
