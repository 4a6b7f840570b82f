package layering

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/tools/workspace"
)

// sourceTypeChecker type-checks packages of a workspace from their source. Other packages are
// taken for empty: the checks only need types of the workspace.
type sourceTypeChecker struct {
	work   *workspace.Workspace
	files  *token.FileSet
	loaded map[string]*typeCheckedPackage
}

type typeCheckedPackage struct {
	files []*ast.File
	types *types.Package
	info  *types.Info
}

func newSourceTypeChecker(w *workspace.Workspace) *sourceTypeChecker {
	return &sourceTypeChecker{work: w, files: token.NewFileSet(), loaded: map[string]*typeCheckedPackage{}}
}

// Import implements types.Importer.
func (s *sourceTypeChecker) Import(importPath string) (*types.Package, error) {
	if _, ours := s.work.ModuleOfImport(importPath); !ours {
		p := types.NewPackage(importPath, path.Base(importPath))
		p.MarkComplete()
		return p, nil
	}
	p, err := s.loadPackage(importPath)
	if err != nil {
		return nil, err
	}
	return p.types, nil
}

func (s *sourceTypeChecker) loadPackage(importPath string) (*typeCheckedPackage, error) {
	if p, ok := s.loaded[importPath]; ok {
		return p, nil
	}
	m, ok := s.work.ModuleOfImport(importPath)
	if !ok {
		return nil, fmt.Errorf("no module of the workspace has the package %s", importPath)
	}
	dir := filepath.Join(s.work.AbsModuleDir(m), filepath.FromSlash(strings.TrimPrefix(importPath, m.Path)))
	p := &typeCheckedPackage{info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(s.files, filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, file)
	}
	if len(p.files) == 0 {
		return nil, fmt.Errorf("%s has no Go files", importPath)
	}
	s.loaded[importPath] = p
	// What other packages would say is missing, and reported as an error for each use.
	config := types.Config{Importer: s, Error: func(error) {}}
	p.types, _ = config.Check(importPath, s.files, p.files, p.info)
	return p, nil
}

// typesWithTooManyMethods reports the types of a module that have more methods than most.
func (s *sourceTypeChecker) typesWithTooManyMethods(m workspace.Module, most int) ([]string, error) {
	methods := map[string]int{}
	err := WalkGoFiles(s.work.AbsModuleDir(m), func(name string) error {
		if strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(s.work.Root, filepath.Dir(name))
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[filepath.ToSlash(dir)+"."+receiverTypeName(f)]++
			}
		}
		return nil
	})
	var found []string
	for typ, n := range methods {
		if n > most {
			found = append(found, fmt.Sprintf("%s has %d methods, more than %d: it asks to be several types", typ, n, most))
		}
	}
	slices.Sort(found)
	return found, err
}
