package integration_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // which may write, for the data

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/sqlite"
)

func TestEveryCaseGivesItsAnswerOnSQLite(t *testing.T) {
	const noWindow = "dialect_unsupported_window_function"
	g := &guest{sqliteFiles(t), map[string]inability{
		"basics/integers_beyond_what_a_double_holds":        {"sql_rejected", "a SUM beyond 64 bits is an error of SQLite, and no rounded number"},
		"frame/correlation_with_what_does_not_vary_is_null": {noWindow, "there is no CORR"},
		"frame/sample_deviation_of_a_partition":             {noWindow, "there is no STDDEV_SAMP"},
		"frame/second_input_is_a_metric_of_its_own":         {noWindow, "there is no COVAR_POP"},
		"frame/two_inputs":                                  {noWindow, "there are no COVAR_POP, COVAR_SAMP and CORR"},
		"rolling/deviation_of_the_buckets":                  {noWindow, "there are no STDDEV_POP and VAR_SAMP"},
	}}
	g.test(t)
}

// sqliteFiles keeps a file for each data key. The scripts of the MySQL family suit
// it: there, moments are written in UTC.
func sqliteFiles(tb testing.TB) *backend {
	dir := tb.TempDir()
	return &backend{
		name: "sqlite", family: "mysql", dialect: "sqlite",
		start: func(testing.TB) {},
		load: func(ctx context.Context, key, script string) (executor.Executor, error) {
			path := filepath.Join(dir, strings.ReplaceAll(key, "/", "_"))
			db, err := sql.Open("sqlite", path)
			if err != nil {
				return nil, err
			}
			defer db.Close()
			db.SetMaxOpenConns(1)
			if err := execAll(ctx, "PRAGMA journal_mode = MEMORY;\nPRAGMA synchronous = OFF;\n"+script, func(ctx context.Context, text string) error {
				_, err := db.ExecContext(ctx, text)
				return err
			}); err != nil {
				return nil, err
			}
			return sqlite.Open(ctx, sqlite.Options{Path: path, Connections: 1})
		},
	}
}
