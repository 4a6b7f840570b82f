package access

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A sequence that a query brings needs no grant: its steps read the rows and the values that the reader sees.
func TestSequences_OfQueriesReadWhatTheReaderSees(t *testing.T) {
	const steps = `"sequences":[{"name":"mine","entity":["doer_id"],"steps":[{"name":"first","dataset":"acts"},{"name":"then","dataset":"acts"}]}]`
	const rows = `{"from":"mine","fields":["first_act_id","then_act_id"],"order_by":[{"key":"first_act_id"}],` + steps + `}`
	const counts = `{"metrics":[{"name":"n","expression":"COUNT(mine.then_at)"}],` + steps + `}`
	for dialect, open := range actsEngines {
		t.Run(dialect, func(t *testing.T) {
			e := openActs(t, open(t), actsPolicies)
			for identity, questions := range map[string][]question{
				`{"roles": ["plain"]}`: {
					{rows, `[{"first_act_id":1,"then_act_id":null},{"first_act_id":2,"then_act_id":5},{"first_act_id":3,"then_act_id":null},{"first_act_id":5,"then_act_id":null}]`},
					{counts, `[{"n":1}]`},
				},
				`{"roles": ["masked"]}`: {{rows, `[{"first_act_id":1,"then_act_id":null},{"first_act_id":2,"then_act_id":5},{"first_act_id":3,"then_act_id":null},{"first_act_id":5,"then_act_id":null}]`}},
				// All doers are 0, and so one entity.
				`{"roles": ["entity_masked"]}`: {
					{rows, `[{"first_act_id":1,"then_act_id":2},{"first_act_id":2,"then_act_id":3},{"first_act_id":3,"then_act_id":4},{"first_act_id":4,"then_act_id":5},{"first_act_id":5,"then_act_id":null}]`},
					{`{"metrics":[{"name":"n","expression":"COUNT(mine.then_at)"}],"group_by":[{"field":"mine.doer_id"}],` + steps + `}`, `[{"doer_id":0,"n":4}]`},
				},
				`{"roles": ["day_hidden"]}`: {
					{counts, `bad_request`}, // no step has a time
					{`{"metrics":["act_count"],"sequences":[{"name":"mine","entity":["doer_id"],"steps":[{"name":"first","dataset":"acts","at":"day"},{"name":"then","dataset":"acts"}]}]}`, `unknown_field`},
					{`{"metrics":["act_count"],"sequences":[{"name":"mine","entity":["name"],"steps":[{"name":"first","dataset":"people"},{"name":"then","dataset":"acts"}]}]}`, `unknown_dataset`},
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

// The periods of a start end with the newest row that the reader sees, and count no other rows.
func TestSequences_PeriodsEndWithWhatTheReaderSees(t *testing.T) {
	const policies = actsPolicies + `
  early:
    datasets:
      acts: {rows: "points > 5 AND points < 100", fields: all}
    metrics: all
`
	const kept = `"sequences":[{"name":"kept","entity":["doer_id"],"every":"day","periods":40,"steps":[{"name":"first","dataset":"acts"},{"name":"then","dataset":"acts"}]}]`
	const days = `{"metrics":[{"name":"n","expression":"COUNT(kept.first_act_id)"}],"where_sql":"kept.first_act_id = 1",` + kept + `}`
	const active = `{"from":"kept","fields":["first_act_id","period","events"],"where_sql":"active","order_by":[{"key":"first_act_id"},{"key":"period"}],` + kept + `}`
	for dialect, open := range actsEngines {
		t.Run(dialect, func(t *testing.T) {
			e := openActs(t, open(t), policies)
			for identity, want := range map[string][2]string{
				`{"roles": ["plain"]}`: {`[{"n":34}]`, `[{"first_act_id":2,"period":32,"events":1}]`}, // to 7 February; a row that a rule hides followed the first one
				`{"roles": ["early"]}`: {`[{"n":32}]`, `[]`},                                          // to 5 February
			} {
				reader, err := as(t, e, policies, identity)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, [2]string{ask(t, reader, days), ask(t, reader, active)}); diff != "" {
					t.Errorf("%s: %s", identity, diff)
				}
			}
		})
	}
}
