package modelspec_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec"
)

// FuzzParse: any text is a document or a *LoadError, and any document can be
// validated, with a place for every finding.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		small,
		strings.ReplaceAll(small, "\n", "\r\n"),
		`{"version":"0.2.0.dev0","name":"m","datasets":[{"name":"d","source":"t","fields":[{"name":"a","expression":{"dialects":[{"dialect":"ANSI_SQL","expression":"a"}]}}]}]}`,
		"version: 0.2.0.dev0\nname: m\ndatasets:\n  - &d {name: d, source: select 1, unique_keys: [[a], [b, c]]}\n  - {<<: *d, name: e}\nrelationships:\n  - {name: r, from: d, to: e, from_columns: [a], to_columns: [b]}\n",
		"a: &a [*a]", "? {a: b}\n: c", "<<: [1]", "{", "[", "\"", "- - - a", "!!binary aGk=", "%YAML 1.1\n---\na: |2-\n  x", "ontology: 1",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := modelspec.Parse(text)
		if err != nil {
			var loadErr *modelspec.LoadError
			if !errors.As(err, &loadErr) || loadErr.Message == "" || loadErr.Kind == "" {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		lines := strings.Count(string(text), "\n") + strings.Count(string(text), "\r") + 1
		for _, i := range append(validated(t, doc), validated(t, doc, modelspec.WithBasicMode(true))...) {
			if i.Code == "" || i.Message == "" || i.Location == "" {
				t.Errorf("incomplete: %+v", i)
			}
			if i.Position.Line < 1 || i.Position.Line > lines+1 || i.Position.Column < 1 {
				t.Errorf("a place outside of the text: %+v", i)
			}
		}
		for _, w := range doc.UnknownKeyWarnings() {
			if w.Code == "" || w.Message == "" || w.Location == "" {
				t.Errorf("incomplete: %+v", w)
			}
		}
	})
}
