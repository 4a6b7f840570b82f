package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// oneMetric returns a model of one metric over orders.
func oneMetric(expression string) string {
	return `
version: 0.2.0.dev0
name: m
datasets:
  - name: o
    source: o
    primary_key: [id]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: status, expression: {dialects: [{dialect: ANSI_SQL, expression: status}]}}
      - {name: amt, expression: {dialects: [{dialect: ANSI_SQL, expression: amt}]}}
      - {name: d, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: d}]}}
metrics:
  - {name: a, expression: {dialects: [{dialect: ANSI_SQL, expression: "` + expression + `"}]}}
`
}

func TestFields_OnlySummedOnesAreMeasures(t *testing.T) {
	for _, c := range []struct {
		expression string
		measures   string // among status and amt
	}{
		{"SUM(o.amt)", "amt"},
		{"AVG(o.amt * 2)", "amt"},
		{"SUM(CASE WHEN o.status = 'x' THEN o.amt END)", "amt"},
		{"SUM(CASE WHEN o.amt > 5 THEN 1 ELSE 0 END)", ""},
		{"SUM(CASE o.status WHEN 'x' THEN o.amt END)", "amt"},
		{"SUM(IF(o.status IN ('a', 'b'), o.amt, 0))", "amt"},
		{"SUM(CASE WHEN o.status = 'x' THEN o.amt ELSE o.status END)", "status amt"},
		{"SUM(NULLIF(o.amt, o.status))", "amt"},
		{"SUM(COALESCE(o.amt, o.status))", "status amt"},
		{"COUNT(DISTINCT o.status)", ""},
		{"COUNT(CASE WHEN o.status = 'x' THEN o.amt END)", ""},
		{"MAX(o.status)", ""},
	} {
		t.Run(c.expression, func(t *testing.T) {
			e := open(t, engine.Config{ModelText: []byte(oneMetric(c.expression))})
			found, err := e.Dimensions(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			offered := candidatesOf(t, e)
			var measures []string
			for _, d := range found[1:3] {
				_, name, _ := strings.Cut(d.Name, ".")
				if d.Source == "inferred:measure" {
					measures = append(measures, name)
				}
				if d.IsDimension != slices.Contains(offered, d.Name) {
					t.Errorf("%s is a dimension: %v; dimensions_required offers %v", d.Name, d.IsDimension, offered)
				}
			}
			if got := strings.Join(measures, " "); got != c.measures {
				t.Errorf("measures %q, want %q", got, c.measures)
			}
		})
	}
}

// candidatesOf returns the dimensions that an attribution without any is offered.
func candidatesOf(t *testing.T, e *engine.Engine) []string {
	t.Helper()
	q, err := query.DecodeAttribute([]byte(`{"metric":"a","dimensions":[],` + januaryFebruary + `}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Attribute(t.Context(), q)
	var refused *planerr.Error
	if !errors.As(err, &refused) || refused.Code != "dimensions_required" {
		t.Fatalf("%v", err)
	}
	return refused.Candidates
}
