package layering_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/tools/layering"
)

func TestTestNames_HaveUnitAndBehaviour(t *testing.T) {
	complaints, err := layering.CheckTestNames(loadRepository(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range complaints {
		t.Error(s)
	}
}

func TestCheckTestNames_FindsSentences(t *testing.T) {
	files := twoModules()
	files["base/a_test.go"] = `package a

func TestConformance() {}
func TestPool_Size() {}
func Testing() {}
func helper() {}
func TestThePoolHoldsItsSize() {}
func FuzzDecoder_() {}
`
	got, err := layering.CheckTestNames(loadFiles(t, files))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"base/a_test.go:7: TestThePoolHoldsItsSize: name it Test<Unit>_<Behaviour>",
		"base/a_test.go:8: FuzzDecoder_: name it Test<Unit>_<Behaviour>",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
