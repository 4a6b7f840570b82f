package servers

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // which may write, where the executor only reads

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/sqlite"
)

// SQLite keeps a file for each key, and needs no server. The scripts of the MySQL
// family suit it: timestamps are written in UTC there.
func SQLite(tb testing.TB) *Server {
	tb.Helper()
	dir := tb.TempDir()
	return &Server{
		Dialect: "sqlite",
		load: func(ctx context.Context, name, script string) (executor.Executor, error) {
			path := filepath.Join(dir, name)
			if err := loadSQLite(ctx, path, script); err != nil {
				return nil, err
			}
			return sqlite.Open(ctx, sqlite.Options{Path: path, Connections: 1})
		},
		drop: func(_ context.Context, name string) error { return os.Remove(filepath.Join(dir, name)) },
	}
}

func loadSQLite(ctx context.Context, path, script string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	// The file is not needed after a crash.
	const careless = "PRAGMA journal_mode = MEMORY;\nPRAGMA synchronous = OFF;\n"
	err = execScript(ctx, careless+script, func(ctx context.Context, text string) error {
		_, err := db.ExecContext(ctx, text)
		return err
	})
	return errors.Join(err, db.Close())
}
