package agents_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
)

// growth returns statements that replace every table by copies of its rows. A copy has other keys; some foreign keys
// become null or name a row that does not exist; days are spread, with months without rows; numbers and texts
// vary, and some are null. The hash of a value and of the number of the copy decides, so that the rows are the same
// each time. Tables whose key is a day stay as they are.
func (s subject) growth(t testing.TB, copies int) []string {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{ModelText: s.model})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{s.data}, Connections: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	types := map[string][][2]string{}
	for _, row := range rowsOf(t.Context(), t, db, "SELECT table_name, column_name, data_type FROM information_schema.columns ORDER BY table_name, ordinal_position").Rows {
		types[row[0].Text] = append(types[row[0].Text], [2]string{row[1].Text, row[2].Text})
	}
	foreign := map[string][]string{}
	for _, r := range e.Relationships() {
		foreign[r.From] = append(foreign[r.From], r.FromColumns...)
	}
	var out []string
	for _, d := range e.Datasets() {
		var columns []string
		keyIsDay := false
		for _, c := range types[d.Source] {
			name, kind := c[0], c[1]
			isKey := slices.Contains(d.PrimaryKey, name)
			keyIsDay = keyIsDay || isKey && kind == "DATE"
			columns = append(columns, grownColumn(name, kind, isKey, slices.Contains(foreign[d.Name], name)))
		}
		if keyIsDay {
			continue
		}
		out = append(out, fmt.Sprintf("CREATE OR REPLACE TABLE %[1]s AS SELECT %[2]s FROM %[1]s, range(%[3]d) AS copies(k)", d.Source, strings.Join(columns, ", "), copies))
	}
	return out
}

func grownColumn(name, kind string, isKey, isForeign bool) string {
	dice := fmt.Sprintf("(hash(%s, k, '%s') %% 1000)", name, name)
	value := name
	switch isNumber := kind == "INTEGER" || kind == "BIGINT"; {
	case isKey && isForeign, isKey && isNumber:
		value = fmt.Sprintf("%s::BIGINT + k * 1000000", name)
	case isForeign && isNumber:
		value = fmt.Sprintf("CASE WHEN %[2]s < 20 THEN NULL WHEN %[2]s < 40 THEN -1 - k ELSE %[1]s::BIGINT + k * 1000000 END", name, dice)
	case kind == "DATE":
		value = fmt.Sprintf("CASE WHEN %[2]s < 15 THEN NULL WHEN month(%[1]s + (%[2]s %% 300)::INTEGER) = 7 THEN %[1]s ELSE %[1]s + (%[2]s %% 300)::INTEGER END", name, dice)
	case kind == "VARCHAR":
		value = fmt.Sprintf("CASE WHEN %[2]s < 15 THEN NULL ELSE %[1]s END", name, dice)
	case isNumber, strings.HasPrefix(kind, "DECIMAL"):
		value = fmt.Sprintf("CASE WHEN %[2]s < 15 THEN NULL ELSE (%[1]s + %[2]s %% 3)::%[3]s END", name, dice, kind)
	}
	return value + " AS " + name
}
