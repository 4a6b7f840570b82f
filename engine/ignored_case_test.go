package engine_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
)

// collations is a model over texts of several collations, and one source without rows.
const collations = `
version: 0.2.0.dev0
name: m
datasets:
  - name: places
    source: SELECT * FROM (SELECT CONVERT('north' USING utf8mb4) COLLATE utf8mb4_general_ci AS loose, CONVERT('north' USING latin1) COLLATE latin1_swedish_ci AS swedish, CONVERT('north' USING utf8mb4) COLLATE utf8mb4_bin AS exact, CAST(NULL AS CHAR) COLLATE utf8mb4_general_ci AS missing, 5 AS amount) AS t
    fields:
      - {name: loose, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: loose}]}}
      - {name: swedish, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: swedish}]}}
      - {name: exact, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: exact}]}}
      - {name: missing, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: missing}]}}
      - {name: computed, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: "UPPER(loose)"}]}}
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
  - name: nowhere
    source: SELECT CONVERT('north' USING utf8mb4) COLLATE utf8mb4_general_ci AS loose FROM (SELECT 1) AS t WHERE FALSE
    fields:
      - {name: loose, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: loose}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(places.amount)}]}}
`

func TestCheckConnection_NamesTextsThatCompareWithoutCase(t *testing.T) {
	s := servers.MariaDB(t)
	e := open(t, engine.Config{ModelText: []byte(collations), ConnectionsPath: file(t, fmt.Sprintf(
		"datasources:\n  maria: {type: mariadb, host: '%s', port: %d, username: '%s', password: '%s', database: '%s'}\n",
		s.Host, s.Port, s.User, s.Password, s.Database))})
	c, err := e.CheckConnection(t.Context(), "maria")
	if err != nil || !c.OK() {
		t.Fatal(err, c)
	}
	got := map[string][]string{}
	for _, source := range c.Sources {
		got[source.Dataset] = source.Caseless
	}
	want := map[string][]string{"places": {"loose", "swedish", "missing", "computed"}, "nowhere": nil}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
