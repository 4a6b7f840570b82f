package duckdb_test

import (
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
)

func TestAStatementThatWasQuickIsPromptTheNextTime(t *testing.T) {
	const (
		sql  = "SELECT 42 AS n"
		slow = "SELECT count(*) AS n FROM range(1000000) a(i), range(1000) b(j) WHERE (i * j) % 7 = 3"
		cut  = "SELECT i FROM range(10000000) r(i)"
	)
	e := open(t, duckdb.Options{})
	var _ executor.Prompt = e
	if e.Prompt(sql) {
		t.Error("before anything is known of it")
	}
	query(t, e, sql)
	if !e.Prompt(sql) {
		t.Error("after it was quick")
	}
	query(t, e, slow)
	if e.Prompt(slow) {
		t.Error("after it was slow")
	}
	rows, err := e.Query(t.Context(), cut)
	if err != nil {
		t.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	if e.Prompt(cut) {
		t.Error("after it was cut short")
	}

	open := open(t, duckdb.Options{ExternalAccess: true})
	query(t, open, sql)
	if open.Prompt(sql) {
		t.Error("where a network may stall it")
	}
}
