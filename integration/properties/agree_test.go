package properties_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/integration/internal/servers"
)

const (
	defaultQueries   = 500
	queriesPerModel  = 50
	modelsPerReplica = 4 // of so many models one is asked on servers too, in a run of the default length
	reportedFailures = 3
)

// settings reads the seed and the number of queries. Without a seed it is always
// the same one, so that a test that passed passes again; "random" takes another
// each time.
func settings(t *testing.T) (seed uint64, queries int) {
	t.Helper()
	seed, queries = 1, defaultQueries
	switch text := os.Getenv("SEMLAYER_PROPERTY_SEED"); text {
	case "":
	case "random":
		seed = uint64(time.Now().UnixNano())
	default:
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("SEMLAYER_PROPERTY_SEED: %v", err)
		}
		seed = n
	}
	if text := os.Getenv("SEMLAYER_PROPERTY_QUERIES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("SEMLAYER_PROPERTY_QUERIES: %v", err)
		}
		queries = n
	}
	return seed, queries
}

func TestReference_EngineGivesSameRows(t *testing.T) {
	t.Parallel()
	seed, queries := settings(t)
	others := availableServers(t)
	first, failures := seed, 0
	counts := map[string]int{}
	for asked := 0; asked < queries; seed++ {
		r := newMaker(seed)
		m := r.model()
		var on []*servers.Server
		if queries > defaultQueries || seed%modelsPerReplica == 0 {
			on = others
		}
		s := openSubject(t, seed, m, on...)
		for range min(queriesPerModel, queries-asked) {
			asked++
			q := r.asked()
			v := s.compareWithReference(t.Context(), q)
			counts[v.outcome]++
			for _, key := range q.keys() {
				counts["asked with "+key]++
				if v.outcome == "answered" {
					counts["answered with "+key]++
				}
			}
			counts["asked with any key"] += asInt(len(q.keys()) > 0)
			counts["on servers too"] += asInt(len(on) > 0)
			failed, differs := s.reportProblems(t, seed, m, q, v)
			if failures += asInt(failed); differs {
				break
			}
			if v.err != nil && v.code != "" {
				counts[v.code]++
			}
		}
		s.close()
		if failures >= reportedFailures {
			t.Fatal("there may be more")
		}
	}
	t.Logf("seeds %d to %d: %s", first, seed-1, summary(counts))
	t.Attr("seed", strconv.FormatUint(first, 10))
	t.Attr("questions", strconv.Itoa(counts["answered"]+counts["refused"]+counts["unsure"]+counts["defects of DuckDB"]))
	t.Attr("duckdb-defects", strconv.Itoa(counts["defects of DuckDB"]))
	t.Attr("answered", strconv.Itoa(counts["answered"]))
	t.Attr("refused", strconv.Itoa(counts["refused"]))
	t.Attr("unsure", strconv.Itoa(counts["unsure"]))
	t.Attr("with-keys", strconv.Itoa(counts["asked with any key"]))
	t.Attr("on-servers", strconv.Itoa(counts["on servers too"]))
	t.Attr("engines", engineNames(others))
	t.Attr("mismatches", strconv.Itoa(failures))
	enough(t, counts)
}

// reportProblems reports rows that differ from the reference, and a retry that does not work.
func (s *subject) reportProblems(t *testing.T, seed uint64, m *model, q planeQuery, v verdict) (failed, differs bool) {
	t.Helper()
	if v.problem != "" {
		report(t, seed, m, q, v)
		return true, true
	}
	if v.err == nil || v.code == "" {
		return false, false
	}
	wrong := s.followRetry(t.Context(), q, v.err)
	if wrong != "" {
		t.Errorf("SEMLAYER_PROPERTY_SEED=%d %s\n%v\n%s", seed, q.json(), v.err, wrong)
	}
	return wrong != "", false
}

// openSubject makes a subject of a model, of which all compiles and every edge proves
// what the generator claims for it.
func openSubject(t *testing.T, seed uint64, m *model, on ...*servers.Server) *subject {
	t.Helper()
	s, err := open(t.Context(), m, on...)
	if err != nil {
		t.Fatalf("SEMLAYER_PROPERTY_SEED=%d: %v\n%s", seed, err, m.yaml())
	}
	for _, e := range s.engine.CompileErrors() {
		t.Errorf("SEMLAYER_PROPERTY_SEED=%d: %s: %v", seed, e.Location, e)
	}
	for _, rel := range m.relations {
		if got := s.model.Catalog.Relationship(rel.name).Cardinality.String(); got != rel.proves {
			t.Errorf("SEMLAYER_PROPERTY_SEED=%d: the relationship %s is taken for %s and is %s", seed, rel.name, got, rel.proves)
		}
	}
	return s
}

// report shows a difference and the smallest one that is found from it.
func report(t *testing.T, seed uint64, m *model, q planeQuery, v verdict) {
	t.Helper()
	t.Errorf("SEMLAYER_PROPERTY_SEED=%d %s\n%s", seed, q.json(), v.problem)
	var on []*servers.Server
	if v.on != nil {
		on = append(on, v.on)
	}
	small := shrink(t.Context(), m, q, on, v.problem)
	s, err := open(t.Context(), small.m, on...)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	v = s.compareWithReference(t.Context(), small.q)
	t.Errorf("and made smaller\n%s\n%s\n%s", v.problem, v.sql, small.txtar(seed))
}

func summary(counts map[string]int) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, fmt.Sprintf("%s %d", k, counts[k]))
	}
	return strings.Join(out, ", ")
}

func engineNames(others []*servers.Server) string {
	names := []string{"duckdb"}
	for _, s := range others {
		names = append(names, s.Dialect)
	}
	return strings.Join(names, ", ")
}

// enough holds the generator to its purpose: most queries must have a result
// that the reference computes.
func enough(t *testing.T, counts map[string]int) {
	t.Helper()
	all := counts["answered"] + counts["refused"] + counts["unsure"]
	if counts["on servers too"] == 0 {
		t.Error("no question was put to another engine than DuckDB")
	}
	if counts["defects of DuckDB"] > 1+all/1000 {
		t.Errorf("DuckDB failed at its own assertions %d times", counts["defects of DuckDB"])
	}
	if all < 500 {
		return // too few for the shares of each construct
	}
	for _, key := range constructs {
		least := all / 100
		if key == "hours" {
			least = all / 300 // buckets below the day suit few questions
		}
		if asked, answered := counts["asked with "+key], counts["answered with "+key]; asked < 3*least || answered < least {
			t.Errorf("of %d questions %d have %s, %d with an answer: the generator asks it too rarely", all, asked, key, answered)
		}
	}
	if counts["answered"] < all*2/5 || counts["unsure"] > all/10 {
		t.Errorf("of %d questions %d were answered and %d left open: the generator asks the wrong ones", all, counts["answered"], counts["unsure"])
	}
}
