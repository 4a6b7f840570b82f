package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// store is a warehouse whose tables a refresh writes.
type store struct {
	kind    string
	profile profile.Profile
	text    string // of its profile
}

// stores are the warehouses that the machine has.
func stores(t *testing.T) []store {
	t.Helper()
	folder := t.TempDir()
	list := map[string]string{
		"duckdb": "type: duckdb, uri: " + filepath.Join(folder, "w.duckdb"),
		"sqlite": "type: sqlite, path: " + filepath.Join(folder, "w.sqlite"),
	}
	of := func(kind string, s *localdb.Server) string {
		return fmt.Sprintf("type: %s, host: '%s', port: %d, username: '%s', password: '%s', database: '%s'", kind, s.Host, s.Port, s.User, s.Password, s.Database)
	}
	list["postgres"] = of("postgres", servers.Postgres(t)) + ", schema: refreshed"
	list["mariadb"] = of("mariadb", servers.MariaDB(t))
	var out []store
	for _, kind := range []string{"duckdb", "sqlite", "postgres", "mariadb"} {
		text := "datasources: {w: {" + list[kind] + ", rollups: {writable: true}}}"
		file, err := profile.Parse([]byte(text), func(string) (string, bool) { return "", false })
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, store{kind, file.Profiles[0], text})
	}
	return out
}

// run runs statements on a store.
func (s store) run(t *testing.T, statements ...string) {
	t.Helper()
	w := s.writer(t)
	defer w.Close()
	for _, sql := range statements {
		if err := w.Exec(t.Context(), s.sqlOf(sql)); err != nil {
			t.Fatalf("%s: %s: %v", s.kind, sql, err)
		}
	}
}

// rows returns the rows of a statement as one text.
func (s store) rows(t *testing.T, sql string) string {
	t.Helper()
	w := s.writer(t)
	defer w.Close()
	rows, err := w.Query(t.Context(), sql)
	if err != nil {
		t.Fatalf("%s: %s: %v", s.kind, sql, err)
	}
	var out []string
	for _, row := range rows {
		var cells []string
		for _, c := range row {
			if c == nil {
				cells = append(cells, "NULL")
			} else {
				cells = append(cells, *c)
			}
		}
		out = append(out, strings.Join(cells, " "))
	}
	return strings.Join(out, "; ")
}

func (s store) writer(t *testing.T) executor.WriteSession {
	t.Helper()
	if s.kind == "sqlite" { // which opens files that exist
		createEmptyFile(t, s.profile.Settings.(*profile.SQLite).Path)
	}
	w, err := warehouse.OpenWriter(t.Context(), s.profile, warehouse.Options{Drivers: []warehouse.Driver{duckdb.Driver()}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// load fills a store with the base tables alone.
func (s store) load(t *testing.T) {
	t.Helper()
	var statements []string
	if s.kind == "postgres" {
		statements = append(statements, "CREATE SCHEMA IF NOT EXISTS refreshed")
	}
	for _, row := range strings.Split(s.tables(t), "; ") {
		if row != "" {
			statements = append(statements, "DROP TABLE IF EXISTS "+row)
		}
	}
	for _, sql := range strings.Split(strings.ReplaceAll(read(t, "testdata/orders.sql"), "VARCHAR", "VARCHAR(20)"), ";") {
		if strings.TrimSpace(sql) != "" {
			statements = append(statements, sql)
		}
	}
	s.run(t, statements...)
}

// tables lists the tables of a store.
func (s store) tables(t *testing.T) string {
	t.Helper()
	sql := "SELECT table_name FROM information_schema.tables WHERE table_schema = 'refreshed' ORDER BY 1"
	switch s.kind {
	case "sqlite":
		sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1"
	case "duckdb":
		sql = "SELECT table_name FROM duckdb_tables() ORDER BY 1"
	case "clickhouse":
		sql = "SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY 1"
	case "mariadb":
		sql = "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY 1"
	}
	return s.rows(t, sql)
}

const byMonthAndStatus = `{"name": "monthly", "of": "orders", "group_by": [{"field": "orders.order_date", "grain": "month", "column": "m"}, {"field": "orders.status", "column": "status"}],
 "measures": [{"expression": "SUM(orders.amount)", "column": "a"}, {"expression": "COUNT(*)", "column": "n"}], "refresh": {"partition": "month", "lookback": 1, "indexes": [["m", "status"]]}`

// open opens an engine over the store and a rollup.
func (s store) open(t *testing.T, rollups string) *engine.Engine {
	t.Helper()
	return rolledShop(t, engine.Config{ConnectionsText: []byte(s.text), DefaultConnection: "w", RollupStateTime: -1}, rollups)
}

// refresh builds the rollups of a store and returns what was done.
func (s store) refresh(t *testing.T, rollups string, q engine.RollupRefresh) (done []engine.RefreshedRollup, err error) {
	t.Helper()
	e := s.open(t, rollups)
	q.Connection = "w"
	done, err = e.RefreshRollups(t.Context(), q)
	if closing := e.Close(); closing != nil {
		t.Error(closing)
	}
	return done, err
}

// wantRefreshed builds the rollups of a store and compares what was done.
func (s store) wantRefreshed(t *testing.T, rollups, action string, q engine.RollupRefresh) []string {
	t.Helper()
	done, err := s.refresh(t, rollups, q)
	if err != nil {
		t.Fatalf("%s: %v", s.kind, err)
	}
	if len(done) != 1 || done[0].Action != action || done[0].AsOf == "" {
		t.Fatalf("%s: %+v, want %s", s.kind, done, action)
	}
	return done[0].Statements
}

// askBoth returns the rows of a query with rollups, and reports where the base tables give others, or no rollup serves.
func (s store) askBoth(t *testing.T, rollups, body string) string {
	t.Helper()
	e := s.open(t, rollups)
	defer e.Close()
	out := ""
	for _, choice := range []query.Rollups{query.RollupsOnly, query.RollupsOff} {
		q := metricQuery(t, body)
		q.Rollups = &choice
		got, err := askRows(t.Context(), e, q)
		if err != nil {
			t.Fatalf("%s: %v", s.kind, err)
		}
		if choice == query.RollupsOnly {
			out = string(got.Rows)
		} else if string(got.Rows) != out {
			t.Errorf("%s: %s\nthe base tables give\n%s", s.kind, out, got.Rows)
		}
	}
	return out
}

const (
	perMonth  = `{"metrics":["revenue"],"group_by":[{"field":"metric_time","grain":"month"}],"order_by":[{"key":"metric_time__month"}]}`
	perStatus = `{"metrics":["revenue"],"group_by":[{"field":"orders.status"}],"order_by":[{"key":"status"}]}`
)

func TestRefresh_BuildsWhatTheBaseTablesGive(t *testing.T) {
	for _, s := range storesThatSwap(t) {
		s.load(t)
		statements := s.wantRefreshed(t, byMonthAndStatus+"}", engine.RollupBuilt, engine.RollupRefresh{})
		if strings.Contains(strings.Join(statements, "\n"), "CREATE INDEX") != (s.kind != "duckdb" && s.kind != "clickhouse") {
			t.Errorf("%s: %q", s.kind, statements)
		}
		const want = `[{"metric_time__month":"2024-01-01","revenue":150},{"metric_time__month":"2024-02-01","revenue":230},{"metric_time__month":"2024-03-01","revenue":70}]`
		if got := s.askBoth(t, byMonthAndStatus+"}", perMonth); got != want {
			t.Errorf("%s: %s", s.kind, got)
		}
		if got := s.rows(t, "SELECT name, row_count, cut FROM semlayer_rollups"); !strings.HasPrefix(got, "monthly 4 2024-02-01") {
			t.Errorf("%s: %s", s.kind, got)
		}
		if got := s.tables(t); got != "customers; monthly; orders; products; semlayer_rollups" {
			t.Errorf("%s: the tables %s", s.kind, got)
		}
	}
}

// The partitions before the cut stay as they are, which shows in a number that was changed by hand. The rows without a time belong to none.
func TestRefresh_ReplacesTheLastPartitionsAndTheRowsWithoutATime(t *testing.T) {
	const rollup = byMonthAndStatus + "}"
	for _, s := range stores(t) {
		s.load(t)
		s.wantRefreshed(t, rollup, engine.RollupBuilt, engine.RollupRefresh{})
		s.run(t, "UPDATE monthly SET a = 1000 WHERE m < '2024-02-01'", // before the cut
			"UPDATE orders SET amount = 90 WHERE order_id = 3",
			"INSERT INTO orders VALUES (7, 1, 10, NULL, 'lost', 5), (8, 1, 10, '2024-04-30', 'completed', 7)")
		s.wantRefreshed(t, rollup, engine.RollupUpdated, engine.RollupRefresh{})
		const amounts = "SELECT SUM(CASE WHEN m IS NULL THEN a END), SUM(CASE WHEN m < '2024-02-01' THEN a END), SUM(CASE WHEN m >= '2024-02-01' THEN a END), COUNT(*) FROM monthly"
		if got := s.rows(t, amounts); got != "5 1000 317 6" {
			t.Errorf("%s: %s", s.kind, got)
		}
		if got := s.rows(t, "SELECT cut, row_count FROM semlayer_rollups"); !strings.HasPrefix(got, "2024-03-01") || !strings.HasSuffix(got, " 6") {
			t.Errorf("%s: %s", s.kind, got)
		}
		s.run(t, "UPDATE orders SET order_date = '2024-04-01' WHERE order_id = 7")
		s.wantRefreshed(t, rollup, engine.RollupUpdated, engine.RollupRefresh{})
		if got := s.rows(t, amounts); got != "NULL 1000 322 6" {
			t.Errorf("%s: %s", s.kind, got)
		}
		s.wantRefreshed(t, rollup, engine.RollupBuilt, engine.RollupRefresh{Full: true})
		s.askBoth(t, rollup, perMonth)
		s.askBoth(t, rollup, perStatus)
		changed := strings.Replace(rollup, `"SUM(orders.amount)"`, `"MIN(orders.amount)"`, 1)
		s.wantRefreshed(t, changed, engine.RollupBuilt, engine.RollupRefresh{}) // another definition
	}
}

// The age of a build is that of its snapshot: a clock that is read during the build shows the same time or a later one.
func TestRefresh_TakesTheClockBeforeTheBuild(t *testing.T) {
	for _, s := range stores(t) {
		if s.kind == "duckdb" || s.kind == "sqlite" {
			continue // whose file has one writer, and whose clock shows seconds
		}
		s.load(t)
		during := ""
		s.wantRefreshed(t, byMonthAndStatus+"}", engine.RollupBuilt, engine.RollupRefresh{Before: func(sql string) error {
			if strings.HasPrefix(sql, "CREATE TABLE") && strings.Contains(sql, " AS ") {
				during = s.rows(t, map[string]string{"postgres": "SELECT CAST(CURRENT_TIMESTAMP AS TIMESTAMP)", "mariadb": "SELECT CURRENT_TIMESTAMP(6)"}[s.kind])
			}
			return nil
		}})
		if got := s.rows(t, "SELECT as_of FROM semlayer_rollups"); got > during || during == "" {
			t.Errorf("%s: the table is as of %s, and at %s its rows were not read yet", s.kind, got, during)
		}
	}
}

func TestRefresh_LeavesWhatHasNotChanged(t *testing.T) {
	const rollup = `{"name": "monthly", "of": "products", "group_by": [{"field": "products.category", "column": "c"}], "measures": [{"expression": "SUM(products.unit_cost)", "column": "u"}]}`
	for _, s := range stores(t) {
		s.load(t)
		s.run(t, "ALTER TABLE products ADD COLUMN loaded_at INTEGER")
		open := func() *engine.Engine {
			model := strings.Replace(read(t, "testdata/orders.yaml"), "        primary_key: [product_id]\n", "        primary_key: [product_id]\n        custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"freshness\": \"MAX(loaded_at)\"}'}]\n", 1)
			at := strings.Index(model, "    datasets:")
			return open(t, engine.Config{
				ModelText:       []byte(model[:at] + "    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"rollups\": [" + rollup + "]}'}]\n" + model[at:]),
				ConnectionsText: []byte(s.text), DefaultConnection: "w",
			})
		}
		for i, want := range []string{engine.RollupBuilt, engine.RollupUnchanged, engine.RollupBuilt, engine.RollupUnchanged, engine.RollupBuilt} {
			if i == 2 {
				s.run(t, "UPDATE products SET loaded_at = 1")
			}
			e := open()
			done, err := e.RefreshRollups(t.Context(), engine.RollupRefresh{Connection: "w", Full: i == 4})
			if err != nil || len(done) != 1 || done[0].Action != want {
				t.Errorf("%s: refresh %d: %+v, %v, want %s", s.kind, i, done, err, want)
			}
			e.Close()
		}
	}
}

// A refresh that ends before any of its statements leaves a table that is one of its builds, and the next refresh gives the new one.
func TestRefresh_ThatEndsAnywhereLeavesATable(t *testing.T) {
	for _, s := range storesThatSwap(t) {
		t.Run(s.kind, func(t *testing.T) {
			t.Parallel()
			s.wantATableWhereverRefreshEnds(t, false)
			if !s.buildsWhole() {
				s.wantATableWhereverRefreshEnds(t, true)
			}
		})
	}
}

func (s store) wantATableWhereverRefreshEnds(t *testing.T, incremental bool) {
	t.Helper()
	stop := errors.New("stop")
	for at := 0; ; at++ {
		s.load(t)
		rollup := byMonthAndStatus + "}"
		s.wantRefreshed(t, rollup, engine.RollupBuilt, engine.RollupRefresh{})
		s.run(t, "INSERT INTO orders VALUES (7, 1, 10, '2024-03-05', 'completed', 1)")
		count := 0
		_, err := s.refresh(t, rollup, engine.RollupRefresh{Full: !incremental, Before: func(string) error {
			if count++; count > at {
				return stop
			}
			return nil
		}})
		e := s.open(t, rollup)
		only := query.RollupsOnly
		q := metricQuery(t, revenueBody)
		q.Rollups = &only
		got, failed := askRows(t.Context(), e, q)
		if failed != nil || string(got.Rows) != baseRows && string(got.Rows) != `[{"revenue":451}]` {
			t.Errorf("%s: stopped before statement %d: %+v, %v", s.kind, at, got, failed)
		}
		e.Close()
		if err == nil {
			return
		}
		if !errors.Is(err, stop) {
			t.Fatalf("%s: %v", s.kind, err)
		}
		s.wantRefreshed(t, rollup, map[bool]string{true: engine.RollupUpdated, false: engine.RollupBuilt}[incremental], engine.RollupRefresh{Full: !incremental})
		if got := s.askBoth(t, rollup, revenueBody); got != `[{"revenue":451}]` {
			t.Errorf("%s: %s", s.kind, got)
		}
	}
}

// Queries that run while tables are swapped read one build each.
func TestRefresh_UnderReaders(t *testing.T) {
	const swaps, readers, reads = 12, 4, 60
	for _, s := range storesThatSwap(t) {
		if s.kind == "duckdb" {
			continue // whose file has one process: nothing reads it during a refresh
		}
		s.load(t)
		s.wantRefreshed(t, byMonthAndStatus+"}", engine.RollupBuilt, engine.RollupRefresh{})
		e := s.open(t, byMonthAndStatus+"}")
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range readers {
			all.Go(func() {
				for n := 0; n < reads || ctx.Err() == nil; n++ {
					only := query.RollupsOnly
					q := metricQuery(t, `{"metrics":["revenue","order_count"]}`)
					q.Metrics = []string{"revenue"}
					q.Rollups = &only
					got, err := askRows(t.Context(), e, q)
					if err != nil {
						t.Errorf("%s: %v", s.kind, err)
						return
					}
					var rows []struct{ Revenue int }
					if err := json.Unmarshal(got.Rows, &rows); err != nil || len(rows) != 1 || rows[0].Revenue < 450 || rows[0].Revenue > 450+swaps {
						t.Errorf("%s: %s is no build", s.kind, got.Rows)
					}
				}
			})
		}
		for i := range swaps {
			s.run(t, fmt.Sprintf("INSERT INTO orders VALUES (%d, 1, 10, '2024-03-05', 'completed', 1)", 100+i))
			s.wantRefreshed(t, byMonthAndStatus+"}", map[bool]string{true: engine.RollupBuilt, false: engine.RollupUpdated}[i%2 == 0 || s.buildsWhole()], engine.RollupRefresh{Full: i%2 == 0})
		}
		cancel()
		all.Wait()
	}
}

func TestRefresh_DropsWhatKilledBuildsLeft(t *testing.T) {
	for _, s := range storesThatSwap(t) {
		s.load(t)
		s.run(t, "CREATE TABLE monthly__new65000000 (x INTEGER)", "CREATE TABLE monthly__oldff000000 (x INTEGER)", "CREATE TABLE monthly__new (x INTEGER)", "CREATE TABLE other__new65000000 (x INTEGER)")
		s.wantRefreshed(t, byMonthAndStatus+"}", engine.RollupBuilt, engine.RollupRefresh{})
		if got := s.tables(t); got != "customers; monthly; monthly__new; monthly__oldff000000; orders; other__new65000000; products; semlayer_rollups" {
			t.Errorf("%s: the tables %s", s.kind, got)
		}
	}
}

func TestRefresh_DryRunWritesNothing(t *testing.T) {
	for _, s := range storesThatSwap(t) {
		s.load(t)
		statements := s.wantRefreshed(t, byMonthAndStatus+"}", engine.RollupBuilt, engine.RollupRefresh{DryRun: true})
		if got := s.tables(t); got != "customers; orders; products" || !slices.ContainsFunc(statements, func(sql string) bool {
			return strings.HasPrefix(sql, "CREATE TABLE ") && strings.Contains(strings.ToUpper(sql), "SUM")
		}) {
			t.Errorf("%s: %s, %q", s.kind, got, statements)
		}
	}
}

// Sums of integers are as narrow as they can be.
func TestRefresh_StoresSumsOfIntegersIn64Bits(t *testing.T) {
	for _, s := range stores(t) {
		typeOf := map[string]string{
			"duckdb":   "SELECT data_type FROM duckdb_columns() WHERE table_name = 'monthly' AND column_name = 'a'",
			"postgres": "SELECT data_type FROM information_schema.columns WHERE table_name = 'monthly' AND column_name = 'a'",
			"mariadb":  "SELECT data_type FROM information_schema.columns WHERE table_name = 'monthly' AND column_name = 'a' AND table_schema = DATABASE()",
		}[s.kind]
		if typeOf == "" {
			continue
		}
		s.load(t)
		s.run(t, map[string]string{
			"duckdb": "ALTER TABLE orders ALTER COLUMN amount TYPE BIGINT", "postgres": "ALTER TABLE orders ALTER COLUMN amount TYPE BIGINT", "mariadb": "ALTER TABLE orders MODIFY COLUMN amount BIGINT",
		}[s.kind])
		s.wantRefreshed(t, byMonthAndStatus+"}", engine.RollupBuilt, engine.RollupRefresh{})
		if got := strings.ToLower(s.rows(t, typeOf)); got != "bigint" {
			t.Errorf("%s: %s", s.kind, got)
		}
		s.run(t, "UPDATE orders SET amount = 9223372036854775807 WHERE order_id < 3")
		s.wantRefreshed(t, byMonthAndStatus+"}", engine.RollupBuilt, engine.RollupRefresh{Full: true})
		if got := strings.ToLower(s.rows(t, typeOf)); got == "bigint" {
			t.Errorf("%s: %s", s.kind, got)
		}
		if got := s.rows(t, "SELECT SUM(a) FROM monthly WHERE m = '2024-01-01'"); got != "18446744073709551614" {
			t.Errorf("%s: %s", s.kind, got)
		}
	}
}

func TestRefresh_NeedsARightToWrite(t *testing.T) {
	refused := func(profileText, code string) {
		t.Helper()
		e := rolledShop(t, engine.Config{ConnectionsText: []byte("datasources: {w: {" + profileText + "}}")}, byMonthAndStatus+"}")
		_, err := e.RefreshRollups(t.Context(), engine.RollupRefresh{Connection: "w"})
		if codeOf(err) != code {
			t.Errorf("%s: %v, want %s", profileText, err, code)
		}
	}
	path := filepath.Join(t.TempDir(), "x.sqlite")
	refused("type: sqlite, path: "+path, planerr.CodeRollupNotWritable)
	refused("type: sqlite, path: "+path+", rollups: {writable: false}", planerr.CodeRollupNotWritable)
	refused("type: cockroachdb, host: h, rollups: {writable: true}", planerr.CodeRollupWriteUnsupported)
	refused("type: trino, host: h, rollups: {writable: true}", planerr.CodeRollupWriteUnsupported)
	e := rolledShop(t, engine.Config{}, byMonthAndStatus+"}")
	if _, err := e.RefreshRollups(t.Context(), engine.RollupRefresh{}); codeOf(err) != executor.CodeConfig {
		t.Errorf("the database in memory: %v", err)
	}
	local := rolledShop(t, engine.Config{}, strings.Replace(byMonthAndStatus, `"of"`, `"store": "local", "of"`, 1)+"}")
	if _, err := local.RefreshRollups(t.Context(), engine.RollupRefresh{Names: []string{"monthly"}}); codeOf(err) != planerr.CodeBadRequest {
		t.Errorf("a local rollup: %v", err)
	}
	if _, err := e.RefreshRollups(t.Context(), engine.RollupRefresh{Names: []string{"montly"}}); codeOf(err) != planerr.CodeUnknownRollup {
		t.Errorf("an unknown name: %v", err)
	}
}

// A rollup whose table is that of a dataset would replace it.
func TestRefresh_ReplacesNoTableOfADataset(t *testing.T) {
	for _, s := range stores(t) {
		s.load(t)
		_, err := s.refresh(t, strings.Replace(byMonthAndStatus, `"name": "monthly"`, `"name": "monthly", "source": "ORDERS"`, 1)+"}", engine.RollupRefresh{})
		if codeOf(err) != planerr.CodeBadRequest || s.rows(t, "SELECT COUNT(*) FROM orders") != "6" {
			t.Errorf("%s: %v", s.kind, err)
		}
	}
}

// The key rollups of a profile places the tables, and names who may read them.
func TestRefresh_WritesToTheSchemaForTheRoles(t *testing.T) {
	for _, s := range stores(t) {
		var prepare []string
		var role, granted string
		switch s.kind {
		case "postgres":
			prepare = []string{"DROP SCHEMA IF EXISTS refreshed_agg CASCADE", "CREATE SCHEMA refreshed_agg", "DO $$ BEGIN CREATE ROLE rollup_reader; EXCEPTION WHEN duplicate_object THEN NULL; END $$"}
			role, granted = "rollup_reader", "SELECT COUNT(*) FROM information_schema.role_table_grants WHERE grantee = 'rollup_reader' AND table_schema = 'refreshed_agg'"
		case "mariadb":
			prepare = []string{"DROP DATABASE IF EXISTS refreshed_agg", "CREATE DATABASE refreshed_agg", "CREATE USER IF NOT EXISTS rollup_reader@localhost", "REVOKE ALL PRIVILEGES, GRANT OPTION FROM rollup_reader@localhost"}
			role, granted = "rollup_reader@localhost", "SELECT COUNT(*) FROM mysql.tables_priv WHERE User = 'rollup_reader' AND Db = 'refreshed_agg'"
		default:
			continue
		}
		s.load(t)
		s.run(t, prepare...)
		s.text = strings.Replace(s.text, "rollups: {writable: true}", "rollups: {writable: true, schema: refreshed_agg, grant_to: ['"+role+"']}", 1)
		for range 2 {
			s.wantRefreshed(t, byMonthAndStatus+"}", engine.RollupBuilt, engine.RollupRefresh{Full: true})
			if got := s.rows(t, granted); got != "2" {
				t.Errorf("%s: %s tables are granted", s.kind, got)
			}
			s.askBoth(t, byMonthAndStatus+"}", perMonth)
		}
		if got := s.tables(t); got != "customers; orders; products" {
			t.Errorf("%s: the tables %s", s.kind, got)
		}
	}
}
