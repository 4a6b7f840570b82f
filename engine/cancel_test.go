package engine_test

import (
	"context"
	"testing"

	"github.com/semlayer/semlayer/engine"
)

func TestCompile_CancelledContext(t *testing.T) {
	e := shop(t)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := askSQL(gone, e, metricQuery(t, `{"metrics":["revenue"]}`)); codeOf(err) != "timeout" {
		t.Errorf("%v", err)
	}
}

// countdown is a context that ends after the given number of checks.
type countdown struct {
	context.Context
	left, late int
}

func (c *countdown) Err() error {
	if c.left > 0 {
		c.left--
		return nil
	}
	c.late++
	return context.Canceled
}

// A list, a lineage and a validation look at their context all the way, and do little
// more once it has ended.
func TestDescribe_EndsWithContext(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(wide(200))})
	for _, c := range []struct {
		what     string
		least    int // looks at the context
		describe func(context.Context) error
	}{
		{"metrics", 200, func(ctx context.Context) error { _, err := e.Metrics(ctx); return err }},
		{"a metric", 1, func(ctx context.Context) error { _, err := e.Metric(ctx, "m1"); return err }},
		{"fields", 200, func(ctx context.Context) error { _, err := e.Dimensions(ctx, ""); return err }},
		{"dimensions of a metric", 1000, func(ctx context.Context) error { _, err := e.Dimensions(ctx, "m1"); return err }},
		{"lineage", 8, func(ctx context.Context) error { _, err := e.Lineage(ctx, ""); return err }},
		{"lineage of a metric", 8, func(ctx context.Context) error { _, err := e.Lineage(ctx, "m1"); return err }},
		{"validation", 10, func(ctx context.Context) error { _, err := e.Validate(ctx, []byte(wide(200))); return err }},
	} {
		t.Run(c.what, func(t *testing.T) {
			const plenty = 1 << 30
			whole := &countdown{Context: t.Context(), left: plenty}
			if err := c.describe(whole); err != nil {
				t.Fatal(err)
			}
			looks := plenty - whole.left
			if looks < c.least {
				t.Errorf("it looked %d times at its context", looks)
			}
			for _, left := range []int{0, looks / 3, looks - 1} {
				early := &countdown{Context: t.Context(), left: left}
				if err := c.describe(early); codeOf(err) != "timeout" {
					t.Errorf("ended after %d of %d looks: %v", left, looks, err)
				}
				if early.late > 20 {
					t.Errorf("ended after %d of %d looks, and looked %d times more", left, looks, early.late)
				}
			}
		})
	}
}
