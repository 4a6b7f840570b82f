package duckdb_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/executor/duckdb"
)

func TestCancelsPromptly_FastStatementOnce(t *testing.T) {
	t.Run("a statement that was fast counts as promptly cancelled for one further run", func(t *testing.T) {
		const (
			sql  = "SELECT 42 AS n"
			slow = "SELECT count(*) AS n FROM range(1000000) a(i), range(100) b(j) WHERE (i * j) % 7 = 3"
			cut  = "SELECT i FROM range(10000000) r(i)"
		)
		e := open(t, duckdb.Options{Threads: 1})
		if e.CancelsPromptly(sql) {
			t.Error("before anything is known of it")
		}
		query(t, e, sql)
		if !e.CancelsPromptly(sql) {
			t.Error("after it was fast")
		}
		if e.CancelsPromptly(sql) {
			t.Error("while nobody knows how the last one ends")
		}
		query(t, e, sql)
		if !e.CancelsPromptly(sql) {
			t.Error("after it was fast again")
		}
		query(t, e, slow)
		if e.CancelsPromptly(slow) {
			t.Error("after it was slow")
		}
		rows, err := e.Query(t.Context(), cut)
		if err != nil {
			t.Fatal(err)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		if e.CancelsPromptly(cut) {
			t.Error("after it was cut short")
		}
	})
}

func TestCancelsPromptly_NeverWithExternalAccess(t *testing.T) {
	t.Run("no statement counts as promptly cancelled where a network can stall it", func(t *testing.T) {
		const sql = "SELECT 42 AS n"
		reaching := open(t, duckdb.Options{ExternalAccess: true})
		query(t, reaching, sql)
		if reaching.CancelsPromptly(sql) {
			t.Error("where SQL may read from anywhere")
		}
	})
}

func TestCancelsPromptly_LocalFile(t *testing.T) {
	const sql, memory = "SELECT 42 AS n", "/dev/shm" // which is tmpfs wherever it is
	if _, err := os.Stat(memory); err != nil {
		t.Skip(err)
	}
	path := filepath.Join(memory, "semlayer-"+strconv.Itoa(os.Getpid())+".duckdb")
	t.Cleanup(func() { _ = os.Remove(path) })
	file := open(t, duckdb.Options{Path: path, ReadWrite: true})
	query(t, file, sql)
	if !file.CancelsPromptly(sql) {
		t.Error("after it was fast")
	}
}
