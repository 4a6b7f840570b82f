package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// spellings is a model over texts that a server may take for the same: in case, accents,
// trailing spaces and width.
const spellings = `
version: 0.2.0.dev0
name: m
datasets:
  - name: sales
    source: SELECT id, CONVERT(region USING utf8mb4) COLLATE utf8mb4_general_ci AS region, CONVERT(city USING latin1) COLLATE latin1_swedish_ci AS city FROM (SELECT 1 AS id, 'north' AS region, 'Zoë' AS city UNION ALL SELECT 2, 'North', 'zoe' UNION ALL SELECT 3, 'north ', 'ZOË' UNION ALL SELECT 4, 'nörth', NULL UNION ALL SELECT 5, 'ｎorth', NULL UNION ALL SELECT 6, '😀', NULL UNION ALL SELECT 7, 'north', NULL) AS t
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: number, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: doubled, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id * 2}]}}
      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
      - {name: untyped, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
      - {name: city, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: city}]}}
      - {name: shouted, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: UPPER(region)}]}}
      - {name: is_north, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: CASE WHEN region = 'north' THEN 1 ELSE 0 END}]}}
      - {name: size, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: CASE WHEN id < 4 THEN 'small' ELSE 'small ' END}]}}
  - name: areas
    source: SELECT CONVERT(name USING utf8mb4) COLLATE utf8mb4_general_ci AS name, label FROM (SELECT 'north' AS name, 'lower' AS label UNION ALL SELECT 'North', 'capital' UNION ALL SELECT 'north ', 'space' UNION ALL SELECT 'nörth', 'accent') AS t
    primary_key: [name]
    fields:
      - {name: name, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: name}]}}
      - {name: label, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: label}]}}
relationships:
  - {name: area, from: sales, to: areas, from_columns: [region], to_columns: [name]}
metrics:
  - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(sales.id)}]}}
  - {name: regions, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT sales.region)}]}}
  - {name: lowest, expression: {dialects: [{dialect: ANSI_SQL, expression: MIN(sales.region)}]}}
  - {name: highest, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(sales.region)}]}}
  - {name: norths, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(sales.is_north)}]}}
  - {name: areas, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(areas.name)}]}}
`

// spelled opens the model with two profiles of one MariaDB: exact compares by code points,
// plain as the columns do.
func spelled(t *testing.T) *engine.Engine {
	t.Helper()
	s := servers.MariaDB(t)
	profile := fmt.Sprintf("type: mariadb, host: '%s', port: %d, username: '%s', password: '%s', database: '%s'", s.Host, s.Port, s.User, s.Password, s.Database)
	return open(t, engine.Config{ModelText: []byte(spellings), ConnectionsPath: file(t,
		"datasources:\n  plain: {"+profile+"}\n  exact: {"+profile+", collation: binary}\n")})
}

func TestCollation_CodePointsKeepTextsApart(t *testing.T) {
	e := spelled(t)
	counts := func(rows ...string) string { return "[" + strings.Join(rows, ",") + "]" }
	where := func(condition string) string { return `{"metrics":["n"],"where_sql":"` + condition + `"` }
	for _, tt := range []struct{ name, body, want string }{
		{"groups come in the order of code points", `{"metrics":["n"],"group_by":[{"field":"sales.region"}],"order_by":[{"key":"region"}]`,
			counts(`{"region":"North","n":1}`, `{"region":"north","n":2}`, `{"region":"north ","n":1}`, `{"region":"nörth","n":1}`, `{"region":"ｎorth","n":1}`, `{"region":"😀","n":1}`)},
		{"groups of an expression", `{"metrics":["n"],"group_by":[{"field":"sales.shouted"}],"order_by":[{"key":"shouted"}]`,
			counts(`{"shouted":"NORTH","n":3}`, `{"shouted":"NORTH ","n":1}`, `{"shouted":"NÖRTH","n":1}`, `{"shouted":"ＮORTH","n":1}`, `{"shouted":"😀","n":1}`)},
		{"groups of literals differ by a trailing space", `{"metrics":["n"],"group_by":[{"field":"sales.size"}],"order_by":[{"key":"size"}]`,
			counts(`{"size":"small","n":3}`, `{"size":"small ","n":4}`)},
		{"groups of a column in latin1", `{"metrics":["n"],"group_by":[{"field":"sales.city"}],"order_by":[{"key":"city"}]`,
			counts(`{"city":"ZOË","n":1}`, `{"city":"Zoë","n":1}`, `{"city":"zoe","n":1}`, `{"city":null,"n":4}`)},
		{"distinct values, the lowest and the highest", `{"metrics":["regions","lowest","highest"]`, counts(`{"regions":6,"lowest":"North","highest":"😀"}`)},
		{"the column in a condition of the model", `{"metrics":["norths"]`, counts(`{"norths":2}`)},
		{"=", where(`sales.region = 'north'`), counts(`{"n":2}`)},
		{"<>", where(`sales.region <> 'north'`), counts(`{"n":5}`)},
		{"<", where(`sales.region < 'north'`), counts(`{"n":1}`)},
		{"IN", where(`sales.region IN ('NORTH', 'North')`), counts(`{"n":1}`)},
		{"BETWEEN", where(`sales.region BETWEEN 'a' AND 'north'`), counts(`{"n":2}`)},
		{"LIKE", where(`sales.region LIKE 'N%'`), counts(`{"n":1}`)},
		{"ILIKE still ignores case", where(`sales.region ILIKE 'NORTH'`), counts(`{"n":3}`)},
		{"ILIKE knows letters beyond ASCII", where(`sales.region ILIKE 'NÖ%'`), counts(`{"n":1}`)},
		{"STARTS_WITH", where(`STARTS_WITH(sales.region, 'No')`), counts(`{"n":1}`)},
		{"CONTAINS", where(`CONTAINS(sales.region, 'ORTH')`), counts(`{"n":0}`)},
		{"a literal in capitals", where(`sales.city = 'ZOË'`), counts(`{"n":1}`)},
		{"joins", `{"metrics":["n"],"group_by":[{"field":"areas.label"}],"order_by":[{"key":"label"}]`,
			counts(`{"label":"accent","n":1}`, `{"label":"capital","n":1}`, `{"label":"lower","n":2}`, `{"label":"space","n":1}`, `{"label":null,"n":2}`)},
		{"two branches on one key", `{"metrics":["n","areas"],"group_by":[{"field":"areas.name"}],"order_by":[{"key":"name"}]`,
			counts(`{"name":"North","n":1,"areas":1}`, `{"name":"north","n":2,"areas":1}`, `{"name":"north ","n":1,"areas":1}`, `{"name":"nörth","n":1,"areas":1}`, `{"name":null,"n":2,"areas":0}`)},
		{"a field without a datatype compares as its column does", where(`sales.untyped = 'north'`), counts(`{"n":5}`)},
		{"a number that is declared text compares as text", where(`sales.number < '10'`), counts(`{"n":1}`)},
		{"a column that is a number elsewhere stays one in an expression", `{"metrics":["n"],"group_by":[{"field":"sales.doubled"}],"where_sql":"sales.id = 7"`, counts(`{"doubled":14,"n":1}`)},
		{"without the key, the collation of the column decides", `{"connection":"plain","metrics":["n"],"where_sql":"sales.region = 'north'"`, counts(`{"n":5}`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := tt.body + `}`
			if !strings.Contains(body, `"connection"`) {
				body = tt.body + `,"connection":"exact"}`
			}
			got, err := askRows(t.Context(), e, metricQuery(t, body))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, string(got.Rows)); d != "" {
				t.Errorf("%s\n%s", d, got.SQL)
			}
			if exact := !strings.Contains(body, "plain"); strings.Contains(got.SQL, "COLLATE utf8mb4_nopad_bin") != exact && strings.Contains(body, "region") {
				t.Errorf("the statement in the answer: %s", got.SQL)
			}
		})
	}
}

func TestCollation_CodePointsOrderRows(t *testing.T) {
	q, err := query.DecodeDetail([]byte(`{"connection":"exact","from":"sales","fields":["region","id"],"order_by":[{"key":"region","desc":true},{"key":"id"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := askRows(t.Context(), spelled(t), q)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"region":"😀","id":6},{"region":"ｎorth","id":5},{"region":"nörth","id":4},{"region":"north ","id":3},{"region":"north","id":1},{"region":"north","id":7},{"region":"North","id":2}]`
	if d := cmp.Diff(want, string(got.Rows)); d != "" {
		t.Errorf("%s\n%s", d, got.SQL)
	}
}

func TestCheckConnection_WarnsOfNoTextThatComparesByCodePoints(t *testing.T) {
	e := spelled(t)
	for connection, want := range map[string][]string{"plain": {"region", "city", "shouted"}, "exact": nil} {
		c, err := e.CheckConnection(t.Context(), connection)
		if err != nil || !c.OK() {
			t.Fatal(err, c)
		}
		if d := cmp.Diff(want, c.Sources[0].Caseless); d != "" {
			t.Errorf("%s: %s", connection, d)
		}
	}
}

// TestCollation_ProfileChoosesStatement requests two profiles of one dialect
// twice: a statement cached for one is never returned for the other.
func TestCollation_ProfileChoosesStatement(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(spellings), ConnectionsPath: file(t, `
datasources:
  maria: {type: mariadb, host: h}
  maria_exact: {type: mariadb, host: h, collation: binary}
  mysql_exact: {type: mysql, host: h, collation: Binary}
  tidb_exact: {type: tidb, host: h, collation: binary}
  doris_exact: {type: doris, host: h, collation: binary}
`)})
	const body = `{"metrics":["n"],"group_by":[{"field":"sales.region"}],"dialect":%q,"connection":%q}`
	for range 2 {
		for connection, collation := range map[string]string{
			"maria": "", "maria_exact": "utf8mb4_nopad_bin", "mysql_exact": "utf8mb4_0900_bin", "tidb_exact": "utf8mb4_0900_bin", "doris_exact": "",
		} {
			dialect, _, _ := strings.Cut(strings.Replace(connection, "maria", "mariadb", 1), "_")
			c, err := askSQL(t.Context(), e, metricQuery(t, fmt.Sprintf(body, dialect, connection)))
			if err != nil {
				t.Fatal(err)
			}
			_, statement, _ := strings.Cut(c.SQL, " AS `region`")
			selected := strings.TrimSuffix(c.SQL, statement)
			if got := strings.Contains(selected, "CHARACTER SET utf8mb4) COLLATE "+collation+" AS"); got != (collation != "") || c.Dialect != dialect {
				t.Errorf("%s: %s %s", connection, c.Dialect, c.SQL)
			}
		}
	}
}
