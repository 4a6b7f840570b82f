package engine

import (
	"context"
	"strconv"
	"sync"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
)

// localDB is the embedded database. It opens on first use, and again after a
// failure: the file may have been missing or locked for a moment only.
type localDB struct {
	path        string
	memory      int // MiB; 0: the default
	setup       []string
	connections int

	mu sync.Mutex
	db *duckdb.Executor
}

func (l *localDB) open(ctx context.Context) (executor.Executor, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.db != nil {
		return l.db, nil
	}
	o := duckdb.Options{Path: l.path, Connections: l.connections}
	if l.memory > 0 {
		o.MemoryLimit = strconv.Itoa(l.memory) + "MiB"
	}
	if l.path == "" {
		o.Setup = l.setup
	}
	db, err := duckdb.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	l.db = db
	return db, nil
}

// peek returns the database when it is open, and does not wait for it.
func (l *localDB) peek() executor.Executor {
	if !l.mu.TryLock() {
		return nil
	}
	defer l.mu.Unlock()
	if l.db == nil {
		return nil
	}
	return l.db
}

func (l *localDB) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.db == nil {
		return nil
	}
	db := l.db
	l.db = nil
	return db.Close()
}
