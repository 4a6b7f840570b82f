package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
)

// held is a context that blocks its callers until it is released.
type held struct {
	context.Context
	asked, letGo chan struct{}
}

func (h held) Err() error {
	select {
	case h.asked <- struct{}{}:
	default:
	}
	<-h.letGo
	return nil
}

// Validations have slots besides those of executions, and one that finds none fails at
// once.
func TestValidate_IsBusyWhenItsSlotsAreTaken(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(smallModel("", "")), MaxValidations: 1, MaxExecutions: 1})
	h := held{t.Context(), make(chan struct{}, 1), make(chan struct{})}
	done := make(chan error, 1)
	go func() {
		_, err := e.Validate(h, []byte(smallModel("", "")))
		done <- err
	}()
	<-h.asked
	_, err := e.Validate(t.Context(), []byte(smallModel("", "")))
	if codeOf(err) != "busy" || !strings.Contains(err.Error(), "all 1 validation slots are in use") {
		t.Errorf("%v", err)
	}
	if _, err := askSQL(t.Context(), e, metricQuery(t, `{"metrics":["m"]}`)); err != nil {
		t.Errorf("a query has to wait for a validation: %v", err)
	}
	close(h.letGo)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if v, err := e.Validate(t.Context(), []byte(smallModel("", ""))); err != nil || !v.Valid {
		t.Errorf("the slot does not come back: %v", err)
	}
}

// A validation ends with its context, and its slot is free then.
func TestValidate_EndsWithItsContext(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(smallModel("", "")), MaxValidations: 1})
	ctx, stop := context.WithDeadline(t.Context(), time.Now())
	defer stop()
	for range 2 {
		if v, err := e.Validate(ctx, []byte(smallModel("", ""))); v != nil || codeOf(err) != "timeout" {
			t.Errorf("%v, %v", v, err)
		}
	}
	if _, err := engine.Open(ctx, engine.Config{ModelText: []byte(smallModel("", ""))}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// An error of one object hides nothing of another whose place only begins alike.
func TestValidate_StructuralErrorsHideOnlyTheirOwnPlace(t *testing.T) {
	var metrics strings.Builder
	for range 10 {
		metrics.WriteString(metric("m", "SUM(d.x)")) // nine duplicates of the first
	}
	metrics.WriteString(metric("last", "SUM(d.nosuch)")) // metrics[11]
	v, err := open(t, engine.Config{ModelText: []byte(smallModel("", ""))}).Validate(t.Context(), []byte(smallModel("", strings.Replace(metrics.String(), "name: m\n", "name: 1\n", 1))))
	if err != nil || len(v.CompileErrors) != 1 || v.CompileErrors[0].Location != "metrics[11].expression" {
		t.Errorf("%+v, %v", v.CompileErrors, err)
	}
}

// TestValidate_ShowsTheLineOfAYAMLMistake checks the excerpt of the mistakes that people make most. The carets were placed by
// hand.
func TestValidate_ShowsTheLineOfAYAMLMistake(t *testing.T) {
	const head = "version: 0.2.0.dev0\nname: studio\n"
	tests := []struct{ name, text, excerpt, hint string }{
		{
			"a lost indentation", "# a comment\n" + head + "metrics:\n  - {name: kilns}\n- {name: pots}\n",
			"  6 | - {name: pots}\n    | ^\n", "entries of one block are indented alike",
		},
		{
			"a missing comma", head + "fields: {name: kiln, datatype: Integer label: Kiln}\n",
			"  3 | fields: {name: kiln, datatype: Integer label: Kiln}\n    |                                             ^\n", "write a comma between the entries",
		},
		{"a quote in a text", head + "description: 'the studio's kilns'\n", "  3 | description: 'the studio's kilns'\n    |                          ^\n", "double the quote"},
		{"a colon in a text", head + "description: kilns: what they hold\n", "  3 | description: kilns: what they hold\n    |                   ^\n", "contains a colon"},
		{"a tab", head + "datasets:\n  - name: firings\n\tsource: firings\n", "  5 |  source: firings\n    | ^\n", "replace the tab by spaces"},
	}
	e := open(t, engine.Config{ModelText: []byte(smallModel("", ""))})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := e.Validate(t.Context(), []byte(tt.text))
			if err != nil || len(v.Issues) != 1 {
				t.Fatalf("%+v, %v", v, err)
			}
			if diff := cmp.Diff(tt.excerpt, v.Issues[0].Excerpt); diff != "" || !strings.Contains(v.Issues[0].Hint, tt.hint) {
				t.Errorf("%s\nhint %s", diff, v.Issues[0].Hint)
			}
		})
	}
}
