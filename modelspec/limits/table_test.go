package limits_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// The documentation and the tests of edges read the table: a bound that is not in it would be in neither.
func TestAll_HasEachConstant(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "limits.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	constants, listed := map[string]bool{}, map[string]bool{}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && d.Tok == token.CONST {
					for _, name := range v.Names {
						constants[name.Name] = true
					}
				}
			}
		case *ast.FuncDecl:
			if d.Name.Name == "All" {
				ast.Inspect(d, func(n ast.Node) bool {
					if name, ok := n.(*ast.Ident); ok {
						listed[name.Name] = true
					}
					return true
				})
			}
		}
	}
	if len(constants) < 60 {
		t.Fatalf("only %d constants were found", len(constants))
	}
	for name := range constants {
		if !listed[name] {
			t.Errorf("All has no limit of the value %s", name)
		}
	}
}
