package reference_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// unknownFunctions are the functions that the evaluator does not have. A query that calls one is not judged.
var unknownFunctions = []string{"CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "EXP", "LN", "LOG", "LOG10", "SQRT"}

// The evaluator gives each function of the language the value that docs/functions.md shows, or does not have it. A function with another value
// would judge the planner wrongly.
func TestExpr_FunctionsHaveTheValuesOfTheirPage(t *testing.T) {
	w := given(t, `
		t(id! Integer)
		found: COUNT(t.id)`,
		map[string]string{"t": "id\n1"})
	var unknown []string
	for _, f := range sqlexpr.FunctionReferences() {
		if f.Class != sqlexpr.ClassScalar || f.Value == "error" {
			continue
		}
		body, err := json.Marshal(map[string]any{"metrics": []string{"found"}, "where_sql": "CASE WHEN (" + f.Example + ") IS NOT DISTINCT FROM (" + f.Value + ") THEN id END = 1"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.ask(t, string(body))
		var refusal *reference.Rejection
		switch {
		case errors.As(err, &refusal):
			t.Errorf("%s: %v", f.Example, err)
		case err != nil:
			unknown = append(unknown, f.Names[0])
		case len(got.Rows) != 1 || got.Rows[0][0] != 1.0:
			t.Errorf("%s is not %s", f.Example, f.Value)
		}
	}
	slices.Sort(unknown)
	if diff := cmp.Diff(unknownFunctions, unknown); diff != "" {
		t.Errorf("functions that the evaluator does not have (-listed +found)\n%s", diff)
	}
}
