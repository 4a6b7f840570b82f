package integration_test

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
)

// guest is an engine on which the oracles do not run: they are written for the
// hosts, and SQLite knows no DATE '…', ClickHouse no CASE of another type. It is
// given the data of a case and the engine's SQL, and its rows are compared with
// what DuckDB answers to the oracle. Refused questions are none of its business.
type guest struct {
	*backend
	// unable are the cases that it cannot answer.
	unable map[string]inability
	// small are the cases whose data it cannot hold, with what it makes of them.
	small map[string]string
}

// inability is why a case has no answer on a guest, and with which code a client
// is told: of the compiler or of the execute stage.
type inability struct{ code, why string }

// guestOn takes the data of the MySQL family, whose moments are in UTC.
func guestOn(s *servers.Server) *backend {
	b := &backend{name: s.Dialect, family: "mysql", dialect: s.Dialect, start: func(testing.TB) {}}
	b.use(s)
	return b
}

func (g *guest) test(t *testing.T) {
	g.start(t)
	host := duckDB()
	defer host.stop(t)
	defer g.stop(t)
	answered, refused := 0, 0
	for _, c := range cases(t) {
		if c.Refused() || g.small[c.Name] != "" {
			continue
		}
		c.Subtest(t, func(t *testing.T) {
			if reason, is := g.unable[c.Name]; is {
				g.refuse(t, c, reason)
				refused++
				return
			}
			g.answer(t, host, c)
			answered++
		})
	}
	t.Attr("refused", strconv.Itoa(refused))
	floor.Check(t, "equal", answered, 600)
}

// TestCorpus_UnsupportedCasesHaveRows needs no server: a case that is renamed is
// noticed without ClickHouse and TiDB.
func TestCorpus_UnsupportedCasesHaveRows(t *testing.T) {
	t.Run("each case listed as unsupported on a secondary engine exists and has rows", func(t *testing.T) {
		hasRows := map[string]bool{}
		for _, c := range cases(t) {
			hasRows[c.Name] = !c.Refused()
		}
		for guest, names := range map[string][]string{
			"sqlite":     slices.Collect(maps.Keys(sqliteUnable())),
			"clickhouse": slices.Concat(slices.Collect(maps.Keys(clickhouseUnable())), slices.Collect(maps.Keys(clickhouseSmall()))),
			"tidb":       slices.Collect(maps.Keys(mysqlUnable())),
		} {
			seen := map[string]bool{}
			for _, name := range names {
				if !hasRows[name] || seen[name] {
					t.Errorf("%s lists %s, which is not a case with rows or is listed twice", guest, name)
				}
				seen[name] = true
			}
		}
	})
}

func (g *guest) answer(t *testing.T, host *backend, c *corpus.Case) {
	ctx := t.Context()
	want, err := expected(ctx, host, c)
	if err != nil {
		t.Fatal(err)
	}
	got, sql, err := g.run(ctx, subjectOf(t, c), c)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, c.Query(), sql)
	}
	if diff := table.Diff(want, got, ordered(t, c)); diff != "" {
		t.Fatalf("- is the answer, + is what came\n%s\n%s\n%s", diff, c.Query(), sql)
	}
}

// refuse holds a reason: a case that works is listed no longer.
func (g *guest) refuse(t *testing.T, c *corpus.Case, reason inability) {
	_, sql, err := g.run(t.Context(), subjectOf(t, c), c)
	var coded engine.Coded
	if !errors.As(err, &coded) || coded.ErrorCode() != reason.code {
		t.Fatalf("got %v, want %s: %s\n%s", err, reason.code, reason.why, sql)
	}
}
