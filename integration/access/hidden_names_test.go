package access

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner/query"
)

// textsThatName is a model whose objects name the field secret_pay in texts that no compilation looks up: levels of metrics, the bodies of
// saved queries whose parameters have no values, and objects that do not compile.
const textsThatName = `
version: 0.2.0.dev0
name: staff
custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10", "queries": [
        {"name": "open_range", "questions": ["Who?"], "params": [{"name": "low", "type": "int"}], "query": {"metrics": ["people_count"], "where_sql": "people.secret_pay > :low"}},
        {"name": "open_dates", "questions": ["When?"], "params": [{"name": "until", "type": "date"}, {"name": "since", "type": "date"}], "query": {"metrics": ["people_count"], "time_range": {"start": ":since", "end": ":until", "dimension": "people.since"}}},
        {"name": "open_text", "questions": ["Which town?"], "params": [{"name": "town", "type": "string"}], "query": {"metrics": ["people_count"], "where_sql": "people.town = :town"}},
        {"name": "broken_order", "questions": ["In which order?"], "query": {"metrics": ["people_count"], "order_by": [{"key": "secret_pay"}]}},
        {"name": "broken_limit", "questions": ["How many?"], "query": {"metrics": ["people_count"], "order_by": [{"key": "nobody"}]}}]}
datasets:
  - name: people
    source: people
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: town, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: town}]}}
      - {name: since, datatype: Date, dimension: {is_time: true}, expression: {dialects: [{dialect: ANSI_SQL, expression: since}]}}
      - {name: secret_pay, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: secret_col}]}}
      - {name: half, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: "CONCAT(secret_col,"}]}}
      - {name: odd, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: "CONCAT(town,"}]}}
      - {name: on_other, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id + 1}, {dialect: SNOWFLAKE, expression: "CONCAT(secret_col,"}]}}
metrics:
  - {name: people_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(people.id)}]}}
  - {name: ungrouped, expression: {dialects: [{dialect: ANSI_SQL, expression: people.secret_pay + 1}]}}
  - {name: mistyped, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(people.secret_pay) + SUM(people.town)}]}}
  - {name: lonely, expression: {dialects: [{dialect: ANSI_SQL, expression: people.town}]}}
  - name: at_included
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(people.id)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "derive": {"type": "at", "expr": "AVG(people_count)", "include": ["people.secret_pay"]}}'}]
  - name: at_excluded
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(people.id)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "derive": {"type": "at", "expr": "people_count", "exclude": ["secret_pay"]}}'}]
  - name: at_only
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(people.id)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "derive": {"type": "at", "expr": "people_count", "only": ["people.town", "boss__secret_pay"]}}'}]
  - name: at_unfiltered
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(people.id)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "derive": {"type": "at", "expr": "people_count", "unfiltered": ["boss.secret_pay"]}}'}]
  - name: of_included
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(people.id)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "derive": {"type": "compose", "expr": "at_included + people_count"}}'}]
  - name: at_town
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(people.id)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "derive": {"type": "at", "expr": "people_count", "exclude": ["people.town"]}}'}]
relationships:
  - {name: boss, from: people, to: people, from_columns: [id], to_columns: [id]}
`

// What names a hidden field in a separate text does not exist, so that neither a list nor an error shows the name.
func TestHiddenNames_AreInNoTextOfAnObject(t *testing.T) {
	for name, grant := range map[string]string{
		"hidden":   `people: {rows: all, fields: all, hide: [secret_pay]}`,
		"revealed": "people: {rows: all, fields: all, hide: [secret_pay]}\n    reveal: [at_included, at_excluded, of_included]",
	} {
		t.Run(name, func(t *testing.T) {
			policies := "version: 1\nroles:\n  r:\n    metrics: all\n    datasets:\n      " + grant + "\n  all_of_it: {all: true}\n"
			e, err := engine.Open(t.Context(), engine.Config{
				ModelText: []byte(textsThatName), PoliciesPath: "policies.yaml", PoliciesText: []byte(policies),
				Connections: []engine.ProgramConnection{{Name: "w", Executor: engines["duckdb"](t)}}, DefaultConnection: "w",
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = e.Close() })
			reader, err := as(t, e, policies, `{"roles": ["r"]}`)
			if err != nil {
				t.Fatal(err)
			}
			author, err := as(t, e, policies, `{"roles": ["all_of_it"]}`)
			if err != nil {
				t.Fatal(err)
			}
			lists := func(of *engine.Reader) string {
				return textOf(t, of.Datasets()) + textOf(t, of.SavedQueries()) + textOf(t, orError(of.Metrics(t.Context()))) + textOf(t, orError(of.Dimensions(t.Context(), ""))) +
					textOf(t, orError(of.Lineage(t.Context(), ""))) + textOf(t, orError(of.Find(t.Context(), &query.FindQuery{Text: "secret pay"})))
			}
			seen, whole := lists(reader), lists(author)
			for _, object := range []string{"open_range", "broken_order", "people.half", "people.on_other", "ungrouped", "mistyped", "at_included", "at_excluded", "at_only", "at_unfiltered", "of_included"} {
				if !strings.Contains(whole, `"`+object+`"`) {
					t.Errorf("the author does not see %s", object)
				}
				if strings.Contains(seen, `"`+object+`"`) {
					t.Errorf("%s is listed", object)
				}
			}
			if findings := textOf(t, reader.Findings()); reader.Model().Warnings != 0 || strings.Contains(findings, "code") {
				t.Errorf("%d warnings, %s", reader.Model().Warnings, findings)
			}
			if author.Model().Warnings == 0 || len(author.Findings().Warnings) == 0 || len(author.Findings().CompileErrors) == 0 {
				t.Errorf("the author sees no findings")
			}
			for _, object := range []string{"open_dates", "open_text", "broken_limit", "people.odd", "lonely", "at_town"} {
				if !strings.Contains(seen, `"`+object+`"`) {
					t.Errorf("%s is missing, which names nothing hidden", object)
				}
			}
			answers := []string{seen}
			for _, metric := range []string{"ungrouped", "mistyped", "lonely", "at_included", "at_excluded", "at_only", "at_unfiltered", "of_included"} {
				answers = append(answers, outcome(t, reader, fmt.Sprintf(`{"metrics":[%q]}`, metric)))
			}
			for _, field := range []string{"half", "odd", "on_other"} {
				answers = append(answers, outcome(t, reader, fmt.Sprintf(`{"from":"people","fields":[%q],"dialect":"snowflake"}`, field)))
			}
			for _, saved := range []string{`{"saved":"open_range","params":{"low":3}}`, `{"saved":"broken_order"}`, `{"saved":"open_text","params":{"town":"x"}}`} {
				answers = append(answers, outcome(t, reader, saved))
			}
			for _, q := range reader.SavedQueries() {
				body, err := reader.SavedQueryBody(q.Name)
				if err != nil {
					t.Fatal(err)
				}
				answers = append(answers, string(body))
			}
			text, err := json.Marshal(answers)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(text); strings.Contains(got, "secret_") {
				t.Errorf("the name is in %s", got)
			}
		})
	}
}

// A field that reads a hidden one over others is hidden in every order of the fields: a column could have the name of the hidden one.
func TestHiddenFields_HideWhatReadsThemAtAnyDepth(t *testing.T) {
	const policies = "version: 1\nroles: {r: {metrics: all, datasets: {people: {rows: all, fields: all, hide: [pay]}}}}\n"
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{"CREATE TABLE people AS SELECT 1 AS id, 7 AS pay, 8 AS near, 9 AS nearer, 10 AS far"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	e, err := engine.Open(t.Context(), engine.Config{
		ModelText: []byte(`
version: 0.2.0.dev0
name: staff
datasets:
  - name: people
    source: people
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: far, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: near + 1}]}}
      - {name: near, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: nearer + 1}]}}
      - {name: nearer, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: pay + 1}]}}
      - {name: pay, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: base * 12}]}}
metrics:
  - {name: people_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(people.id)}]}}
  - {name: farthest, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(people.far)}]}}
`), PoliciesPath: "policies.yaml", PoliciesText: []byte(policies),
		Connections: []engine.ProgramConnection{{Name: "w", Executor: db}}, DefaultConnection: "w",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	reader, err := as(t, e, policies, `{"roles": ["r"]}`)
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]string{
		`{"metrics":["people_count"]}`:                                        `[{"people_count":1}]`,
		`{"metrics":["farthest"]}`:                                            `unknown_metric`,
		`{"metrics":["people_count"],"group_by":[{"field":"people.far"}]}`:    `unknown_dimension`,
		`{"metrics":["people_count"],"group_by":[{"field":"people.near"}]}`:   `unknown_dimension`,
		`{"metrics":["people_count"],"group_by":[{"field":"people.nearer"}]}`: `unknown_dimension`,
		`{"metrics":["people_count"],"group_by":[{"field":"people.pay"}]}`:    `unknown_dimension`,
	} {
		if got := ask(t, reader, body); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}

// Another field brings a hidden or masked column back on no dialect, also where the hidden field is the column on that dialect alone.
func TestHiddenColumns_AreThoseOfEveryDialect(t *testing.T) {
	const model = `
version: 0.2.0.dev0
name: staff
datasets:
  - name: people
    source: people
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: pay, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: base * 12}, {dialect: SNOWFLAKE, expression: yearly}]}}
      - {name: again, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: id + 1}, {dialect: SNOWFLAKE, expression: yearly + 0}]}}
`
	config := func(policies string) engine.Config {
		return engine.Config{ModelText: []byte(model), PoliciesPath: "policies.yaml", PoliciesText: []byte(policies)}
	}
	const hides = "version: 1\nroles: {r: {sql: true, datasets: {people: {rows: all, fields: all, hide: [pay]}}}}\n"
	e, err := engine.Open(t.Context(), config(hides))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	reader, err := as(t, e, hides, `{"roles": ["r"]}`)
	if err != nil {
		t.Fatal(err)
	}
	if compiled, err := prepare.SQL(t.Context(), reader, decode(t, `{"from":"people","fields":["again"],"dialect":"snowflake"}`)); codeOf(err) != "unknown_dimension" && codeOf(err) != "unknown_field" {
		t.Errorf("%+v %v", compiled, err)
	}
	_, err = engine.Open(t.Context(), config("version: 1\nroles: {r: {datasets: {people: {rows: all, fields: all, mask: {pay: \"0\"}}}}}\n"))
	if codeOf(err) != "invalid_policy" {
		t.Errorf("a mask beside a field of the same column: %v", err)
	}
}

// A field reads a masked column through the masked field at any depth. One that reads the column itself, too, has to be masked or hidden.
func TestMaskedColumns_AreReadThroughTheirFieldAlone(t *testing.T) {
	const model = `
version: 0.2.0.dev0
name: staff
datasets:
  - name: people
    source: SELECT 1 AS id, 50 AS base, DATE '2024-05-06' AS born
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: pay, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: base}]}}
      - {name: twice, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: pay * 2}]}}
      - {name: fourfold, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: twice * 2}]}}
      - {name: mixed, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: base + 0 * pay}]}}
      - {name: birthday, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: born}]}}
      - {name: year, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: EXTRACT(YEAR FROM birthday)}]}}
`
	const masks = "version: 1\nroles: {r: {datasets: {people: {rows: all, fields: all, hide: [HIDDEN], mask: {pay: \"1\", birthday: \"DATE '2000-01-01'\"}}}}}\n"
	open := func(hidden string) (*engine.Engine, error) {
		policies := strings.Replace(masks, "HIDDEN", hidden, 1)
		return engine.Open(t.Context(), engine.Config{
			ModelText: []byte(model), PoliciesPath: "policies.yaml", PoliciesText: []byte(policies), Drivers: []warehouse.Driver{duckdb.Driver()},
		})
	}
	if _, err := open("id"); codeOf(err) != "invalid_policy" || !strings.Contains(err.Error(), "people.mixed") {
		t.Errorf("a field that reads the column of a masked one beside it: %v", err)
	}
	e, err := open("mixed")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	reader, err := as(t, e, strings.Replace(masks, "HIDDEN", "mixed", 1), `{"roles": ["r"]}`)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"fourfold":4,"year":2000}]`
	if got := ask(t, reader, `{"from":"people","fields":["fourfold","year"]}`); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
