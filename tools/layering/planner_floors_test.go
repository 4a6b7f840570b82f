package layering_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/tools/layering"
)

func TestPlannerFloors_AreSmall(t *testing.T) {
	found, err := layering.CheckFloors(loadRepository(t), prefix, layering.PlannerFloorRule())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range found {
		t.Error(s)
	}
}

func TestFloors_RejectSizeExportsEmbeddingAndReceivers(t *testing.T) {
	files := twoModules()
	files["base/floor/a.go"] = "package floor\n\ntype Planner struct{ n int }\n\nfunc (p Planner) Count() int { return p.n }\n\ntype plain struct{ n int }\n\ntype pass struct {\n\t*Planner\n\tplain\n}\n\nfunc Plan() pass { return pass{} }\n"
	files["base/floor/b.go"] = "package floor\n\ntype row struct{}\n\nfunc (p *row) a() {}\n\nfunc (r row) b() {}\n"
	files["base/floor/a_test.go"] = "package floor\n\nfunc Exported() {}\n"
	rule := layering.FloorRule{Floors: []string{"base/floor"}, MaxExported: 1, Below: "base/", MaxLines: 10}
	found, err := layering.CheckFloors(loadFiles(t, files), "example.com/r", rule)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"base/floor exports 2 functions and types, more than 1: hand over smaller values",
		"base/floor has 21 lines, more than 10: it asks to be several packages",
		"base/floor/a.go:9: a struct embeds Planner: give the field a name",
		"base/floor: Planner and row both call their receiver p",
		"base/floor: the receiver of row is called p and r",
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
}
