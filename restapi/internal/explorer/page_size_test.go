package explorer

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"strings"
	"testing"
)

// The files that a browser loads are at most 250 kB, packed.
func TestPage_Size(t *testing.T) {
	files, err := fs.ReadDir(embeddedFiles, "dist")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, f := range files {
		content, err := fs.ReadFile(embeddedFiles, "dist/"+f.Name())
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case f.Name() == "LICENSES.txt": // for people who ask for it
		case strings.HasSuffix(f.Name(), ".gz"):
			total += len(content)
		default:
			var packed bytes.Buffer
			w := gzip.NewWriter(&packed)
			if _, err := w.Write(content); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			total += packed.Len()
		}
	}
	if total < 100_000 || total > 250_000 {
		t.Errorf("the page has %d bytes", total)
	}
}
