package corpus

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGolden_RoundTrips(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "trino")
	for _, texts := range []map[string]string{
		{"joins/one": "SELECT 1\n", "joins/two": "as duckdb\n", "time/three": "SELECT '--'\n-- no marker\n"},
		{"joins/two": "refused: type_mismatch\n"}, // time has lost its only case
		{},
	} {
		if err := WriteGoldenArchives(dir, texts); err != nil {
			t.Fatal(err)
		}
		got, err := ReadGoldenArchives(dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(texts, got); diff != "" {
			t.Errorf("-written +read\n%s", diff)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
