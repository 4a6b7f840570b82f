package plan_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/planner/plan"
)

// A node that Rewrite does not know would keep its inputs as they are.
func TestRewrite_ReachesTheInputsOfEveryNode(t *testing.T) {
	old, changed := &plan.Scan{Alias: "old"}, &plan.Scan{Alias: "new"}
	withInputs := []plan.Node{
		&plan.Derived{Input: old}, &plan.Join{Left: old, Right: old}, &plan.Filter{Input: old}, &plan.Aggregate{Input: old}, &plan.GroupingSets{Input: old},
		&plan.HomeRows{Input: old}, &plan.Snapshots{Input: old}, &plan.Repeat{Input: old}, &plan.Window{Input: old}, &plan.Combine{Branches: []plan.Node{old, old}},
		&plan.Project{Input: old}, &plan.Sort{Input: old}, &plan.Limit{Input: old}, &plan.Offset{Input: old},
		&plan.FirstColumns{Input: old}, &plan.SemiJoin{Input: old, Rows: old}, &plan.Union{Rows: []plan.Node{old, old}},
	}
	tried := []string{"Numbers", "Scan"} // without inputs
	for _, n := range withInputs {
		tried = append(tried, strings.TrimPrefix(fmt.Sprintf("%T", n), "*plan."))
	}
	slices.Sort(tried)
	if d := cmp.Diff(nodeTypeNames(t), tried); d != "" {
		t.Errorf("the nodes of this package and those of this test differ:\n%s", d)
	}
	for _, n := range withInputs {
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

// nodeTypeNames lists the types of this package that embed isNode.
func nodeTypeNames(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok && len(s.Fields.List) > 0 && len(s.Fields.List[0].Names) == 0 {
				if embedded, ok := s.Fields.List[0].Type.(*ast.Ident); ok && embedded.Name == "isNode" {
					out = append(out, spec.Name.Name)
				}
			}
			return false
		})
	}
	slices.Sort(out)
	return out
}
