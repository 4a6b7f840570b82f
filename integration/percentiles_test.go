package integration_test

import (
	"encoding/json"
	"log/slog"
	"math"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
)

// percentilesModel has a field that is declared Integer, over a column of a type of the test's choice.
const percentilesModel = `
version: 0.2.0.dev0
name: percentiles
datasets:
  - name: t
    source: SELECT CAST(x AS TYPE) AS x FROM (VALUES VALUES_OF_X) AS v(x)
    fields:
      - {name: x, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}
metrics:
  - {name: middle, expression: {dialects: [{dialect: ANSI_SQL, expression: MEDIAN(t.x)}]}}
  - {name: quarter, expression: {dialects: [{dialect: ANSI_SQL, expression: PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY t.x)}]}}
  - {name: upper, expression: {dialects: [{dialect: ANSI_SQL, expression: PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY t.x DESC)}]}}
  - {name: low, expression: {dialects: [{dialect: ANSI_SQL, expression: MEDIAN(t.x) FILTER (WHERE t.x < 3)}]}}
`

// A field that is declared Integer may be a column of another type. Its percentiles are exact all the same.
func TestPercentile_WholeNumbersInColumnsOfOtherTypes(t *testing.T) {
	whole := "(1), (2), (4), (7), (NULL)" // by hand: between 2 and 4; 1 + 0.75; 7 - 0.75 * 3; between 1 and 2
	fractions := "(1.25), (1.26), (NULL)" // between 1.25 and 1.26; 1.25 + 0.25 * 0.01; 1.26 - 0.25 * 0.01
	for _, c := range []struct {
		typ, values string
		want        [4]float64
	}{
		{"TINYINT", whole, [4]float64{3, 1.75, 4.75, 1.5}},
		{"SMALLINT", whole, [4]float64{3, 1.75, 4.75, 1.5}},
		{"INTEGER", whole, [4]float64{3, 1.75, 4.75, 1.5}},
		{"BIGINT", whole, [4]float64{3, 1.75, 4.75, 1.5}},
		{"HUGEINT", whole, [4]float64{3, 1.75, 4.75, 1.5}},
		{"UINTEGER", whole, [4]float64{3, 1.75, 4.75, 1.5}},
		{"DECIMAL(18,0)", whole, [4]float64{3, 1.75, 4.75, 1.5}},
		{"DOUBLE", whole, [4]float64{3, 1.75, 4.75, 1.5}},
		{"FLOAT", whole, [4]float64{3, 1.75, 4.75, 1.5}},
		{"DECIMAL(4,2)", fractions, [4]float64{1.255, 1.2525, 1.2575, 1.255}},
		{"DOUBLE", fractions, [4]float64{1.255, 1.2525, 1.2575, 1.255}},
	} {
		t.Run(c.typ+" "+c.values, func(t *testing.T) {
			db, err := duckdb.Open(t.Context(), duckdb.Options{Connections: 1})
			if err != nil {
				t.Fatal(err)
			}
			model := strings.NewReplacer("AS TYPE", "AS "+c.typ, "VALUES_OF_X", c.values).Replace(percentilesModel)
			e, err := engine.Open(t.Context(), engine.Config{
				ModelText: []byte(model), Logger: slog.New(slog.DiscardHandler), Connections: []engine.ProgramConnection{{Name: "own", Executor: db}},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = e.Close() }()
			result, err := prepare.Rows(t.Context(), e, &query.MetricQuery{Metrics: []string{"middle", "quarter", "upper", "low"}, Connection: "own"})
			if err != nil {
				t.Fatal(err)
			}
			var rows []struct{ Middle, Quarter, Upper, Low float64 }
			if err := json.Unmarshal(result.Rows, &rows); err != nil {
				t.Fatal(err)
			}
			for i, got := range [4]float64{rows[0].Middle, rows[0].Quarter, rows[0].Upper, rows[0].Low} {
				if math.Abs(got-c.want[i]) > 1e-9*c.want[i] {
					t.Errorf("column %d is %v, want %v", i, got, c.want[i])
				}
			}
		})
	}
}
