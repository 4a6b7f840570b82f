package semsql_test

import (
	"errors"
	"testing"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/semsql"
)

const flights = `version: 0.2.0.dev0
semantic_model:
  - name: air
    datasets:
      - name: flights
        source: flights
        primary_key: [flight_id]
        fields:
          - {name: flight_id, expression: {dialects: [{dialect: ANSI_SQL, expression: flight_id}]}, datatype: Integer}
          - {name: origin, expression: {dialects: [{dialect: ANSI_SQL, expression: origin}]}, datatype: String}
          - {name: target, expression: {dialects: [{dialect: ANSI_SQL, expression: target}]}, datatype: String}
      - name: airports
        source: airports
        primary_key: [code]
        fields:
          - {name: code, expression: {dialects: [{dialect: ANSI_SQL, expression: code}]}, datatype: String}
          - {name: city, expression: {dialects: [{dialect: ANSI_SQL, expression: city}]}, datatype: String}
    relationships:
      - {name: origin_airport, from: flights, to: airports, from_columns: [origin], to_columns: [code]}
      - {name: target_airport, from: flights, to: airports, from_columns: [target], to_columns: [code]}
    metrics:
      - {name: flown, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(flights.flight_id)}]}}
`

// A field that several relationships lead to is written with one of them.
func TestCompile_SuggestsARoleOfAnAmbiguousField(t *testing.T) {
	doc, err := modelspec.Parse([]byte(flights))
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := semsql.New(cat)
	for sql, want := range map[string]string{
		"SELECT city, MEASURE(flown) FROM air GROUP BY city HAVING MEASURE(flown) > 1 ORDER BY MEASURE(flown), city": "SELECT origin_airport__city, MEASURE(flown) FROM air GROUP BY origin_airport__city HAVING MEASURE(flown) > 1 ORDER BY MEASURE(flown), origin_airport__city",
		"SELECT MEASURE(flown) FROM air WHERE city = 'Oslo' AND origin <> 'x'":                                       "SELECT MEASURE(flown) FROM air WHERE origin_airport__city = 'Oslo' AND origin <> 'x'",
	} {
		_, err := m.Compile(t.Context(), semsql.Statement{SQL: sql}, planner.Target{Dialect: "duckdb"})
		var e *semsql.Error
		if !errors.As(err, &e) || e.Code != "ambiguous_join_path" || e.Statement != want {
			t.Errorf("%s: %v\n%s, want\n%s", sql, err, e.Statement, want)
		}
	}
}
