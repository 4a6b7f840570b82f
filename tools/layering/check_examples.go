package layering

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/tools/workspace"
)

// NotRunComment is the comment of an example without output to compare.
const NotRunComment = "compiled and not run"

// CheckExamples reports packages of released modules that programs can import and that
// have no example with an output, which `go test` runs, and examples without an output
// whose comment does not say NotRunComment.
func CheckExamples(w *workspace.Workspace) ([]string, error) {
	var found []string
	for _, m := range w.Modules {
		if w.Versions.Modules[m.Dir] == "" { // never released
			continue
		}
		packages, err := testFilesOfPublicPackages(w, m)
		if err != nil {
			return nil, err
		}
		for _, dir := range slices.Sorted(maps.Keys(packages)) {
			found = append(found, checkExamplesOfPackage(dir, packages[dir])...)
		}
	}
	return found, nil
}

// testFilesOfPublicPackages returns the test files of each package of a module that programs can
// import, by its folder.
func testFilesOfPublicPackages(w *workspace.Workspace, m workspace.Module) (map[string][]*ast.File, error) {
	tests := map[string][]*ast.File{}
	public := map[string]bool{}
	err := WalkGoFiles(w.AbsModuleDir(m), func(name string) error {
		rel, err := filepath.Rel(w.Root, name)
		if err != nil {
			return err
		}
		dir := path.Dir(filepath.ToSlash(rel))
		if slices.Contains(strings.Split(dir, "/"), "internal") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, "_test.go") {
			tests[dir] = append(tests[dir], file)
		} else if file.Name.Name != "main" {
			public[dir] = true
		}
		return nil
	})
	out := map[string][]*ast.File{}
	for dir := range public {
		out[dir] = tests[dir]
	}
	return out, err
}

func checkExamplesOfPackage(dir string, tests []*ast.File) []string {
	var found []string
	run := false
	for _, x := range doc.Examples(tests...) {
		if x.Output != "" || x.EmptyOutput {
			run = true
		} else if !strings.Contains(strings.Join(strings.Fields(x.Doc), " "), NotRunComment) {
			found = append(found, fmt.Sprintf("%s: Example%s has no output, and its comment does not say that it is %s", dir, x.Name, NotRunComment))
		}
	}
	if !run {
		found = append(found, dir+": no example with an output, which is what its page on pkg.go.dev begins with")
	}
	return found
}
