package planner_test

import (
	"context"
	"errors"
	"testing"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
)

// countdown is a context that ends after a number of checks.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Planning stops when its context ends, at any point, and the error is that of the
// context, not a *planerr.Error.
func TestPlan_EndsWithContext(t *testing.T) {
	rows, err := airline()
	if err != nil {
		t.Fatal(err)
	}
	sales, err := shop()
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]func(context.Context) error{
		"metrics": func(ctx context.Context) error {
			q := decoded(t, query.DecodeMetric, `{"metrics":["revenue"],"group_by":[{"field":"products.category"}]}`)
			_, err := planner.New(sales).PlanMetrics(ctx, q, duckdb)
			return err
		},
		"a refused query with a retry": func(ctx context.Context) error {
			q := decoded(t, query.DecodeMetric, `{"metrics":["revenue"],"order_by":[{"key":"revenu"}]}`)
			_, err := planner.New(sales).PlanMetrics(ctx, q, duckdb)
			return err
		},
		"rows": func(ctx context.Context) error {
			q := decoded(t, query.DecodeDetail, `{"from":"flights","fields":["flight_id","departed:month"]}`)
			_, err := planner.New(rows).PlanDetail(ctx, q, duckdb)
			return err
		},
		"an attribution": func(ctx context.Context) error {
			q := decoded(t, query.DecodeAttribute, `{"metric":"revenue","dimensions":["products.category"],`+months+`}`)
			_, err := planner.New(sales).PlanAttribution(ctx, q, duckdb)
			return err
		},
	}
	for name, ask := range asked {
		t.Run(name, func(t *testing.T) {
			whole := ask(t.Context())
			looks := 0
			for ; ; looks++ {
				c := &countdown{t.Context(), looks}
				err := ask(c)
				if c.left >= 0 || !errors.Is(err, context.Canceled) {
					if err == nil != (whole == nil) {
						t.Errorf("with %d looks %v, without end %v", looks, err, whole)
					}
					break
				}
			}
			if looks < 5 {
				t.Errorf("given up only before look %d", looks)
			}
		})
	}
}

func decoded[Q any](t *testing.T, decode func([]byte) (*Q, error), body string) *Q {
	t.Helper()
	q, err := decode([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return q
}
