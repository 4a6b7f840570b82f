package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/tools/layering"
	"github.com/semlayer/semlayer/tools/workspace"
)

// Name is the name of a file or of a declaration.
type Name struct {
	Package string // the folder, slash-separated, relative to the root
	Kind    string // file, func, method, type, var or const
	Text    string // "Type.Method" for a method
}

// namesRequiredByGo are required by Go or by an interface of its library. They do not describe what they hold.
var namesRequiredByGo = map[string]bool{
	"_": true, "main": true, "init": true, "String": true, "Error": true, "Unwrap": true, "Is": true, "As": true,
	"MarshalJSON": true, "UnmarshalJSON": true, "MarshalYAML": true, "UnmarshalYAML": true,
	"Len": true, "Less": true, "Swap": true, "Read": true, "Write": true, "Close": true, "ServeHTTP": true,
}

// collectNames returns the names of all Go files of the workspace and of their package-level declarations,
// sorted. Test files are left out: their functions are named by a rule of their linter.
func collectNames(w *workspace.Workspace) ([]Name, error) {
	var out []Name
	for _, m := range w.Modules {
		err := layering.WalkGoFiles(w.AbsModuleDir(m), func(file string) error {
			if strings.HasSuffix(file, "_test.go") {
				return nil
			}
			rel, err := filepath.Rel(w.Root, file)
			if err != nil {
				return err
			}
			rel = filepath.ToSlash(rel)
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			if base := path.Base(rel); base != "doc.go" && base != "main.go" {
				out = append(out, Name{path.Dir(rel), "file", base})
			}
			for _, d := range parsed.Decls {
				out = append(out, namesOfDeclaration(path.Dir(rel), d)...)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, compareByPackage)
	return slices.Compact(out), nil
}

func compareByPackage(a, b Name) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text))
}

// namesOfDeclaration returns the names that one declaration introduces.
func namesOfDeclaration(dir string, d ast.Decl) []Name {
	var out []Name
	add := func(kind, receiver string, id *ast.Ident) {
		if !namesRequiredByGo[id.Name] {
			out = append(out, Name{dir, kind, receiver + id.Name})
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			add("func", "", d.Name)
		} else {
			add("method", receiverTypeName(d.Recv.List[0].Type)+".", d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				add("type", "", spec.Name)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					add(d.Tok.String(), "", id)
				}
			}
		}
	}
	return out
}

// receiverTypeName returns the name of a receiver's type without its pointer and its type parameters.
func receiverTypeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverTypeName(e.X)
	case *ast.IndexExpr:
		return receiverTypeName(e.X)
	case *ast.IndexListExpr:
		return receiverTypeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}
