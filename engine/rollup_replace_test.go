package engine_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// textWarehouse answers statements with one text, and has the tables whose names are in a list.
type textWarehouse struct {
	dialect string
	tables  []string
	answers func(sql string) string
	written []string
}

func (w *textWarehouse) Dialect() string { return w.dialect }
func (*textWarehouse) Close() error      { return nil }

func (w *textWarehouse) Query(_ context.Context, sql string) (executor.Rows, error) {
	if !strings.HasPrefix(sql, "SELECT ") {
		w.written = append(w.written, sql)
		if create, table, ok := strings.Cut(sql, "TABLE "); ok && strings.HasPrefix(create, "CREATE ") {
			w.tables = append(w.tables, strings.Fields(table)[0])
		}
		return &textRows{}, nil
	}
	if _, from, ok := strings.Cut(sql, " FROM "); ok && !slices.Contains(w.tables, strings.Fields(from)[0]) {
		return nil, &executor.Error{Code: executor.CodeSQLRejected, Message: "there is no such table"}
	}
	return &textRows{text: w.answers(sql)}, nil
}

// textRows is one row of one text; none where it is "".
type textRows struct{ text string }

var textSchema = arrow.NewSchema([]arrow.Field{{Name: "c0", Type: arrow.BinaryTypes.String}}, nil)

func (*textRows) Schema() *arrow.Schema { return textSchema }
func (*textRows) Close() error          { return nil }

func (r *textRows) Next(context.Context) (arrow.RecordBatch, error) {
	if r.text == "" {
		return nil, io.EOF
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, textSchema)
	defer b.Release()
	b.Field(0).(*array.StringBuilder).Append(r.text) //nolint:forcetypeassert // by the schema
	r.text = ""
	return b.NewRecordBatch(), nil
}

// Warehouses without transactions replace a table in one statement. The record comes after it, the new one before the other ones go. The statements
// follow the references of the warehouses.
func TestRefresh_ReplacesATableInOneStatement(t *testing.T) {
	const at = "2026-01-02 03:04:05.000006"
	for _, c := range []struct {
		kind, settings string
		first          []string // where neither table exists
		stamp          string   // the literal of the time
	}{
		{"snowflake", "account: a, username: u, password: p, warehouse: w, database: d", []string{
			`CREATE TABLE agg.semlayer_rollups ("name" VARCHAR, "definition" VARCHAR, "as_of" TIMESTAMP_NTZ, "full_as_of" TIMESTAMP_NTZ, "built_at" TIMESTAMP_NTZ, "row_count" BIGINT, "cut" TIMESTAMP_NTZ, "freshness" VARCHAR)`,
			"GRANT SELECT ON TABLE agg.semlayer_rollups TO ROLE reader",
			"CREATE OR REPLACE TABLE agg.monthly COPY GRANTS AS SELECT ",
			"GRANT SELECT ON TABLE agg.monthly TO ROLE reader",
			`INSERT INTO agg.semlayer_rollups ("name", "definition", "as_of", "full_as_of", "built_at", "cut", "freshness", "row_count") SELECT 'monthly', `,
			`DELETE FROM agg.semlayer_rollups WHERE "name" = 'monthly' AND "as_of" <> TO_TIMESTAMP_NTZ('` + at + `')`,
		}, "TO_TIMESTAMP_NTZ('" + at + "')"},
		{"bigquery", "catalog: p, schema: d", []string{
			"CREATE TABLE agg.semlayer_rollups (`name` STRING, `definition` STRING, `as_of` DATETIME, `full_as_of` DATETIME, `built_at` DATETIME, `row_count` INT64, `cut` DATETIME, `freshness` STRING)",
			"GRANT `roles/bigquery.dataViewer` ON TABLE agg.semlayer_rollups TO 'reader'",
			"CREATE OR REPLACE TABLE agg.monthly AS SELECT ",
			"GRANT `roles/bigquery.dataViewer` ON TABLE agg.monthly TO 'reader'",
			"INSERT INTO agg.semlayer_rollups (`name`, `definition`, `as_of`, `full_as_of`, `built_at`, `cut`, `freshness`, `row_count`) SELECT 'monthly', ",
			"DELETE FROM agg.semlayer_rollups WHERE `name` = 'monthly' AND CAST(`as_of` AS DATETIME) <> DATETIME '" + at + "'",
		}, "DATETIME '" + at + "'"},
		{"databricks", "host: h, http_path: /sql/1.0/warehouses/w, token: t", []string{
			"CREATE TABLE agg.semlayer_rollups (`name` STRING, `definition` STRING, `as_of` TIMESTAMP, `full_as_of` TIMESTAMP, `built_at` TIMESTAMP, `row_count` BIGINT, `cut` TIMESTAMP, `freshness` STRING)",
			"GRANT SELECT ON TABLE agg.semlayer_rollups TO `reader`",
			"CREATE OR REPLACE TABLE agg.monthly AS SELECT ",
			"GRANT SELECT ON TABLE agg.monthly TO `reader`",
			"INSERT INTO agg.semlayer_rollups (`name`, `definition`, `as_of`, `full_as_of`, `built_at`, `cut`, `freshness`, `row_count`) SELECT 'monthly', ",
			"DELETE FROM agg.semlayer_rollups WHERE `name` = 'monthly' AND `as_of` <> TIMESTAMP '" + at + "'",
		}, "TIMESTAMP '" + at + "'"},
	} {
		w := &textWarehouse{dialect: c.kind, answers: func(sql string) string {
			switch {
			case strings.Contains(sql, "CURRENT_TIMESTAMP"):
				return "2026-01-02 03:04:05.000006Z"
			case strings.Contains(sql, "MAX("):
				return "2024-03-01"
			}
			return ""
		}}
		driver := warehouse.Driver{Type: c.kind, StatementsWrite: true, Open: func(profile.Profile, warehouse.Options) (executor.Executor, error) { return w, nil }}
		config := "datasources: {w: {type: " + c.kind + ", " + c.settings + ", rollups: {writable: true, schema: agg, grant_to: [reader]}}}"
		refresh := func() engine.RefreshedRollup {
			e := rolledShop(t, engine.Config{ConnectionsText: []byte(config), Drivers: []warehouse.Driver{driver}}, byMonthAndStatus+"}")
			defer e.Close()
			done, err := e.RefreshRollups(t.Context(), engine.RollupRefresh{Connection: "w"})
			if err != nil || len(done) != 1 || done[0].Action != engine.RollupBuilt {
				t.Fatalf("%s: %+v, %v", c.kind, done, err)
			}
			return done[0]
		}
		got := refresh()
		wantBegins(t, c.kind, w.written, c.first)
		if !slices.Equal(got.Statements, w.written) {
			t.Errorf("%s: the report has other statements: %q", c.kind, got.Statements)
		}
		if insert := w.written[4]; strings.Count(insert, c.stamp) != 3 || !strings.Contains(insert, "2024-02-01") || !strings.HasSuffix(insert, ", '', COUNT(*) FROM agg.monthly") {
			t.Errorf("%s: %s", c.kind, insert)
		}
		// A later build makes no control table.
		w.tables, w.written = []string{"agg.monthly", "agg.semlayer_rollups"}, nil
		refresh()
		wantBegins(t, c.kind, w.written, c.first[2:])
	}
}

// wantBegins compares the beginnings of statements.
func wantBegins(t *testing.T, kind string, got, want []string) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(sql, begin string) bool {
		return sql == begin || strings.HasSuffix(begin, " ") && strings.HasPrefix(sql, begin)
	}) {
		t.Errorf("%s:\n%s\nwant\n%s", kind, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
