package layering_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/tools/layering"
)

func TestExamples_EveryPublicPackageHasOneThatRuns(t *testing.T) {
	complaints, err := layering.CheckExamples(loadRepository(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range complaints {
		t.Error(s)
	}
}

func TestExamples_MissingOnesAreReported(t *testing.T) {
	const runs = "package a_test\n\nfunc Example() {\n\tprintln()\n\t// Output:\n\t// a\n}\n"
	files := twoModules()
	files["base/good/a.go"] = "package good\n"
	files["base/good/example_test.go"] = runs
	files["base/none/a.go"] = "package none\n"
	files["base/none/a_test.go"] = "package none\n"
	files["base/compiled/a.go"] = "package compiled\n"
	files["base/compiled/example_test.go"] = runs + "\n// It needs a server: it is compiled and\n// not run.\nfunc ExampleX() {}\n\n// It says nothing.\nfunc ExampleY() {}\n"
	files["base/internal/a/a.go"] = "package a\n"
	files["base/program/main.go"] = "package main\n"
	files["top/tool/a.go"] = "package tool\n" // of a module that is not released
	got, err := layering.CheckExamples(loadFiles(t, files))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"base/compiled: ExampleY has no output, and its comment does not say that it is compiled and not run",
		"base/none: no example with an output, which is what its page on pkg.go.dev begins with",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("complaints (-want +got):\n%s", diff)
	}
}
