package sqlemit_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// wideWindow returns a plan of nested blocks with many columns each.
func wideWindow(columns int) plan.Node {
	scan := &plan.Scan{Dataset: "t", Source: sqlexpr.DatasetTableOrQuery{Table: []sqlexpr.Name{{Text: "t"}}}, Alias: "t"}
	grouped := &plan.Aggregate{Input: scan}
	for i := range columns {
		grouped.Keys = append(grouped.Keys, plan.NamedExpr{Name: fmt.Sprint("c", i), Expr: sqlexpr.NewTwoPartColumn("t", sqlexpr.Name{Text: fmt.Sprint("c", i)})})
	}
	place := &sqlexpr.WindowCall{Call: &sqlexpr.Call{Fn: sqlexpr.FnRowNumber, Name: sqlexpr.Name{Text: "ROW_NUMBER"}}, Order: []sqlexpr.OrderItem{{X: &sqlexpr.Ref{ID: 0}}}}
	numbered := &plan.Window{Input: grouped, Funcs: []plan.NamedExpr{{Name: "place", Expr: place}}}
	first := &sqlexpr.Binary{Op: sqlexpr.OpLe, L: &sqlexpr.Ref{ID: columns}, R: &sqlexpr.Number{Text: "3"}}
	return &plan.Filter{Input: numbered, Conds: []sqlexpr.Expr{first}}
}

// Statements that are made at the same time and one after another have their own columns, however many they are.
func TestEmit_StatementsShareNoColumns(t *testing.T) {
	duckdb, _ := sqlemit.LookupDialect("duckdb")
	plans := map[string]plan.Node{}
	for name, text := range allPlans(t) {
		plans[name] = readPlan(t, text)
	}
	for _, columns := range []int{1, 100, 200, 300} {
		plans[fmt.Sprint("wide ", columns)] = wideWindow(columns)
	}
	alone := map[string]string{}
	for name, root := range plans {
		alone[name], _ = sqlemit.Emit(t.Context(), root, duckdb, sqlemit.FormatOptions{})
	}
	if !strings.Contains(alone["wide 300"], `"windowed"."c299" AS "c299"`) {
		t.Fatalf("the widest statement lacks its last column:\n%s", alone["wide 300"])
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for name, root := range plans {
				if again, _ := sqlemit.Emit(t.Context(), root, duckdb, sqlemit.FormatOptions{}); again != alone[name] {
					t.Errorf("%s:\n%s\n%s", name, again, alone[name])
				}
			}
		})
	}
	group.Wait()
}
