package layering_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/tools/layering"
)

func TestFileNames_AreNouns(t *testing.T) {
	complaints, err := layering.CheckFileNames(loadRepository(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range complaints {
		t.Error(s)
	}
}

func TestCheckFileNames_FindsSentences(t *testing.T) {
	const base = "package base\n"
	files := twoModules()
	for _, name := range []string{
		"three_short_words", "three_short_words_test", "three_short_words_internal_test", "three_short_words_linux", "three_short_words_other",
		strings.Repeat("a", 24), "base", "standby",
		"four_words_of_one", "cups_and_saucers_test", strings.Repeat("a", 25), "base_plates",
	} {
		files["base/"+name+".go"] = base
	}
	got, err := layering.CheckFileNames(loadFiles(t, files))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"base/" + strings.Repeat("a", 25) + ".go: the name has 25 characters, more than 24",
		"base/base_plates.go: the name repeats base, the name of its folder",
		`base/cups_and_saucers_test.go: the name joins two things by "and": name the one thing, or make it two files`,
		"base/four_words_of_one.go: the name has 4 words, more than 3",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
