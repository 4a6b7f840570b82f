package main

import (
	"go/ast"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

// listInternalTypeAliases lists what the alias names of a file have that name a type of an internal
// package: programs reach its fields and methods by the alias alone. root is the module.
func (l apiLister) listInternalTypeAliases(root string, platform build.Context, file *ast.File) error {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range gen.Specs {
			s, ok := spec.(*ast.TypeSpec)
			if !ok || !s.Assign.IsValid() || !s.Name.IsExported() {
				continue
			}
			target, ok := s.Type.(*ast.SelectorExpr)
			if !ok {
				continue
			}
			dir, internal := strings.CutPrefix(importPathOfName(file, typeSource(target.X)), modfile.ModulePath(mod)+"/")
			if !internal || !slices.Contains(strings.Split(dir, "/"), "internal") {
				continue
			}
			if err := l.listAliasTarget(filepath.Join(root, filepath.FromSlash(dir)), platform, s.Name.Name, target.Sel.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// importPathOfName returns the path that a file imports under a name; "" where it imports none.
func importPathOfName(file *ast.File, name string) string {
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err == nil && (spec.Name != nil && spec.Name.Name == name || spec.Name == nil && filepath.Base(imported) == name) {
			return imported
		}
	}
	return ""
}

// listAliasTarget lists the type of a package under the name of its alias.
func (l apiLister) listAliasTarget(dir string, platform build.Context, alias, name string) error {
	files, err := parsePackageFiles(dir, platform)
	if err != nil {
		return err
	}
	for _, file := range files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil && d.Name.IsExported() && strings.TrimPrefix(typeSource(d.Recv.List[0].Type), "*") == name {
					l.addLine("method (", strings.Replace(typeSource(d.Recv.List[0].Type), name, alias, 1), ") ", d.Name.Name, functionSignature(d.Type))
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok && s.Name.Name == name {
						renamed := *s
						renamed.Name = ast.NewIdent(alias)
						l.addType(&renamed)
					}
				}
			}
		}
	}
	return nil
}
