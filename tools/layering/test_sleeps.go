package layering

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/tools/workspace"
)

// sleepingFunctions are those of package time that wait for a time.
var sleepingFunctions = []string{"Sleep", "After", "Tick"}

// CheckSleepsInTests reports tests, and the packages that help them, that wait for a time instead of a state: a busy machine
// needs longer. Files that import testing/synctest may, because their clock is not the machine's. mayWait maps a file
// to the reason why it waits for a time; a file that does not is reported too.
func CheckSleepsInTests(w *workspace.Workspace, mayWait map[string]string) ([]string, error) {
	var found []string
	waiting := map[string]bool{}
	for _, m := range w.Modules {
		err := WalkGoFiles(w.AbsModuleDir(m), func(name string) error {
			rel, err := filepath.Rel(w.Root, name)
			if err != nil {
				return err
			}
			rel = filepath.ToSlash(rel)
			sleeps, err := findSleeps(name)
			if err != nil {
				return err
			}
			waiting[rel] = len(sleeps) > 0
			if mayWait[rel] != "" {
				return nil
			}
			for _, s := range sleeps {
				found = append(found, fmt.Sprintf("%s:%s: a test waits for a state, as executor/testwait does, never for a time", rel, s))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for rel := range mayWait {
		if !waiting[rel] {
			found = append(found, rel+": is allowed to wait for a time, and does not")
		}
	}
	return found, nil
}

// findSleeps returns line and name of each call that waits for a time, if the file belongs to tests.
func findSleeps(name string) ([]string, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	imports := func(path string) bool {
		return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == strconv.Quote(path) })
	}
	if !strings.HasSuffix(name, "_test.go") && !imports("testing") || imports("testing/synctest") {
		return nil, nil
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if p, ok := s.X.(*ast.Ident); ok && p.Name == "time" && slices.Contains(sleepingFunctions, s.Sel.Name) {
			found = append(found, fmt.Sprintf("%d: time.%s", files.Position(s.Pos()).Line, s.Sel.Name))
		}
		return true
	})
	return found, nil
}
