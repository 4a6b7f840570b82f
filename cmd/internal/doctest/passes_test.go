package doctest

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The lines around the table of passes in docs/architecture.md.
const (
	passesBegin = "<!-- The table is read from planner/internal/metric/plan.go: go test ./cmd/internal/doctest -update -->\n"
	passesEnd   = "<!-- end of the passes -->\n"
)

// plannerInternal is the folder of the floors of the planner.
var plannerInternal = filepath.Join(root, "planner", "internal")

// The page has the passes of a metric query in the order in which the source calls them, with the sentence of each.
func TestArchitecture_TableOfPassesIsCurrent(t *testing.T) {
	page, err := os.ReadFile(architecturePage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), passesBegin)
	got, after, closed := strings.Cut(rest, passesEnd)
	if !ok || !closed {
		t.Fatal("docs/architecture.md has no table of passes")
	}
	want := passesTable(t)
	if *update {
		if err := os.WriteFile(architecturePage, []byte(before+passesBegin+want+passesEnd+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("update it with: go test ./cmd/internal/doctest -update\n%s", d)
	}
}

// passesTable lists the functions that the steps of a plan call.
func passesTable(t *testing.T) string {
	t.Helper()
	steps := functionsOfPackage(t, "metric")
	var b strings.Builder
	b.WriteString("| pass | what it does |\n|---|---|\n")
	var seen []string
	for _, step := range []string{"resolveQueryNames", "resolveQuery", "planAndCombineBranches", "resolveAndPlanQuery"} {
		f := steps[step]
		if f == nil {
			t.Fatalf("package metric has no function %s", step)
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, sentence := passCalled(t, call, steps)
			if sentence == "" || slices.Contains(seen, name) || slices.Contains([]string{"resolveQuery", "resolveQueryNames", "planAndCombineBranches"}, name) {
				return true
			}
			seen = append(seen, name)
			fmt.Fprintf(&b, "| `%s` | %s |\n", name, cell(sentence))
			if name == "refine.Plan" {
				b.WriteString(rowPasses(t))
			}
			return true
		})
	}
	return b.String()
}

// rowPasses lists the passes over the rows of a result.
func rowPasses(t *testing.T) string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(plannerInternal, "refine", "passes.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	ast.Inspect(parsed, func(n ast.Node) bool {
		pass, ok := n.(*ast.CompositeLit)
		if !ok || pass.Type != nil || len(pass.Elts) != 3 {
			return true
		}
		name, _ := strconv.Unquote(pass.Elts[0].(*ast.BasicLit).Value)
		does, _ := strconv.Unquote(pass.Elts[1].(*ast.BasicLit).Value)
		fmt.Fprintf(&b, "| … %s | %s |\n", name, cell(does))
		return false
	})
	if b.Len() == 0 {
		t.Error("package refine lists no passes over the rows of a result")
	}
	return b.String()
}

// passCalled returns the pass that a call is of, and its sentence; "" for any other call.
func passCalled(t *testing.T, call *ast.CallExpr, own map[string]*ast.FuncDecl) (name, sentence string) {
	t.Helper()
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if own[f.Name] != nil {
			return f.Name, sentenceOf(own[f.Name])
		}
	case *ast.SelectorExpr:
		if floor, ok := f.X.(*ast.Ident); ok {
			if _, err := os.Stat(filepath.Join(plannerInternal, floor.Name)); err == nil {
				if decl := functionsOfPackage(t, floor.Name)[f.Sel.Name]; decl != nil {
					return floor.Name + "." + f.Sel.Name, sentenceOf(decl)
				}
			}
		}
	}
	return "", ""
}

// sentenceOf returns the first sentence of the comment of a function, without its name.
func sentenceOf(f *ast.FuncDecl) string {
	sentence := new(doc.Package).Synopsis(f.Doc.Text())
	return strings.TrimSuffix(strings.TrimPrefix(sentence, f.Name.Name+" "), ".")
}

// functionsOfPackage returns the functions of a floor by name, methods apart.
func functionsOfPackage(t *testing.T, floor string) map[string]*ast.FuncDecl {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(plannerInternal, floor, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*ast.FuncDecl{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				out[f.Name.Name] = f
			}
		}
	}
	return out
}
