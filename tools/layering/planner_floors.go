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

// CheckFloors reports floors that export more functions and types than the rule allows, packages that are too large, and structs
// of floors that embed a struct with methods: its fields and methods would seem to be those of the pass.
func CheckFloors(w *workspace.Workspace, prefix string, rule FloorRule) ([]string, error) {
	var found []string
	s := newSourceTypeChecker(w)
	for _, floor := range rule.Floors {
		p, err := s.loadPackage(prefix + "/" + floor)
		if err != nil {
			return nil, err
		}
		exported := 0
		for _, name := range p.types.Scope().Names() {
			switch o := p.types.Scope().Lookup(name).(type) {
			case *types.Func, *types.TypeName:
				if o.Exported() {
					exported++
				}
			}
		}
		if exported > rule.MaxExported {
			found = append(found, fmt.Sprintf("%s exports %d functions and types, more than %d: hand over smaller values", floor, exported, rule.MaxExported))
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
	}
	sizes, err := linesOfPackages(w, rule.Below)
	if err != nil {
		return nil, err
	}
	for dir, lines := range sizes {
		if lines > rule.MaxLines {
			found = append(found, fmt.Sprintf("%s has %d lines, more than %d: it asks to be several packages", dir, lines, rule.MaxLines))
		}
	}
	slices.Sort(found)
	return found, nil
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
