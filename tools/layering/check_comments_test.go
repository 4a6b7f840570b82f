package layering_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/tools/layering"
)

func TestComments_NameExportedNamesThatExist(t *testing.T) {
	complaints, err := layering.CheckExportedNamesInComments(loadRepository(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range complaints {
		t.Error(s)
	}
}

func TestCheckExportedNames_FindsNamesThatPackageLacks(t *testing.T) {
	files := twoModules()
	files["base/a.go"] = "// Package a reads a.Kept, a.Gone, fmt.Gone, other.Gone and docs/a.Gone.\npackage a\n\n// Kept has a method.\ntype Kept struct{}\n"
	got, err := layering.CheckExportedNamesInComments(loadFiles(t, files))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"base/a.go: a comment names a.Gone, which package a does not have"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestComments_NameFilesThatExist(t *testing.T) {
	complaints, err := layering.CheckFilesNamedInComments(loadRepository(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range complaints {
		t.Error(s)
	}
}

func TestCheckNamedFiles_FindsFilesThatAreGone(t *testing.T) {
	files := twoModules()
	files["base/a.go"] = "// Package a has b.go, gone.go and other/far.go.\npackage a\n"
	files["base/b.go"] = "package a\n"
	got, err := layering.CheckFilesNamedInComments(loadFiles(t, files))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"base/a.go: a comment names gone.go, which is not in the folder"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
