package tables_test

import (
	"testing"

	"github.com/semlayer/semlayer/executor/tables"
)

func TestDatatypeOf_ReadsTheSpellingsOfEachEngine(t *testing.T) {
	tests := []struct {
		dialect, spelled string
		want             tables.Datatype
	}{
		{"duckdb", "HUGEINT", "Integer"},
		{"duckdb", "DECIMAL(18,3)", "Decimal"},
		{"duckdb", "DECIMAL(18,0)", "Integer"},
		{"duckdb", "DECIMAL(18,0)[]", "Opaque"},
		{"duckdb", "INTEGER[3]", "Opaque"},
		{"duckdb", "STRUCT(a INTEGER)", "Opaque"},
		{"duckdb", "MAP(VARCHAR, INTEGER)", "Opaque"},
		{"duckdb", "ENUM('a(', ')b')", "String"},
		{"duckdb", "TIMESTAMP WITH TIME ZONE", "DateTimeTz"},
		{"duckdb", "TIMESTAMP_NS", "DateTime"},
		{"duckdb", "TIME", "Time"},
		{"duckdb", "TIME WITH TIME ZONE", "Opaque"},
		{"duckdb", "UUID", "String"},
		{"duckdb", "JSON", "Opaque"},
		{"duckdb", "BLOB", "Opaque"},
		{"duckdb", "INTERVAL", "Opaque"},
		{"duckdb", "", "Opaque"},
		{"postgres", "timestamp(3) with time zone", "DateTimeTz"},
		{"postgres", "timestamp(3) without time zone", "DateTime"},
		{"postgres", "time without time zone", "Time"},
		{"postgres", "character varying(20)", "String"},
		{"postgres", "numeric", "Decimal"},
		{"postgres", "numeric(20,-2)", "Decimal"},
		{"postgres", "geometry(Point,4326)", "Opaque"},
		{"redshift", "numeric(12,0)", "Integer"},
		{"mysql", "int(10) unsigned zerofill", "Integer"},
		{"mysql", "decimal(10,2) unsigned", "Decimal"},
		{"mysql", "tinyint(1)", "Boolean"},
		{"mysql", "tinyint(4)", "Integer"},
		{"mysql", "bit(1)", "Boolean"},
		{"mysql", "bit(10)", "Integer"},
		{"mysql", "double unsigned", "Float"},
		{"doris", "datetimev2(3)", "DateTime"},
		{"doris", "decimalv3(9, 0)", "Integer"},
		{"starrocks", "largeint(40)", "Integer"},
		{"sqlite", "INT", "Integer"},
		{"sqlite", "UNSIGNED BIG INT", "Integer"},
		{"sqlite", "VARYING CHARACTER(255)", "String"},
		{"sqlite", "VARCHAR COLLATE NOCASE", "String"},
		{"sqlite", "DOUBLE PRECISION", "Float"},
		{"sqlite", "LONGBLOB", "Opaque"},
		{"sqlite", "DATETIME", "DateTime"},
		{"sqlite", "JSON", "Opaque"},
		{"mariadb", "timestamp", "DateTimeTz"},
		{"mysql", "timestamp(6)", "DateTimeTz"},
		{"mysql", "datetime(6)", "DateTime"},
		{"sqlite", "COUNT OF THINGS", "Decimal"},
		{"sqlite", "", ""},
		{"clickhouse", "UInt64", "Integer"},
		{"clickhouse", "Nullable(Decimal(18, 4))", "Decimal"},
		{"clickhouse", "Decimal(18, 0)", "Integer"},
		{"clickhouse", "LowCardinality(Nullable(String))", "String"},
		{"clickhouse", "Enum8('a' = 1, 'b)' = 2)", "String"},
		{"clickhouse", "FixedString(3)", "String"},
		{"clickhouse", "DateTime", "DateTime"},
		{"clickhouse", "DateTime('UTC')", "DateTimeTz"},
		{"clickhouse", "DateTime64(3)", "DateTime"},
		{"clickhouse", "DateTime64(3, 'Europe/Berlin')", "DateTimeTz"},
		{"clickhouse", "Array(UInt8)", "Opaque"},
		{"clickhouse", "Tuple(a UInt8)", "Opaque"},
		{"clickhouse", "AggregateFunction(sum, UInt64)", "Opaque"},
	}
	for _, tt := range tests {
		if got := tables.DatatypeOfWarehouseType(tt.dialect, tt.spelled); got != tt.want {
			t.Errorf("%s %q is %q, want %q", tt.dialect, tt.spelled, got, tt.want)
		}
	}
}

func TestNeedsCastToText_TypesThatAreNotText(t *testing.T) {
	for _, tt := range []struct {
		dialect, spelled string
		want             bool
	}{
		{"postgres", "uuid", true},
		{"postgres", "enum", true},
		{"postgres", `"char"`, true},
		{"postgres", "character varying(20)", false},
		{"postgres", "name", false},
		{"duckdb", "UUID", true},
		{"duckdb", "ENUM('a(', ')b')", true},
		{"duckdb", "VARCHAR", false},
		{"clickhouse", "LowCardinality(Nullable(UUID))", true},
		{"clickhouse", "Enum8('a' = 1, 'b)' = 2)", true},
		{"clickhouse", "Nullable(Enum16('a' = 1))", true},
		{"clickhouse", "FixedString(3)", false},
		{"clickhouse", "LowCardinality(String)", false},
		{"mariadb", "enum('a','b')", false},
		{"sqlite", "UUID", false},
	} {
		if got := tables.NeedsCastToText(tt.dialect, tt.spelled); got != tt.want {
			t.Errorf("%s %s: %v, want %v", tt.dialect, tt.spelled, got, tt.want)
		}
	}
}
