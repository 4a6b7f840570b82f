package properties_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
)

// engineTally counts what one engine showed of questions with rollups.
type engineTally struct{ routed, base, compared, differences int }

// rollupTally counts what all engines showed.
type rollupTally struct {
	engines   map[string]*engineTally
	rules     map[string]int // by the first rule that a candidate does not meet
	questions int
	// candidates are the numbers of rollups of the model that is asked, by the dataset whose rows they aggregate.
	candidates map[string]int
	compiled   int // on every engine
	// referenced are the results over rollups that were compared with the reference.
	referenced int
}

func (c *rollupTally) on(dialect string) *engineTally {
	if c.engines[dialect] == nil {
		c.engines[dialect] = &engineTally{}
	}
	return c.engines[dialect]
}

// add counts the branches of a query, and reports whether one reads a rollup.
func (c *rollupTally) add(dialect string, uses []engine.RollupUse) bool {
	on, reads := c.on(dialect), false
	for _, use := range uses {
		if use.Rollup != nil {
			on.routed++
			reads = true
			continue
		}
		on.base++
		for _, x := range use.WhyNot {
			c.rules[x.Rule]++
		}
	}
	return reads
}

// openNearRolled serves a model with rollups that every engine can have, in DuckDB and in copies on servers.
func openNearRolled(t *testing.T, m *model, rollups []rollupText, on []*servers.Server) *subject {
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
	kept, scripts := map[string]bool{}, make([]string, 1+len(on))
	for _, r := range definitions.Rollups(t.Context()) {
		tables := make([]string, 0, len(scripts))
		for i := range scripts {
			of := engine.RollupDefinition{Name: r.Name}
			if i > 0 {
				of.Dialect = on[i-1].Dialect
			}
			sql, err := definitions.RollupSQL(t.Context(), of)
			if err != nil && !strings.HasPrefix(codeOf(err), "dialect_unsupported_") {
				t.Fatalf("the rollup %s on %q: %v", r.Name, of.Dialect, err)
			}
			if err == nil {
				tables = append(tables, sql)
			}
		}
		if kept[r.Name] = len(tables) == len(scripts); kept[r.Name] {
			for i, sql := range tables {
				scripts[i] += sql + ";\n"
			}
		}
	}
	c.ModelText = m.rolledYAML(slices.DeleteFunc(slices.Clone(rollups), func(r rollupText) bool { return !kept[r.Name] }))
	c.Setup = append(c.Setup, scripts[0])
	known, err := reference.CompileModel(t.Context(), []byte(m.yaml()))
	if err != nil {
		t.Fatal(err)
	}
	s := &subject{planner: planner.New(known.Catalog), model: known, data: m.data()}
	if s.engine, err = engine.Open(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for i, server := range on {
		if err := s.replicateScript(t.Context(), m.sql(server.Dialect)+scripts[i+1], server); err != nil {
			t.Fatalf("%s: %v\n%s", server.Dialect, err, scripts[i+1])
		}
	}
	return s
}

// keyed returns the body of a question with another key.
func keyed(body, key string) string { return "{" + key + "," + strings.TrimPrefix(body, "{") }

// engineAnswers are what the engines answer to one question over rollups and over base tables.
type engineAnswers struct {
	*subject
	body          string
	ordered       bool
	with, without *prepared
	want          *expectation // nil before it is known
}

// compareRolledOnEveryEngine asks a question with rollups and without, on each engine, and compares both with the reference. The SQL of a question of
// which no branch reads a rollup is that without rollups.
func (s *subject) compareRolledOnEveryEngine(t *testing.T, body string, ordered bool, count *rollupTally) {
	t.Helper()
	with, err := prepareMetric([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	without, err := prepareMetric([]byte(keyed(body, `"rollups":false`)))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	a := engineAnswers{subject: s, body: body, ordered: ordered, with: with, without: without}
	compiled := true
	for i := -1; i < len(s.replicas); i++ {
		dialect, on := "duckdb", (*replica)(nil)
		if i >= 0 {
			dialect, on = s.replicas[i].server.Dialect, s.replicas[i]
		}
		runs, problem := a.compareOn(t.Context(), dialect, on, count)
		compiled = compiled && runs
		if problem != "" {
			count.on(dialect).differences++
			t.Errorf("%s: %s\n%s", dialect, problem, body)
		}
	}
	if compiled {
		count.compiled++
	}
}

// compareOn compares the results of DuckDB, or of a server. It reports whether the question compiles, and what is wrong.
func (a *engineAnswers) compareOn(ctx context.Context, dialect string, on *replica, count *rollupTally) (compiles bool, problem string) {
	rolled, withErr := a.with.compile(ctx, a.engine, dialect)
	base, baseErr := a.without.compile(ctx, a.engine, dialect)
	switch {
	case codeOf(withErr) != codeOf(baseErr):
		return false, fmt.Sprintf("without rollups: %v\nwith rollups: %v", baseErr, withErr)
	case withErr != nil || baseErr != nil:
		return false, ""
	}
	for _, use := range rolled.Rollups {
		if most := min(20, count.candidates[use.Home]); use.Rollup == nil && len(use.WhyNot) != most {
			return true, fmt.Sprintf("a branch of %s reads no rollup, and has %d reasons for %d", use.Home, len(use.WhyNot), most)
		}
	}
	if !count.add(dialect, rolled.Rollups) {
		if rolled.SQL != base.SQL {
			return true, "no branch reads a rollup, and the SQL differs\n" + base.SQL + "\n" + rolled.SQL
		}
		return true, ""
	}
	run := a.run
	if on != nil {
		run = func(ctx context.Context, p *prepared) (*table.Table, string, error) { return a.ask(ctx, on, p) }
	}
	without, _, err := run(ctx, a.without)
	if err != nil {
		return true, "" // by the database: over other columns it may run
	}
	with, _, err := run(ctx, a.with)
	if err != nil {
		return true, fmt.Sprintf("the query fails over a rollup alone: %v\n%s", err, rolled.SQL)
	}
	count.on(dialect).compared++
	if diff := table.Diff(without, with, a.ordered); diff != "" {
		return true, "- is without rollups, + with them\n" + diff + "\n" + base.SQL + "\n" + rolled.SQL
	}
	if a.want == nil {
		want := a.expectationOf(a.with)
		a.want = &want
	}
	if a.want.result != nil {
		count.referenced++
	}
	if problem := a.want.differs(with, nil); problem != "" {
		return true, problem + "\n" + rolled.SQL
	}
	return true, ""
}

// A question has the rows of the reference with rollups and without, on every engine, where the rollups are near to the questions.
func TestRollups_HaveTheRowsOfTheReferenceOnEveryEngine(t *testing.T) {
	seed, queries := settings(t)
	first, others := seed, availableServers(t)
	count := rollupTally{engines: map[string]*engineTally{}, rules: map[string]int{}}
	for range rolledModels(queries) {
		var on []*servers.Server
		if queries > defaultQueries || seed%modelsPerReplica == 0 {
			on = others
		}
		r := newMaker(seed)
		m := r.model()
		questions := make([]*question, questionsPerModel)
		for i := range questions {
			questions[i] = r.questionForRollups()
		}
		rollups := slices.Concat(r.nearRollups(t, questions), r.rollups(questions))
		s := openNearRolled(t, m, rollups, on)
		count.candidates = map[string]int{}
		for _, x := range s.engine.Rollups(t.Context()) {
			count.candidates[x.Of]++
		}
		for _, q := range questions {
			q = r.withConditionOf(q, rollups)
			body := q.json()
			if r.chance(2) {
				body = keyed(body, `"max_age":3600`)
			}
			count.questions++
			s.compareRolledOnEveryEngine(t, body, len(q.OrderBy) > 0 || q.Limit != nil, &count)
		}
		s.close()
		if t.Failed() {
			t.Logf("SEMLAYER_PROPERTY_SEED=%d\n%s", seed, m.rolledYAML(rollups))
			break
		}
		seed++
	}
	count.report(t)
	t.Attr("seed", strconv.FormatUint(first, 10))
	t.Attr("engines", engineNames(others))
}

// rulesOfDeclarations are the rules that a declaration alone can fail to meet.
var rulesOfDeclarations = []string{
	plan.RollupRuleConnection, plan.RollupRuleLODField, plan.RollupRuleFanned, plan.RollupRuleMeasure, plan.RollupRuleGroupBy, plan.RollupRuleGrain, plan.RollupRuleFilter,
	plan.RollupRuleRangeField, plan.RollupRuleRangeEdge, plan.RollupRuleWhere, plan.RollupRuleInnerJoin, plan.RollupRuleSameGroups, plan.RollupRuleMaxAge,
}

// report reports the counts. It fails where too few branches read rollups to show much.
func (c *rollupTally) report(t *testing.T) {
	t.Helper()
	differences, share := 0, 100.0
	for _, dialect := range slices.Sorted(maps.Keys(c.engines)) {
		on := c.engines[dialect]
		differences += on.differences
		share = min(share, 100*float64(on.routed)/float64(max(1, on.routed+on.base)))
		t.Attr("compared-"+dialect, strconv.Itoa(on.compared))
		t.Attr("routed-"+dialect, strconv.Itoa(on.routed))
		t.Attr("base-"+dialect, strconv.Itoa(on.base))
	}
	rarest := math.MaxInt
	for _, rule := range rulesOfDeclarations {
		rarest = min(rarest, c.rules[rule])
		t.Attr("rule-"+rule, strconv.Itoa(c.rules[rule]))
	}
	t.Attr("questions", strconv.Itoa(c.questions))
	t.Attr("compiled", strconv.Itoa(c.compiled))
	t.Attr("with-reference", strconv.Itoa(c.referenced))
	t.Attr("differences", strconv.Itoa(differences))
	t.Attr("routed-percent", fmt.Sprintf("%.1f", share))
	t.Attr("rarest-rule", strconv.Itoa(rarest))
	if least := map[bool]float64{true: 40, false: 15}[c.questions > defaultQueries]; share < least {
		t.Errorf("%.1f %% of the branches read rollups, which are not made for the questions", share)
	}
}
