package access

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/query"
)

const crowdPolicies = `
version: 1
attributes: {regions: {type: string, list: true}, least: {type: int}}
roles:
  regional: {datasets: {orders: {rows: "customers.region IN (:user.regions)", fields: all}, customers: {rows: "region IN (:user.regions)", fields: all}}, metrics: all}
  large: {datasets: {orders: {rows: "amount >= :user.least", fields: all, mask: {status: "'?'"}}, products: {rows: all, fields: all}}, metrics: all}
  counting: {datasets: {orders: {rows: all, fields: [order_id, status]}}, metrics: all}
  people: {datasets: {customers: {rows: all, fields: all, mask: {region: "UPPER(region)"}}}, metrics: all}
  everything: {all: true}
`

// crowd lists 32 identities: sets of roles, with attributes.
func crowd() []string {
	sets := []string{
		`"regional"`, `"large"`, `"counting"`, `"people"`, `"everything"`, `"regional","large"`, `"regional","counting"`, `"regional","people"`, `"large","counting"`,
		`"large","people"`, `"counting","people"`, `"regional","large","counting"`, `"regional","counting","people"`, `"large","counting","people"`, `"regional","large","people"`, `"regional","large","counting","people"`,
	}
	var out []string
	for i, roles := range sets {
		out = append(out,
			fmt.Sprintf(`{"name": "a%d", "roles": [%s], "attributes": {"regions": ["east"], "least": %d}}`, i, roles, 40+i),
			fmt.Sprintf(`{"name": "b%d", "roles": [%s], "attributes": {"regions": ["west", "north"], "least": %d}}`, i, roles, 90+i))
	}
	return out
}

var crowdQuestions = []string{
	`{"metrics":["order_count"]}`, `{"metrics":["revenue"]}`, `{"metrics":["revenue","order_count"],"group_by":[{"field":"orders.status"}],"order_by":[{"key":"status"}]}`,
	`{"metrics":["order_count"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"region"}]}`, `{"metrics":["total_margin"]}`, `{"metrics":["revenu"]}`,
	`{"from":"orders","fields":["orders.order_id","orders.status"],"order_by":[{"key":"order_id"}]}`, `{"from":"customers","fields":["customers.region"],"order_by":[{"key":"region"}]}`,
	`{"sql":"SELECT status, COUNT(*) AS n FROM orders GROUP BY 1 ORDER BY 1"}`, `{"sql":"SELECT * FROM customers ORDER BY 1"}`,
}

// crowdAnswers asks everything as one identity.
func crowdAnswers(t *testing.T, e *engine.Engine, identity string) []string {
	t.Helper()
	reader, err := as(t, e, crowdPolicies, identity)
	if err != nil {
		t.Fatal(identity, err)
	}
	var out []string
	for _, q := range crowdQuestions {
		out = append(out, outcome(t, reader, q))
	}
	return append(out, textOf(t, orError(reader.Metrics(t.Context()))), textOf(t, reader.Datasets()),
		textOf(t, orError(reader.Find(t.Context(), &query.FindQuery{Text: "amount of region status"}))),
		textOf(t, orError(reader.CompatibleItems(t.Context(), &query.CompatibleQuery{}))),
		fmt.Sprint(valuesText(t, reader, "customers.region"), valuesText(t, reader, "orders.status")))
}

func valuesText(t *testing.T, reader *engine.Reader, field string) string {
	t.Helper()
	got, err := reader.FieldValues(t.Context(), &query.ValuesQuery{Field: field, Limit: 10})
	if err != nil {
		return textOf(t, err)
	}
	return textOf(t, got.Values)
}

// Readers who ask one service at the same time get what each gets alone, also while the model and the policies are loaded again.
func TestReaders_InACrowdGetWhatEachGetsAlone(t *testing.T) {
	db := engines["duckdb"](t)
	identities := crowd()
	alone := make([][]string, len(identities))
	for i, identity := range identities {
		alone[i] = crowdAnswers(t, openWith(t, db, crowdPolicies), identity)
	}
	w, err := engine.OpenWarehouses(t.Context(), engine.Config{
		PoliciesPath: "policies.yaml", PoliciesText: []byte(crowdPolicies), Connections: []engine.ProgramConnection{{Name: "w", Executor: db}}, DefaultConnection: "w",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	var served atomic.Pointer[engine.Engine]
	reload := func(n int) {
		file, issues := access.Parse("policies.yaml", fmt.Appendf(nil, "%s# %d\n", crowdPolicies, n)) // another revision of the same policies
		if len(issues) > 0 {
			t.Error(issues)
			return
		}
		if err := w.ReplacePolicies(t.Context(), file); err != nil {
			t.Error(err)
			return
		}
		e, err := w.OpenModel(t.Context(), "model.yaml", fmt.Appendf(nil, "%s\n# %d\n", read(t, fixture+"model.yaml"), n))
		if err != nil {
			t.Error(err)
			return
		}
		served.Store(e)
	}
	reload(0)
	order := rand.New(rand.NewPCG(3, 3)).Perm(3 * len(identities))
	var next atomic.Int64
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() {
			for at := int(next.Add(1)) - 1; at < len(order); at = int(next.Add(1)) - 1 {
				if at%16 == 15 {
					reload(at)
				}
				i := order[at] % len(identities)
				for q, got := range crowdAnswers(t, served.Load(), identities[i]) {
					if got != alone[i][q] {
						t.Errorf("%s, question %d: %s\nalone: %s", identities[i], q, got, alone[i][q])
					}
				}
			}
		})
	}
	group.Wait()
}
