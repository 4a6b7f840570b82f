package document_test

import (
	"errors"
	"testing"

	"github.com/semlayer/semlayer/modelspec/document"
)

func TestRead_ReturnsAtMostSoManyDocuments(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{{"# only comments\n", 0}, {"a: 1\n", 1}, {"a: 1\n---\nb: 2\n", 2}, {"1\n---\n2\n---\n[\n", 2}} {
		documents, err := document.ReadYAML([]byte(c.text), 2)
		if err != nil || len(documents) != c.want {
			t.Errorf("%q: %d documents, %v", c.text, len(documents), err)
		}
	}
}

func TestRead_NamesTheLineOfAnError(t *testing.T) {
	_, err := document.ReadYAML([]byte("a: 1\nb: c: d\n"), 1)
	var failure *document.Error
	if !errors.As(err, &failure) || failure.Line != 2 || failure.Column != 5 || failure.Message != "mapping values are not allowed in this context" || errors.Unwrap(err) == nil {
		t.Errorf("%+v", err)
	}
}

func TestRead_TakesTheVersionDirectiveOfYAML12(t *testing.T) {
	for _, text := range []string{
		"%YAML 1.2\n---\na: 1\n",
		"# a model\n\n%YAML 1.2 # of 2009\r\n---\na: 1\n",
		"%TAG ! tag:example.com,2024:\n%YAML 1.2\n---\na: 1\n",
	} {
		documents, err := document.ReadYAML([]byte(text), 2)
		if err != nil || len(documents) != 1 || len(documents[0].Root.Content) != 2 {
			t.Errorf("%q: %d documents, %v", text, len(documents), err)
		}
	}
	_, err := document.ReadYAML([]byte("%YAML 1.2\n---\na: 1\nb: c: d\n"), 2)
	if failure := (*document.Error)(nil); !errors.As(err, &failure) || failure.Line != 4 {
		t.Errorf("%v, not the error of line 4", err)
	}
}
