package catalogue_test

import (
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/pgwire/catalogue"
)

// Rows of a result are held in memory until the client has them.
func TestCatalogue_BoundsTheBytesOfRows(t *testing.T) {
	c := newCatalogue(t)
	for _, sql := range []string{
		"SELECT '" + strings.Repeat("x", 60_000) + "' FROM generate_series(1, 1000) a, generate_series(1, 100) b",
		"SELECT repeated FROM (SELECT '" + strings.Repeat("x", 1000) + "' AS repeated FROM generate_series(1, 90000)) q",
		"SELECT " + strings.Repeat("c, ", 1000) + "c FROM (SELECT '" + strings.Repeat("x", 60_000) + "' AS c) q",
		"SELECT ARRAY(SELECT '" + strings.Repeat("x", 60_000) + "' FROM generate_series(1, 1000))",
	} {
		rows, err := answer(t.Context(), c, newSession(), sql, nil)
		var e *engine.SQLError
		if !errors.As(err, &e) || e.SQLState != "54000" {
			t.Errorf("%.40s: %d rows, %v", sql, len(rows.Rows), err)
		}
	}
}

// keysOfColumns joins the views of a schema as generators of code do. The join needs more than 64 MiB.
const keysOfColumns = `SELECT c.table_name, c.column_name, c.data_type, c.is_nullable,
	(SELECT e.data_type FROM information_schema.element_types e WHERE e.object_schema = c.table_schema AND e.object_name = c.table_name
		AND e.object_type = 'TABLE' AND e.collection_type_identifier = c.dtd_identifier) AS item,
	col_description((quote_ident(c.table_schema) || '.' || quote_ident(c.table_name))::regclass::oid, c.ordinal_position) AS description,
	EXISTS (SELECT 1 FROM information_schema.table_constraints tc JOIN information_schema.key_column_usage k
		ON k.constraint_schema = tc.constraint_schema AND k.constraint_name = tc.constraint_name
		WHERE tc.constraint_type = 'PRIMARY KEY' AND tc.table_name = c.table_name AND k.column_name = c.column_name) AS in_key,
	(SELECT count(*) FROM information_schema.constraint_column_usage u WHERE u.table_name = c.table_name AND u.column_name = c.column_name) AS used
FROM information_schema.columns c LEFT JOIN pg_namespace n ON n.nspname = c.table_schema
	LEFT JOIN pg_class r ON r.relnamespace = n.oid AND r.relname = c.table_name
	LEFT JOIN pg_attribute a ON a.attrelid = r.oid AND a.attname = c.column_name
	LEFT JOIN pg_type t ON t.oid = a.atttypid
WHERE c.table_schema = 'public' ORDER BY c.table_name, c.ordinal_position`

// typesOfColumns asks two names of the type of each column of all relations, as mappers of objects do that list a database.
const typesOfColumns = `SELECT c.*, col_description((quote_ident(c.table_schema) || '.' || quote_ident(c.table_name))::regclass::oid, c.ordinal_position) AS description,
	('"' || c.udt_schema || '"."' || c.udt_name || '"')::regtype::text AS named, format_type(a.atttypid, a.atttypmod) AS formatted
FROM information_schema.columns c LEFT JOIN pg_attribute a ON a.attname = c.column_name AND a.attrelid = (
	SELECT r.oid FROM pg_class r LEFT JOIN pg_namespace n ON n.oid = r.relnamespace WHERE r.relname = c.table_name AND n.nspname = c.table_schema)`

func TestCatalogue_NamesTheTypesOfAllColumnsAtOnce(t *testing.T) {
	c := catalogue.New(slog.New(slog.DiscardHandler), memory.NewBudget(memory.Settings{TotalBytes: 1 << 30}))
	defer c.Close()
	rows, err := answer(t.Context(), c, newSession(), typesOfColumns, nil)
	if err != nil {
		t.Fatal(err)
	}
	named := len(rows.Columns) - 2
	found := 0
	for _, row := range rows.Rows {
		if row[1] == "public" && row[2] == "orders" && row[3] == "order_id" {
			found++
			if row[named] != "bigint" || row[named+1] != "bigint" {
				t.Errorf("order_id is %v and %v", row[named], row[named+1])
			}
		}
	}
	if found != 1 || len(rows.Rows) < 2000 {
		t.Errorf("order_id is in %d of %d rows", found, len(rows.Rows))
	}
}

func TestCatalogue_AnswersTenLargeStatementsAtOnce(t *testing.T) {
	c := catalogue.New(slog.New(slog.DiscardHandler), memory.NewBudget(memory.Settings{TotalBytes: 16 << 30}))
	c.SetMaxTime(time.Minute) // of a busy machine
	defer c.Close()
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() {
			s := newSession()
			s.ProcessID = uint32(i + 1)
			rows, err := answer(t.Context(), c, s, keysOfColumns, nil)
			if err != nil || len(rows.Rows) == 0 {
				t.Errorf("session %d: %d rows, %v", i, len(rows.Rows), err)
			}
		})
	}
	all.Wait()
}

// Statements that do not end leave room for the others, and end themselves.
func TestCatalogue_EndsLongStatementsAndAnswersOthers(t *testing.T) {
	c := newCatalogue(t)
	c.SetMaxTime(2 * time.Second)
	ask := func(session uint32, sql string) (pgwire.CatalogueRows, error) {
		s := newSession()
		s.ProcessID = session
		return answer(t.Context(), c, s, sql, nil)
	}
	if _, err := ask(1, "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	var hostile sync.WaitGroup
	for i := range 8 {
		hostile.Go(func() {
			_, err := ask(uint32(100+i), "SELECT count(*) FROM pg_attribute a, pg_attribute b, pg_attribute c WHERE a.attname || b.attname < c.attname")
			var e *engine.SQLError
			if !errors.As(err, &e) || e.SQLState != "57014" || e.Code != "timeout" {
				t.Errorf("%v", err)
			}
		})
	}
	hostileEnded := make(chan struct{})
	go func() {
		hostile.Wait()
		close(hostileEnded)
	}()
	for range 3 {
		begun := time.Now()
		if rows, err := ask(2, "SELECT relname FROM pg_class WHERE relname = 'orders'"); err != nil || len(rows.Rows) != 1 {
			t.Errorf("%v %v", rows.Rows, err)
		}
		if took := time.Since(begun); took > time.Minute {
			t.Errorf("another session waited %v", took)
		}
	}
	<-hostileEnded
}

// Rows are counted in the budget of the process until they are sent.
func TestCatalogue_RowsHoldTheirShareOfMemory(t *testing.T) {
	budget := memory.NewBudget(memory.Settings{TotalBytes: 256 << 20}) // of which rows of the catalogue have 8 MiB
	c := catalogue.New(slog.New(slog.DiscardHandler), budget)
	defer c.Close()
	c.SetMaxTime(time.Minute)
	sql := "SELECT '" + strings.Repeat("x", 40) + "' FROM generate_series(1, 50000)" // some 5 MiB
	part := budget.Part(memory.Catalogue)
	first, err := answer(t.Context(), c, newSession(), sql, nil)
	if err != nil || part.Held() == 0 {
		t.Fatal(err, part.Held())
	}
	var full *memory.LimitError
	if _, err := answer(t.Context(), c, newSession(), sql, nil); !errors.As(err, &full) || full.SQLState() != "53200" {
		t.Errorf("beside others: %v", err)
	}
	first.Close()
	if n := part.Held(); n != 0 {
		t.Errorf("%d bytes are held after the rows", n)
	}
	_, err = answer(t.Context(), c, newSession(), "SELECT '"+strings.Repeat("x", 400)+"' FROM generate_series(1, 50000)", nil)
	if !errors.As(err, &full) || full.SQLState() != "54000" {
		t.Errorf("alone: %v", err)
	}
	if n := part.Held(); n != 0 {
		t.Errorf("%d bytes are held after an error", n)
	}
}
