package doctest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const architecturePage = root + "/docs/architecture.md"

var (
	inlineCode = regexp.MustCompile("`([^`]+)`")
	filePath   = regexp.MustCompile(`^[a-z]+(?:/[A-Za-z0-9_.]+)+$`)
)

// Every file of the page exists, and the file of a row declares the row's identifiers.
func TestArchitecture_FilesAndIdentifiersExist(t *testing.T) {
	page, err := os.ReadFile(architecturePage)
	if err != nil {
		t.Fatal(err)
	}
	files, identifiers := 0, 0
	for n, line := range strings.Split(string(page), "\n") {
		for _, found := range inlineCode.FindAllStringSubmatch(line, -1) {
			path := found[1]
			if !filePath.MatchString(path) || strings.Contains(path, "NAME") {
				continue
			}
			files++
			if _, err := os.Stat(filepath.Join(root, path)); err != nil {
				t.Errorf("line %d: %s does not exist", n+1, path)
			}
		}
		file, names := rowOf(line)
		for _, name := range names {
			identifiers++
			if !slices.Contains(declared(t, filepath.Join(root, file)), name) {
				t.Errorf("line %d: %s does not declare %s", n+1, file, name)
			}
		}
	}
	if files < 40 || identifiers < 40 {
		t.Errorf("only %d files and %d identifiers were found", files, identifiers)
	}
}

// rowOf returns the Go file of a row of a table and the identifiers of its last cell. A
// table inside a list is indented.
func rowOf(line string) (file string, identifiers []string) {
	line = strings.TrimSpace(line)
	cells := strings.Split(strings.Trim(line, "| "), " | ")
	if !strings.HasPrefix(line, "|") || len(cells) != 3 {
		return "", nil
	}
	found := inlineCode.FindStringSubmatch(cells[1])
	if found == nil || !strings.HasSuffix(found[1], ".go") {
		return "", nil
	}
	for _, name := range inlineCode.FindAllStringSubmatch(cells[2], -1) {
		identifiers = append(identifiers, name[1])
	}
	return found[1], identifiers
}

// declared lists the names that a file declares, methods without their types.
func declared(t *testing.T, path string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			out = append(out, d.Name.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					out = append(out, s.Name.Name)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						out = append(out, name.Name)
					}
				}
			}
		}
	}
	return out
}

// The table of plan nodes has every node of the package plan.
func TestArchitecture_EveryPlanNodeIsInTheTable(t *testing.T) {
	page, err := os.ReadFile(architecturePage)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(root + "/planner/plan/*.go")
	if err != nil {
		t.Fatal(err)
	}
	nodes := 0
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?m)^type (\w+) struct \{\n\tisNode$`).FindAllSubmatch(content, -1) {
			nodes++
			if !regexp.MustCompile("(?m)^\\| [^|]*`" + string(found[1]) + "`[^|]* \\|").Match(page) {
				t.Errorf("the node %s of %s is missing", found[1], filepath.Base(file))
			}
		}
	}
	if nodes < 15 {
		t.Errorf("only %d nodes were found", nodes)
	}
}
