package access

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/planner/query"
)

func TestValues_AreThoseOfTheAdmittedRows(t *testing.T) {
	const policies = `
version: 1
roles:
  r:
    datasets:
      orders: {rows: "customers.region = 'east'", fields: all, mask: {status: "UPPER(status)"}}
      customers: {rows: "region = 'east'", fields: all}
    metrics: all
`
	for dialect, open := range engines {
		t.Run(dialect, func(t *testing.T) {
			reader, err := as(t, openWith(t, open(t), policies), policies, `{"roles": ["r"]}`)
			if err != nil {
				t.Fatal(err)
			}
			for field, want := range map[string]string{
				"customers.region": `[{"value":"east","count":2}]`,
				"orders.status":    `[{"value":"COMPLETED","count":3},{"value":"CANCELLED","count":1}]`,
				"orders.amount":    `[{"value":50,"count":1},{"value":70,"count":1},{"value":100,"count":1},{"value":120,"count":1}]`,
			} {
				got, err := reader.FieldValues(t.Context(), &query.ValuesQuery{Field: field, Limit: 10})
				if err != nil {
					t.Fatal(field, err)
				}
				if got.SQL != "" {
					t.Errorf("%s shows %s", field, got.SQL)
				}
				text, err := json.Marshal(got.Values)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, string(text)); diff != "" {
					t.Errorf("%s: %s", field, diff)
				}
			}
			if _, err := reader.FieldValues(t.Context(), &query.ValuesQuery{Field: "products.category", Limit: 10}); codeOf(err) != "unknown_dimension" {
				t.Errorf("the values of a hidden dataset: %v", err)
			}
		})
	}
}

func TestAttribution_IsThatOfTheAdmittedRows(t *testing.T) {
	for dialect, open := range engines {
		t.Run(dialect, func(t *testing.T) {
			reader, err := as(t, openWith(t, open(t), regionalPolicies), regionalPolicies, `{"roles": ["regional"], "attributes": {"regions": ["east"]}}`)
			if err != nil {
				t.Fatal(err)
			}
			q, err := query.DecodeAttribute([]byte(`{"metric":"revenue","dimensions":["orders.status"],
				"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-04-01"}}`))
			if err != nil {
				t.Fatal(err)
			}
			got, err := reader.Attribute(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			var report struct {
				TotalChange struct {
					Baseline json.Number `json:"baseline_value"`
					Current  json.Number `json:"current_value"`
				} `json:"total_change"`
				Values []struct {
					Value string
					Delta json.Number
				} `json:"top_dimension_values"`
			}
			if err := json.Unmarshal(text, &report); err != nil {
				t.Fatal(err)
			}
			deltas := map[string]json.Number{}
			for _, v := range report.Values {
				deltas[v.Value] = v.Delta
			}
			if report.TotalChange.Baseline != "150" || report.TotalChange.Current != "190" || !cmp.Equal(deltas, map[string]json.Number{"cancelled": "70", "completed": "-30"}) {
				t.Errorf("%s", text)
			}
		})
	}
}

// Readers with other attributes, and of other roles, share one engine and get what each gets alone.
func TestReaders_AreKeptApart(t *testing.T) {
	e := openWith(t, engines["duckdb"](t), regionalPolicies)
	const body = `{"metrics":["revenue"]}`
	for range 3 {
		for identity, want := range map[string]string{
			`{"roles": ["regional"], "attributes": {"regions": ["east"]}}`:            `[{"revenue":340}]`,
			`{"roles": ["regional"], "attributes": {"regions": ["west"]}}`:            `[{"revenue":110}]`,
			`{"roles": ["regional"], "attributes": {"regions": ["east", "west"]}}`:    `[{"revenue":450}]`,
			`{"roles": ["regional"], "attributes": {"regions": ["east' OR '1'='1"]}}`: `[{"revenue":null}]`,
			`{"roles": ["regional"], "attributes": {"regions": []}}`:                  `[{"revenue":null}]`,
		} {
			reader, err := as(t, e, regionalPolicies, identity)
			if err != nil {
				t.Fatal(err)
			}
			if got := ask(t, reader, body); got != want {
				t.Errorf("%s: %s, want %s", identity, got, want)
			}
		}
	}
	// Views of one model keep their statements in one cache.
	roles := openWith(t, engines["duckdb"](t), doneAndCountPolicies)
	for range 3 {
		for identity, want := range map[string]string{
			`{"roles": ["done"]}`:          `[{"revenue":350}]`,
			`{"roles": ["count"]}`:         `[{"revenue":null}]`,
			`{"roles": ["done", "count"]}`: `[{"revenue":350}]`,
		} {
			reader, err := as(t, roles, doneAndCountPolicies, identity)
			if err != nil {
				t.Fatal(err)
			}
			if got := ask(t, reader, body); got != want {
				t.Errorf("%s: %s, want %s", identity, got, want)
			}
		}
	}
	for _, identity := range []string{`{"roles": ["regional"]}`, `{"roles": ["other"]}`, `{}`, `{"roles": ["regional"], "attributes": {"regions": [1]}}`, `{"roles": ["regional"], "attributes": {"regions": null}}`} {
		if _, err := as(t, e, regionalPolicies, identity); codeOf(err) != "forbidden" {
			t.Errorf("%s: %v, want forbidden", identity, err)
		}
	}
}

// A database that does not open has its words in the error only for a reader who sees SQL.
func TestReaders_GetNoWordsOfADatabaseThatDoesNotOpen(t *testing.T) {
	const policies = "version: 1\nroles:\n  blind: {metrics: all, datasets: {'*': {rows: all, fields: all}}}\n  seeing: {all: true}\n"
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(read(t, fixture+"model.yaml")), DBPath: filepath.Join(t.TempDir(), "secret_place.duckdb"),
		PoliciesPath: "policies.yaml", PoliciesText: []byte(policies),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	for role, shown := range map[string]bool{"blind": false, "seeing": true} {
		reader, err := as(t, e, policies, `{"roles": ["`+role+`"]}`)
		if err != nil {
			t.Fatal(err)
		}
		_, valuesErr := reader.FieldValues(t.Context(), &query.ValuesQuery{Field: "orders.status", Limit: 3})
		for _, got := range []string{outcome(t, reader, `{"metrics":["revenue"]}`), outcome(t, reader, `{"sql":"SELECT status FROM orders"}`), textOf(t, valuesErr)} {
			if !strings.Contains(got, `"config"`) || strings.Contains(got, "secret_place") != shown {
				t.Errorf("%s: %s", role, got)
			}
		}
	}
}

func codeOf(err error) string {
	var coded engine.CodedError
	if errors.As(err, &coded) {
		return coded.ErrorCode()
	}
	return ""
}
