package main

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// listModuleAPI writes the exported API of the module at dir, a sorted line for each
// thing that a program could name:
//
//	engine, func Open(context.Context, Config) (*Engine, error)
//	engine, type Config struct, DBPath string
//
// It reads the sources and resolves nothing: a type is the text in the source. Names of
// parameters and values of constants are not part of it. Packages that other
// modules cannot import are left out.
func listModuleAPI(dir string) ([]string, error) {
	lines := map[string]bool{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if base := d.Name(); name != dir {
			if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "internal" || base == "node_modules" {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
				return filepath.SkipDir
			}
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		return listPackageAPI(dir, name, filepath.ToSlash(rel), lines)
	})
	return slices.Sorted(maps.Keys(lines)), err
}

func listPackageAPI(root, dir, rel string, lines map[string]bool) error {
	// The files of one platform: files of other platforms are not listed.
	platform := build.Default
	platform.GOOS, platform.GOARCH, platform.CgoEnabled = "linux", "amd64", true
	files, err := parsePackageFiles(dir, platform)
	if none := new(build.NoGoError); errors.As(err, &none) {
		return nil
	}
	if err != nil {
		return err
	}
	name := files[0].Name.Name
	if name == "main" {
		return nil
	}
	l := apiLister{prefix: path.Join(rel, name) + ", ", lines: lines}
	if path.Base(rel) == name {
		l.prefix = rel + ", "
	}
	for _, file := range files {
		for _, decl := range file.Decls {
			l.addDeclaration(decl)
		}
		if err := l.listInternalTypeAliases(root, platform, file); err != nil {
			return err
		}
	}
	return nil
}

// parsePackageFiles returns the sources of a package, without its tests.
func parsePackageFiles(dir string, platform build.Context) ([]*ast.File, error) {
	pkg, err := platform.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range slices.Concat(pkg.GoFiles, pkg.CgoFiles) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

type apiLister struct {
	prefix string
	lines  map[string]bool
}

func (l apiLister) addLine(parts ...string) { l.lines[l.prefix+strings.Join(parts, "")] = true }

func (l apiLister) addDeclaration(decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		l.addFunction(d)
	case *ast.GenDecl:
		var last ast.Expr // a constant without a type has that of the one above it
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					l.addType(s)
				}
			case *ast.ValueSpec:
				if s.Type != nil || len(s.Values) > 0 {
					last = s.Type
				}
				for _, name := range s.Names {
					if name.IsExported() {
						l.addLine(d.Tok.String(), " ", name.Name, prefixIfNotEmpty(" ", typeSource(last)))
					}
				}
			}
		}
	}
}

func (l apiLister) addFunction(d *ast.FuncDecl) {
	if !d.Name.IsExported() {
		return
	}
	if d.Recv == nil {
		l.addLine("func ", d.Name.Name, typeParametersSource(d.Type.TypeParams), functionSignature(d.Type))
		return
	}
	receiver := typeSource(d.Recv.List[0].Type)
	if ast.IsExported(strings.TrimPrefix(receiver, "*")) {
		l.addLine("method (", receiver, ") ", d.Name.Name, functionSignature(d.Type))
	}
}

func (l apiLister) addType(s *ast.TypeSpec) {
	head := "type " + s.Name.Name + typeParametersSource(s.TypeParams)
	if s.Assign.IsValid() {
		l.addLine(head, " = ", typeSource(s.Type))
		return
	}
	switch t := s.Type.(type) {
	case *ast.StructType:
		l.addLine(head, " struct")
		for _, f := range t.Fields.List {
			if len(f.Names) == 0 {
				l.addLine(head, " struct, embedded ", typeSource(f.Type))
			}
			for _, name := range f.Names {
				if name.IsExported() {
					l.addLine(head, " struct, ", name.Name, " ", typeSource(f.Type))
				}
			}
		}
	case *ast.InterfaceType:
		l.addLine(head, " interface")
		for _, m := range t.Methods.List {
			switch {
			case len(m.Names) == 0:
				l.addLine(head, " interface, ", typeSource(m.Type))
			case m.Names[0].IsExported():
				l.addLine(head, " interface, ", strings.Replace(typeSource(m.Type), "func", m.Names[0].Name, 1))
			default:
				l.addLine(head, " interface, unexported methods") // sealed: no other package implements it
			}
		}
	default:
		l.addLine(head, " ", typeSource(s.Type))
	}
}

func typeParametersSource(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var out []string
	for _, f := range list.List {
		for _, name := range f.Names {
			out = append(out, name.Name+" "+typeSource(f.Type))
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func functionSignature(t *ast.FuncType) string {
	return strings.TrimPrefix(typeSource(&ast.FuncType{Params: t.Params, Results: t.Results}), "func")
}

// typeSource prints a type on one line, without the names of parameters.
func typeSource(e ast.Expr) string {
	if e == nil {
		return ""
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncType); ok {
			f.Params, f.Results = withoutFieldNames(f.Params), withoutFieldNames(f.Results)
		}
		return true
	})
	var b strings.Builder
	_ = printer.Fprint(&b, token.NewFileSet(), e) // a Builder takes everything
	return strings.Join(strings.Fields(b.String()), " ")
}

func withoutFieldNames(list *ast.FieldList) *ast.FieldList {
	if list == nil {
		return nil
	}
	out := new(ast.FieldList)
	for _, f := range list.List {
		for range max(1, len(f.Names)) {
			out.List = append(out.List, &ast.Field{Type: f.Type})
		}
	}
	return out
}

func prefixIfNotEmpty(space, s string) string {
	if s == "" {
		return ""
	}
	return space + s
}
