package layering

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/tools/workspace"
)

// MaxTestSubjectWords is the number of words from which a test's name without an underscore reads
// as a sentence.
const MaxTestSubjectWords = 3

var (
	testNamePattern      = regexp.MustCompile(`^(?:Test|Benchmark|Fuzz)(?:[A-Z][A-Za-z0-9]*)(_[A-Z][A-Za-z0-9]*)?$`)
	camelCaseWordPattern = regexp.MustCompile(`[A-Z]+[a-z0-9]*`)
)

// CheckTestNames reports tests, benchmarks and fuzz targets that are not named for the unit
// under test: Test<Unit> or Test<Unit>_<Behaviour>. `go test -run Framing` then finds the
// tests of framing.
func CheckTestNames(w *workspace.Workspace) ([]string, error) {
	var found []string
	for _, m := range w.Modules {
		err := WalkGoFiles(w.AbsModuleDir(m), func(name string) error {
			complaints, err := checkTestNamesOfFile(w.Root, name)
			found = append(found, complaints...)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

func checkTestNamesOfFile(root, path string) ([]string, error) {
	if !strings.HasSuffix(path, "_test.go") {
		return nil, nil
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Name.Name == "TestMain" || !isTestFunctionName(f.Name.Name) {
			continue
		}
		name := f.Name.Name
		parts := testNamePattern.FindStringSubmatch(name)
		if parts == nil || parts[1] == "" && len(camelCaseWordPattern.FindAllString(name, -1)) > MaxTestSubjectWords+1 {
			found = append(found, fmt.Sprintf("%s:%d: %s: name it Test<Unit>_<Behaviour>", filepath.ToSlash(rel), files.Position(f.Pos()).Line, name))
		}
	}
	return found, nil
}

func isTestFunctionName(name string) bool {
	for _, prefix := range []string{"Test", "Benchmark", "Fuzz"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z') {
			return true
		}
	}
	return false
}
