package access

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
)

// pairsModel has two datasets with one row of the one for each row of the other, and fields that are made of others in each way.
const pairsModel = `
version: 0.2.0.dev0
name: pairs
datasets:
  - name: t
    source: t
    primary_key: [n]
    fields:
      - {name: n, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
      - {name: kind, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
      - {name: late, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: early || c}]}}
      - {name: a, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: col_a}]}}
      - {name: b, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: b}]}}
      - {name: c, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: c}]}}
      - {name: again, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: col_a}]}}
      - {name: early, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: UPPER(a) || b}]}}
      - {name: joined, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: UPPER(k.x) || b}]}}
  - name: k
    source: k
    primary_key: [n]
    fields:
      - {name: n, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
      - {name: kind, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: kind}]}}
      - {name: x, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}
      - {name: upper_x, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: UPPER(x)}]}}
      - name: greatest
        datatype: String
        dimension: {}
        expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(t.a)}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v":"1.10","lod":{"grain":["n"]}}'}]
relationships:
  - {name: pair, from: t, to: k, from_columns: [n], to_columns: [n]}
metrics:
  - {name: most_a, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(t.a)}]}}
  - {name: most_early, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(t.early)}]}}
  - {name: most_x, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(k.upper_x)}]}}
`

// pairKinds is the number of the kinds of rows, by which rules choose. Each kind has a row, and one more for each stored column, in
// which that column alone has another value.
const pairKinds = 4

var pairColumns = []string{"col_a", "b", "c", "x"}

func pairRows() string {
	var t, k []string
	for kind := range pairKinds {
		for variant := range len(pairColumns) + 1 {
			n := kind*10 + variant
			v := []string{"p", "q", "r", "s"}
			if variant > 0 {
				v[variant-1] = "z"
			}
			t = append(t, fmt.Sprintf("(%d, %d, '%s', '%s', '%s')", n, kind, v[0], v[1], v[2]))
			k = append(k, fmt.Sprintf("(%d, %d, '%s')", n, kind, v[3]))
		}
	}
	return "CREATE TABLE t (n INTEGER, kind INTEGER, col_a VARCHAR(9), b VARCHAR(9), c VARCHAR(9)); CREATE TABLE k (n INTEGER, kind INTEGER, x VARCHAR(9)); INSERT INTO t VALUES " +
		strings.Join(t, ", ") + "; INSERT INTO k VALUES " + strings.Join(k, ", ") + ";"
}

var pairMasks = []string{"NULL", "'m'", "b", "SUBSTRING(c, 1, 1)", "a || 'm'"}

func randomPairGrant(r *rand.Rand, dataset string, fields []string) string {
	rows := []string{"all", "kind < 2", "kind IN (1, 2)", "kind = 3", "kind > 1", "kind <> 2"}[r.IntN(6)]
	shown := slices.DeleteFunc(slices.Clone(fields), func(f string) bool { return f != "n" && r.IntN(3) == 0 })
	text := fmt.Sprintf("%s: {rows: %q, fields: [%s]", dataset, rows, strings.Join(shown, ", "))
	if r.IntN(2) == 0 {
		text = fmt.Sprintf("%s: {rows: %q, fields: all", dataset, rows)
		if hidden := slices.DeleteFunc(slices.Clone(fields), func(f string) bool { return slices.Contains(shown, f) || r.IntN(2) == 0 }); len(hidden) > 0 {
			text += fmt.Sprintf(", hide: [%s]", strings.Join(hidden, ", "))
		}
	}
	var masks []string
	for _, f := range shown {
		if f != "n" && f != "kind" && f != "greatest" && r.IntN(5) == 0 {
			mask := pairMasks[r.IntN(len(pairMasks))]
			if dataset == "k" {
				mask = []string{"NULL", "'m'", "x || 'm'"}[r.IntN(3)]
			}
			masks = append(masks, fmt.Sprintf("%s: %q", f, mask))
		}
	}
	return text + ", mask: {" + strings.Join(masks, ", ") + "}}"
}

func randomPairPolicies(r *rand.Rand) (policies string, roles []string) {
	tFields, kFields := []string{"n", "kind", "late", "a", "b", "c", "again", "early", "joined"}, []string{"n", "kind", "x", "upper_x", "greatest"}
	var b strings.Builder
	b.WriteString("version: 1\n")
	if r.IntN(3) == 0 {
		fmt.Fprintf(&b, "required: {datasets: {t: {mask: {a: %q, again: %q}}}}\n", pairMasks[r.IntN(3)], pairMasks[r.IntN(3)])
	}
	b.WriteString("roles:\n")
	for i := range 2 + r.IntN(2) {
		var grants []string
		if r.IntN(6) > 0 {
			grants = append(grants, randomPairGrant(r, "t", tFields))
		}
		if r.IntN(4) > 0 || len(grants) == 0 {
			grants = append(grants, randomPairGrant(r, "k", kFields))
		}
		reveal := ""
		if r.IntN(5) == 0 && len(grants) == 2 {
			reveal = ", reveal: [most_early]"
		}
		fmt.Fprintf(&b, "  r%d: {datasets: {%s}, metrics: all%s}\n", i, strings.Join(grants, ", "), reveal)
		roles = append(roles, fmt.Sprintf("r%d", i))
	}
	return b.String(), roles
}

// seenPairs returns all that some roles see of each row: the fields, by both datasets, and the values of the metrics.
func seenPairs(t *testing.T, reader *engine.Reader) map[float64]map[string]any {
	t.Helper()
	out := map[float64]map[string]any{}
	note := func(prefix, text string) {
		var rows []map[string]any
		if err := json.Unmarshal([]byte(text), &rows); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, row := range rows {
			n, ok := row["n"].(float64)
			if !ok {
				continue
			}
			if out[n] == nil {
				out[n] = map[string]any{}
			}
			for name, value := range row {
				out[n][prefix+name] = value
			}
		}
	}
	dimensions, err := reader.Dimensions(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	byDataset := map[string][]string{}
	for _, d := range dimensions {
		dataset, _, _ := strings.Cut(d.Name, ".")
		byDataset[dataset] = append(byDataset[dataset], d.Name)
	}
	metrics, err := reader.Metrics(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for dataset, fields := range byDataset {
		if !slices.Contains(fields, dataset+".n") {
			continue
		}
		body, _ := json.Marshal(fields)
		note(dataset+".", ask(t, reader, `{"from":"`+dataset+`","fields":`+string(body)+`}`))
		for _, m := range metrics {
			if m.Datasets[0] == dataset {
				note(m.Name+" ", ask(t, reader, `{"metrics":["`+m.Name+`"],"group_by":[{"field":"`+dataset+`.n"}]}`))
			}
		}
	}
	for _, row := range out {
		maps.DeleteFunc(row, func(name string, _ any) bool { return strings.HasSuffix(name, ".n") || strings.HasSuffix(name, " n") })
	}
	return out
}

// A stored value which no role shows of a row, be it in what is made of it, is not shown by several roles together.
func TestRoles_TogetherShowNothingThatNoneShows(t *testing.T) {
	cases := 60
	if os.Getenv("SEMLAYER_TEST_LONG") != "" {
		cases = 3000
	}
	db := enginesWith("pairs", func(testing.TB) string { return pairRows() })["duckdb"](t)
	r := rand.New(rand.NewPCG(42, 42))
	judged, secrets := 0, 0
	for n := 0; judged < cases; n++ {
		policies, roles := randomPairPolicies(r)
		e, err := engine.Open(t.Context(), engine.Config{
			ModelText: []byte(pairsModel), PoliciesPath: "policies.yaml", PoliciesText: []byte(policies),
			Connections: []engine.ProgramConnection{{Name: "w", Executor: db}}, DefaultConnection: "w",
		})
		if err != nil {
			if strings.Contains(err.Error(), "invalid_policy") && n < 100*cases {
				continue // a mask of a column that another field is
			}
			t.Fatalf("%s\n%v", policies, err)
		}
		judged++
		views := map[string]map[float64]map[string]any{}
		for _, role := range append(slices.Clone(roles), strings.Join(roles, `","`)) {
			reader, err := as(t, e, policies, `{"roles": ["`+role+`"]}`)
			if err != nil {
				t.Fatal(err)
			}
			views[role] = seenPairs(t, reader)
		}
		for kind := range pairKinds {
			for i, column := range pairColumns {
				base, other := float64(kind*10), float64(kind*10+i+1)
				differs := func(role string) bool { return fmt.Sprint(views[role][base]) != fmt.Sprint(views[role][other]) }
				if slices.ContainsFunc(roles, differs) {
					continue
				}
				secrets++
				if all := strings.Join(roles, `","`); differs(all) {
					t.Errorf("case %d: %s\nno role shows %s of the kind %d, and together they show\n%v for one value and\n%v for another", n, policies, column, kind, views[all][base], views[all][other])
				}
			}
		}
		_ = e.Close()
		if t.Failed() {
			break
		}
	}
	if secrets < cases {
		t.Errorf("%d cases have %d values that no role shows", cases, secrets)
	}
}
