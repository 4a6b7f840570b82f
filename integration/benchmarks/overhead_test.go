package benchmarks

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"
	"github.com/gofiber/fiber/v2"
	"github.com/jackc/pgx/v5"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/serving"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi"
)

// shared are the database servers of the run.
var shared localdb.SharedServers

func TestMain(m *testing.M) { os.Exit(shared.RunTests(m)) }

// smallData is what the small query reads: a thousand orders.
const smallData = `CREATE TABLE orders AS SELECT i AS order_id, i % 100 AS customer_id, i % 10 AS product_id, DATE '2024-01-01' AS order_date,
'status ' || i % 5 AS status, CAST(i AS DECIMAL(10,2)) AS amount FROM generate_series(1, 1000) AS t(i)`

// BenchmarkOverhead is what the service adds to a small query: the request over HTTP,
// decoding, planning, the slot, the driver's batches and the JSON. The bare driver
// runs the same SQL and reads every row of its result. The two take turns; overhead-µs
// is the difference of their medians, ratio the quotient. The first case plans every request,
// "again" has planned it before. http-µs is the same difference for a bare handler of
// fiber that calls the bare driver: what the way there and back takes by itself.
// kept-µs is how much faster a driver is that leaves the plan on the server, which may
// then be out of date: a service that has to be right cannot do so.
func BenchmarkOverhead(b *testing.B) {
	for _, way := range cacheSettings() {
		b.Run("duckdb/"+way.name, func(b *testing.B) {
			path := fileOf(b, smallData)
			overhead(b, engine.Config{DBPath: path, StatementCache: way.kept}, "", "duckdb", bareDuckDB(b, path))
		})
	}
	b.Run("postgres", func(b *testing.B) {
		s := shared.Postgres(b)
		conn := postgresConn(b, s.URI(), pgx.QueryExecModeCacheDescribe)
		keeping := postgresConn(b, s.URI(), pgx.QueryExecModeCacheStatement)
		if _, err := conn.Exec(b.Context(), "DROP TABLE IF EXISTS orders; "+smallData); err != nil {
			b.Fatal(err)
		}
		profiles := filepath.Join(b.TempDir(), "connections.yaml")
		text := fmt.Sprintf("datasources:\n  w: {type: postgres, host: %s, port: %d, username: %s, password: '%s', database: %s}\n", s.Host, s.Port, s.User, s.Password, s.Database)
		if err := os.WriteFile(profiles, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
		bare := func(sql string) int { return readPostgres(b, conn, sql) }
		kept := func(sql string) int { return readPostgres(b, keeping, sql) }
		for _, way := range cacheSettings() {
			b.Run(way.name, func(b *testing.B) {
				overhead(b, engine.Config{ConnectionsPath: profiles, StatementCache: way.kept}, `,"connection":"w"`, "postgres", bare, kept)
			})
		}
	})
}

func postgresConn(b *testing.B, uri string, mode pgx.QueryExecMode) *pgx.Conn {
	b.Helper()
	config, err := pgx.ParseConfig(uri)
	if err != nil {
		b.Fatal(err)
	}
	config.DefaultQueryExecMode = mode
	conn, err := pgx.ConnectConfig(b.Context(), config)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func readPostgres(b *testing.B, conn *pgx.Conn, sql string) int {
	b.Helper()
	rows, err := conn.Query(b.Context(), sql)
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for rows.Next() {
		if _, err := rows.Values(); err != nil {
			b.Fatal(err)
		}
		n++
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
	return n
}

// fileOf returns a DuckDB file of what a script makes.
func fileOf(b *testing.B, script string) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "data.duckdb")
	db, err := duckdb.Open(b.Context(), duckdb.Options{Path: path, ReadWrite: true, Setup: []string{script}})
	if err != nil {
		b.Fatal(err)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

func overhead(b *testing.B, c engine.Config, connection, dialect string, bare func(sql string) int, keeping ...func(sql string) int) {
	quiet := slog.New(slog.DiscardHandler)
	c.ModelText, c.Logger, c.Drivers = []byte(LargeModelText(3)), quiet, []warehouse.Driver{duckdb.Driver()}
	e, err := engine.Open(b.Context(), c)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = e.Close() })
	const asked = `"metrics":["revenue","order_count"],"group_by":[{"field":"orders.status"}]`
	q, err := query.DecodeMetric([]byte(`{` + asked + `,"dialect":"` + dialect + `"}`))
	if err != nil {
		b.Fatal(err)
	}
	compiled, err := prepare.SQL(b.Context(), e, q)
	if err != nil {
		b.Fatal(err)
	}
	whole := executeFunc(b, e, `{`+asked+connection+`}`)
	reading := func(rows func(sql string) int) func() {
		return func() {
			if n := rows(compiled.SQL); n != 5 {
				b.Fatalf("%d rows", n)
			}
		}
	}
	driver := reading(bare)
	called := newRequesters(b, 1, startHandler(b, driver), "/", asked)[0]
	handler := func() {
		if err := called(); err != nil {
			b.Fatal(err)
		}
	}
	for range 20 {
		whole()
		driver()
		handler()
	}
	alternateRuns(b, whole, driver, 200)
	b.ReportMetric(medianDifference(handler, driver), "http-µs")
	for _, k := range keeping {
		b.ReportMetric(medianDifference(driver, reading(k)), "kept-µs")
	}
}

// medianDifference is by how many µs one takes longer than the other, in turn.
func medianDifference(one, other func()) float64 {
	var ours, theirs []time.Duration
	for range 500 {
		ours, theirs = append(ours, measureDuration(one)), append(theirs, measureDuration(other))
	}
	return float64(median(ours)-median(theirs)) / 1e3
}

// startHandler returns the address of a bare handler that does some work.
func startHandler(b *testing.B, work func()) string {
	b.Helper()
	return bareServer(b, func(app *fiber.App) {
		app.Post("/", func(c *fiber.Ctx) error {
			work()
			return c.Send(c.Body())
		})
	})
}

// executeFunc asks a server for the five rows of a query.
func executeFunc(b *testing.B, e *engine.Engine, body string) func() {
	ask := connect(b, listen(b, e, restapi.Config{Logger: slog.New(slog.DiscardHandler)}))
	request := post("/v1/query/execute", body)
	return func() {
		got, err := ask(request)
		if err != nil || !bytes.Contains(got, []byte(`"row_count":5`)) {
			b.Fatalf("%v %s", err, got)
		}
	}
}

// alternateRuns lets the two take turns, at least so many.
func alternateRuns(b *testing.B, whole, driver func(), turns int) {
	var ours, theirs []time.Duration
	for b.Loop() {
		ours, theirs = append(ours, measureDuration(whole)), append(theirs, measureDuration(driver))
	}
	for len(ours) < turns {
		ours, theirs = append(ours, measureDuration(whole)), append(theirs, measureDuration(driver))
	}
	b.ReportMetric(float64(median(ours)-median(theirs))/1e3, "overhead-µs")
	b.ReportMetric(float64(median(ours))/float64(median(theirs)), "ratio")
	b.ReportMetric(float64(median(theirs))/1e3, "driver-µs")
}

func measureDuration(f func()) time.Duration {
	begun := time.Now()
	f()
	return time.Since(begun)
}

func listen(b *testing.B, e *engine.Engine, c restapi.Config) string {
	return strings.TrimPrefix(serving.Serve(b, e, c), "http://")
}

// bareDuckDB runs statements with the bindings alone and counts their rows.
func bareDuckDB(b *testing.B, path string) func(sql string) int {
	b.Helper()
	return bareConnections(b, path, 1)[0]
}

// bareConnections returns connections to one database of the bindings alone. Each runs
// statements, one at a time, and counts their rows; -1 is a statement that fails.
func bareConnections(b *testing.B, path string, n int) []func(sql string) int {
	b.Helper()
	var config bindings.Config
	var db bindings.Database
	var text string
	if bindings.CreateConfig(&config) != bindings.StateSuccess || bindings.SetConfig(config, "access_mode", "READ_ONLY") != bindings.StateSuccess {
		b.Fatal("no configuration")
	}
	defer bindings.DestroyConfig(&config)
	if bindings.OpenExt(path, &db, config, &text) != bindings.StateSuccess {
		b.Fatal(text)
	}
	b.Cleanup(func() { bindings.Close(&db) })
	var out []func(sql string) int
	for range n {
		var conn bindings.Connection
		if bindings.Connect(db, &conn) != bindings.StateSuccess {
			b.Fatal("no connection")
		}
		b.Cleanup(func() { bindings.Disconnect(&conn) })
		out = append(out, func(sql string) int { return countRows(conn, sql) })
	}
	return out
}

func countRows(conn bindings.Connection, sql string) (n int) {
	var prepared bindings.PreparedStatement
	var pending bindings.PendingResult
	var result bindings.Result
	defer bindings.DestroyPrepare(&prepared)
	defer bindings.DestroyPending(&pending)
	defer bindings.DestroyResult(&result)
	if bindings.Prepare(conn, sql, &prepared) != bindings.StateSuccess ||
		bindings.PendingPreparedStreaming(prepared, &pending) != bindings.StateSuccess ||
		bindings.ExecutePending(pending, &result) != bindings.StateSuccess {
		return -1
	}
	for {
		chunk := bindings.FetchChunk(result)
		if chunk.Ptr == nil {
			return n
		}
		n += int(bindings.DataChunkGetSize(chunk))
		bindings.DestroyDataChunk(&chunk)
	}
}
