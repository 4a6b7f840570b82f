package plan_test

import (
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// storedTexts is a scan of the rollup monthly, whose text is ordered by the connection, and whose other columns are of any type.
func storedTexts() *plan.Scan { return &plan.Scan{Dataset: "orders", Alias: "o", Rollup: "monthly"} }

func storedColumn(name string) sqlexpr.Expr {
	return sqlexpr.NewTwoPartColumn("o", sqlexpr.Name{Text: name, Quoted: true})
}

func projectStored(name string, x sqlexpr.Expr, t sqlexpr.Type) plan.Node {
	return &plan.Project{Input: storedTexts(), Cols: []plan.NamedExpr{{Name: name, Expr: x, Type: t}}}
}

func filterStored(cond sqlexpr.Expr) plan.Node {
	return &plan.Filter{Input: storedTexts(), Conds: []sqlexpr.Expr{cond}}
}

func TestDependsOnTextOrder_FindsWhatOrdersTexts(t *testing.T) {
	text, amount, word := storedColumn("status"), storedColumn("amount"), &sqlexpr.String{Value: "d"}
	sort := func(in plan.Node) plan.Node { return &plan.Sort{Input: in, Keys: []plan.SortKey{{Col: 0}}} }
	binary := func(op sqlexpr.BinaryOp, l, r sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.Binary{Op: op, L: l, R: r} }
	call := func(fn sqlexpr.Func, args ...sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.Call{Fn: fn, Args: args} }
	window := func(x sqlexpr.Expr) plan.Node {
		in := &plan.Project{Input: storedTexts(), Cols: []plan.NamedExpr{
			{Name: "status", Expr: text, Type: sqlexpr.TypeString}, {Name: "amount", Expr: amount, Type: sqlexpr.TypeInt},
		}}
		over := &sqlexpr.WindowCall{Call: &sqlexpr.Call{Fn: sqlexpr.FnRowNumber}, Order: []sqlexpr.OrderItem{{X: x}}}
		return &plan.Window{Input: in, Funcs: []plan.NamedExpr{{Name: "n", Expr: over, Type: sqlexpr.TypeInt}}}
	}
	for name, test := range map[string]struct {
		node plan.Node
		want string
	}{
		"it is read":                             {projectStored("status", text, sqlexpr.TypeString), ""},
		"it is sorted by":                        {sort(projectStored("status", text, sqlexpr.TypeString)), "monthly"},
		"a number is sorted by":                  {sort(projectStored("amount", amount, sqlexpr.TypeInt)), ""},
		"it is read below a sorted number":       {sort(&plan.Project{Input: filterStored(binary(sqlexpr.OpEq, text, word)), Cols: []plan.NamedExpr{{Name: "a", Expr: amount, Type: sqlexpr.TypeInt}}}), ""},
		"something of no known type is sorted":   {sort(projectStored("status", text, sqlexpr.TypeUnknown)), "monthly"},
		"it equals a text":                       {filterStored(binary(sqlexpr.OpEq, text, word)), ""},
		"it is less than a text":                 {filterStored(binary(sqlexpr.OpLt, text, word)), "monthly"},
		"a text is at most as great":             {filterStored(binary(sqlexpr.OpLe, word, text)), "monthly"},
		"it is between two":                      {filterStored(&sqlexpr.Between{X: text, Lo: word, Hi: word}), "monthly"},
		"a number is greater than another":       {filterStored(binary(sqlexpr.OpGt, amount, &sqlexpr.Number{Text: "1"})), ""},
		"it equals one, and a number is greater": {filterStored(binary(sqlexpr.OpAnd, binary(sqlexpr.OpEq, text, word), binary(sqlexpr.OpGe, amount, &sqlexpr.Number{Text: "1"}))), ""},
		"its least value":                        {projectStored("m", call(sqlexpr.FnMin, text), sqlexpr.TypeString), "monthly"},
		"the greatest of several":                {projectStored("m", call(sqlexpr.FnGreatest, text, word), sqlexpr.TypeString), "monthly"},
		"the least value inside of another":      {projectStored("m", call(sqlexpr.FnCoalesce, call(sqlexpr.FnMax, text), word), sqlexpr.TypeString), "monthly"},
		"the sum of numbers":                     {projectStored("m", call(sqlexpr.FnSum, amount), sqlexpr.TypeInt), ""},
		"the least of numbers":                   {projectStored("m", call(sqlexpr.FnMin, amount), sqlexpr.TypeInt), ""},
		"a function that nobody knows":           {projectStored("m", call(sqlexpr.FnUnknown, text), sqlexpr.TypeString), "monthly"},
		"a window is ordered by it":              {window(&sqlexpr.Ref{ID: 0}), "monthly"},
		"a window is ordered by a number":        {window(&sqlexpr.Ref{ID: 1}), ""},
		"a derived column of it is compared":     {&plan.Filter{Input: projectStored("status", text, sqlexpr.TypeString), Conds: []sqlexpr.Expr{binary(sqlexpr.OpGt, &sqlexpr.Ref{ID: 0}, word)}}, "monthly"},
		"one of two branches":                    {&plan.Union{Rows: []plan.Node{projectStored("a", amount, sqlexpr.TypeInt), sort(projectStored("status", text, sqlexpr.TypeString))}}, "monthly"},
	} {
		if got := plan.DependsOnTextOrder(test.node, map[string][]string{"monthly": {"status"}}); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
		if got := plan.DependsOnTextOrder(test.node, map[string][]string{"monthly": {"region"}, "daily": {"status"}}); got != "" {
			t.Errorf("%s: %q, though the column is ordered by its bytes", name, got)
		}
	}
}

func TestReadsRollupsAlone_FindsOtherTables(t *testing.T) {
	stored, base := projectStored("a", storedColumn("amount"), sqlexpr.TypeInt), &plan.Scan{Dataset: "customers", Alias: "c"}
	for name, test := range map[string]struct {
		node plan.Node
		want bool
	}{
		"a rollup":                {stored, true},
		"a table":                 {base, false},
		"a rollup beside a table": {&plan.Union{Rows: []plan.Node{stored, base}}, false},
		"no table at all":         {numbered("n"), true},
	} {
		if got := plan.ReadsRollupsAlone(test.node); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
