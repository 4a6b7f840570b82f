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
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// rollupText is a random rollup as a model declares it.
type rollupText struct {
	Name        string              `json:"name"`
	Of          string              `json:"of"`
	GroupBy     []map[string]string `json:"group_by,omitempty"`
	Measures    []map[string]string `json:"measures,omitempty"`
	Where       string              `json:"where,omitempty"`
	Connections []string            `json:"connections,omitempty"`
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

// rolledYAML writes a random model with rollups.
func (m *model) rolledYAML(rollups any) []byte {
	payload, err := json.Marshal(rollups)
	if err != nil {
		panic(err)
	}
	head := "  - name: random\n"
	own := head + "    custom_extensions: [{vendor_name: SEMLAYER, data: " + quote(`{"v": "1.10", "rollups": `+string(payload)+`}`) + "}]\n"
	return []byte(strings.Replace(m.yaml(), head, own, 1))
}

// openRolled serves a random model with rollups, whose tables are built by the SQL of the engine, in DuckDB.
func openRolled(t *testing.T, m *model, rollups any) *engine.Engine {
	t.Helper()
	c := engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: m.rolledYAML(rollups), Setup: []string{m.sql("duckdb")},
		MaxExecutions: 4, Logger: slog.New(slog.DiscardHandler),
	}
	definitions, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = definitions.Close() }()
	c.Setup = append(c.Setup, tablesOf(t, definitions)...)
	e, err := engine.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// tablesOf returns the statements that build the tables of the rollups of a model.
func tablesOf(t *testing.T, e *engine.Engine) []string {
	t.Helper()
	var out []string
	for _, r := range e.Rollups(t.Context()) {
		sql, err := e.RollupSQL(t.Context(), engine.RollupDefinition{Name: r.Name})
		if err != nil {
			t.Fatalf("the rollup %s: %v", r.Name, err)
		}
		out = append(out, sql)
	}
	return out
}

// openRolledSubject serves a random model with rollups, in DuckDB and in copies on servers. The reference has the base tables alone.
func openRolledSubject(t *testing.T, m *model, rollups any, on []*servers.Server) *subject {
	t.Helper()
	known, err := reference.CompileModel(t.Context(), []byte(m.yaml()))
	if err != nil {
		t.Fatal(err)
	}
	s := &subject{engine: openRolled(t, m, rollups), planner: planner.New(known.Catalog), model: known, data: m.data()}
	for _, server := range on {
		script := m.sql(server.Dialect)
		for _, r := range s.engine.Rollups(t.Context()) {
			sql, err := s.engine.RollupSQL(t.Context(), engine.RollupDefinition{Name: r.Name, Dialect: server.Dialect})
			if err != nil {
				t.Fatalf("the rollup %s on %s: %v", r.Name, server.Dialect, err)
			}
			script += sql + ";\n"
		}
		if err := s.replicateScript(t.Context(), script, server); err != nil {
			t.Fatalf("%s: %v\n%s", server.Dialect, err, script)
		}
	}
	return s
}

// questionsPerModel is how many questions each random model with rollups is asked.
const questionsPerModel = 10

// rolledModels is how many models are asked as many questions as the settings have; for the usual number, a few.
func rolledModels(queries int) int {
	if queries > defaultQueries {
		return queries / questionsPerModel
	}
	return 8
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
	t.Parallel()
	seed, queries := settings(t)
	routed, base := 0, 0
	rules := map[string]int{}
	for range rolledModels(queries) {
		r := newMaker(seed)
		m := r.model()
		var questions []*question
		for range questionsPerModel {
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
	isSame := func(a, b string) bool { return a == b || a == "" && got.Dialect != want.Dialect } // SQLite has no type for a column without any value
	if !slices.EqualFunc(want.Datatypes, got.Datatypes, isSame) {
		t.Errorf("%s\n%v without rollups, %v with them\n%s", body, want.Datatypes, got.Datatypes, got.SQL)
	}
	return routed, base
}

// The rollups that are suggested for queries serve each branch of them but for those that are named as left out, and the rows are those of the
// reference on every engine.
func TestSuggestedRollups_ServeTheirQueries(t *testing.T) {
	t.Parallel()
	seed, queries := settings(t)
	others := availableServers(t)
	routed, base, leftOut := 0, 0, map[string]int{}
	for range rolledModels(queries) {
		var on []*servers.Server
		if queries > defaultQueries || seed%modelsPerReplica == 0 {
			on = others
		}
		r := newMaker(seed)
		m := r.model()
		questions := make([]*question, questionsPerModel)
		var requests []engine.RequestLogEntry
		for i := range questions {
			questions[i] = r.questionForRollups()
			requests = append(requests, engine.RequestLogEntry{Line: i, Path: "/v1/query/execute", Body: []byte(questions[i].json())})
		}
		found, without := suggest(t, m, requests, on)
		named := make([]int, questionsPerModel)
		for _, b := range found.LeftOut {
			named[b.Line]++
			leftOut[b.Rule]++
		}
		s := openRolledSubject(t, m, found.Rollups, on)
		if got := s.engine.Rollups(t.Context()); len(got) != len(found.Rollups) {
			t.Errorf("the model has %d rollups of the %d that are suggested: %v", len(got), len(found.Rollups), s.engine.CompileErrors())
		}
		for i, q := range questions {
			read, unrouted := branchesOf(t, s.engine, q)
			unrouted = slices.DeleteFunc(unrouted, func(use engine.RollupUse) bool { return slices.Contains(without, use.Home) })
			routed, base = routed+read, base+len(unrouted)
			if len(unrouted) > named[i] {
				t.Errorf("%s\n%d branches read base tables, and %d are named: %+v", q.json(), len(unrouted), named[i], unrouted)
			}
			if v := s.compareWithReference(t.Context(), q); v.problem != "" {
				t.Errorf("%s\n%s\n%s", q.json(), v.problem, v.sql)
			}
			if t.Failed() {
				t.Fatalf("SEMLAYER_PROPERTY_SEED=%d\n%s", seed, m.rolledYAML(found.Rollups))
			}
		}
		s.close()
		seed++
	}
	t.Attr("routed", strconv.Itoa(routed))
	t.Attr("base", strconv.Itoa(base))
	t.Attr("engines", engineNames(others))
	for _, rule := range slices.Sorted(maps.Keys(leftOut)) {
		t.Attr("left_out_"+rule, strconv.Itoa(leftOut[rule]))
	}
	if routed*10 < (routed+base)*4 {
		t.Errorf("of %d branches %d read rollups", routed+base, routed)
	}
}

// suggest returns the rollups for requests that each of the servers can have, and the datasets of the others.
func suggest(t *testing.T, m *model, requests []engine.RequestLogEntry, on []*servers.Server) (found engine.RollupSuggestions, without []string) {
	t.Helper()
	e := openRolled(t, m, []string{})
	defer func() { _ = e.Close() }()
	found, err := e.SuggestRollups(t.Context(), requests)
	if err != nil {
		t.Fatal(err)
	}
	declared := openRolled(t, m, found.Rollups)
	defer func() { _ = declared.Close() }()
	found.Rollups = slices.DeleteFunc(found.Rollups, func(r planner.SuggestedRollup) bool {
		for _, server := range on {
			_, err := declared.RollupSQL(t.Context(), engine.RollupDefinition{Name: r.Name, Dialect: server.Dialect})
			if code := codeOf(err); code == planerr.CodeDialectUnsupportedAggregate || code == planerr.CodeDialectUnsupportedFunction {
				without = append(without, r.Of)
				return true
			}
		}
		return false
	})
	return found, without
}

// branchesOf returns how many branches of a query read rollups, and those that read base tables.
func branchesOf(t *testing.T, e *engine.Engine, q *question) (routed int, base []engine.RollupUse) {
	t.Helper()
	body, err := query.DecodeMetric([]byte(q.json()))
	if err != nil {
		t.Fatal(err)
	}
	statement, err := e.Prepare(t.Context(), body)
	if err != nil {
		return 0, nil
	}
	compiled, err := statement.SQL(t.Context())
	if err != nil {
		return 0, nil
	}
	for _, use := range compiled.Rollups {
		if use.Rollup != nil {
			routed++
		} else {
			base = append(base, use)
		}
	}
	return routed, base
}
