package refine

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// approximateColumnNames lists the columns that are made of approximate measures.
func approximateColumnNames(in *scope.Env, x measure.Expansion) map[string]bool {
	approximate := map[int]bool{}
	for i, u := range x.MeasureRefs {
		if u.Window == nil && u.IsApproximate(in) {
			approximate[i] = true
		}
	}
	for i, u := range x.MeasureRefs {
		if u.Window != nil && slices.ContainsFunc(u.Window.Base.Inputs, func(input int) bool { return approximate[input] }) {
			approximate[i] = true
		}
	}
	if len(approximate) == 0 {
		return nil
	}
	out := map[string]bool{}
	of := map[string]bool{} // metrics with an approximate column
	for _, c := range x.Columns {
		for r := range sqlexpr.Refs(c.Expr) {
			if approximate[r.ID] {
				out[c.Name], of[c.Metric.Name] = true, true
			}
		}
	}
	for _, c := range x.Columns {
		if c.Expr == nil && of[c.Metric.Name] {
			out[c.Name] = true // a share, which is made of other columns
		}
	}
	return out
}

// approximateWarning names the columns that are approximate; nil without any.
func approximateWarning(x measure.Expansion, approximate map[string]bool) []planerr.QueryWarning {
	var columns []string
	for _, c := range x.Columns {
		if approximate[c.Name] {
			columns = append(columns, c.Name)
		}
	}
	if len(columns) == 0 {
		return nil
	}
	return []planerr.QueryWarning{{
		Code: planerr.WarningApproximate, Columns: columns,
		Message: "the values of " + strings.Join(columns, ", ") + " are approximate: the engine estimates them",
	}}
}
