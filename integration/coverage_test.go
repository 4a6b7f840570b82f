package integration_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/planner/planerr"
)

// notOfCases are the codes that no query of a case can raise.
var notOfCases = []string{
	planerr.CodeDimensionsRequired, planerr.CodeDenominatorNonpositive, // of attributions
	planerr.CodeUnknownRollup, planerr.CodeRollupNotWritable, planerr.CodeRollupWriteUnsupported, planerr.CodeRollupMismatch, // of the command rollup
	planerr.CodeInternal, // a defect, by definition without a case
}

func TestErrorCodes_EveryQueryCodeHasCase(t *testing.T) {
	var seen []string
	for _, c := range cases(t) {
		if !c.ExpectsError() {
			continue
		}
		r, err := c.ParseExpectedError()
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, r.Code)
	}
	raised, missing := 0, 0
	for _, code := range planerr.Codes() {
		if code.Retired != "" || slices.Contains(notOfCases, code.Code) {
			continue
		}
		if slices.Contains(seen, code.Code) {
			raised++
			continue
		}
		missing++
		t.Errorf("no case is refused with %s", code.Code)
	}
	floor.CheckCount(t, "raised", raised, 30)
	t.Attr("missing", strconv.Itoa(missing))
}
