package resolve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Expressions are lowered from tree to tree: a text that is written and read again has its own rules of quoting and its own places.
func TestLower_ParsesNoText(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range []string{"sqlexpr.Parse" + "(", "sqlexpr.ParseLimited" + "(", "parse.Parse" + "("} {
			if strings.Contains(string(source), call) {
				t.Errorf("%s calls %s…)", file, call)
			}
		}
	}
}
