package cube_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/cube"
)

// A file that cannot be read is a dropped entry with its line, and the other files are imported.
func TestRead_AFileWithAMistakeLeavesTheOthers(t *testing.T) {
	imported, err := cube.Read([]importer.SourceFile{
		{Name: "tides.yml", Text: []byte("cubes:\n  - name: tides\n    sql_table: tides: x\n")},
		{Name: "harbours.yml", Text: []byte("cubes: [{name: harbours, sql_table: harbours, measures: [{name: harbour_count, type: count}]}]")},
	}, importer.Options{ModelName: "m"})
	if err != nil {
		t.Fatal(err)
	}
	result, err := importer.FinishImport(t.Context(), imported, plansAll)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"dropped file tides.yml: line 3: the file is not YAML: mapping values are not allowed in this context"}
	if diff := cmp.Diff(want, lossesOf(result)); diff != "" {
		t.Error(diff)
	}
}
