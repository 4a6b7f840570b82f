package layering_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/tools/layering"
)

// leftOutOfBuilds are the files that a build for Linux leaves out, with the reason.
var leftOutOfBuilds = map[string]string{
	"cmd/internal/reload/low_priority_other.go":  "systems other than Linux",
	"engine/memory/free_disk_other.go":           "systems other than Unix",
	"engine/race_on_test.go":                     "tells tests that the race detector runs",
	"executor/duckdb/export_bench_test.go":       "compares with the export of the driver, which the tag duckdb_arrow adds",
	"executor/duckdb/local_file_system_other.go": "systems other than Linux",
	"executor/duckdb/lock_directory_other.go":    "systems other than Unix",
	"executor/duckdb/memory_test.go":             "counts what the bindings allocate, which the tag debug_bindings makes possible",
	"executor/localdb/kill_with_parent_other.go": "systems other than Linux",
	"restapi/descriptor_limit_other.go":          "systems other than Unix",
	"restapi/peer_closed_other.go":               "systems other than Unix",
	"restapi/peer_closed_unix.go":                "systems other than Linux",
}

func TestFiles_BelongToTheBuild(t *testing.T) {
	complaints, err := layering.CheckFilesLeftOutOfBuilds(loadRepository(t), leftOutOfBuilds)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range complaints {
		t.Error(s)
	}
}

func TestCheckFilesLeftOutOfBuilds_FindsSystemsInNames(t *testing.T) {
	files := twoModules()
	files["base/named_windows_test.go"] = "package a\n"
	files["base/kiln_windows.go"] = "package a\n"
	files["base/windows.go"] = "package a\n"
	files["base/tagged.go"] = "//go:build ignore\n\npackage a\n"
	got, err := layering.CheckFilesLeftOutOfBuilds(loadFiles(t, files), map[string]string{"base/kiln_windows.go": "another kiln", "base/windows.go": "built"})
	if err != nil {
		t.Fatal(err)
	}
	const rule = ": a build for Linux leaves this file out: by its name, or by a constraint"
	want := []string{"base/named_windows_test.go" + rule, "base/tagged.go" + rule, "base/windows.go: is listed as left out of the build, and is not"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
