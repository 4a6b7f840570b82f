package plan_test

import (
	"fmt"
	"testing"

	"github.com/semlayer/semlayer/planner/plan"
)

// A node that Rewrite does not know would keep its inputs as they are.
func TestRewrite_ReachesTheInputsOfEveryNode(t *testing.T) {
	old, changed := &plan.Scan{Alias: "old"}, &plan.Scan{Alias: "new"}
	for _, n := range []plan.Node{
		&plan.Derived{Input: old}, &plan.Join{Left: old, Right: old}, &plan.Filter{Input: old}, &plan.Aggregate{Input: old}, &plan.GroupingSets{Input: old},
		&plan.HomeRows{Input: old}, &plan.Snapshots{Input: old}, &plan.Repeat{Input: old}, &plan.Window{Input: old}, &plan.Combine{Branches: []plan.Node{old, old}},
		&plan.Project{Input: old}, &plan.Sort{Input: old}, &plan.Limit{Input: old}, &plan.Offset{Input: old},
	} {
		t.Run(fmt.Sprintf("%T", n), func(t *testing.T) {
			out := plan.Rewrite(n, func(n plan.Node) plan.Node {
				if n == old {
					return changed
				}
				return n
			})
			for _, in := range out.Inputs() {
				if in != changed {
					t.Errorf("an input is still %v", in)
				}
			}
			if out == n {
				t.Error("the node itself changed")
			}
		})
	}
}
