package access

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/query"
)

const actsTables = `CREATE TABLE people (person_id INTEGER, name VARCHAR(20), secret INTEGER, badge VARCHAR(20));
INSERT INTO people VALUES (1, 'ann', 0, 'p'), (2, 'bob', 0, 'q'), (3, 'eve', 1, 'r');
CREATE TABLE acts (act_id INTEGER, doer_id INTEGER, helper_id INTEGER, kind VARCHAR(20), day DATE, points BIGINT);
INSERT INTO acts VALUES (1, 1, 2, 'a', '2024-01-05', 10), (2, 2, 3, 'b', '2024-01-06', 20), (3, 3, 1, 'a', '2024-02-05', 40),
	(4, 1, 3, 'b', '2024-02-06', 1000), (5, 2, 1, 'a', '2024-02-07', 5);
`

const actsModel = `
version: 0.2.0.dev0
semantic_model:
  - name: acts
    datasets:
      - name: people
        source: people
        primary_key: [person_id]
        fields:
          - {name: person_id, expression: {dialects: [{dialect: ANSI_SQL, expression: person_id}]}, datatype: Integer}
          - {name: name, expression: {dialects: [{dialect: ANSI_SQL, expression: name}]}, datatype: String}
          - {name: secret, expression: {dialects: [{dialect: ANSI_SQL, expression: secret}]}, datatype: Integer}
          - {name: code, expression: {dialects: [{dialect: ANSI_SQL, expression: badge}]}, datatype: String}
          - {name: cipher, expression: {dialects: [{dialect: ANSI_SQL, expression: LOWER(BADGE)}]}, datatype: String}
          - {name: done, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(acts.points)}]}, datatype: Integer,
             custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "lod": {"grain": ["person_id"], "via": ["doer"]}}'}]}
      - name: acts
        source: acts
        primary_key: [act_id]
        fields:
          - {name: act_id, expression: {dialects: [{dialect: ANSI_SQL, expression: act_id}]}, datatype: Integer}
          - {name: doer_id, expression: {dialects: [{dialect: ANSI_SQL, expression: doer_id}]}, datatype: Integer}
          - {name: helper_id, expression: {dialects: [{dialect: ANSI_SQL, expression: helper_id}]}, datatype: Integer}
          - {name: kind, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}, datatype: String}
          - {name: day, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}, datatype: Date}
          - {name: points, expression: {dialects: [{dialect: ANSI_SQL, expression: points}]}, datatype: Integer}
      - name: turns
        source: nothing
        custom_extensions:
          - vendor_name: SEMLAYER
            data: '{"v": "1.10", "sequence": {"entity": ["doer_id"], "steps": [{"name": "first", "dataset": "acts"}, {"name": "then", "dataset": "acts"}]}}'
    relationships:
      - {name: doer, from: acts, to: people, from_columns: [doer_id], to_columns: [person_id]}
      - {name: helper, from: acts, to: people, from_columns: [helper_id], to_columns: [person_id]}
    metrics:
      - {name: act_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(acts.act_id)}]}}
      - {name: people_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(people.person_id)}]}}
      - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(acts.points)}]}}
      - {name: ciphers, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT people.cipher)}]}}
      - {name: ciphers_twice, expression: {dialects: [{dialect: ANSI_SQL, expression: ciphers * 2}]}}
`

const actsPolicies = `
version: 1
roles:
  plain:
    datasets:
      people: {rows: "secret = 0", fields: all}
      acts: {rows: "points < 100", fields: all}
      turns: {rows: all, fields: all}
    metrics: all
  masked:
    datasets:
      people: {rows: "secret = 0", fields: all, hide: [code], mask: {name: "'x'"}}
      acts: {rows: "points < 100", fields: all}
    metrics: all
  day_hidden:
    datasets:
      acts: {rows: all, fields: all, hide: [day]}
      turns: {rows: all, fields: all}
    metrics: all
  entity_masked:
    datasets:
      acts: {rows: all, fields: all, mask: {doer_id: "0"}}
      turns: {rows: all, fields: all}
    metrics: all
  turns_restricted:
    datasets:
      acts: {rows: all, fields: all}
      turns: {rows: "reached = 2", fields: all}
    metrics: all
`

var actsEngines = enginesWith("scans", func(testing.TB) string { return actsTables })

func openActs(tb testing.TB, db executor.Executor, policies string) *engine.Engine {
	tb.Helper()
	e, err := engine.Open(tb.Context(), engine.Config{
		ModelText: []byte(actsModel), PoliciesPath: "policies.yaml", PoliciesText: []byte(policies),
		Connections: []engine.ProgramConnection{{Name: "w", Executor: db}}, DefaultConnection: "w",
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = e.Close() })
	return e
}

// The rule of a dataset is at each of its scans, and a mask before everything that is computed from the field.
func TestRules_StandAtEveryScan(t *testing.T) {
	for dialect, open := range actsEngines {
		t.Run(dialect, func(t *testing.T) {
			e := openActs(t, open(t), actsPolicies)
			for identity, questions := range map[string][]question{
				`{"roles": ["plain"]}`: {
					{`{"metrics":["act_count","people_count"]}`, `[{"act_count":4,"people_count":2}]`},
					{`{"metrics":["people_count","total"]}`, `[{"people_count":2,"total":75}]`},
					{`{"metrics":["total"],"group_by":[{"field":"doer.name"},{"field":"helper.name"}],"order_by":[{"key":"total"}]}`, `[{"doer__name":"bob","helper__name":"ann","total":5},{"doer__name":"ann","helper__name":"bob","total":10},{"doer__name":"bob","helper__name":null,"total":20},{"doer__name":null,"helper__name":"ann","total":40}]`},
					{`{"from":"people","fields":["people.name","people.done"],"order_by":[{"key":"name"}]}`, `[{"name":"ann","done":10},{"name":"bob","done":25}]`},
					{`{"metrics":["ciphers_twice"]}`, `[{"ciphers_twice":4}]`},
					{`{"from":"turns","fields":["first_act_id","then_act_id","turns_first.doer.name"],"order_by":[{"key":"first_act_id"}]}`, `[{"first_act_id":1,"then_act_id":null,"turns_first__doer__name":"ann"},{"first_act_id":2,"then_act_id":5,"turns_first__doer__name":"bob"},{"first_act_id":3,"then_act_id":null,"turns_first__doer__name":null},{"first_act_id":5,"then_act_id":null,"turns_first__doer__name":"bob"}]`},
				},
				`{"roles": ["masked"]}`: {
					{`{"metrics":["act_count"],"group_by":[{"field":"doer.name"}],"order_by":[{"key":"act_count"}]}`, `[{"doer__name":null,"act_count":1},{"doer__name":"x","act_count":3}]`},
					{`{"metrics":["people_count"],"group_by":[{"field":"people.name"}]}`, `[{"name":"x","people_count":2}]`},
					{`{"metrics":[{"name":"names","expression":"COUNT(DISTINCT people.name)"}]}`, `[{"names":1}]`},
					{`{"metrics":["people_count"],"where_sql":"people.name = 'ann'"}`, `[{"people_count":0}]`},
					{`{"from":"people","fields":["people.cipher"]}`, `unknown_dimension`},
					{`{"metrics":["ciphers"]}`, `unknown_metric`},
					{`{"metrics":["ciphers_twice"]}`, `unknown_metric`},
				},
			} {
				reader, err := as(t, e, actsPolicies, identity)
				if err != nil {
					t.Fatal(err)
				}
				for _, q := range questions {
					if diff := cmp.Diff(q.want, ask(t, reader, q.body)); diff != "" {
						t.Errorf("%s %s: %s", identity, q.body, diff)
					}
				}
			}
		})
	}
}

// A sequence over something that its reader does not see, or sees masked, does not exist, and no rule restricts the rows of one.
func TestSequences_OverHiddenFieldsDoNotExist(t *testing.T) {
	e := openActs(t, actsEngines["duckdb"](t), actsPolicies)
	for identity, want := range map[string]string{
		`{"roles": ["plain"]}`: `[{"n":4}]`, `{"roles": ["masked"]}`: "unknown_dataset", `{"roles": ["day_hidden"]}`: "unknown_dataset",
		`{"roles": ["entity_masked"]}`: "unknown_dataset", `{"roles": ["turns_restricted"]}`: "unknown_dataset",
	} {
		reader, err := as(t, e, actsPolicies, identity)
		if err != nil {
			t.Fatal(err)
		}
		if got := ask(t, reader, `{"metrics":[{"name":"n","expression":"COUNT(*)","dataset":"turns"}]}`); got != want {
			t.Errorf("%s: %s, want %s", identity, got, want)
		}
		for _, d := range reader.Datasets() {
			if d.Name == "turns" && want == "unknown_dataset" {
				t.Errorf("%s lists %+v", identity, d)
			}
		}
	}
}

// Each statement of an attribution is over the admitted rows: the totals, and the segments.
func TestRules_StandInEveryStatementOfAnAttribution(t *testing.T) {
	for dialect, open := range actsEngines {
		t.Run(dialect, func(t *testing.T) {
			reader, err := as(t, openActs(t, open(t), actsPolicies), actsPolicies, `{"roles": ["plain"]}`)
			if err != nil {
				t.Fatal(err)
			}
			q, err := query.DecodeAttribute([]byte(`{"metric":"total","dimensions":["acts.kind","helper.name"],"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`))
			if err != nil {
				t.Fatal(err)
			}
			report, err := reader.Attribute(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(report)
			if err != nil {
				t.Fatal(err)
			}
			var got struct {
				TotalChange struct {
					Baseline float64 `json:"baseline_value"`
					Current  float64 `json:"current_value"`
				} `json:"total_change"`
				Values []struct {
					Value *string
					Delta float64
				} `json:"top_dimension_values"`
			}
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			deltas := map[string]float64{}
			for _, v := range got.Values {
				name := "(null)"
				if v.Value != nil {
					name = *v.Value
				}
				deltas[name] = v.Delta
			}
			want := map[string]float64{"a": 35, "b": -20, "ann": 45, "bob": -10, "(null)": -20}
			if got.TotalChange.Baseline != 30 || got.TotalChange.Current != 45 || !cmp.Equal(deltas, want) {
				t.Errorf("%s", text)
			}
		})
	}
}

// A reader without SQL gets a fixed sentence in place of the message of the warehouse, which can hold values and names.
func TestErrors_HaveNoWordsOfTheWarehouse(t *testing.T) {
	reader, err := as(t, openActs(t, actsEngines["duckdb"](t), actsPolicies), actsPolicies, `{"roles": ["plain"]}`)
	if err != nil {
		t.Fatal(err)
	}
	got := outcome(t, reader, `{"metrics":["act_count"],"where_sql":"acts.points * 9223372036854775807 > 1"}`)
	if want := "{\n \"code\": \"sql_rejected\",\n \"message\": \"the warehouse rejected the statement\"\n}"; got != want {
		t.Errorf("%s", got)
	}
}

// Other policies on the same model are in force for the next question.
func TestPolicies_ReplaceWhatWasKept(t *testing.T) {
	const body = `{"metrics":["total","people_count"]}`
	w, err := engine.OpenWarehouses(t.Context(), engine.Config{
		PoliciesPath: "policies.yaml", PoliciesText: []byte(actsPolicies),
		Connections: []engine.ProgramConnection{{Name: "w", Executor: actsEngines["duckdb"](t)}}, DefaultConnection: "w",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	e, err := w.OpenModel(t.Context(), "acts.yaml", []byte(actsModel))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"100", `[{"total":75,"people_count":2}]`}, {"30", `[{"total":35,"people_count":2}]`}, {"6", `[{"total":5,"people_count":2}]`}, {"100", `[{"total":75,"people_count":2}]`}} {
		policies := strings.ReplaceAll(actsPolicies, "points < 100", "points < "+c[0])
		file, issues := access.Parse("policies.yaml", []byte(policies))
		if len(issues) > 0 {
			t.Fatal(issues)
		}
		if err := w.ReplacePolicies(t.Context(), file); err != nil {
			t.Fatal(err)
		}
		reader, err := as(t, e, policies, `{"roles": ["plain"]}`)
		if err != nil {
			t.Fatal(err)
		}
		if got := ask(t, reader, body); got != c[1] {
			t.Errorf("points < %s: %s, want %s", c[0], got, c[1])
		}
	}
}
