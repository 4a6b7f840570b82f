package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// numbered returns a node with some columns.
func numbered(names ...string) plan.Node {
	p := &plan.Project{Input: &plan.Numbers{Name: "n", Count: 3}}
	for _, name := range names {
		p.Cols = append(p.Cols, plan.NamedExpr{Name: name, Expr: &sqlexpr.Ref{ID: 0}, Type: sqlexpr.TypeInt})
	}
	return p
}

func TestCheck_FindsBrokenNodesOfOuterSQL(t *testing.T) {
	for name, test := range map[string]struct {
		node plan.Node
		ok   bool
	}{
		"the first of two columns":          {&plan.FirstColumns{Input: numbered("a", "b"), Count: 1}, true},
		"no column":                         {&plan.FirstColumns{Input: numbered("a", "b")}, false},
		"three of two columns":              {&plan.FirstColumns{Input: numbered("a", "b"), Count: 3}, false},
		"a value among rows":                {&plan.SemiJoin{Input: numbered("a"), Value: &sqlexpr.Ref{ID: 0}, Rows: numbered("b")}, true},
		"a value beyond the columns":        {&plan.SemiJoin{Input: numbered("a"), Value: &sqlexpr.Ref{ID: 1}, Rows: numbered("b")}, false},
		"a value among rows of two columns": {&plan.SemiJoin{Input: numbered("a"), Value: &sqlexpr.Ref{ID: 0}, Rows: numbered("b", "c")}, false},
		"broken rows":                       {&plan.SemiJoin{Input: numbered("a"), Value: &sqlexpr.Ref{ID: 0}, Rows: &plan.FirstColumns{Input: numbered("b")}}, false},
		"two inputs":                        {&plan.Union{Rows: []plan.Node{numbered("a"), numbered("b")}}, true},
		"one input":                         {&plan.Union{Rows: []plan.Node{numbered("a")}}, false},
		"inputs of one and two columns":     {&plan.Union{Rows: []plan.Node{numbered("a"), numbered("b", "c")}}, false},
	} {
		if err := plan.CheckTree(test.node); (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestExplain_ShowsNodesOfOuterSQL(t *testing.T) {
	rows := &plan.Union{Rows: []plan.Node{&plan.FirstColumns{Input: numbered("a", "b"), Count: 1}, numbered("c")}}
	root := &plan.SemiJoin{Input: rows, Value: &sqlexpr.Ref{ID: 0}, Not: true, Rows: numbered("d"), Why: "WHERE"}
	want := `SemiJoin [WHERE] a not in d
  Union 2 inputs (all rows)
    FirstColumns 1 of 2: a
      Project a = n, b = n
        Numbers n from 0 to 2
    Project c = n
      Numbers n from 0 to 2
  Project d = n
    Numbers n from 0 to 2
`
	if d := cmp.Diff(want, plan.Explain(root)); d != "" {
		t.Error(d)
	}
}
