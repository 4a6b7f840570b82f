package layering_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/tools/layering"
)

func TestPlannerPasses_HandOnValuesThatNobodyChanges(t *testing.T) {
	rule := layering.PlannerPassMutationRule()
	found, err := layering.CheckPassMutations(loadRepository(t), prefix, rule)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range found {
		t.Error(s)
	}
	for worker, reason := range rule.Workers {
		if strings.TrimSpace(reason) == "" {
			t.Errorf("%s is a worker without a reason", worker)
		}
	}
}

const plane = `package plane

import (
	"slices"

	"example.com/r/base/ground"
)

type found struct {
	n     int
	list  []int
	deep  *found
	items []found
	index map[string]int
	pair  [2]int
	ground.Shared
}

type worker struct{ n int; out []found }

`

func TestCheckPasses_FindsEachWayToChangeWhatAnotherPassFound(t *testing.T) {
	for _, c := range []struct {
		name, code string
		field      string // "" when the assignment is allowed
	}{
		{"a parameter", "func f(p *found) { p.n = 1 }", "n"},
		{"a receiver", "func (p *found) f() { p.n = 1 }", "n"},
		{"a count", "func f(p *found) { p.n++ }", "n"},
		{"an addition", "func f(p *found) { p.n += 2 }", "n"},
		{"one of several targets", "func f(p *found) { var a int; a, p.n = 1, 2; _ = a }", "n"},
		{"the variables of a range", "func f(p *found) { for p.n = range 3 { } }", "n"},
		{"inside of a function literal", "func f(p *found) func() { return func() { p.n = 1 } }", "n"},
		{"an element of a field", "func f(p *found) { p.list[0] = 1 }", "list"},
		{"an element of a field of a copy", "func f(p found) { p.list[0] = 1 }", "list"},
		{"an entry of a field", "func f(p *found) { p.index[``] = 1 }", "index"},
		{"an element of a list", "func f(all []found) { all[0].n = 1 }", "n"},
		{"a pointer in a copy", "func f(p found) { p.deep.n = 1 }", "n"},
		{"a pointer from a call", "func g() *found { return nil }\nfunc f() { p := g(); p.n = 1 }", "n"},
		{"the result of a call", "func g() *found { return nil }\nfunc f() { g().n = 1 }", "n"},
		{"another name for a parameter", "func f(p *found) { q := p; q.n = 1 }", "n"},
		{"the address of an element", "func f(all []found) { p := &all[0]; p.n = 1 }", "n"},
		{"a pointer of a range", "func f(all []*found) { for _, p := range all { p.n = 1 } }", "n"},
		{"behind a star", "func f(p *found) { (*p).n = 1 }", "n"},
		{"a variable of the package", "var all found\nfunc f() { all.n = 1 }", "n"},
		{"a worker through a parameter", "func f(w *worker) { w.n = 1 }", "n"},
		{"a worker that a parameter holds", "type holder struct{ w worker }\nfunc f(h *holder) { h.w.add() }", "w"},
		{"another receiver of a worker's package", "func (p *found) f(w *worker) { w.out = nil }", "out"},

		{"a value that it made", "func f() found { var p found; p.n = 1; p.list = append(p.list, 1); return p }", ""},
		{"a pointer that it made", "func f() *found { p := &found{}; p.n = 1; p.list[0] = 2; return p }", ""},
		{"a copy of a parameter", "func f(p found) found { p.n = 1; p.pair[0] = 2; return p }", ""},
		{"a copy of what a pointer leads to", "func f(p *found) found { q := *p; q.n = 1; return q }", ""},
		{"a copy of an element", "func f(all []found) { for _, p := range all { p.n = 1 } }", ""},
		{"elements of a list that it made", "func f(n int) []found { all := make([]found, n); all[0].n = 1; return all }", ""},
		{"elements of a clone", "func f(p []found) []found { all := slices.Clone(p); all[0].n = 1; return all }", ""},
		{"a variable", "func f(n int) { n = 1; _ = n }", ""},
		{"a type of the ground", "func f(p *ground.Shared) { p.Name = `` }", ""},
		{"a worker of its own", "func f() { var w worker; w.add() }", ""},
		{"a worker behind a pointer", "type holder struct{ w *worker }\nfunc f(h *holder) { h.w.add() }", ""},
		{"a worker by its method", "func (w *worker) f() { w.n = 1; w.out[0].n = 2 }", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := twoModules()
			files["base/ground/a.go"] = "package ground\n\ntype Shared struct{ Name string }\n"
			files["base/plane/a.go"] = plane + c.code + "\n"
			files["base/plane/b.go"] = "package plane\n\nfunc (w *worker) add() { w.n++ }\n"
			files["base/plane/a_test.go"] = "package plane\n\nfunc change(p *found) { p.n = 1 }\n"
			got, err := layering.CheckPassMutations(loadFiles(t, files), "example.com/r", rule(map[string]string{"base/plane.worker": "counts"}))
			if err != nil {
				t.Fatal(err)
			}
			if c.field == "" {
				if len(got) != 0 {
					t.Errorf("found %q", got)
				}
				return
			}
			if len(got) != 1 || !strings.Contains(got[0], "assigns to the field "+c.field+" ") {
				t.Errorf("found %q, want one for the field %s", got, c.field)
			}
		})
	}
}

func TestCheckPasses_CountsMethodsAndLooksForUnusedWorkers(t *testing.T) {
	files := twoModules()
	files["base/plane/a.go"] = "package plane\n\ntype wide[T any] struct{}\n\nfunc (wide[T]) a() {}\nfunc (*wide[T]) b() {}\n"
	files["base/plane/b.go"] = "package plane\n\nfunc (w wide[T]) c() {}\n\ntype narrow struct{}\n\nfunc (narrow) a() {}\n"
	got, err := layering.CheckPassMutations(loadFiles(t, files), "example.com/r", rule(map[string]string{"base/plane.narrow": "nothing"}))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"base/plane.narrow is listed as a worker, and assigns to none of its fields",
		"base/plane.wide has 3 methods, more than 2: it asks to be several types",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("complaints (-want +got):\n%s", diff)
	}
}

func rule(workers map[string]string) layering.PassMutationRule {
	return layering.PassMutationRule{Module: "base", MaxMethods: 2, Planes: []string{"base/plane"}, Workers: workers}
}
