package sqlemit_test

import (
	"context"
	"errors"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

func TestEmit_StopsWhenItsContextEnds(t *testing.T) {
	d, _ := sqlemit.LookupDialect("duckdb")
	root := &plan.Aggregate{Input: &plan.Scan{Source: sqlexpr.DatasetTableOrQuery{Table: []sqlexpr.Name{{Text: "t"}}}, Alias: "t"}}
	for range 1000 {
		root.Measures = append(root.Measures, plan.NamedExpr{Name: "n", Expr: &sqlexpr.Call{Fn: sqlexpr.FnCount, Star: true}})
	}
	if _, err := sqlemit.Emit(t.Context(), root, d, sqlemit.FormatOptions{}); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := sqlemit.Emit(ended, root, d, sqlemit.FormatOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
