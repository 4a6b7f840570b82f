package restapi

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// The document is built from the table of routes. Handlers do not use the document: only
// the constructor uses the declarations of the files spec_*.go.
func TestSpec_OnlyTheConstructorUsesTheDocument(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]string{}
	others := map[string]*ast.File{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || path == "new_server.go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(path, "openapi_") {
			others[path] = file
			continue
		}
		for name := range file.Scope.Objects {
			declared[name] = path
		}
	}
	if declared["openAPIWriter"] == "" || declared["openAPIOperationsByRouteKey"] == "" || len(others) < 20 {
		t.Fatalf("%d names of the document and %d other files were found", len(declared), len(others))
	}
	for path, file := range others {
		for _, id := range file.Unresolved { // of the package, or predeclared
			if from := declared[id.Name]; from != "" {
				t.Errorf("%s uses %s of %s", path, id.Name, from)
			}
		}
	}
}
