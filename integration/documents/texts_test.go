package documents_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// maxTextBytes bounds the texts that are read: larger ones are measurements.
const maxTextBytes = 64 << 10

// textsOfTests returns the distinct texts of the repository's tests in their order: the string literals of test
// files, and the files of testdata and examples that may be documents.
func textsOfTests(t *testing.T) []string {
	t.Helper()
	seen := map[string]bool{}
	add := func(text string) {
		if len(text) < maxTextBytes && strings.ContainsAny(text, "\n{") {
			seen[text] = true
		}
	}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || len(entry.Name()) > 2 && entry.Name()[0] == '.'):
			return fs.SkipDir
		case strings.HasSuffix(path, "_test.go"):
			return addLiterals(path, add)
		case slices.Contains([]string{".yaml", ".yml", ".json", ".lkml"}, filepath.Ext(path)):
			text, err := os.ReadFile(path)
			add(string(text))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, 0, len(seen))
	for text := range seen {
		texts = append(texts, text)
	}
	slices.Sort(texts)
	return texts
}

func addLiterals(path string, add func(string)) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				add(text)
			}
		}
		return true
	})
	return nil
}
