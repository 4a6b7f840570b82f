package properties_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
)

// rollupText is a random rollup as a model declares it.
type rollupText struct {
	Name     string              `json:"name"`
	Of       string              `json:"of"`
	GroupBy  []map[string]string `json:"group_by,omitempty"`
	Measures []map[string]string `json:"measures,omitempty"`
	Where    string              `json:"where,omitempty"`
}

// rollups makes random rollups for each question, of the datasets whose rows it aggregates. No model accepts some of them.
func (r *maker) rollups(questions []*question) []rollupText {
	var out []rollupText
	for _, q := range questions {
		for _, d := range r.homesOf(q) {
			if r.chance(90) {
				out = append(out, r.rollup(d, "rollup_"+strconv.Itoa(len(out)), q))
			}
		}
	}
	return out
}

// homesOf lists the datasets whose rows a question aggregates, without those of its inline metrics.
func (r *maker) homesOf(q *question) []*dataset {
	var out []*dataset
	for _, x := range r.rolledMetricsOf(q) {
		for _, d := range x.homes {
			if !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
	}
	return out
}

// rolledMetricsOf lists the metrics of a question, and those that they are made of.
func (r *maker) rolledMetricsOf(q *question) []*metric {
	var out []*metric
	names := slices.Clone(q.Metrics)
	for i := 0; i < len(names); i++ {
		for _, x := range r.m.metrics {
			if x.name == names[i] && !slices.Contains(out, x) {
				out, names = append(out, x), append(names, x.needs...)
			}
		}
	}
	return out
}

// isRollupTime reports whether a field has grains.
func (f *field) isRollupTime() bool {
	return f.kind == day || f.kind == moment || f.kind == zoned || f.encoded != ""
}

// placesOf lists the places that a question reads: its groups, the fields in its conditions, and the times of the dataset.
func (r *maker) placesOf(q *question, d *dataset, places []place) []place {
	var out []place
	conditions := q.WhereSQL + " " + q.ContextFilter
	for _, x := range r.rolledMetricsOf(q) {
		conditions += " " + x.filter + " " + x.payload
		if x.base != nil && (x.base.function == "COUNT DISTINCT" || x.base.function == "MAX") && r.chance(40) {
			conditions += " " + x.base.arg
		}
	}
	for _, p := range places {
		isGroup := slices.ContainsFunc(q.GroupBy, func(g query.GroupBy) bool { return g.Field == p.ref || g.Field == p.field.name })
		isTime := p.field.isRollupTime() && strings.HasPrefix(p.ref, d.name+".")
		if isGroup && r.chance(97) || strings.Contains(conditions, p.ref) && r.chance(95) || isTime && r.chance(65) {
			out = append(out, p)
		}
	}
	return out
}

func (r *maker) rollup(d *dataset, name string, q *question) rollupText {
	out := rollupText{Name: name, Of: d.name}
	places := slices.DeleteFunc(r.places([]*dataset{d}), func(p place) bool {
		return !p.safe || len(p.field.params) > 0 || strings.Contains(p.field.payload, "lod") || strings.Contains(p.field.payload, "is_dimension") || p.field.value == tolerant
	})
	groups := r.placesOf(q, d, places)
	for range r.IntN(2) {
		if len(places) > 0 {
			groups = append(groups, pick(r, places))
		}
	}
	for i, p := range groups {
		group := map[string]string{"field": p.ref, "column": "g" + strconv.Itoa(i)}
		if p.field.isRollupTime() && r.chance(65) {
			group["grain"] = pick(r, []string{"day", "day", "week", "month", "month", "quarter", "year", "hour"})
			if at := slices.IndexFunc(q.GroupBy, func(g query.GroupBy) bool { return g.Grain != "" && g.Expression == "" }); at >= 0 && r.chance(50) {
				group["grain"] = q.GroupBy[at].Grain
			}
		}
		out.GroupBy = append(out.GroupBy, group)
	}
	add := func(expression string) {
		isKnown := slices.ContainsFunc(out.Measures, func(m map[string]string) bool { return m["expression"] == expression })
		if !isKnown {
			out.Measures = append(out.Measures, map[string]string{"expression": expression, "column": "m" + strconv.Itoa(len(out.Measures))})
		}
	}
	for _, x := range r.m.metrics {
		if x.base == nil || x.base.home != d || r.chance(5) {
			continue
		}
		switch a := x.base; {
		case strings.Contains(a.function, "%s"):
			if r.chance(70) {
				add(fmt.Sprintf(a.function, a.arg))
			}
		case a.function == "COUNT DISTINCT":
			add("COUNT(DISTINCT " + a.arg + ")")
		case a.function == "AVG":
			add("SUM(" + a.arg + ")")
			add("COUNT(" + a.arg + ")")
		default:
			add(a.function + "(" + a.arg + ")")
		}
	}
	if r.chance(70) {
		add("COUNT(*)")
	}
	if r.chance(15) {
		out.Where = r.inputCondition(places)
	}
	return out
}

// openRolled serves a random model with rollups, whose tables are built by the SQL of the engine, in DuckDB.
func openRolled[R any](t *testing.T, m *model, rollups []R) *engine.Engine {
	t.Helper()
	payload, err := json.Marshal(rollups)
	if err != nil {
		t.Fatal(err)
	}
	head := "  - name: random\n"
	own := head + "    custom_extensions: [{vendor_name: SEMLAYER, data: " + quote(`{"v": "1.10", "rollups": `+string(payload)+`}`) + "}]\n"
	c := engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(strings.Replace(m.yaml(), head, own, 1)), Setup: []string{m.sql("duckdb")},
		MaxExecutions: 4, Logger: slog.New(slog.DiscardHandler),
	}
	definitions, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = definitions.Close() }()
	for _, r := range definitions.Rollups(t.Context()) {
		sql, err := definitions.RollupSQL(t.Context(), engine.RollupDefinition{Name: r.Name})
		if err != nil {
			t.Fatalf("the rollup %s: %v\n%s", r.Name, err, payload)
		}
		c.Setup = append(c.Setup, sql)
	}
	e, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// questionForRollups asks a question, some of which have few keys.
func (r *maker) questionForRollups() *question {
	if r.chance(50) {
		return r.question()
	}
	return r.fullQuestion()
}

// withConditionOf adds the condition of a rollup to some questions.
func (r *maker) withConditionOf(q *question, rollups []rollupText) *question {
	conditions := slices.DeleteFunc(slices.Clone(rollups), func(x rollupText) bool { return x.Where == "" })
	if len(conditions) == 0 || !r.chance(30) {
		return q
	}
	out, where := *q, pick(r, conditions).Where
	if out.WhereSQL == "" {
		out.WhereSQL = where
	} else {
		out.WhereSQL = "(" + out.WhereSQL + ") AND " + where
	}
	return &out
}

// A query has the same rows with rollups and without.
func TestRollups_HaveTheRowsOfTheBaseTables(t *testing.T) {
	seed, queries := settings(t)
	const perModel = 10
	routed, base := 0, 0
	rules := map[string]int{}
	for range max(8, queries/100) {
		r := newMaker(seed)
		m := r.model()
		var questions []*question
		for range perModel {
			questions = append(questions, r.questionForRollups())
		}
		rollups := r.rollups(questions)
		e := openRolled(t, m, rollups)
		for _, q := range questions {
			on, off := compareRolled(t, e, r.withConditionOf(q, rollups).json(), rules)
			routed, base = routed+on, base+off
			if t.Failed() {
				text, _ := json.Marshal(rollups)
				t.Fatalf("SEMLAYER_PROPERTY_SEED=%d\n%s", seed, text)
			}
		}
		_ = e.Close()
		seed++
	}
	t.Attr("routed", strconv.Itoa(routed))
	t.Attr("base", strconv.Itoa(base))
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		t.Attr("rule_"+rule, strconv.Itoa(rules[rule]))
	}
	if routed*8 < base {
		t.Errorf("%d branches read rollups, and %d base tables: the rollups are not made for the questions", routed, base)
	}
}

// compareRolled runs a query with rollups and without, and returns how many of its branches read rollups and base tables.
func compareRolled(t *testing.T, e *engine.Engine, body string, rules map[string]int) (routed, base int) {
	t.Helper()
	run := func(choice query.Rollups) (*engine.Result, error) {
		q, err := query.DecodeMetric([]byte(body))
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		q.Rollups = &choice
		return prepare.Rows(t.Context(), e, q)
	}
	want, wantErr := run(query.RollupsOff)
	got, gotErr := run(query.RollupsAllowed)
	switch {
	case wantErr != nil || gotErr != nil:
		var execution *engine.ExecuteError
		if wantErr != nil && errors.As(wantErr, &execution) && execution.Code == executor.CodeSQLRejected {
			return 0, 0 // by the database: over other columns it may run
		}
		if codeOf(wantErr) != codeOf(gotErr) {
			t.Errorf("%s\nwithout rollups: %v\nwith rollups: %v", body, wantErr, gotErr)
		}
		return 0, 0
	case got.Rollups == nil:
		return 0, 0
	}
	for _, use := range got.Rollups {
		if use.Rollup != nil {
			routed++
			continue
		}
		base++
		for _, x := range use.WhyNot {
			rules[x.Rule]++
		}
	}
	a, errA := table.FromJSON(want.Columns, want.Rows)
	b, errB := table.FromJSON(got.Columns, got.Rows)
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	if diff := table.Diff(a, b, strings.Contains(body, `"order_by"`) || strings.Contains(body, `"limit"`)); diff != "" {
		t.Errorf("- is without rollups, + with them\n%s\n%s\n%s\n%s", diff, body, want.SQL, got.SQL)
	}
	if !slices.Equal(want.Datatypes, got.Datatypes) {
		t.Errorf("%s\n%v without rollups, %v with them\n%s", body, want.Datatypes, got.Datatypes, got.SQL)
	}
	return routed, base
}

// The rollups that are suggested for queries serve each branch of them but for those that are named as left out, with the same rows.
func TestSuggestedRollups_ServeTheirQueries(t *testing.T) {
	seed, queries := settings(t)
	const perModel = 10
	routed, leftOut := 0, map[string]int{}
	for range max(8, queries/100) {
		r := newMaker(seed)
		m := r.model()
		plain := openRolled[planner.SuggestedRollup](t, m, nil)
		var bodies []string
		var requests []engine.RequestLogEntry
		for i := range perModel {
			bodies = append(bodies, r.questionForRollups().json())
			requests = append(requests, engine.RequestLogEntry{Line: i, Path: "/v1/query/execute", Body: []byte(bodies[i])})
		}
		found, err := plain.SuggestRollups(t.Context(), requests)
		if err != nil {
			t.Fatal(err)
		}
		_ = plain.Close()
		named := make([][]engine.BranchLeftOut, perModel)
		for _, b := range found.LeftOut {
			named[b.Line], leftOut[b.Rule] = append(named[b.Line], b), leftOut[b.Rule]+1
		}
		e := openRolled(t, m, found.Rollups)
		if got := e.Rollups(t.Context()); len(got) != len(found.Rollups) {
			t.Errorf("the model has %d rollups of the %d that are suggested: %v", len(got), len(found.Rollups), e.CompileErrors())
		}
		for i, body := range bodies {
			rules := map[string]int{}
			on, off := compareRolled(t, e, body, rules)
			routed += on
			if off > len(named[i]) {
				t.Errorf("%s\n%d branches read base tables by %v, and these are named: %v", body, off, rules, named[i])
			}
			if t.Failed() {
				text, _ := json.Marshal(found.Rollups)
				t.Fatalf("SEMLAYER_PROPERTY_SEED=%d\n%s", seed, text)
			}
		}
		_ = e.Close()
		seed++
	}
	t.Attr("routed", strconv.Itoa(routed))
	for _, rule := range slices.Sorted(maps.Keys(leftOut)) {
		t.Attr("left_out_"+rule, strconv.Itoa(leftOut[rule]))
	}
	if routed < 50 {
		t.Errorf("%d branches read rollups", routed)
	}
}

