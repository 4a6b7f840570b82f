package draft_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/format"
)

func TestPrint_IsAFixedPointOfTheFormat(t *testing.T) {
	text := draft.Print(full())
	formatted, err := format.Format(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), string(formatted)); diff != "" {
		t.Errorf("-printed +formatted\n%s", diff)
	}
}
