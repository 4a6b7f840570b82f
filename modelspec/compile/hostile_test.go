package compile_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
)

// judgedWithin is far above what any model that a request may carry takes, which is
// less than a second of one processor, and far below what the square of its size does.
const judgedWithin = time.Minute

// judge reads, validates and compiles a model.
func judge(ctx context.Context, text string) (errs int, err error) {
	doc, err := modelspec.Parse([]byte(text))
	if err != nil {
		return 0, err
	}
	if _, err := modelspec.Validate(ctx, doc); err != nil {
		return 0, err
	}
	cat, err := compile.Compile(ctx, doc, compile.Options{Advice: true})
	if err != nil {
		return 0, err
	}
	return len(cat.Errors), nil
}

// Each model of a megabyte is judged, or rejected by a limit, before its time is over.
func TestHostileModels_AreJudgedOrRefused(t *testing.T) {
	models := hostileModels()
	for _, name := range slices.Sorted(maps.Keys(models)) {
		t.Run(name, func(t *testing.T) {
			if len(models[name]) > 1_500_000 {
				t.Fatalf("%d bytes: no request carries this", len(models[name]))
			}
			ctx, stop := context.WithTimeout(t.Context(), judgedWithin)
			defer stop()
			_, err := judge(ctx, models[name])
			if load := (*modelspec.LoadError)(nil); err != nil && !errors.As(err, &load) {
				t.Error(err)
			}
		})
	}
}

// Errors are not lost for the sake of speed.
func TestHostileModels_KeepTheirErrors(t *testing.T) {
	for name, want := range map[string]int{
		"names that are not there": 10_000, "metrics over metrics": 0, "one metric of many aggregates": 0, "fields over fields": 1,
		"unknown names in one call": 66_666, "a circle of metrics": 1, "measure names that collide": 2500,
	} {
		if got, err := judge(t.Context(), hostileModels()[name]); err != nil || got != want {
			t.Errorf("%s: %d errors, want %d (%v)", name, got, want, err)
		}
	}
}

// A text that an alias repeats counts each time that it is used.
func TestHostileModels_AliasesCountAgain(t *testing.T) {
	for name, want := range map[string]string{
		"an alias of a long IN list":    "keys and values of the text have more than 10485760 bytes",
		"an alias of a payload":         "keys and values of the text have more than",
		"one name for all metrics":      "more than 1048576 keys and values",
		"an alias of a source":          "keys and values of the text have more than",
		"an alias of many arguments":    "keys and values of the text have more than",
		"an alias of a deep expression": "keys and values of the text have more than",
	} {
		if _, err := judge(t.Context(), hostileModels()[name]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	doc := load(t, aliased("SUM(COALESCE(f"+strings.Repeat(",f", 2000)+"))", 400))
	cat := catalogOf(t, doc, compile.Options{})
	if len(cat.Errors) != 1 || !strings.Contains(cat.Errors[0].Message, "more than 1048576 words and signs") {
		t.Fatalf("%v", cat.Errors)
	}
	failed := 0
	for _, m := range cat.Metrics {
		if m.Err != nil {
			failed++
		}
	}
	if failed == 0 || failed == len(cat.Metrics) {
		t.Errorf("%d of %d metrics failed", failed, len(cat.Metrics))
	}
}

// counted is a context that ends after it has been asked so many times.
type counted struct {
	context.Context
	left int
}

func (c *counted) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever validation and compilation are when the context ends, they stop, with its
// error and without a catalog.
func TestCompile_EndsWithItsContext(t *testing.T) {
	text := chain(200) + "metrics:\n" + many(200, func(i int) string {
		return hostileMetric("m", "COUNT(d0.f)")(i)
	})
	for asked := 0; ; asked++ {
		ctx := &counted{Context: t.Context(), left: asked}
		_, err := judge(ctx, text)
		if err == nil {
			if asked < 50 {
				t.Errorf("the context was looked at %d times only", asked)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d: %v", asked, err)
		}
	}
}

// One expression of a megabyte with an error at each word has each at its place, which
// is found without reading the text from its beginning.
func TestHostileModels_PlacesAreExact(t *testing.T) {
	doc := load(t, hostileModels()["unknown names in one call"])
	errs := catalogOf(t, doc, compile.Options{}).Errors
	begin := doc.Model().Metrics[0].Expression.Entries[0].Expression
	for _, i := range []int{0, 1, 999, len(errs) - 1} {
		name := errs[i].Message[strings.Index(errs[i].Message, `"`)+1 : len(errs[i].Message)-1]
		if want := begin.Position.Column + 1 + strings.Index(begin.Value, "("+name+")") + 1; errs[i].Position.Column != want {
			t.Errorf("%s: column %d, want %d", errs[i].Message, errs[i].Position.Column, want)
		}
	}
}

// BenchmarkHostile measures what the worst models of a megabyte cost.
func BenchmarkHostile(b *testing.B) {
	models := hostileModels()
	for _, name := range slices.Sorted(maps.Keys(models)) {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				_, _ = judge(b.Context(), models[name]) // an error is a valid result
			}
		})
	}
}
