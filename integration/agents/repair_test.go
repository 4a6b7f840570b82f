package agents_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// breakage breaks a body in one way; ok is false where the body has nothing to break.
type breakage struct {
	name   string
	breaks func(r *rand.Rand, e *engine.Engine, body map[string]any) (ok bool)
}

func texts(v any) []string {
	var out []string
	list, _ := v.([]any)
	for _, x := range list {
		if text, ok := x.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

func groups(body map[string]any) []map[string]any {
	var out []map[string]any
	list, _ := body["group_by"].([]any)
	for _, x := range list {
		out = append(out, x.(map[string]any))
	}
	return out
}

func setMetric(body map[string]any, old, name string) {
	text, _ := json.Marshal(body)
	var changed map[string]any
	_ = json.Unmarshal([]byte(strings.ReplaceAll(string(text), `"`+old+`"`, `"`+name+`"`)), &changed)
	for key, value := range changed {
		body[key] = value
	}
}

var breakages = []breakage{
	{"typo in a metric", func(r *rand.Rand, _ *engine.Engine, body map[string]any) bool {
		name := texts(body["metrics"])[0]
		at := 1 + r.IntN(len(name)-2)
		setMetric(body, name, name[:at]+name[at+1:])
		return len(name) >= 5
	}},
	{"synonym for a metric", func(_ *rand.Rand, e *engine.Engine, body map[string]any) bool {
		for _, m := range metricsOf(e) {
			context, _ := m.AIContext.(map[string]any)
			if synonyms := texts(context["synonyms"]); m.Name == texts(body["metrics"])[0] && len(synonyms) > 0 {
				setMetric(body, m.Name, synonyms[0])
				return true
			}
		}
		return false
	}},
	{"wrong dataset", func(_ *rand.Rand, e *engine.Engine, body map[string]any) bool {
		for _, g := range groups(body) {
			dataset, name, ok := strings.Cut(g["field"].(string), ".")
			isDataset := slices.ContainsFunc(e.Datasets(), func(d describe.Dataset) bool { return d.Name == dataset })
			namesakes := 0
			for _, d := range dimensionsOf(e) {
				if strings.HasSuffix(d.Name, "."+name) {
					namesakes++
				}
			}
			if ok && isDataset && namesakes == 1 { // else the dataset is all that tells them apart
				home := "orders"
				if e.Model().Name != "retail" {
					home = map[string]string{"tpcds": "store_sales", "clinic": "admissions"}[e.Model().Name]
				}
				g["field"] = home + "." + name
				return home != dataset
			}
		}
		return false
	}},
	{"missing axis", func(_ *rand.Rand, _ *engine.Engine, body map[string]any) bool {
		delete(body, "group_by")
		return texts(body["metrics"])[0] == "visits_to_date"
	}},
	{"wrong grain", func(r *rand.Rand, _ *engine.Engine, body map[string]any) bool {
		for _, g := range groups(body) {
			if grain, ok := g["grain"].(string); ok {
				g["grain"] = []string{strings.ToUpper(grain), strings.ToUpper(grain[:1]) + grain[1:], grain + "s"}[r.IntN(3)]
				return true
			}
		}
		return false
	}},
	{"value in another case", func(_ *rand.Rand, _ *engine.Engine, body map[string]any) bool {
		where, _ := body["where_sql"].(string)
		parts := strings.Split(where, "'")
		if len(parts) != 3 || strings.Trim(parts[1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || body["group_by"] != nil {
			return false
		}
		parts[1] = strings.ToUpper(parts[1][:1]) + parts[1][1:]
		if strings.Join(parts, "'") == where {
			parts[1] = strings.ToLower(parts[1])
		}
		body["where_sql"] = strings.Join(parts, "'")
		return true
	}},
	{"texts in place of lists", func(_ *rand.Rand, _ *engine.Engine, body map[string]any) bool {
		if metrics := texts(body["metrics"]); len(metrics) == 1 {
			body["metrics"] = metrics[0]
		}
		var out []any
		for _, g := range groups(body) {
			grain, _ := g["grain"].(string)
			out = append(out, strings.TrimSuffix(g["field"].(string)+":"+grain, ":"))
		}
		if out != nil {
			body["group_by"] = out
		}
		return true
	}},
	{"wrong key", func(r *rand.Rand, _ *engine.Engine, body map[string]any) bool {
		for old, names := range map[string][]string{"group_by": {"dimensions", "groupBy"}, "where_sql": {"filter", "filters", "where"}, "metrics": {"measures", "metric"}} {
			if value, ok := body[old]; ok {
				delete(body, old)
				body[names[r.IntN(len(names))]] = value
			}
		}
		return true
	}},
	{"unreachable dimension", func(_ *rand.Rand, e *engine.Engine, body map[string]any) bool {
		far := map[string]string{"retail": "returns.reason", "tpcds": "store.s_state", "clinic": "equipment.device"}[e.Model().Name]
		list, _ := body["group_by"].([]any)
		body["group_by"] = append(list, map[string]any{"field": far})
		return true
	}},
	{"text in double quotes", func(_ *rand.Rand, _ *engine.Engine, body map[string]any) bool {
		where, _ := body["where_sql"].(string)
		body["where_sql"] = strings.ReplaceAll(where, "'", `"`)
		return strings.Contains(where, "'") && !strings.Contains(where, "20")
	}},
}

func metricsOf(e *engine.Engine) []describe.Metric {
	all, _ := e.Metrics(context.Background())
	return all
}

func dimensionsOf(e *engine.Engine) []describe.Dimension {
	all, _ := e.Dimensions(context.Background(), "")
	return all
}

// TestRepair_RobotSolvesBrokenBodies breaks the body of every question in ten ways. Solved is a body whose rows are those of
// the sound one within three calls; silently different is one that has other rows and no warning.
func TestRepair_RobotSolvesBrokenBodies(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 10))
	type score struct{ tried, solved, different int }
	scores := map[string]*score{}
	var total score
	var read []int
	for _, s := range subjects(t) {
		e, db := s.open(t, 0)
		a := asker{t, e, nil}
		find := func(text string) (string, int) {
			found, err := e.Find(t.Context(), &query.FindQuery{Text: text, Kinds: []string{"metric", "dimension"}, Limit: 5})
			if err != nil || len(found.Hits) == 0 {
				return "", 0
			}
			wire, _ := engine.MarshalWireJSON(found)
			return found.Hits[0].Name, len(wire)
		}
		for _, q := range s.questions {
			want := q.gold(t, db)
			for _, b := range breakages {
				var body map[string]any
				if err := json.Unmarshal([]byte(q.body), &body); err != nil {
					t.Fatal(err)
				}
				if !b.breaks(r, e, body) {
					continue
				}
				text, err := json.Marshal(body)
				if err != nil {
					t.Fatal(err)
				}
				if broken, err := query.DecodeMetric(text); err == nil && b.name == "unreachable dimension" {
					if _, err := prepare.SQL(t.Context(), e, broken); err == nil {
						continue // the metric reaches it
					}
				}
				if scores[b.name] == nil {
					scores[b.name] = &score{}
				}
				x := scores[b.name]
				x.tried++
				total.tried++
				last, c, bytes := robot(string(text), 3, a.ask, find)
				diff := "refused with " + c.code
				if c.code == "" {
					want := *want
					want.Columns = a.rows.Columns
					diff = table.Diff(&want, a.rows, strings.Contains(q.body, "order_by"))
				}
				switch {
				case diff == "":
					x.solved++
					total.solved++
					read = append(read, bytes)
				case c.code == "" && len(c.warnings) == 0:
					x.different++
					total.different++
					t.Errorf("%s: silently different: %s\n%s became %s\n%.600s", b.name, q.text, text, last, diff)
				default:
					t.Logf("%s: not solved: %s\n%s became %s\n%s %s %v", b.name, q.text, text, last, c.code, c.message, c.candidates)
				}
			}
		}
	}
	for _, b := range breakages {
		if x := scores[b.name]; x != nil {
			t.Logf("%-28s %3d of %3d solved, %d silently different", b.name, x.solved, x.tried, x.different)
		}
	}
	slices.Sort(read)
	t.Attr("bodies", strconv.Itoa(total.tried))
	t.Attr("solved", percent(total.solved, total.tried))
	t.Attr("different", strconv.Itoa(total.different))
	t.Attr("bytes", strconv.Itoa(read[len(read)/2]))
	if float64(total.solved) < 0.9*float64(total.tried) || read[len(read)/2] > 6000 {
		t.Errorf("%d of %d solved, with %d bytes", total.solved, total.tried, read[len(read)/2])
	}
}

// asker executes bodies and keeps the last rows.
type asker struct {
	t    *testing.T
	e    *engine.Engine
	rows *table.Table
}

// ask executes a body as the tools of MCP do, which request hints about empty results.
func (a *asker) ask(body string) call {
	q, err := query.DecodeMetric([]byte(mergeInto(body, `{"hints":true}`)))
	var result *engine.Result
	if err == nil {
		result, err = prepare.Rows(a.t.Context(), a.e, q)
	}
	var coded engine.CodedError
	if errors.As(err, &coded) {
		wire, _ := engine.MarshalWireJSON(coded)
		c := call{code: coded.ErrorCode(), message: coded.Error(), bytes: len(wire)}
		var plan *planerr.Error
		if errors.As(err, &plan) {
			c.retry, c.metrics, c.candidates = plan.SuggestedRetry, plan.Metrics, plan.Candidates[:min(len(plan.Candidates), 8)]
		}
		return c
	}
	if err != nil {
		a.t.Fatal(err)
	}
	wire, err := result.AppendJSON(nil)
	if err != nil {
		a.t.Fatal(err)
	}
	if a.rows, err = table.FromJSON(result.Columns, result.Rows); err != nil {
		a.t.Fatal(err)
	}
	c := call{bytes: len(wire)}
	for _, w := range result.Warnings {
		retry := ""
		if text, err := engine.MarshalWireJSON(w); err == nil {
			var members struct {
				Retry string `json:"suggested_retry"`
			}
			_ = json.Unmarshal(text, &members)
			retry = members.Retry
		}
		c.warnings = append(c.warnings, retry)
	}
	return c
}
