package duckdb_test

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
)

func loader(t *testing.T, path string) executor.TableLoader {
	t.Helper()
	s, err := duckdb.OpenWriteSession(t.Context(), duckdb.Options{Path: path, ReadWrite: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s.(executor.TableLoader)
}

// Rows of more than one chunk, with a null in each column, come back with the types that they had.
func TestLoadTable_KeepsTypesAndValues(t *testing.T) {
	const columns = `SELECT i::TINYINT AS a, (i * 1000)::BIGINT AS b, (i * 1.25)::DOUBLE AS c, (i / 100)::DECIMAL(9, 2) AS d,
	 (170141183460469231731687303715884105727 - i)::HUGEINT AS e, i % 2 = 0 AS f, DATE '0001-01-01' + i::INTEGER AS g,
	 TIMESTAMP '1960-02-29 23:59:59.123456' + INTERVAL (i) DAY AS h, TIMESTAMPTZ '2024-02-29 12:00:00+02' + INTERVAL (i) HOUR AS j,
	 'text ''' || i || ' ä€😀' AS k, '\x00\xFF\x27'::BLOB || (i::VARCHAR)::BLOB AS l, TIME '12:34:56.5' AS m, (i / 3)::FLOAT AS n, i::UBIGINT AS o,
	 TIMESTAMP_NS '2024-01-01 00:00:00.123456789' AS p`
	const source = columns + ` FROM range(100) AS r(i), range(50) UNION ALL SELECT ` +
		`NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`
	path := filepath.Join(t.TempDir(), "l.duckdb")
	if err := duckdb.CreateDatabase(t.Context(), path, "CREATE TABLE s AS "+source); err != nil {
		t.Fatal(err)
	}
	from := open(t, duckdb.Options{})
	rows, err := from.Query(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	s := loader(t, path)
	if err := s.LoadTable(t.Context(), "main", `odd "name"`, rows); err != nil {
		t.Fatal(err)
	}
	for sql, want := range map[string]string{
		`SELECT COUNT(*), COUNT(a) FROM "odd ""name"""`:                "5001 5000",
		`SELECT COUNT(*) FROM (FROM "odd ""name""" EXCEPT ALL FROM s)`: "0",
		`SELECT COUNT(*) FROM (FROM s EXCEPT ALL FROM "odd ""name""")`: "0",
		`SELECT COUNT(*) FROM duckdb_columns() AS a JOIN duckdb_columns() AS b USING (column_name, data_type, column_index) WHERE a.table_name = 's' AND b.table_name <> 's'`: "15",
	} {
		got, err := s.Query(t.Context(), sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		text := ""
		for i, cell := range got[0] {
			if i > 0 {
				text += " "
			}
			text += *cell
		}
		if text != want {
			t.Errorf("%s: %s, want %s", sql, text, want)
		}
	}
}

// arrowRows are the rows of one batch of texts.
type arrowRows struct {
	schema *arrow.Schema
	batch  arrow.RecordBatch
}

func (r *arrowRows) Schema() *arrow.Schema { return r.schema }
func (r *arrowRows) Close() error          { return nil }

func (r *arrowRows) Next(context.Context) (arrow.RecordBatch, error) {
	if r.batch == nil {
		return nil, io.EOF
	}
	b := r.batch
	r.batch = nil
	return b, nil
}

func textRows(f arrow.Field, values ...string) executor.Rows {
	schema := arrow.NewSchema([]arrow.Field{f}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	b.Field(0).(*array.StringBuilder).AppendValues(values, nil)
	b.Field(0).AppendNull()
	return &arrowRows{schema, b.NewRecordBatch()}
}

// Numbers that a warehouse sends as texts become numbers of the type that holds them all.
func TestLoadTable_ReadsNumbersFromTexts(t *testing.T) {
	s := loader(t, filepath.Join(t.TempDir(), "n.duckdb"))
	number := executor.NewField("x", arrow.BinaryTypes.String, executor.TextKindDecimal)
	for i, tt := range []struct {
		values []string
		want   string
	}{
		{[]string{"1", "-18446744073709551616"}, "HUGEINT -18446744073709551615"},
		{[]string{"1.5", "-0.25", "100"}, "DECIMAL(38,2) 101.25"},
		{[]string{"1.5", "NaN"}, "DOUBLE NaN"},
		{[]string{"0.0000000000000000000000000000000000000001", "2"}, "DOUBLE 2.0"},
		{nil, "DECIMAL(18,0) NULL"},
	} {
		table := "t" + string(rune('0'+i))
		if err := s.LoadTable(t.Context(), "main", table, textRows(number, tt.values...)); err != nil {
			t.Fatalf("%v: %v", tt.values, err)
		}
		got, err := s.Query(t.Context(), "SELECT ANY_VALUE(data_type) || ' ' || COALESCE((SELECT SUM(x) FROM "+table+")::VARCHAR, 'NULL') FROM duckdb_columns() WHERE table_name = '"+table+"'")
		if err != nil {
			t.Fatal(err)
		}
		if text := *got[0][0]; text != tt.want && text != "DOUBLE nan" {
			t.Errorf("%v: %s, want %s", tt.values, text, tt.want)
		}
	}
}

func TestLoadTable_RefusesWhatATableDoesNotKeep(t *testing.T) {
	s := loader(t, filepath.Join(t.TempDir(), "r.duckdb"))
	from := open(t, duckdb.Options{})
	json := textRows(executor.NewField("x", arrow.BinaryTypes.String, executor.TextKindJSON))
	if err := s.LoadTable(t.Context(), "main", "t", json); code(err) != executor.CodeConfig {
		t.Errorf("JSON: %v", err)
	}
	rows, err := from.Query(t.Context(), "SELECT INTERVAL 1 DAY AS x")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if err := s.LoadTable(t.Context(), "main", "t", rows); code(err) != executor.CodeConfig {
		t.Errorf("an interval: %v", err)
	}
}

// A column of no type has no value, and takes part in any expression.
func TestLoadTable_KeepsColumnsOfNoType(t *testing.T) {
	s := loader(t, filepath.Join(t.TempDir(), "u.duckdb"))
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.Null}, {Name: "y", Type: arrow.PrimitiveTypes.Int32}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	b.Field(0).AppendNulls(3)
	b.Field(1).(*array.Int32Builder).AppendValues([]int32{1, 2, 3}, nil)
	if err := s.LoadTable(t.Context(), "main", "it's", &arrowRows{schema, b.NewRecordBatch()}); err != nil {
		t.Fatal(err)
	}
	if types, err := s.ColumnTypes(t.Context(), "main", "it's"); err != nil || !slices.Equal(types, []string{`"NULL"`, "INTEGER"}) {
		t.Errorf("%v, %v", types, err)
	}
	got, err := s.Query(t.Context(), `SELECT SUM(y), COUNT(x), SUM(x), MIN(x || 'a'), COUNT(*) FILTER (x > 1) FROM "it's"`)
	if err != nil || *got[0][0] != "6" || *got[0][1] != "0" || got[0][2] != nil || got[0][3] != nil || *got[0][4] != "0" {
		t.Errorf("%v, %v", got, err)
	}
}
