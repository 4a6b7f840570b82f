package format_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/format"
)

// corpus returns the model files of the repository.
func corpus(t *testing.T) map[string][]byte {
	t.Helper()
	texts := map[string][]byte{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && path != root):
			return filepath.SkipDir
		case d.IsDir() && d.Name() == "checkout":
			return filepath.SkipDir // MetricFlow's files have a key of the same name
		case filepath.Ext(path) != ".yaml":
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && bytes.Contains(text, []byte("\nsemantic_model:")) {
			texts[path] = text
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) < 30 {
		t.Fatalf("the corpus has %d models", len(texts))
	}
	return texts
}

// modelContents is what a model file holds: its document, from which the catalog is made, and
// what compiling it finds.
type modelContents struct {
	Document *modelspec.Document
	Findings []string
}

// withoutPlaces compares values, not where they are in the text.
var withoutPlaces = cmp.Options{
	cmpopts.IgnoreTypes(modelspec.Position{}),
	cmpopts.IgnoreUnexported(modelspec.Document{}, modelspec.Dataset{}, modelspec.LocatedText{}),
}

func contents(t *testing.T, text []byte) modelContents {
	t.Helper()
	doc, err := modelspec.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	out := modelContents{Document: doc}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range cat.Errors {
		out.Findings = append(out.Findings, e.Code+" "+e.Location+" "+e.Message)
	}
	return out
}

func TestFormat_KeepsEveryModelOfTheCorpus(t *testing.T) {
	for path, text := range corpus(t) {
		out, err := format.Format(text)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if again, err := format.Format(out); err != nil || !bytes.Equal(out, again) {
			t.Errorf("%s: formatted twice, %v:\n%s", path, err, cmp.Diff(string(out), string(again)))
		}
		if diff := cmp.Diff(contents(t, text), contents(t, out), withoutPlaces); diff != "" {
			t.Errorf("%s holds something else (-before +after):\n%s", path, diff)
		}
		for line := range strings.Lines(string(text)) {
			if comment := strings.TrimSpace(line); strings.HasPrefix(comment, "#") && !bytes.Contains(out, []byte(comment)) {
				t.Errorf("%s: lost the comment %s", path, comment)
			}
		}
	}
}

// The models that people begin with are in the layout.
func TestFormat_ChangesNoExample(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "examples", "*", "model.yaml"))
	if err != nil || len(paths) < 5 {
		t.Fatal(paths, err)
	}
	for _, path := range append(paths, filepath.Join("..", "..", "cmd", "internal", "demo", "retail.yaml")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out, err := format.Format(text)
		if diff := cmp.Diff(string(text), string(out)); err != nil || diff != "" {
			t.Errorf("%s: run semlayer fmt: %v\n%s", path, err, diff)
		}
	}
}
