package layering_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/tools/layering"
)

// What users write is read in one place, so that positions, hints and limits are the same in models, policies, test files,
// profiles and imports. Tests take the library for a second opinion.
func TestDocuments_AreReadByOnePackage(t *testing.T) {
	w := loadRepository(t)
	readers := map[string]bool{}
	for _, m := range w.Modules {
		if slices.Contains(w.Versions.Unreleased, m.Dir) {
			continue
		}
		err := layering.WalkGoFiles(w.AbsModuleDir(m), func(name string) error {
			if strings.HasSuffix(name, "_test.go") {
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			for _, spec := range file.Imports {
				if spec.Path.Value == `"go.yaml.in/yaml/v3"` {
					dir, err := filepath.Rel(w.Root, filepath.Dir(name))
					if err != nil {
						return err
					}
					readers[filepath.ToSlash(dir)] = true
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(readers) != 1 || !readers["modelspec/document"] {
		t.Errorf("the YAML library is below modelspec/document alone, and these packages import it: %v", readers)
	}
}
