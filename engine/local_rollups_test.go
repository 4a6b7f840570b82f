package engine_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// inFile declares a rollup in the local file of its connection.
func inFile(rollup string) string {
	return strings.Replace(rollup, `"of"`, `"store": "local", "of"`, 1)
}

// localStore is a store whose rollups are in a local file.
type localStore struct {
	store
	dir string
}

// localStores are the stores of the machine, with texts that compare by their bytes.
func localStores(t *testing.T) (out []localStore) {
	t.Helper()
	for _, s := range stores(t) {
		s.text = strings.Replace(s.text, ", rollups: {writable: true}", "", 1)
		if s.kind == "mariadb" {
			s.text = strings.Replace(s.text, "type: mariadb", "type: mariadb, collation: binary", 1)
		}
		s.load(t)
		out = append(out, localStore{s, filepath.Join(t.TempDir(), "rollups")})
	}
	return out
}

func (s localStore) open(t *testing.T, rollups string, c engine.Config) *engine.Engine {
	t.Helper()
	c.ConnectionsText, c.DefaultConnection, c.RollupDir, c.RollupStateTime = []byte(s.text), "w", s.dir, -1
	return rolledShop(t, c, rollups)
}

// build refreshes the rollups of the file.
func (s localStore) build(t *testing.T, rollups string, q engine.RollupRefresh) ([]engine.RefreshedRollup, error) {
	t.Helper()
	e := s.open(t, rollups, engine.Config{})
	defer e.Close()
	q.Connection = "w"
	return e.RefreshRollups(t.Context(), q)
}

func (s localStore) mustBuild(t *testing.T, rollups, action string) {
	t.Helper()
	done, err := s.build(t, rollups, engine.RollupRefresh{})
	if err != nil || len(done) == 0 || slices.ContainsFunc(done, func(r engine.RefreshedRollup) bool { return r.Action != action || r.AsOf == "" }) {
		t.Fatalf("%s: %+v, %v, want %s", s.kind, done, err, action)
	}
}

// wantFrom asks a query and compares its rows, and what its first branch has read: the local file, or the rule by which it has not.
func (s localStore) wantFrom(t *testing.T, e preparer, body, rows, from string) {
	t.Helper()
	got, err := askRows(t.Context(), e, metricQuery(t, body))
	if err != nil {
		t.Errorf("%s: %s: %v", s.kind, body, err)
		return
	}
	use, read, dialect := got.Rollups[0], "", s.kind
	switch {
	case use.Rollup == nil:
		read = use.WhyNot[0].Rule
	case use.Store == "local" && use.AsOf != "":
		read, dialect = "local file", "duckdb"
	}
	if string(got.Rows) != rows || read != from || got.Dialect != dialect {
		t.Errorf("%s: %s\n%s from %s %+v in %s\nwant\n%s from %s in %s", s.kind, body, got.Rows, read, got.Rollups, got.Dialect, rows, from, dialect)
	}
}

const (
	fromFile   = "local file"
	ofStatus   = `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"order_by":[{"key":"status"}]}`
	statusRows = `[{"status":"cancelled","revenue":100},{"status":"completed","revenue":350}]`
)

// After a refresh the rows change only with the next one: no statement runs on the connection.
func TestLocalRollups_AnswerFromTheFileAlone(t *testing.T) {
	rollup := inFile(byMonthAndStatus) + "}"
	const months = `[{"metric_time__month":"2024-01-01","revenue":150},{"metric_time__month":"2024-02-01","revenue":230},{"metric_time__month":"2024-03-01","revenue":70}]`
	for _, s := range localStores(t) {
		s.mustBuild(t, rollup, engine.RollupBuilt)
		s.run(t, "UPDATE orders SET amount = 0 WHERE order_id = 1", "UPDATE orders SET amount = 80 WHERE order_id = 6")
		e := s.open(t, rollup, engine.Config{})
		s.wantFrom(t, e, perMonth, months, fromFile)
		s.wantFrom(t, e, ofStatus, statusRows, fromFile)
		s.wantFrom(t, e, `{"metrics":["revenue"],"where_sql":"orders.status = 'Completed'"}`, `[{"revenue":null}]`, fromFile)
		s.wantFrom(t, e, `{"metrics":["revenue"],"time_range":{"start":"2024-02-01","end":"2024-03-01"}}`, `[{"revenue":230}]`, fromFile)
		s.wantFrom(t, e, `{"metrics":["revenue"],"time_range":{"start":"2024-01-10"}}`, `[{"revenue":360}]`, "range_edge")
		if c, err := askSQL(t.Context(), e, metricQuery(t, perMonth)); err != nil || c.Dialect != s.kind || c.Rollups[0].Rollup != nil || c.Rollups[0].WhyNot[0].Rule != "local" {
			t.Errorf("%s: %+v, %v: compilation chooses no local file", s.kind, c, err)
		}
		report, err := e.Attribute(t.Context(), &query.AttributeQuery{
			Metric: "revenue", Dimensions: []string{"orders.status"},
			Baseline: &query.TimeRange{Start: "2024-01-01", End: "2024-02-01"}, Current: &query.TimeRange{Start: "2024-02-01", End: "2024-03-01"},
		})
		if err != nil || len(report.Rollups) != 1 || report.Rollups[0].Store != "local" {
			t.Errorf("%s: %+v, %v", s.kind, report, err)
		}
		e.Close()
		s.mustBuild(t, rollup, engine.RollupUpdated) // from the month before the last on
		e = s.open(t, rollup, engine.Config{})
		s.wantFrom(t, e, perMonth, strings.Replace(months, "70", "80", 1), fromFile)
		e.Close()
		if _, err := s.build(t, rollup, engine.RollupRefresh{Full: true}); err != nil {
			t.Errorf("%s: %v", s.kind, err)
		}
		e = s.open(t, rollup, engine.Config{})
		s.wantFrom(t, e, perMonth, strings.NewReplacer("70", "80", "150", "50").Replace(months), fromFile)
		e.Close()
		if files, err := filepath.Glob(filepath.Join(s.dir, "*")); err != nil || len(files) != 1 || filepath.Base(files[0]) != "w.duckdb" {
			t.Errorf("%s: the files %v, %v", s.kind, files, err)
		}
	}
}

// A column without any value has the type that the model declares, so that sums, comparisons and the least value of it are those of no value.
func TestLocalRollups_KeepColumnsWithoutAnyValue(t *testing.T) {
	const least = `{"expression": "MIN(orders.status)", "column": "s"}, {"expression": "COUNT(*)"`
	rollup := strings.Replace(inFile(byMonthAndStatus), `{"expression": "COUNT(*)"`, least, 1) + "}"
	const leastStatus = `{"metrics":[{"name":"s","expression":"MIN(orders.status)"}]}`
	for _, s := range localStores(t) {
		for _, tt := range []struct{ change, rows string }{
			{"DELETE FROM orders", `[]`}, {"INSERT INTO orders VALUES (1, 1, 10, NULL, NULL, NULL)", `[{"status":null,"revenue":null}]`},
		} {
			s.run(t, tt.change)
			s.mustBuild(t, rollup, engine.RollupBuilt)
			e := s.open(t, rollup, engine.Config{})
			s.wantFrom(t, e, ofStatus, tt.rows, fromFile)
			s.wantFrom(t, e, leastStatus, `[{"s":null}]`, fromFile)
			s.wantFrom(t, e, `{"metrics":["revenue"],"where_sql":"orders.status = 'completed'"}`, `[{"revenue":null}]`, fromFile)
			s.wantFrom(t, e, `{"metrics":["revenue"],"time_range":{"start":"2024-01-01"}}`, `[{"revenue":null}]`, fromFile)
			e.Close()
		}
		s.run(t, "INSERT INTO orders VALUES (2, 1, 10, '2024-01-05', 'completed', 100)")
		s.mustBuild(t, rollup, engine.RollupBuilt)
		e := s.open(t, rollup, engine.Config{})
		s.wantFrom(t, e, leastStatus, `[{"s":"completed"}]`, fromFile)
		s.wantFrom(t, e, `{"metrics":["revenue"],"time_range":{"start":"2024-01-01"}}`, `[{"revenue":100}]`, fromFile)
		e.Close()
	}
}

// Numbers with more digits than those of the table make a new table: the old one would round them.
func TestLocalRollups_UpdateRoundsNoNumber(t *testing.T) {
	rollup := strings.Replace(inFile(byMonthAndStatus), "SUM(", "MAX(", 1) + "}"
	const greatest = `{"metrics":[{"name":"a","expression":"MAX(orders.amount)"}],"time_range":{"start":"2024-03-01"}}`
	for _, s := range localStores(t) {
		switch s.kind {
		case "postgres":
			s.run(t, "ALTER TABLE orders ALTER amount TYPE NUMERIC")
		case "sqlite":
		default:
			continue // where the type of the column decides about the digits
		}
		s.mustBuild(t, rollup, engine.RollupBuilt)
		s.run(t, "UPDATE orders SET amount = 70.25 WHERE order_id = 6")
		s.mustBuild(t, rollup, engine.RollupBuilt)
		e := s.open(t, rollup, engine.Config{})
		s.wantFrom(t, e, greatest, `[{"a":70.25}]`, fromFile)
		e.Close()
	}
}

// A server that is open reads the new file as soon as it is there, while a statement on the old one runs to its end.
func TestLocalRollups_ReplacedFileServesRunningStatements(t *testing.T) {
	rollup := inFile(`{"name": "each", "of": "orders", "group_by": [{"field": "orders.order_id"}], "measures": [{"expression": "SUM(orders.amount)", "column": "a"}]`) + "}"
	for _, s := range localStores(t) {
		if s.kind == "duckdb" {
			continue // whose own file has one writer
		}
		s.mustBuild(t, rollup, engine.RollupBuilt)
		e := s.open(t, rollup, engine.Config{})
		prepared, err := e.Prepare(t.Context(), metricQuery(t, `{"metrics":["revenue"],"group_by":[{"field":"orders.order_id"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		stream, err := prepared.Stream(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s.run(t, "UPDATE orders SET amount = amount + 1000")
		for range 3 {
			s.mustBuild(t, rollup, engine.RollupBuilt)
			s.wantFrom(t, e, `{"metrics":["revenue"]}`, `[{"revenue":6450}]`, fromFile)
		}
		rows := 0
		for batch, err := stream.NextBatch(t.Context()); !errors.Is(err, io.EOF); batch, err = stream.NextBatch(t.Context()) {
			if err != nil {
				t.Fatalf("%s: %v", s.kind, err)
			}
			rows += int(batch.NumRows())
			batch.Release()
		}
		if rows != 6 {
			t.Errorf("%s: %d rows of the replaced file", s.kind, rows)
		}
		stream.Close()
	}
}

// A text that the connection takes for another one is not in a file, which compares bytes.
func TestLocalRollups_RefuseTextsThatAreEqualToOthers(t *testing.T) {
	rollup := inFile(byMonthAndStatus) + "}"
	for _, s := range localStores(t) {
		switch s.kind {
		case "mariadb":
			s.text = strings.Replace(s.text, ", collation: binary", "", 1)
		case "sqlite":
			s.run(t, "ALTER TABLE orders RENAME TO old", "CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, product_id INTEGER, order_date DATE, status VARCHAR(20) COLLATE NOCASE, amount INTEGER)",
				"INSERT INTO orders SELECT * FROM old", "DROP TABLE old")
		case "duckdb":
			s.run(t, "ALTER TABLE orders ALTER status TYPE VARCHAR COLLATE NOCASE")
		case "postgres":
			s.run(t, "CREATE COLLATION IF NOT EXISTS folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false)", "ALTER TABLE orders ALTER status TYPE VARCHAR(20) COLLATE folded")
		}
		done, err := s.build(t, rollup, engine.RollupRefresh{})
		if codeOf(err) != planerr.CodeRollupWriteUnsupported || len(done) != 0 {
			t.Errorf("%s: %+v, %v, want rollup_write_unsupported", s.kind, done, err)
		}
		e := s.open(t, rollup, engine.Config{})
		s.wantFrom(t, e, `{"metrics":["revenue"]}`, `[{"revenue":450}]`, "unavailable")
		e.Close()
	}
}

// An enumeration is ordered by the places of its values, and compares with a number.
func TestLocalRollups_RefuseEnumerations(t *testing.T) {
	rollup := inFile(byMonthAndStatus) + "}"
	for _, s := range localStores(t) {
		switch s.kind {
		case "mariadb":
			s.text = strings.Replace(s.text, ", collation: binary", "", 1) // which makes a text of it
			s.run(t, "ALTER TABLE orders MODIFY status ENUM('completed', 'cancelled') CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin")
		case "duckdb":
			s.run(t, "CREATE TYPE status AS ENUM ('completed', 'cancelled')", "ALTER TABLE orders ALTER status TYPE status")
		case "postgres":
			s.run(t, "DROP TYPE IF EXISTS status CASCADE", "CREATE TYPE status AS ENUM ('completed', 'cancelled')", "ALTER TABLE orders ALTER status TYPE status USING status::status")
		default:
			continue // which has none
		}
		if done, err := s.build(t, rollup, engine.RollupRefresh{}); codeOf(err) != planerr.CodeRollupWriteUnsupported || len(done) != 0 {
			t.Errorf("%s: %+v, %v, want rollup_write_unsupported", s.kind, done, err)
		}
		e := s.open(t, rollup, engine.Config{})
		s.wantFrom(t, e, ofStatus, `[{"status":"completed","revenue":350},{"status":"cancelled","revenue":100}]`, "unavailable")
		e.Close()
	}
}

// Where the connection orders texts otherwise than by their bytes, it orders them: an order, a comparison, the least text and a window.
func TestLocalRollups_LeaveTheOrderOfTextsToTheConnection(t *testing.T) {
	rollup := inFile(byMonthAndStatus) + "}"
	for _, s := range localStores(t) {
		if s.kind != "postgres" {
			continue
		}
		s.run(t, `ALTER TABLE orders ALTER status TYPE VARCHAR(20) COLLATE "en-x-icu"`)
		s.mustBuild(t, rollup, engine.RollupBuilt)
		s.run(t, "UPDATE orders SET status = 'Zero' WHERE status = 'cancelled'")
		e := s.open(t, rollup, engine.Config{})
		s.wantFrom(t, e, ofStatus, `[{"status":"completed","revenue":350},{"status":"Zero","revenue":100}]`, "local")
		s.wantFrom(t, e, `{"metrics":["revenue"],"where_sql":"orders.status < 'd'"}`, `[{"revenue":350}]`, "local")
		s.wantFrom(t, e, `{"metrics":["revenue"],"where_sql":"orders.status BETWEEN 'a' AND 'd'"}`, `[{"revenue":350}]`, "local")
		s.wantFrom(t, e, `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"order_by":[{"key":"revenue"}],"limit":1}`, `[{"status":"Zero","revenue":100}]`, "local")
		s.wantFrom(t, e, `{"metrics":["revenue"],"where_sql":"orders.status = 'completed'"}`, `[{"revenue":350}]`, fromFile)
		s.wantFrom(t, e, `{"metrics":["revenue"],"where_sql":"orders.status = 'cancelled'"}`, `[{"revenue":100}]`, fromFile)
		s.wantFrom(t, e, perMonth, `[{"metric_time__month":"2024-01-01","revenue":150},{"metric_time__month":"2024-02-01","revenue":230},{"metric_time__month":"2024-03-01","revenue":70}]`, fromFile)
		e.Close()
	}
}

// wantForReaders asks for the revenue as readers with a region.
func (s localStore) wantForReaders(t *testing.T, e *engine.Engine, want []localReader) {
	t.Helper()
	for _, c := range want {
		r, err := e.AsClaims(t.Context(), access.Claims{Name: c.role, Roles: []string{c.role}, Attributes: map[string]any{"region": "cancelled"}})
		if err != nil {
			t.Fatal(err)
		}
		s.wantFrom(t, r, c.body, c.rows, c.from)
	}
}

type localReader struct{ role, body, rows, from string }

// The file has the rows of all readers: one who sees fewer rows reads those that the rule admits, and one who sees other values reads the connection.
func TestLocalRollups_ReadersSeeNoRowsThatARuleHides(t *testing.T) {
	const policies = `version: 1
attributes: {region: {type: string}}
roles:
  one: {datasets: {orders: {rows: "status = :user.region", fields: all}}, metrics: all}
  masked: {datasets: {orders: {rows: all, fields: all, mask: {amount: "0"}}}, metrics: all}
  grouped: {datasets: {orders: {rows: all, fields: all, mask: {status: "'none'"}}}, metrics: all}
  whole: {datasets: {orders: {rows: all, fields: all}}, metrics: all}
`
	rollup := inFile(byMonthAndStatus) + "}"
	for _, s := range localStores(t) {
		s.mustBuild(t, rollup, engine.RollupBuilt)
		s.run(t, "UPDATE orders SET amount = 75 WHERE order_id = 6")
		e := s.open(t, rollup, engine.Config{PoliciesPath: "policies.yaml", PoliciesText: []byte(policies), CacheMiB: 4, CacheTTL: time.Hour})
		s.wantForReaders(t, e, []localReader{
			{"whole", sumOfAll, `[{"revenue":450}]`, fromFile}, {"one", sumOfAll, `[{"revenue":100}]`, fromFile}, {"masked", sumOfAll, `[{"revenue":0}]`, "policy"},
			{"whole", ofStatus, statusRows, fromFile}, {"one", ofStatus, `[{"status":"cancelled","revenue":100}]`, fromFile},
			{"grouped", ofStatus, `[{"status":"none","revenue":455}]`, "policy"},
		})
		e.Close()
	}
}

// Where each reader has a session, the warehouse decides which rows it shows.
func TestLocalRollups_ReadersWithASessionReadTheConnection(t *testing.T) {
	const policies = `version: 1
attributes: {region: {type: string}}
roles: {whole: {datasets: {orders: {rows: all, fields: all}}, metrics: all}}
`
	rollup := inFile(byMonthAndStatus) + "}"
	s := localShop(t, "postgres")
	s.mustBuild(t, rollup, engine.RollupBuilt)
	s.run(t, "ALTER TABLE orders RENAME TO all_orders", "CREATE VIEW orders AS SELECT * FROM all_orders WHERE status = current_setting('app.region')")
	s.text = strings.Replace(s.text, "type: postgres", "type: postgres, session: {set: {app.region: ':user.region'}}", 1)
	e := s.open(t, rollup, engine.Config{PoliciesPath: "policies.yaml", PoliciesText: []byte(policies)})
	s.wantForReaders(t, e, []localReader{{"whole", sumOfAll, `[{"revenue":100}]`, "policy"}})
	s.run(t, "DROP VIEW orders", "DROP TABLE all_orders")
}

// localShop is a store of six orders.
func localShop(t *testing.T, kind string) localStore {
	t.Helper()
	for _, s := range localStores(t) {
		if s.kind == kind {
			return s
		}
	}
	t.Fatal("there is no " + kind)
	return localStore{}
}

const sumOfAll = `{"metrics":["revenue"]}`

func TestLocalRollups_FileThatCannotServeLeavesTheConnection(t *testing.T) {
	rollup := inFile(byMonthAndStatus) + "}"
	const rows = `[{"revenue":450}]`
	s := localShop(t, "sqlite")
	file := filepath.Join(s.dir, "w.duckdb")
	ask := func(rollup, body, from string) {
		t.Helper()
		e := s.open(t, rollup, engine.Config{})
		s.wantFrom(t, e, body, rows, from)
		e.Close()
	}
	ask(rollup, sumOfAll, "unavailable") // no folder
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	ask(rollup, sumOfAll, "unavailable") // no file
	for _, content := range []string{"", "not a database", strings.Repeat("x", 1<<16)} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		ask(rollup, sumOfAll, "unavailable")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	// A file that no refresh has made.
	if err := duckdb.CreateDatabase(t.Context(), file, `CREATE SCHEMA rollups; CREATE TABLE rollups.monthly AS SELECT DATE '2024-01-01' AS m, 'x' AS status, 9 AS a, 9 AS n`); err != nil {
		t.Fatal(err)
	}
	ask(rollup, sumOfAll, "unavailable")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	s.mustBuild(t, rollup, engine.RollupBuilt)
	ask(rollup, sumOfAll, fromFile)
}

// The file of another model has other definitions.
func TestLocalRollups_FileOfAnotherModelServesNoQuery(t *testing.T) {
	s := localShop(t, "sqlite")
	s.mustBuild(t, inFile(byMonthAndStatus)+"}", engine.RollupBuilt)
	e := s.open(t, strings.Replace(inFile(byMonthAndStatus), "COUNT(*)", "COUNT(orders.order_id)", 1)+"}", engine.Config{})
	s.wantFrom(t, e, sumOfAll, `[{"revenue":450}]`, "definition")
	if known := e.Rollups(t.Context())[0].States; len(known) != 1 || known[0].Connection != "w" || !known[0].Available || known[0].Definition != "changed" {
		t.Errorf("%+v", known)
	}
}

func TestLocalRollups_OlderOnesServeNoQuery(t *testing.T) {
	s := localShop(t, "sqlite")
	s.mustBuild(t, inFile(byMonthAndStatus)+"}", engine.RollupBuilt)
	later := func() time.Time { return time.Now().Add(time.Hour) }
	for rollup, from := range map[string]string{`, "max_age": 3000}`: "max_age", `, "max_age": 4000}`: fromFile} {
		e := s.open(t, inFile(byMonthAndStatus)+rollup, engine.Config{Now: later})
		s.wantFrom(t, e, sumOfAll, `[{"revenue":450}]`, from)
		s.wantFrom(t, e, `{"metrics":["revenue"],"max_age":3000}`, `[{"revenue":450}]`, "max_age")
		s.wantFrom(t, e, `{"metrics":["revenue"],"max_age":0}`, `[{"revenue":450}]`, "local")
		e.Close()
	}
}

// A query of several branches reads one build: rollups that were built together, and no table of the connection beside them.
func TestLocalRollups_ServeAllBranchesOrNone(t *testing.T) {
	costs := inFile(`{"name": "costs", "of": "products", "measures": [{"expression": "SUM(products.unit_cost)", "column": "u"}]`) + "}"
	rollups := inFile(byMonthAndStatus) + "}, " + costs
	const both, rows = `{"metrics":["total_margin"]}`, `[{"total_margin":360}]`
	s := localShop(t, "postgres")
	e := s.open(t, rollups, engine.Config{})
	want := func(body, rows, from string) {
		t.Helper()
		s.wantFrom(t, e, body, rows, from)
	}
	s.mustBuild(t, rollups, engine.RollupBuilt)
	want(both, rows, fromFile)
	want(`{"metrics":["revenue","customers"]}`, `[{"revenue":450,"customers":3}]`, "local")
	if _, err := s.build(t, rollups, engine.RollupRefresh{Names: []string{"costs"}}); err != nil {
		t.Fatal(err)
	}
	want(both, rows, "local")
	want(sumOfAll, `[{"revenue":450}]`, fromFile)
	if _, err := s.build(t, rollups, engine.RollupRefresh{Full: true}); err != nil {
		t.Fatal(err)
	}
	want(both, rows, fromFile)
}

// A metric that the model writes otherwise for the connection is read from it, and so is one that is made of it. The file, which was never built, is not
// asked for them.
func TestLocalRollups_MetricsOfTheDialectAreReadFromTheConnection(t *testing.T) {
	const (
		plain = "metrics:\n"
		own   = plain + "      - {name: net, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}, {dialect: SQLITE, expression: SUM(orders.amount) * 2}]}}\n" +
			"      - {name: ratio, expression: {dialects: [{dialect: ANSI_SQL, expression: net / revenue}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.9\", \"derive\": {\"type\": \"compose\", \"expr\": \"net / revenue\"}}'}]}\n"
	)
	s := localShop(t, "sqlite")
	rollup := inFile(byMonthAndStatus) + "}"
	open := func() *engine.Engine {
		return open(t, engine.Config{
			ModelText: []byte(strings.Replace(rolledModel(t, rollup), plain, own, 1)), ConnectionsText: []byte(s.text), DefaultConnection: "w", RollupDir: s.dir, RollupStateTime: -1,
		})
	}
	e := open()
	s.wantFrom(t, e, sumOfAll, `[{"revenue":450}]`, "unavailable")
	s.wantFrom(t, e, `{"metrics":["net"]}`, `[{"net":900}]`, "local")
	if _, err := e.RefreshRollups(t.Context(), engine.RollupRefresh{Connection: "w"}); err != nil {
		t.Fatal(err)
	}
	e.Close()
	e = open()
	s.wantFrom(t, e, sumOfAll, `[{"revenue":450}]`, fromFile)
	for body, rows := range map[string]string{
		`{"metrics":["net"]}`: `[{"net":900}]`, `{"metrics":["revenue","net"]}`: `[{"revenue":450,"net":900}]`, `{"metrics":["ratio"]}`: `[{"ratio":2}]`,
		`{"metrics":[{"name":"half","expression":"net / 2"}]}`: `[{"half":450}]`,
	} {
		s.wantFrom(t, e, body, rows, "local")
	}
}

// A dimension that is joined from the connection has no table in the file.
func TestLocalRollups_JoinNoTableOfTheConnection(t *testing.T) {
	rollup := inFile(`{"name": "by_customer", "of": "orders", "group_by": [{"field": "orders.customer_id"}], "measures": [{"expression": "SUM(orders.amount)", "column": "a"}]`) + "}"
	s := localShop(t, "sqlite")
	s.mustBuild(t, rollup, engine.RollupBuilt)
	e := s.open(t, rollup, engine.Config{})
	s.wantFrom(t, e, `{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"region"}]}`, `[{"region":"east","revenue":340},{"region":"west","revenue":110}]`, "local")
	s.wantFrom(t, e, `{"metrics":["revenue"],"where_sql":"orders.customer_id = 2"}`, `[{"revenue":110}]`, fromFile)
}

// Another rollup in the file serves without a join, although it has more rows.
func TestLocalRollups_ServeWithoutAJoinBeforeOneWith(t *testing.T) {
	sum := `"measures": [{"expression": "SUM(orders.amount)", "column": "a"}]`
	rollups := inFile(`{"name": "by_customer", "rows": 1, "of": "orders", "group_by": [{"field": "orders.customer_id"}], `+sum) + "}, " +
		inFile(`{"name": "by_region", "rows": 9, "of": "orders", "group_by": [{"field": "customers.region"}], `+sum) + "}"
	s := localShop(t, "sqlite")
	s.mustBuild(t, rollups, engine.RollupBuilt)
	e := s.open(t, rollups, engine.Config{})
	s.wantFrom(t, e, `{"metrics":["revenue"],"group_by":[{"field":"customers.region"}],"order_by":[{"key":"region"}]}`, `[{"region":"east","revenue":340},{"region":"west","revenue":110}]`, fromFile)
}

// A statement of which one part reads a base table is answered by the connection, though each branch of the others reads the file.
func TestLocalRollups_ServeNoPartOfAStatement(t *testing.T) {
	rollup := inFile(byMonthAndStatus) + "}"
	s := localShop(t, "sqlite")
	s.mustBuild(t, rollup, engine.RollupBuilt)
	e := s.open(t, rollup, engine.Config{})
	for text, dialect := range map[string]string{
		"SELECT MEASURE(revenue) AS n FROM orders": "duckdb", "SELECT MEASURE(revenue) AS n FROM orders UNION ALL SELECT amount AS n FROM orders WHERE order_id = 1": "sqlite",
	} {
		got, err := askRows(t.Context(), e, &query.SQLStatement{SQL: text})
		if err != nil || got.Dialect != dialect || !strings.Contains(string(got.Rows), `{"n":450}`) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

// A rollup on the connection serves where the local one does not, and the local one is preferred where both do.
func TestLocalRollups_ComeBeforeThoseOfTheConnection(t *testing.T) {
	s := localShop(t, "sqlite")
	s.run(t, "CREATE TABLE stored (status VARCHAR(20), a INTEGER)", "INSERT INTO stored VALUES ('completed', 4000), ('cancelled', 500)")
	stored := `{"name": "stored", "rows": 1, "of": "orders", "group_by": [{"field": "orders.status"}], "measures": [{"expression": "SUM(orders.amount)", "column": "a"}]}`
	rollups := stored + ", " + inFile(`{"name": "monthly", "rows": 9, "of": "orders", "group_by": [{"field": "orders.order_date", "grain": "month"}], "measures": [{"expression": "SUM(orders.amount)", "column": "a"}]`) + "}"
	if _, err := s.build(t, rollups, engine.RollupRefresh{Names: []string{"monthly"}}); err != nil {
		t.Fatal(err)
	}
	e := s.open(t, rollups, engine.Config{})
	s.wantFrom(t, e, sumOfAll, `[{"revenue":450}]`, fromFile)
	got, err := askRows(t.Context(), e, metricQuery(t, `{"metrics":["revenue"],"where_sql":"orders.status = 'cancelled'"}`))
	if err != nil || string(got.Rows) != `[{"revenue":500}]` || got.Dialect != "sqlite" || got.Rollups[0].Store != "connection" {
		t.Errorf("%+v, %v", got, err)
	}
}

// A kept result is that of one build.
func TestLocalRollups_RefreshGivesOtherResultsThanTheCache(t *testing.T) {
	rollup := inFile(byMonthAndStatus) + "}"
	s := localShop(t, "sqlite")
	s.mustBuild(t, rollup, engine.RollupBuilt)
	e := s.open(t, rollup, engine.Config{CacheMiB: 4, CacheTTL: time.Hour})
	ask := func(rows, outcome string) {
		t.Helper()
		ctx, use := engine.WithCacheUse(t.Context())
		got, err := askRows(ctx, e, metricQuery(t, sumOfAll))
		if err != nil || string(got.Rows) != rows || use.Outcome() != outcome || got.Dialect != "duckdb" {
			t.Errorf("%+v %s, %v, want %s %s", got, use.Outcome(), err, rows, outcome)
		}
	}
	ask(`[{"revenue":450}]`, "miss")
	s.run(t, "UPDATE orders SET amount = 1000 WHERE order_id = 6")
	ask(`[{"revenue":450}]`, "hit")
	s.mustBuild(t, rollup, engine.RollupUpdated)
	ask(`[{"revenue":1380}]`, "miss")
}

func TestLocalRollups_NeedAFolder(t *testing.T) {
	s := localShop(t, "sqlite")
	rollups := inFile(byMonthAndStatus) + "}"
	refused := func(q engine.RollupRefresh, want string) {
		t.Helper()
		done, err := s.build(t, rollups, q)
		if codeOf(err) != want || len(done) != 0 {
			t.Errorf("%+v, %v, want %s", done, err, want)
		}
	}
	s.dir = ""
	refused(engine.RollupRefresh{Names: []string{"monthly"}}, planerr.CodeBadRequest)
	s.dir = filepath.Join(t.TempDir(), "no", "such", "folder")
	refused(engine.RollupRefresh{}, executor.CodeConfig)
	s.dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(s.dir, "w.duckdb"), []byte("not a database"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(engine.RollupRefresh{}, executor.CodeConfig)
	if files, err := os.ReadDir(s.dir); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
	s.dir = t.TempDir()
	done, err := s.build(t, rollups, engine.RollupRefresh{DryRun: true})
	if files, _ := os.ReadDir(s.dir); err != nil || len(files) != 0 || len(done) != 1 || len(done[0].Statements) != 1 || !strings.HasPrefix(done[0].Statements[0], "SELECT") {
		t.Errorf("%+v, %v, %v", done, err, files)
	}
	ctx, cancel := context.WithCancel(t.Context())
	e := s.open(t, rollups, engine.Config{})
	_, err = e.RefreshRollups(ctx, engine.RollupRefresh{Connection: "w", Before: func(string) error { cancel(); return nil }})
	if files, _ := os.ReadDir(s.dir); err == nil || len(files) != 0 {
		t.Errorf("%v, %v", err, files)
	}
}
