package pgwire_test

import (
	"context"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/pgwire"
)

// A client that resets its connection is not a failure of the server.
func TestStatement_ResetByItsClientIsClientGone(t *testing.T) {
	var log testwait.Log
	p := startPort(t, func(c *pgwire.Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	f, conn := frontend(t, p.address)
	f.Send(&pgproto3.Query{String: "SELECT n, label FROM numbers"})
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := f.Receive(); err != nil {
			t.Fatal(err)
		}
	}
	if err := conn.(*net.TCPConn).SetLinger(0); err != nil { // Close sends a reset
		t.Fatal(err)
	}
	_ = conn.Close()
	testwait.Until(t, "the outcome is logged", func() bool { return strings.Contains(log.String(), "outcome=client_gone") })
	if text := log.String(); strings.Contains(text, "level=ERROR") || strings.Contains(text, "XX000") {
		t.Error(text)
	}
}

// A cursor that is fetched now and then keeps its slot for a limited time.
func TestStatement_CursorEndsAtTheAgeOfAStream(t *testing.T) {
	p := startPort(t, func(c *pgwire.Config) { c.StreamTimeout = 2 * time.Second })
	c := connect(t, p.url("")).PgConn()
	if _, err := run(c, "BEGIN; DECLARE c CURSOR FOR SELECT n FROM numbers; FETCH 1 FROM c"); err != nil {
		t.Fatal(err)
	}
	testwait.Until(t, "the slot is free", p.isIdle)
	if _, err := run(c, "FETCH 1 FROM c"); stateOf(err) != "57014" {
		t.Error(err)
	}
}

// A client that reads slowly keeps its slot for a limited time.
func TestStatement_RowsEndAtTheAgeOfAStream(t *testing.T) {
	p := startPort(t, func(c *pgwire.Config) { c.StreamTimeout = time.Second })
	c := connect(t, p.url("")).PgConn()
	rows := c.Exec(context.Background(), "SELECT n, label FROM numbers")
	if !rows.NextResult() || !rows.ResultReader().NextRow() {
		t.Fatal("there are no rows")
	}
	begun := time.Now()
	testwait.Until(t, "the limit has passed", func() bool { return time.Since(begun) > 2*time.Second })
	for rows.ResultReader().NextRow() {
	}
	if err := rows.Close(); stateOf(err) != "57014" {
		t.Error(err)
	}
}
