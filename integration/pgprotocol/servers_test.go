package pgprotocol

import (
	"context"
	"log/slog"
	"net/url"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/pgwire/catalogue"
)

var servers localdb.SharedServers

func TestMain(m *testing.M) { os.Exit(servers.RunTests(m)) }

// tables are the tables of the model, on DuckDB and on PostgreSQL.
const tables = `
CREATE TABLE orders (order_id BIGINT, status TEXT, amount DECIMAL(12,2), order_date DATE, placed_at TIMESTAMP, weight DOUBLE PRECISION, rushed BOOLEAN);
INSERT INTO orders VALUES
	(1, 'completed', 10.50, DATE '2024-01-05', TIMESTAMP '2024-01-05 10:00:00.5', 0.1, TRUE),
	(2, 'completed', 20.00, DATE '2024-02-05', TIMESTAMP '2024-02-05 00:00:00', 1e20, FALSE),
	(3, E'a "b",\tc\\d\ne', NULL, NULL, NULL, NULL, NULL);
CREATE TABLE numbers AS SELECT CAST(s.n AS BIGINT) AS n FROM generate_series(0, 9) AS s(n);
`

const model = `
version: "0.2.0.dev0"
semantic_model:
  - name: shop
    datasets:
      - name: orders
        source: orders
        primary_key: [order_id]
        fields:
          - {name: order_id, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}, datatype: Integer}
          - {name: status, expression: {dialects: [{dialect: ANSI_SQL, expression: status}]}, datatype: String}
          - {name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}, datatype: Decimal}
          - {name: order_date, expression: {dialects: [{dialect: ANSI_SQL, expression: order_date}]}, datatype: Date}
          - {name: placed_at, expression: {dialects: [{dialect: ANSI_SQL, expression: placed_at}]}, datatype: DateTime}
          - {name: weight, expression: {dialects: [{dialect: ANSI_SQL, expression: weight}]}, datatype: Float}
          - {name: rushed, expression: {dialects: [{dialect: ANSI_SQL, expression: rushed}]}, datatype: Boolean}
      - name: numbers
        source: numbers
        fields:
          - {name: n, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}, datatype: Integer}
`

// openPort serves the model and returns the address of sessions.
func openPort(t *testing.T) (uri string) {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	e, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(model), Setup: []string{tables}, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	about := catalogue.New(quiet, nil)
	t.Cleanup(about.Close)
	return serving.ServePostgres(t, pgwire.Model{Name: "shop", Service: e}, pgwire.Config{Logger: quiet, Catalogue: about})
}

// openPostgreSQL makes the tables in a schema of a PostgreSQL and returns the address of sessions that read them.
func openPostgreSQL(t *testing.T) (uri string) {
	t.Helper()
	at := servers.Postgres(t).Address
	const schema = "pgprotocol"
	c, err := pgx.Connect(t.Context(), at.URI())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := c.PgConn().Exec(context.Background(), "DROP SCHEMA "+schema+" CASCADE").ReadAll(); err != nil {
			t.Error(err)
		}
		_ = c.Close(context.Background())
	})
	setup := "DROP SCHEMA IF EXISTS " + schema + " CASCADE; CREATE SCHEMA " + schema + "; SET search_path = " + schema + ";" + tables
	if _, err := c.PgConn().Exec(t.Context(), setup).ReadAll(); err != nil {
		t.Fatal(err)
	}
	settings := url.Values{"sslmode": {"disable"}, "search_path": {schema}, "timezone": {"UTC"}, "default_transaction_read_only": {"on"}}
	user := url.UserPassword(at.User, at.Password)
	return (&url.URL{Scheme: "postgres", User: user, Host: at.HostPort(), Path: "/" + at.Database, RawQuery: settings.Encode()}).String()
}
