package access

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
)

// A field that names another one reads what its reader sees of that one, also where roles differ in what they show of both. A role in whose own
// view the field does not exist shows no value of it.
func TestRoles_FieldsReadWhatTheReaderSeesOfOthers(t *testing.T) {
	const model = `
version: 0.2.0.dev0
name: people
datasets:
  - name: people
    source: people
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: town, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: town}]}}
      - {name: capitals, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: UPPER(name)}]}}
      - {name: name, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: full_name}]}}
      - {name: again, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: full_name}]}}
      - {name: twice, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: capitals || capitals}]}}
metrics:
  - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(people.id)}]}}
`
	open := enginesWith("dependent", func(testing.TB) string {
		return "CREATE TABLE people (id INTEGER, town VARCHAR(9), full_name VARCHAR(9)); INSERT INTO people VALUES (1, 'a', 'Ann'), (2, 'b', 'Bob'), (3, 'a', 'Cid');"
	})
	cases := []struct{ about, policies, want string }{
		{
			"a role masks the name and shows what is made of it, and another shows the name of other rows",
			`roles:
  masking: {datasets: {people: {rows: "town = 'a'", fields: all, mask: {name: "'x'", again: "'x'"}}}, metrics: all}
  plain: {datasets: {people: {rows: "id < 3", fields: [id, name, again]}}, metrics: all}`,
			`[{"id":1,"town":"a","capitals":"ANN","name":"Ann","again":"Ann","twice":"ANNANN"},` +
				`{"id":2,"town":null,"capitals":null,"name":"Bob","again":"Bob","twice":null},` +
				`{"id":3,"town":"a","capitals":"X","name":"x","again":"x","twice":"XX"}]`,
		},
		{
			"a role hides the name, and another shows it without what is made of it",
			`roles:
  hiding: {datasets: {people: {rows: "town = 'a'", fields: all, hide: [name]}}, metrics: all}
  plain: {datasets: {people: {rows: "id < 3", fields: [id, name, again]}}, metrics: all}`,
			`[{"id":1,"town":"a","name":"Ann","again":"Ann"},{"id":2,"town":null,"name":"Bob","again":"Bob"},{"id":3,"town":"a","name":null,"again":null}]`,
		},
		{
			"a mask is required, and one role shows the name and what is made of it",
			`required: {datasets: {people: {mask: {name: "SUBSTRING(name, 1, 1)", again: "'r'"}}}}
roles:
  made: {datasets: {people: {rows: "town = 'a'", fields: [id, name, again, capitals]}}, metrics: all}
  other: {datasets: {people: {rows: "id = 2", fields: [id, town]}}, metrics: all}`,
			`[{"id":1,"town":null,"capitals":"A","name":"A","again":"r"},{"id":2,"town":"b","capitals":null,"name":null,"again":null},{"id":3,"town":null,"capitals":"C","name":"C","again":"r"}]`,
		},
	}
	for _, dialect := range []string{"duckdb", "postgres", "mysql", "sqlite"} {
		t.Run(dialect, func(t *testing.T) {
			db := open[dialect](t)
			for _, c := range cases {
				policies := "version: 1\n" + c.policies + "\n"
				e, err := engine.Open(t.Context(), engine.Config{
					ModelText: []byte(model), PoliciesPath: "policies.yaml", PoliciesText: []byte(policies),
					Connections: []engine.ProgramConnection{{Name: "w", Executor: db}}, DefaultConnection: "w",
				})
				if err != nil {
					t.Fatalf("%s: %v", c.about, err)
				}
				t.Cleanup(func() { _ = e.Close() })
				reader, err := as(t, e, policies, `{"roles": ["masking", "plain", "hiding", "made", "other"]}`)
				if err != nil {
					t.Fatal(err)
				}
				dimensions, err := reader.Dimensions(t.Context(), "")
				if err != nil {
					t.Fatal(err)
				}
				var fields []string
				for _, d := range dimensions {
					fields = append(fields, d.Name)
				}
				body, err := json.Marshal(fields)
				if err != nil {
					t.Fatal(err)
				}
				got := ask(t, reader, `{"from":"people","fields":`+string(body)+`,"order_by":[{"key":"id"}]}`)
				if strings.ReplaceAll(got, " ", "") != c.want {
					t.Errorf("%s, the fields %s:\n%s, want\n%s", c.about, fields, got, c.want)
				}
			}
		})
	}
}
