package layering

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/tools/workspace"
)

// FloorRule bounds the floors of the metric plane of the planner, so that each of them can be read and rewritten by
// itself.
type FloorRule struct {
	Floors      []string // the packages of the floors
	MaxExported int      // exported functions and types of a floor
	Below       string   // the folder whose packages have at most MaxLines lines, tests apart
	MaxLines    int
}

// PlannerFloorRule returns the rule for the floors of the metric plane.
func PlannerFloorRule() FloorRule {
	return FloorRule{
		Floors: []string{
			"planner/internal/scope", "planner/internal/levels", "planner/internal/measure", "planner/internal/where", "planner/internal/compare", "planner/internal/top",
			"planner/internal/fill", "planner/internal/lod", "planner/internal/branch", "planner/internal/grouping", "planner/internal/snapshot", "planner/internal/combine", "planner/internal/window", "planner/internal/refine", "planner/internal/metric",
		},
		MaxExported: 30,
		Below:       "planner/internal/",
		MaxLines:    5000,
	}
}

// CheckFloors reports floors that export more functions and types than the rule allows, and of all packages below those that are too
// large, structs that embed a struct with methods, whose fields and methods would seem to be those of the pass, and names of
// receivers that do not stand for one type.
func CheckFloors(w *workspace.Workspace, prefix string, rule FloorRule) ([]string, error) {
	sizes, err := linesOfPackages(w, rule.Below)
	if err != nil {
		return nil, err
	}
	var found []string
	s := newSourceTypeChecker(w)
	for dir, lines := range sizes {
		if lines > rule.MaxLines {
			found = append(found, fmt.Sprintf("%s has %d lines, more than %d: it asks to be several packages", dir, lines, rule.MaxLines))
		}
		p, err := s.loadPackage(prefix + "/" + dir)
		if err != nil {
			return nil, err
		}
		if exported := countExported(p); exported > rule.MaxExported && slices.Contains(rule.Floors, dir) {
			found = append(found, fmt.Sprintf("%s exports %d functions and types, more than %d: hand over smaller values", dir, exported, rule.MaxExported))
		}
		for _, file := range p.files {
			ast.Inspect(file, func(n ast.Node) bool {
				if t, ok := n.(*ast.StructType); ok {
					for _, f := range embeddedStructsWithMethods(p, t) {
						at := s.files.Position(t.Pos())
						found = append(found, fmt.Sprintf("%s:%d: a struct embeds %s: give the field a name", strings.TrimPrefix(at.Filename, w.Root+"/"), at.Line, f))
					}
				}
				return true
			})
		}
		for _, text := range sharedReceiverNames(p) {
			found = append(found, dir+": "+text)
		}
	}
	slices.Sort(found)
	return found, nil
}

// countExported counts the exported functions and types of a package.
func countExported(p *typeCheckedPackage) int {
	out := 0
	for _, name := range p.types.Scope().Names() {
		switch o := p.types.Scope().Lookup(name).(type) {
		case *types.Func, *types.TypeName:
			if o.Exported() {
				out++
			}
		}
	}
	return out
}

// sharedReceiverNames lists the types of a package whose methods name their receiver in two ways, and the names of receivers that two
// types have: who reads a method has to know its type by the name.
func sharedReceiverNames(p *typeCheckedPackage) []string {
	nameOf, typeOf := map[string]string{}, map[string]string{}
	var out []string
	for _, file := range p.files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || len(f.Recv.List[0].Names) == 0 || f.Recv.List[0].Names[0].Name == "_" {
				continue
			}
			name, of := f.Recv.List[0].Names[0].Name, receiverTypeName(f)
			if o, known := nameOf[of]; known && o != name {
				out = append(out, fmt.Sprintf("the receiver of %s is called %s and %s", of, o, name))
			}
			if o, known := typeOf[name]; known && o != of {
				out = append(out, fmt.Sprintf("%s and %s both call their receiver %s", o, of, name))
			}
			nameOf[of], typeOf[name] = name, of
		}
	}
	return out
}

// embeddedStructsWithMethods names the structs of this repository with methods that a struct embeds.
func embeddedStructsWithMethods(p *typeCheckedPackage, t *ast.StructType) []string {
	var out []string
	for _, f := range t.Fields.List {
		if len(f.Names) > 0 {
			continue
		}
		typ := p.info.TypeOf(f.Type)
		if pointer, ok := typ.(*types.Pointer); ok {
			typ = pointer.Elem()
		}
		if n, ok := typ.(*types.Named); ok && n.NumMethods() > 0 && isStruct(n) {
			out = append(out, n.Obj().Name())
		}
	}
	return out
}

// linesOfPackages counts the lines of the packages in a folder, tests apart.
func linesOfPackages(w *workspace.Workspace, below string) (map[string]int, error) {
	out := map[string]int{}
	for _, m := range w.Modules {
		err := WalkGoFiles(w.AbsModuleDir(m), func(name string) error {
			rel := strings.TrimPrefix(strings.ReplaceAll(name, "\\", "/"), w.Root+"/")
			if !strings.HasPrefix(rel, below) || strings.HasSuffix(rel, "_test.go") {
				return nil
			}
			text, err := os.ReadFile(name)
			out[rel[:strings.LastIndexByte(rel, '/')]] += bytes.Count(text, []byte("\n"))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
