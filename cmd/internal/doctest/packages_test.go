package doctest

import (
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The lines around the table of packages in docs/architecture.md.
const (
	packagesBegin = "<!-- The table is made from the doc comments: go test ./cmd/internal/doctest -update -->\n"
	packagesEnd   = "<!-- end of the packages -->\n"
)

// The table of packages has every package of the product, with the sentence of its doc.go.
func TestArchitecture_TableOfPackagesIsCurrent(t *testing.T) {
	page, err := os.ReadFile(architecturePage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), packagesBegin)
	got, after, closed := strings.Cut(rest, packagesEnd)
	if !ok || !closed {
		t.Fatal("docs/architecture.md has no table of packages")
	}
	want := packagesTable(t)
	if *update {
		if err := os.WriteFile(architecturePage, []byte(before+packagesBegin+want+packagesEnd+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("update it with: go test ./cmd/internal/doctest -update\n%s", d)
	}
}

func packagesTable(t *testing.T) string {
	t.Helper()
	sentences := map[string]string{} // by folder
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || slices.Contains(foldersWithoutPackages, d.Name())):
			return filepath.SkipDir
		case strings.HasSuffix(d.Name(), ".go") && !strings.HasSuffix(d.Name(), "_test.go"):
			if sentence := firstSentence(t, path); sentence != "" {
				folder, err := filepath.Rel(root, filepath.Dir(path))
				if err != nil {
					return err
				}
				sentences[filepath.ToSlash(folder)] = sentence
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| package | contents |\n|---|---|\n")
	for _, folder := range slices.Sorted(maps.Keys(sentences)) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", folder, cell(sentences[folder]))
	}
	return b.String()
}

var foldersWithoutPackages = []string{"testdata", "node_modules", "deploy"}

// firstSentence returns the first sentence of the comment of a package, without "Package NAME"; "" for a
// file without a comment.
func firstSentence(t *testing.T, file string) string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	sentence := new(doc.Package).Synopsis(parsed.Doc.Text())
	for _, kind := range []string{"Package ", "Command "} {
		if rest, ok := strings.CutPrefix(sentence, kind); ok {
			_, sentence, _ = strings.Cut(rest, " ")
		}
	}
	return strings.TrimSuffix(sentence, ".")
}
