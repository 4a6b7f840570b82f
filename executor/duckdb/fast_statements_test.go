package duckdb_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/executor/duckdb"
)

func TestInterruptible_FastStatementOnce(t *testing.T) {
	t.Run("a statement that was fast counts as interruptible for one further run", func(t *testing.T) {
		const (
			sql  = "SELECT 42 AS n"
			slow = "SELECT count(*) AS n FROM range(1000000) a(i), range(100) b(j) WHERE (i * j) % 7 = 3"
			cut  = "SELECT i FROM range(10000000) r(i)"
		)
		e := open(t, duckdb.Options{Threads: 1})
		if e.Interruptible(sql) {
			t.Error("before anything is known of it")
		}
		query(t, e, sql)
		if !e.Interruptible(sql) {
			t.Error("after it was fast")
		}
		if e.Interruptible(sql) {
			t.Error("while nobody knows how the last one ends")
		}
		query(t, e, sql)
		if !e.Interruptible(sql) {
			t.Error("after it was fast again")
		}
		query(t, e, slow)
		if e.Interruptible(slow) {
			t.Error("after it was slow")
		}
		rows, err := e.Query(t.Context(), cut)
		if err != nil {
			t.Fatal(err)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		if e.Interruptible(cut) {
			t.Error("after it was cut short")
		}
	})
}

func TestInterruptible_NeverWithExternalAccess(t *testing.T) {
	t.Run("no statement counts as interruptible where a network can stall it", func(t *testing.T) {
		const sql = "SELECT 42 AS n"
		reaching := open(t, duckdb.Options{ExternalAccess: true})
		query(t, reaching, sql)
		if reaching.Interruptible(sql) {
			t.Error("where SQL may read from anywhere")
		}
	})
}

func TestInterruptible_LocalFile(t *testing.T) {
	const sql, memory = "SELECT 42 AS n", "/dev/shm" // which is tmpfs wherever it is
	if _, err := os.Stat(memory); err != nil {
		t.Skip(err)
	}
	path := filepath.Join(memory, "semlayer-"+strconv.Itoa(os.Getpid())+".duckdb")
	t.Cleanup(func() { _ = os.Remove(path) })
	file := open(t, duckdb.Options{Path: path, ReadWrite: true})
	query(t, file, sql)
	if !file.Interruptible(sql) {
		t.Error("after it was fast")
	}
}
