package access

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
)

// actGrant is what one role shows of the acts.
type actGrant struct {
	rows   string
	fields map[string]string // from a field that the role shows to its mask; "" for none
}

// actMasks are the masks of the fields, all constant, by role.
var actMasks = map[string][]string{"kind": {"'m0'", "'m1'", "'m2'"}, "points": {"-1", "-2", "-3"}}

func randomActGrant(r *rand.Rand, role int) actGrant {
	rules := []string{"all", "points < 100", "kind = 'a'", "act_id > 2", "doer_id = 1 OR helper_id = 3", "doer.secret = 0", "helper.name = 'ann' AND points > 10"}
	g := actGrant{rows: rules[r.IntN(len(rules))], fields: map[string]string{"act_id": ""}}
	for field, masks := range actMasks {
		switch r.IntN(4) {
		case 0: // hidden
		case 1:
			g.fields[field] = masks[role]
		case 2:
			g.fields[field] = "NULL"
		default:
			g.fields[field] = ""
		}
	}
	return g
}

func actPolicies(grants []actGrant, required string) string {
	var b strings.Builder
	b.WriteString("version: 1\n" + required + "roles:\n")
	for i, g := range grants {
		var fields, masks []string
		for _, f := range []string{"act_id", "kind", "points"} {
			if mask, ok := g.fields[f]; ok {
				if fields = append(fields, f); mask != "" {
					masks = append(masks, fmt.Sprintf("%s: %q", f, mask))
				}
			}
		}
		fmt.Fprintf(&b, "  r%d:\n    datasets:\n      acts: {rows: %q, fields: [%s], mask: {%s}}\n    metrics: all\n", i, g.rows, strings.Join(fields, ", "), strings.Join(masks, ", "))
	}
	return b.String()
}

// seenActs returns the acts that some roles see, with the fields that they see, by the number of the act.
func seenActs(t *testing.T, e *engine.Engine, policies string, roles ...int) (fields []string, rows map[float64]map[string]any) {
	t.Helper()
	var names []string
	for _, r := range roles {
		names = append(names, fmt.Sprintf("%q", fmt.Sprintf("r%d", r)))
	}
	reader, err := as(t, e, policies, `{"roles": [`+strings.Join(names, ",")+`]}`)
	if err != nil {
		t.Fatal(err)
	}
	dimensions, err := reader.Dimensions(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dimensions {
		fields = append(fields, d.Name)
	}
	slices.Sort(fields)
	text := ask(t, reader, `{"from":"acts","fields":["`+strings.Join(fields, `","`)+`"]}`)
	var list []map[string]any
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	rows = map[float64]map[string]any{}
	for _, row := range list {
		rows[row["act_id"].(float64)] = row
	}
	return fields, rows
}

var actRows = map[float64]map[string]any{
	1: {"kind": "a", "points": 10.0}, 2: {"kind": "b", "points": 20.0}, 3: {"kind": "a", "points": 40.0}, 4: {"kind": "b", "points": 1000.0}, 5: {"kind": "a", "points": 5.0},
}

// unionOf computes what roles see together from what each admits by itself.
func unionOf(grants []actGrant, admitted []map[float64]map[string]any) map[float64]map[string]any {
	out := map[float64]map[string]any{}
	for id, plain := range actRows {
		if !slices.ContainsFunc(admitted, func(rows map[float64]map[string]any) bool { return rows[id] != nil }) {
			continue
		}
		row := map[string]any{"act_id": id}
		for field := range actMasks {
			visible, done := false, false
			var value any
			for i, g := range grants {
				if mask, shows := g.fields[field]; shows {
					visible = true
					if admitted[i][id] != nil && mask == "" {
						value, done = plain[field], true
					}
				}
			}
			for i, g := range grants {
				if mask := g.fields[field]; !done && mask != "" && admitted[i][id] != nil {
					value, done = admitted[i][id][field], true
				}
			}
			if visible {
				row[field] = value
			}
		}
		out[id] = row
	}
	return out
}

// isShown reports whether a role that admits an act shows a field of it, be it masked.
func isShown(grants []actGrant, admitted []map[float64]map[string]any, id float64, field string) bool {
	for i, g := range grants {
		if _, shows := g.fields[field]; shows && admitted[i][id] != nil {
			return true
		}
	}
	return false
}

// A reader with several roles sees the union of their views, row by row, and what is required of all only takes away.
func TestRoles_AddUpAndRequirementsTakeAway(t *testing.T) {
	cases := 12
	if os.Getenv("SEMLAYER_TEST_LONG") != "" {
		cases = 300
	}
	for dialect, open := range actsEngines {
		t.Run(dialect, func(t *testing.T) {
			db := open(t)
			r := rand.New(rand.NewPCG(7, 7))
			for n := range cases {
				var grants []actGrant
				for role := range 2 + r.IntN(2) {
					grants = append(grants, randomActGrant(r, role))
				}
				policies := actPolicies(grants, "")
				e := openActs(t, db, policies)
				var admitted []map[float64]map[string]any
				var all []int
				for role := range grants {
					_, rows := seenActs(t, e, policies, role)
					admitted, all = append(admitted, rows), append(all, role)
				}
				fields, got := seenActs(t, e, policies, all...)
				if diff := cmp.Diff(unionOf(grants, admitted), got); diff != "" {
					t.Fatalf("case %d: %s\n%s", n, policies, diff)
				}
				required := []string{
					`required: {datasets: {acts: {rows: "points > 10"}}}`, `required: {datasets: {acts: {hide: [kind]}}}`,
					`required: {datasets: {acts: {rows: "doer.name = 'bob'", mask: {points: "0"}}}}`, `required: {datasets: {"*": {hide: [points]}}}`,
				}[r.IntN(4)] + "\n"
				stricter := actPolicies(grants, required)
				fewer, kept := seenActs(t, openActs(t, db, stricter), stricter, all...)
				for _, f := range fewer {
					if !slices.Contains(fields, f) {
						t.Errorf("case %d: %s\nadds the field %s", n, stricter, f)
					}
				}
				for id, row := range kept {
					if got[id] == nil {
						t.Errorf("case %d: %s\nadds the row %v", n, stricter, row)
						continue
					}
					for field, value := range row {
						want := got[id][field]
						if strings.Contains(required, "mask") && field == "points" {
							if want = nil; isShown(grants, admitted, id, field) {
								want = 0.0
							}
						}
						if value != want {
							t.Errorf("case %d: %s\nchanges %s of %v to %v", n, stricter, field, got[id], value)
						}
					}
				}
			}
		})
	}
}

// A role that masks a decimal rounds no value that another role shows.
func TestRoles_KeepDecimalsExact(t *testing.T) {
	const model = `
version: 0.2.0.dev0
name: pay
datasets:
  - name: pay
    source: pay
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: sum, datatype: Decimal, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: sum}]}}
metrics:
  - {name: total, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(pay.sum)}]}}
`
	open := enginesWith("decimals", func(testing.TB) string {
		return "CREATE TABLE pay (id INTEGER, sum DECIMAL(20, 2)); INSERT INTO pay VALUES (1, 12345678901234567.89), (2, 98765432109876543.21);"
	})
	for _, dialect := range []string{"duckdb", "postgres", "mysql"} { // SQLite has no decimals
		t.Run(dialect, func(t *testing.T) {
			db := open[dialect](t)
			for mask, want := range map[string]string{"0": "0", "0.25": "0.25", "NULL": "null"} {
				policies := fmt.Sprintf("version: 1\nroles:\n  own: {datasets: {pay: {rows: id = 1, fields: all}}, metrics: all}\n  all_rows: {datasets: {pay: {rows: all, fields: all, mask: {sum: %q}}}, metrics: all}\n", mask)
				e, err := engine.Open(t.Context(), engine.Config{
					ModelText: []byte(model), PoliciesPath: "policies.yaml", PoliciesText: []byte(policies),
					Connections: []engine.ProgramConnection{{Name: "w", Executor: db}}, DefaultConnection: "w",
				})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = e.Close() })
				reader, err := as(t, e, policies, `{"roles": ["own", "all_rows"]}`)
				if err != nil {
					t.Fatal(err)
				}
				got := strings.ReplaceAll(ask(t, reader, `{"from":"pay","fields":["pay.sum"],"order_by":[{"key":"sum","desc":true}]}`), `"sum":0.00`, `"sum":0`)
				if want := `[{"sum":12345678901234567.89},{"sum":` + want + `}]`; got != want {
					t.Errorf("mask %s: %s, want %s", mask, got, want)
				}
			}
		})
	}
}
