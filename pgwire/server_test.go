package pgwire_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/pgwire"
)

// setup are the tables of testdata/shop.yaml.
const setup = `
CREATE TABLE orders (order_id BIGINT, status VARCHAR, amount DECIMAL(12,2), order_date DATE, placed_at TIMESTAMP, seen_at TIMESTAMPTZ, opens TIME, rushed BOOLEAN, weight DOUBLE, note VARCHAR);
INSERT INTO orders VALUES
	(1, 'completed', 10.50, DATE '2024-01-05', TIMESTAMP '2024-01-05 10:00:00.5', TIMESTAMPTZ '2024-01-05 10:00:00+00', TIME '08:30:00', TRUE, 0.1, 'a "b", c'),
	(2, 'completed', 20.00, DATE '2024-02-05', TIMESTAMP '2024-02-05 00:00:00', TIMESTAMPTZ '2024-02-05 10:00:00.25+02', TIME '23:59:59.5', FALSE, 1e20, ''),
	(3, 'cancelled', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE numbers AS SELECT range AS n, range % 7 AS k, 'row ' || range AS label FROM range(3000000);
`

func openShop(t testing.TB) *engine.Engine { return openShopWith(t, engine.Config{}) }

func openShopWith(t testing.TB, c engine.Config) *engine.Engine {
	t.Helper()
	text, err := os.ReadFile("testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c.ModelText, c.Setup, c.Drivers, c.Logger = text, []string{setup}, []warehouse.Driver{duckdb.Driver()}, slog.New(slog.DiscardHandler)
	e, err := engine.Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// port is a server of a test.
type port struct {
	server  *pgwire.Server
	engine  *engine.Engine
	address string
	stop    context.CancelFunc
	ended   chan error
}

// startPort serves a model until the test ends.
func startPort(t testing.TB, change func(*pgwire.Config)) *port {
	t.Helper()
	return startPortOf(t, openShop(t), change)
}

// startPortOf serves the model of an engine until the test ends.
func startPortOf(t testing.TB, e *engine.Engine, change func(*pgwire.Config)) *port {
	t.Helper()
	c := pgwire.Config{Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Version: "v0.0.0-test"}
	if change != nil {
		change(&c)
	}
	p := &port{engine: e, ended: make(chan error, 1)}
	server, err := pgwire.New(pgwire.Models{List: []pgwire.Model{{Name: "shop", Service: p.engine}}, Default: "shop"}, c)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.server, p.address = server, ln.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	p.stop = cancel
	go func() { p.ended <- server.Serve(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		_ = testwait.Receive(t, "the end of the server", p.ended)
	})
	return p
}

func (p *port) url(password string) string {
	if password != "" {
		password = ":" + password
	}
	return "postgres://me" + password + "@" + p.address + "/shop?sslmode=disable"
}

// isBusy reports whether a statement runs, and isIdle whether none does.
func (p *port) isBusy() bool { return p.engine.RunningExecutions() > 0 }
func (p *port) isIdle() bool { return p.engine.RunningExecutions() == 0 }

func connect(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// rowsOf reads the rows of a statement as texts.
func rowsOf(t testing.TB, c *pgconn.PgConn, sql string) [][]string {
	t.Helper()
	results, err := c.Exec(context.Background(), sql).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	var out [][]string
	for _, r := range results {
		for _, row := range r.Rows {
			var texts []string
			for _, v := range row {
				if v == nil {
					texts = append(texts, "NULL")
				} else {
					texts = append(texts, string(v))
				}
			}
			out = append(out, texts)
		}
	}
	return out
}

func TestSession_SimpleQueryGivesRowsAsText(t *testing.T) {
	c := connect(t, startPort(t, nil).url("")).PgConn()
	got := rowsOf(t, c, "SELECT order_id, status, amount, order_date, placed_at, seen_at, opens, rushed, weight, note FROM orders ORDER BY 1")
	want := [][]string{
		{"1", "completed", "10.50", "2024-01-05", "2024-01-05 10:00:00.5", "2024-01-05 10:00:00+00", "08:30:00", "t", "0.1", `a "b", c`},
		{"2", "completed", "20.00", "2024-02-05", "2024-02-05 00:00:00", "2024-02-05 08:00:00.25+00", "23:59:59.5", "f", "1e+20", ""},
		{"3", "cancelled", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got = rowsOf(t, c, "SELECT status, MEASURE(revenue), COUNT(*) FROM orders GROUP BY 1 ORDER BY 1 DESC; SHOW TimeZone")
	if diff := cmp.Diff([][]string{{"completed", "30.50", "2"}, {"cancelled", "NULL", "1"}, {"UTC"}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestSession_ExtendedQueryGivesValuesInBinary(t *testing.T) {
	c := connect(t, startPort(t, nil).url(""))
	var (
		id     int64
		amount string
		day    time.Time
		placed time.Time
		seen   time.Time
		rushed bool
		weight float64
	)
	err := c.QueryRow(t.Context(), "SELECT order_id, amount, order_date, placed_at, seen_at, rushed, weight FROM orders WHERE status = $1 AND amount > $2 ORDER BY 1 DESC LIMIT $3", "completed", 15, 1).
		Scan(&id, &amount, &day, &placed, &seen, &rushed, &weight)
	if err != nil {
		t.Fatal(err)
	}
	if id != 2 || amount != "20.00" || !day.Equal(time.Date(2024, 2, 5, 0, 0, 0, 0, time.UTC)) || !placed.Equal(day) ||
		!seen.Equal(time.Date(2024, 2, 5, 8, 0, 0, 250_000_000, time.UTC)) || rushed || weight != 1e20 {
		t.Error(id, amount, day, placed, seen, rushed, weight)
	}
}
