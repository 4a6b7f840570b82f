package integration_test

import (
	"errors"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
)

// secondaryEngine is an engine on which the oracles do not run: they are written for the
// primary engines, and SQLite has no DATE '…', ClickHouse no CASE that mixes types. It gets
// the data of a case and the SQL for its dialect. Its rows are compared with those that the
// oracle returns on DuckDB. Cases that expect an error are left out.
type secondaryEngine struct {
	*backend
	// unsupported are the cases that it cannot answer.
	unsupported map[string]unsupportedCase
	// skippedData are the cases whose data it cannot hold, each with the reason.
	skippedData map[string]string
	// share: one in so many cases is asked; all where it is 0.
	share int
}

// isLongForm reports whether the tests of the corpus leave nothing out that another test, or another engine, has.
func isLongForm() bool { return os.Getenv("SEMLAYER_TEST_LONG") != "" }

// unsupportedCase is why a case has no result on a secondary engine, and the error code that a client
// receives: of the compiler or of the execute stage.
type unsupportedCase struct{ code, why string }

// newSecondaryBackend takes the data of the MySQL family, whose timestamps are in UTC.
func newSecondaryBackend(s *servers.Server) *backend {
	b := &backend{name: s.Dialect, family: "mysql", dialect: s.Dialect, start: func(testing.TB) {}}
	b.connect(s)
	return b
}

func (g *secondaryEngine) testCorpus(t *testing.T) {
	g.start(t)
	host := duckDB()
	defer host.stop(t)
	defer g.stop(t)
	answered, refused := 0, 0
	share := max(1, g.share)
	for i, c := range cases(t) {
		if i%share > 0 || c.ExpectsError() || g.skippedData[c.Name] != "" {
			continue
		}
		c.RunSubtest(t, func(t *testing.T) {
			if reason, is := g.unsupported[c.Name]; is {
				g.expectError(t, c, reason)
				refused++
				return
			}
			g.compareRows(t, host, c)
			answered++
		})
	}
	t.Attr("refused", strconv.Itoa(refused))
	floor.CheckCount(t, "equal", answered, 600/share)
}

// TestCorpus_UnsupportedCasesHaveRows needs no server: a case that is renamed is
// noticed without ClickHouse and TiDB.
func TestCorpus_UnsupportedCasesHaveRows(t *testing.T) {
	t.Run("each case listed as unsupported on a secondary engine exists and has rows", func(t *testing.T) {
		hasRows := map[string]bool{}
		for _, c := range cases(t) {
			hasRows[c.Name] = !c.ExpectsError()
		}
		for dialect, names := range map[string][]string{
			"sqlite":     slices.Collect(maps.Keys(sqliteUnsupported())),
			"clickhouse": slices.Concat(slices.Collect(maps.Keys(clickhouseUnsupported())), slices.Collect(maps.Keys(clickhouseSkippedData()))),
			"tidb":       slices.Collect(maps.Keys(mysqlUnsupported())),
		} {
			seen := map[string]bool{}
			for _, name := range names {
				if !hasRows[name] || seen[name] {
					t.Errorf("%s lists %s, which is not a case with rows or is listed twice", dialect, name)
				}
				seen[name] = true
			}
		}
	})
}

func (g *secondaryEngine) compareRows(t *testing.T, host *backend, c *corpus.Case) {
	ctx := t.Context()
	want, err := oracleRows(ctx, host, c)
	if err != nil {
		t.Fatal(err)
	}
	got, sql, err := g.run(ctx, subjectOf(t, c), c)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, c.QueryJSON(), sql)
	}
	if diff := table.Diff(want, got, ordered(t, c)); diff != "" {
		t.Fatalf("- is the answer, + is what came\n%s\n%s\n%s", diff, c.QueryJSON(), sql)
	}
}

// expectError holds a reason: a case that works is listed no longer.
func (g *secondaryEngine) expectError(t *testing.T, c *corpus.Case, reason unsupportedCase) {
	_, sql, err := g.run(t.Context(), subjectOf(t, c), c)
	var coded engine.CodedError
	if !errors.As(err, &coded) || coded.ErrorCode() != reason.code {
		t.Fatalf("got %v, want %s: %s\n%s", err, reason.code, reason.why, sql)
	}
}
