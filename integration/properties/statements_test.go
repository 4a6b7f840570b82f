package properties_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/querysql"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

// defaultStatements are run on each engine where settings ask the default number of queries.
const defaultStatements = 200

// groupingWords spell the totals of a query.
var groupingWords = []string{"ROLLUP", "CUBE", "GROUPING SETS"}

// Random statements that spell random queries have the rows of those queries, on every engine. Each query is
// written in one of its spellings, in turn.
func TestStatements_HaveTheRowsOfRandomQueries(t *testing.T) {
	t.Parallel()
	seed, wanted := settings(t)
	if wanted == defaultQueries {
		wanted = defaultStatements
	}
	others := availableServers(t)
	counts := map[string]int{}
	failures := 0
	first := seed
	for asked := 0; asked < wanted; seed++ {
		r := newMaker(seed)
		m := r.model()
		var on []*servers.Server
		if wanted > defaultStatements || seed%2 == 0 {
			on = others
		}
		s := openStatementSubject(t, seed, m, on...)
		turns := 4 * queriesPerModel
		if slices.ContainsFunc(m.relations, func(rel *relation) bool { return rel.from == rel.to }) {
			turns *= 3 // few models have such a relationship, and few queries read it
		}
		for turn := 0; turn < turns && asked < wanted; turn++ {
			sentence, ok := s.statementOf(r.withManyLevels(r.asked()), turn)
			if !ok {
				continue
			}
			outcome, problem := s.compareStatement(t.Context(), sentence)
			counts[outcome]++
			if outcome == "compared" {
				asked++
				counts["form "+sentence.Form]++
				counts["on servers too"] += asInt(len(on) > 0)
				for _, word := range groupingWords {
					counts[word] += asInt(strings.Contains(sentence.SQL, word+" ("))
				}
				counts["role of itself"] += asInt(strings.Contains(sentence.SQL, "_up__"))
			}
			if problem != "" {
				failures++
				t.Errorf("SEMLAYER_PROPERTY_SEED=%d (%s)\n%s\nis not\n%s\n%s", seed, sentence.Form, sentence.SQL, sentence.query.json(), problem)
				break
			}
		}
		s.close()
		if failures >= reportedFailures {
			t.Fatal("there may be more")
		}
	}
	t.Logf("seeds %d to %d: %s", first, seed-1, summary(counts))
	t.Attr("seed", strconv.FormatUint(first, 10))
	t.Attr("statements", strconv.Itoa(counts["compared"]))
	t.Attr("on-servers", strconv.Itoa(counts["on servers too"]))
	t.Attr("engines", engineNames(others))
	t.Attr("mismatches", strconv.Itoa(failures))
	if counts["on servers too"] == 0 {
		t.Error("no statement was put to another engine than DuckDB")
	}
	if counts["role of itself"] < wanted/300 {
		t.Errorf("%d of %d statements read a dataset through its relationship to itself", counts["role of itself"], wanted)
	}
	for _, form := range []string{"wide", "derived", "parameters", "renamed", "outer", "view", "dataset", "joins", "rows", "rows of joins"} {
		if counts["form "+form] < wanted/100 {
			t.Errorf("of %d statements %d have the form %s: they are too rare", wanted, counts["form "+form], form)
		}
	}
	for _, word := range groupingWords {
		if counts[word] < wanted/200 {
			t.Errorf("of %d statements %d have totals by %s: they are too rare", wanted, counts[word], word)
		}
	}
	if counts["refused"] > wanted/50 {
		t.Errorf("%d statements of queries with rows were refused", counts["refused"])
	}
}

// withManyLevels gives some queries of a few groups the totals of each of their sets, or of each but the empty one, which random
// queries rarely have.
func (r *maker) withManyLevels(q planeQuery) planeQuery {
	plain, ok := q.(*question)
	if !ok || len(plain.GroupBy) < 2 || len(plain.GroupBy) > 3 || !r.chance(20) {
		return q
	}
	names := r.groupNames(plain)
	out := plain.clone()
	out.Limit, out.Offset, out.Totals = nil, 0, nil
	for set := asInt(r.chance(50)); set < 1<<len(names)-1; set++ {
		level := []string{}
		for i, name := range names {
			if set>>i&1 == 1 {
				level = append(level, name)
			}
		}
		out.Totals = append(out.Totals, level)
	}
	return out
}

// Conditions on times beside windows have in SQL the rows that they have in JSON. With the spelling law of windows, all spellings in both
// languages have the same rows.
func TestStatements_SpellConditionsOfWindows(t *testing.T) {
	t.Parallel()
	compared := 0
	for seed := uint64(1); seed <= 40; seed++ {
		r := newRunningMaker(seed)
		s := openStatementSubject(t, seed, r.model())
		for turn := range 6 {
			for _, q := range r.spelledQuestions() {
				sentence, ok := s.statementOf(q, turn)
				if !ok {
					continue
				}
				outcome, problem := s.compareStatement(t.Context(), sentence)
				compared += asInt(outcome == "compared")
				if problem != "" {
					t.Errorf("seed %d (%s)\n%s\nis not\n%s\n%s", seed, sentence.Form, sentence.SQL, q.json(), problem)
				}
			}
		}
		s.close()
	}
	t.Attr("statements", strconv.Itoa(compared))
	if compared < 100 {
		t.Errorf("%d statements were compared only", compared)
	}
}

// statementSubject is a subject that runs statements.
type statementSubject struct {
	*subject
	statements *semsql.Model
	db         executor.Executor // the data in a separate DuckDB
}

func openStatementSubject(t *testing.T, seed uint64, m *model, on ...*servers.Server) *statementSubject {
	t.Helper()
	s := openSubject(t, seed, m, on...)
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{m.sql("duckdb")}})
	if err != nil {
		t.Fatal(err)
	}
	return &statementSubject{s, semsql.New(s.model.Catalog), db}
}

func (s *statementSubject) close() {
	s.subject.close()
	_ = s.db.Close()
}

// querySentence is a statement and the query that it spells.
type querySentence struct {
	querysql.Statement
	query         planeQuery
	prepared      *prepared
	contextFilter string
	ordered       bool
}

// statementOf returns one of the spellings of a query; ok is false for a query that SQL cannot say, or that is rejected.
func (s *statementSubject) statementOf(q planeQuery, turn int) (out querySentence, ok bool) {
	p, err := q.plane().prepare(q.json())
	if err != nil {
		return out, false
	}
	planned, err := p.plan(s.planner, "duckdb")
	if err != nil {
		return out, false
	}
	spelling := querysql.Model{Catalog: s.model.Catalog, Relations: s.statements.Relations(), Dialect: "duckdb"}
	out = querySentence{query: q, prepared: p}
	var all []querysql.Statement
	switch q := q.(type) {
	case *question:
		body, err := query.DecodeMetric([]byte(q.json()))
		if err != nil {
			return out, false
		}
		all = spelling.MetricStatements(body, planned.Columns)
		out.contextFilter, out.ordered = q.ContextFilter, len(q.Totals) == 0 && (len(q.OrderBy) > 0 || q.Limit != nil || q.Offset > 0)
	case *detail:
		body, err := query.DecodeDetail([]byte(q.json()))
		if err != nil {
			return out, false
		}
		all = spelling.DetailStatements(body, planned.Columns)
		out.ordered = q.Limit > 0 || q.Offset > 0
	}
	if len(all) == 0 {
		return out, false
	}
	out.Statement = all[turn%len(all)]
	return out, true
}

// compareStatement runs a statement and its query on every engine.
func (s *statementSubject) compareStatement(ctx context.Context, q querySentence) (outcome, problem string) {
	want, _, err := s.run(ctx, q.prepared)
	if err != nil {
		return "query fails", ""
	}
	engines := []*replica{nil}
	engines = append(engines, s.replicas...)
	for _, r := range engines {
		name := "duckdb"
		if r != nil {
			name = r.server.Dialect
			if want, _, err = s.ask(ctx, r, q.prepared); err != nil {
				continue // the query is rejected there, or fails for what only its rows show
			}
		}
		got, err := s.runStatement(ctx, name, r, q)
		var refused *semsql.Error
		switch {
		case errors.As(err, &refused) && refused.Code != "internal":
			return "refused", fmt.Sprintf("%s refuses the statement: %v", name, err)
		case err != nil:
			return "failed", fmt.Sprintf("%s: %v", name, err)
		}
		got.Columns = want.Columns
		if diff := table.Diff(want, got, q.ordered); diff != "" {
			return "differs", name + ": - is the query, + is the statement\n" + diff
		}
	}
	return "compared", ""
}

// runStatement runs a statement on DuckDB or a server.
func (s *statementSubject) runStatement(ctx context.Context, name string, r *replica, q querySentence) (*table.Table, error) {
	d, ok := sqlemit.LookupDialect(name)
	if !ok {
		return nil, errors.New("no dialect " + name)
	}
	compiled, err := s.statements.Compile(ctx, semsql.Statement{SQL: q.SQL, Params: q.Params, ContextFilter: q.contextFilter},
		planner.Target{Dialect: name, Caps: d.Capabilities()})
	if err != nil {
		return nil, err
	}
	sql, err := sqlemit.Emit(ctx, compiled.Planned.Root, d, sqlemit.FormatOptions{})
	if err != nil {
		return nil, err
	}
	db := s.db
	if r != nil {
		db = r.db
	}
	return servers.QueryTable(ctx, db, sql, compiled.Planned.Columns)
}
