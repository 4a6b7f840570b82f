package integration_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // writes the data of SQLite's backend

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/sqlite"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/table"
)

var _ = engine.Config{}

// TestEveryCaseGivesItsAnswerOnSQLite
func TestEveryCaseGivesItsAnswerOnSQLite(t *testing.T) {
	b := sqliteBackend(t)
	host := duckDB()
	defer b.stop(t)
	defer host.stop(t)
	for _, c := range cases(t) {
		if c.Refused() {
			continue
		}
		t.Run(c.Name, func(t *testing.T) { answerAsGuest(t, b, host, c) })
	}
}

func answerAsGuest(t *testing.T, b, host *backend, c *corpus.Case) {
	ctx := t.Context()
	s := subjectOf(t, c)
	want, err := expected(ctx, host, c)
	if err != nil {
		t.Fatal(err)
	}
	got, sql, err := b.run(ctx, s, c)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, c.Query(), sql)
	}
	if diff := table.Diff(want, got, ordered(t, c)); diff != "" {
		t.Fatalf("- is the answer, + is what came\n%s\n%s\n%s", diff, c.Query(), sql)
	}
}

func sqliteBackend(tb testing.TB) *backend {
	dir := tb.TempDir()
	return &backend{
		name: "sqlite", family: "mysql", dialect: "sqlite",
		load: func(ctx context.Context, key, script string) (executor.Executor, error) {
			path := filepath.Join(dir, strings.ReplaceAll(key, "/", "_"))
			db, err := sql.Open("sqlite", path)
			if err != nil {
				return nil, err
			}
			defer db.Close()
			if _, err := db.ExecContext(ctx, script); err != nil {
				return nil, err
			}
			return sqlite.Open(ctx, sqlite.Options{Path: path, Connections: 1})
		},
	}
}
