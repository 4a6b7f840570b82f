package planner_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/internal/plancases"
)

// leastCases is a floor under the cases that are planned: fewer mean that the files moved.
const leastCases = 920

// TestCases_ArePlannedAsTheyShow plans the query of every case of the corpus without an
// engine: the plan is that of plan.txt, and an error has the code of error.json.
func TestCases_ArePlannedAsTheyShow(t *testing.T) {
	planned := 0
	for _, c := range plancases.Read(t) {
		t.Run(c.Name, func(t *testing.T) {
			got, err := c.Plan(t, planner.Target{})
			want := c.Sections["plan.txt"]
			switch {
			case want != "":
				planned++
				if err != nil {
					t.Fatal(err)
				}
				if got != want {
					t.Errorf("plan\n%s\nwant\n%s", got, want)
				}
			case err != nil:
				planned++
				checkCode(t, c, err)
			}
		})
	}
	if planned < leastCases {
		t.Errorf("%d cases are planned or refused as they show, want at least %d", planned, leastCases)
	}
}

// checkCode compares the code of an error with that of the case.
func checkCode(t *testing.T, c plancases.Case, err error) {
	t.Helper()
	var want struct{ Code string }
	if err := json.Unmarshal([]byte(c.Sections["error.json"]), &want); err != nil {
		t.Fatal(err)
	}
	var got interface{ ErrorCode() string }
	if !errors.As(err, &got) || got.ErrorCode() != want.Code {
		t.Errorf("%v, want code %s", err, want.Code)
	}
}
