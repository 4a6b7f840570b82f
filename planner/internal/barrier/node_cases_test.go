package barrier

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// A node with expressions that a switch does not name would compute them on rows that rules hide.
func TestGuard_NamesEveryNodeWithExpressions(t *testing.T) {
	nodes := nodesWithExpressions(t)
	if len(nodes) < 8 {
		t.Fatalf("only %d nodes have expressions: %v", len(nodes), nodes)
	}
	for _, file := range []string{"guard.go", "demands.go"} {
		named := map[string]bool{}
		ast.Inspect(parsedFile(t, file), func(n ast.Node) bool {
			if c, ok := n.(*ast.CaseClause); ok {
				for _, x := range c.List {
					if p, ok := x.(*ast.StarExpr); ok {
						if s, ok := p.X.(*ast.SelectorExpr); ok {
							named[s.Sel.Name] = true
						}
					}
				}
			}
			return true
		})
		for _, node := range nodes {
			if !named[node] {
				t.Errorf("%s has no case for plan.%s", file, node)
			}
		}
	}
}

// nodesWithExpressions lists the plan nodes that compute expressions over rows. Those of a window read columns of groups,
// and that of a scan reads its own table.
func nodesWithExpressions(t *testing.T) (out []string) {
	t.Helper()
	files, err := filepath.Glob("../../plan/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		ast.Inspect(parsedFile(t, file), func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok && isNode(s) && hasExpressions(s) && spec.Name.Name != "Window" && spec.Name.Name != "Scan" {
				out = append(out, spec.Name.Name)
			}
			return false
		})
	}
	return out
}

func isNode(s *ast.StructType) bool {
	if len(s.Fields.List) == 0 || len(s.Fields.List[0].Names) > 0 {
		return false
	}
	embedded, ok := s.Fields.List[0].Type.(*ast.Ident)
	return ok && embedded.Name == "isNode"
}

// hasExpressions reports whether a field holds an expression or a list of them.
func hasExpressions(s *ast.StructType) (has bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch id.Name {
			case "Expr", "NamedExpr", "JoinEquality", "JoinValidity":
				has = true
			}
		}
		return !has
	})
	return has
}

func parsedFile(t *testing.T, file string) *ast.File {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}
