package pgclients

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/lib/pq"
)

func connectionURL(environment map[string]string) string {
	return fmt.Sprintf("postgres://%s:%s@%s:%s/%s?sslmode=disable", user, password, environment["PGHOST"], environment["PGPORT"], database)
}

// joinRows writes rows as the scripts do.
func joinRows(t *testing.T, rows pgx.Rows) string {
	t.Helper()
	defer rows.Close()
	var out []string
	for rows.Next() {
		var cells []string
		for _, b := range rows.RawValues() {
			if b == nil {
				cells = append(cells, "NULL")
			} else {
				cells = append(cells, string(b))
			}
		}
		out = append(out, strings.Join(cells, "|"))
	}
	if rows.Err() != nil {
		t.Error(rows.Err())
	}
	return strings.Join(out, ";")
}

// stateOf returns the SQLSTATE of an error of pgx.
func stateOf(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return fmt.Sprint(err)
}

const (
	byRegion = "SELECT region, MEASURE(revenue), COUNT(orders.*) FROM shop GROUP BY region ORDER BY 1"
	byStatus = "SELECT order_id, amount FROM orders WHERE status = $1 AND amount > $2 ORDER BY order_id"
	inMonth  = "SELECT status, MEASURE(revenue) FROM orders WHERE order_date >= $1 AND order_date < $2 GROUP BY status ORDER BY status"
	numbers  = "SELECT n FROM numbers ORDER BY n LIMIT 10000"
)

func askPGX(t *testing.T, environment map[string]string) facts {
	t.Helper()
	c, err := pgx.Connect(t.Context(), connectionURL(environment))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(context.Background()) }()
	query := func(sql string, args ...any) string {
		rows, err := c.Query(t.Context(), sql, append([]any{pgx.QueryResultFormats{pgx.TextFormatCode}}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		return joinRows(t, rows)
	}
	list := query("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
	described, err := c.Prepare(t.Context(), "orders", "SELECT * FROM orders")
	if err != nil {
		t.Fatal(err)
	}
	var fields, types []string
	for _, f := range described.Fields {
		named, _ := c.TypeMap().TypeForOID(f.DataTypeOID)
		fields, types = append(fields, f.Name), append(types, named.Name)
	}
	out := readFacts("field types: " + strings.Join(types, ",") + "\n")
	out["connect"], out["list"], out["fields"] = c.PgConn().ParameterStatus("server_version"), strings.ReplaceAll(list, ";", ","), strings.Join(fields, ",")
	out["query"], out["parameter"] = query(byRegion), query(byStatus, "completed", 60)
	out["date"] = query(inMonth, time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC))
	out["null"] = trueValue.ReplaceAllString(query("SELECT gift, weight FROM orders WHERE order_id IN (4, 5) ORDER BY order_id"), "true|")
	rows, err := c.Query(t.Context(), numbers)
	if err != nil {
		t.Fatal(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowTo[int64]) // in binary
	if err != nil {
		t.Error(err)
	}
	out["stream"] = countAndSum(found)
	_, err = c.Exec(t.Context(), "SELECT nothing FROM orders")
	out["error"] = stateOf(err)
	ended := make(chan struct{})
	var canceling sync.WaitGroup
	canceling.Go(func() { // a request that comes before the statement begins cancels nothing
		again := time.NewTicker(time.Second)
		defer again.Stop()
		for {
			select {
			case <-ended:
				return
			case <-again.C:
				_ = c.PgConn().CancelRequest(context.Background())
			}
		}
	})
	_, err = c.Exec(t.Context(), slow)
	close(ended)
	canceling.Wait()
	out["cancel"], out["again"] = stateOf(err), query("SELECT COUNT(*) FROM orders")
	return out
}

func countAndSum(list []int64) string {
	sum := int64(0)
	for _, n := range list {
		sum += n
	}
	return fmt.Sprintf("%d/%d", len(list), sum)
}

func askLibPQ(t *testing.T, environment map[string]string) facts {
	t.Helper()
	db, err := sql.Open("postgres", connectionURL(environment))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	query := func(text string, args ...any) ([]string, string) {
		rows, err := db.QueryContext(t.Context(), text, args...)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = rows.Close() }()
		names, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for rows.Next() {
			cells, into := make([]sql.NullString, len(names)), make([]any, len(names))
			for i := range cells {
				cells[i].String, into[i] = "NULL", &cells[i]
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			texts := make([]string, len(cells))
			for i, cell := range cells {
				if texts[i] = cell.String; !cell.Valid {
					texts[i] = "NULL"
				}
			}
			out = append(out, strings.Join(texts, "|"))
		}
		if rows.Err() != nil {
			t.Fatal(rows.Err())
		}
		return names, strings.Join(out, ";")
	}
	state := func(ctx context.Context, text string) string {
		_, err := db.ExecContext(ctx, text)
		var e *pq.Error
		if errors.As(err, &e) {
			return string(e.Code)
		}
		return fmt.Sprint(err)
	}
	out := facts{}
	_, out["connect"] = query("SHOW server_version")
	_, list := query("SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY 1", "public")
	out["list"] = strings.ReplaceAll(list, ";", ",")
	fields, _ := query("SELECT * FROM orders LIMIT 0")
	out["fields"] = strings.Join(fields, ",")
	_, out["query"] = query(byRegion)
	_, out["parameter"] = query(byStatus, "completed", 60)
	_, out["null"] = query("SELECT gift, weight FROM orders WHERE order_id IN (4, 5) ORDER BY order_id")
	out["error"] = state(t.Context(), "SELECT nothing FROM orders")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second) // at whose end lib/pq sends a cancel request
	defer cancel()
	out["cancel"] = state(ctx, slow)
	_, out["again"] = query("SELECT COUNT(*) FROM orders")
	return out
}
