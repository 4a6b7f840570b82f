package query_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// Periods need their unit, two steps, and no other time in which the second step follows.
func TestSequences_RefuseWrongPeriods(t *testing.T) {
	const step = `{"name":"a","dataset":"d"}`
	for _, c := range []struct{ keys, steps, message string }{
		{`"every":"week"`, step + "," + step, "sequences[0] needs periods beside every"},
		{`"periods":8`, step + "," + step, "sequences[0] needs every beside periods"},
		{`"every":"hour","periods":8`, step + "," + step, "day, week, month, quarter, year"},
		{`"every":"week","periods":0`, step + "," + step, "an integer from 1 to 120"},
		{`"every":"week","periods":121`, step + "," + step, "an integer from 1 to 120"},
		{`"every":"week","periods":8`, step + "," + step + "," + step, "has every and 3 steps, and takes two"},
		{`"every":"week","periods":8,"order":"given"`, step + "," + step, "has order beside every"},
		{`"every":"week","periods":8,"within":{"count":1,"granularity":"day"}`, step + "," + step, "has within beside every"},
	} {
		_, err := query.DecodeMetric([]byte(`{"metrics":["m"],"sequences":[{"name":"s","entity":["x"],` + c.keys + `,"steps":[` + c.steps + `]}]}`))
		var failure *planerr.Error
		if !errors.As(err, &failure) || failure.Code != planerr.CodeBadRequest || !strings.Contains(failure.Message, c.message) {
			t.Errorf("%s: %v", c.keys, err)
		}
	}
}
