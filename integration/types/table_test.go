package types_test

// absent marks a value that an engine does not have.
const absent = "–"

// value is one kind of value and how to say it on each engine.
type value struct {
	kind     string // as the page calls it
	datatype string // of the field in the model, or none
	sql      [5]string
	arrow    [5]string // or one for all
	json     string
}

func same(s string) [5]string { return [5]string{s, s, s, s, s} }

// engines is the order of everything that has five parts.
var engines = [5]string{"DuckDB", "PostgreSQL", "MySQL family", "SQLite", "ClickHouse"}

func values() []value {
	const (
		wide = "170141183460469231731687303715884105727"
		when = "TIMESTAMP '2024-01-05 10:00:00.5'"
	)
	return []value{
		{"boolean", "Boolean", [5]string{"TRUE", "TRUE", "1 = 1", "1 = 1", "true"}, same("bool"), "true"},
		{"integer", "Integer", [5]string{"42", "42", "42", "42", "toInt32(42)"}, [5]string{"int32", "int32", "int32", "int64", "int32"}, "42"},
		{"integer of 64 bits", "Integer", [5]string{"9007199254740993", "9007199254740993", "9007199254740993", "9007199254740993", "toInt64(9007199254740993)"}, same("int64"), "9007199254740993"},
		{"unsigned integer", "Integer", [5]string{"18446744073709551615::UBIGINT", absent, "CAST(18446744073709551615 AS UNSIGNED)", absent, "toUInt64(18446744073709551615)"}, [5]string{"uint64", absent, "uint64", absent, "uint64"}, "18446744073709551615"},
		{"huge integer", "Integer", [5]string{wide + "::HUGEINT", wide + "::numeric(39)", "CAST(" + wide + " AS DECIMAL(39))", absent, "toInt128('" + wide + "')"},
			[5]string{"decimal(38, 0)", "decimal256(39, 0)", "decimal256(76, 0)", absent, "decimal(38, 0)"}, wide},
		{"decimal with a declared scale", "Decimal", [5]string{"12.5::DECIMAL(10,2)", "12.5::numeric(10,2)", "CAST(12.5 AS DECIMAL(10,2))", absent, "CAST(12.5 AS Decimal(10, 2))"},
			[5]string{"decimal(10, 2)", "decimal(10, 2)", "decimal(38, 2)", absent, "decimal(10, 2)"}, "12.50"},
		{"sum of decimals", "Decimal", [5]string{"(SELECT SUM(x) FROM (SELECT 12.5::DECIMAL(10,2) AS x) AS s)", "(SELECT SUM(x) FROM (SELECT 12.5::numeric(10,2) AS x) AS s)", "(SELECT SUM(x) FROM (SELECT CAST(12.5 AS DECIMAL(10,2)) AS x) AS s)", absent, "(SELECT SUM(x) FROM (SELECT CAST(12.5 AS Decimal(10, 2)) AS x) AS s)"},
			[5]string{"decimal(38, 2)", "utf8, number", "decimal(38, 2)", absent, "decimal(38, 2)"}, "12.50"},
		{"double", "Float", [5]string{"0.1::DOUBLE", "0.1::float8", "CAST(0.1 AS DOUBLE)", "0.1", "toFloat64(0.1)"}, same("float64"), "0.1"},
		{"single", "Float", [5]string{"0.1::FLOAT", "0.1::float4", "CAST(0.1 AS FLOAT)", absent, "toFloat32(0.1)"}, [5]string{"float32", "float32", "float32", absent, "float32"}, "0.1"},
		{"NaN and infinities", "Float", [5]string{"'-inf'::DOUBLE", "'-Infinity'::float8", absent, "-9e999", "-inf"}, [5]string{"float64", "float64", absent, "float64", "float64"}, "null"},
		{"date", "Date", [5]string{"DATE '2024-01-05'", "DATE '2024-01-05'", "DATE '2024-01-05'", "'2024-01-05'", "toDate('2024-01-05')"}, same("date32"), `"2024-01-05"`},
		{"timestamp", "DateTime", [5]string{when, when, "CAST('2024-01-05 10:00:00.5' AS DATETIME(6))", "'2024-01-05 10:00:00.5'", "toDateTime64('2024-01-05 10:00:00.5', 6)"}, same("timestamp[us]"), `"2024-01-05T10:00:00.5"`},
		{"timestamp with a zone", "DateTimeTz", [5]string{"TIMESTAMPTZ '2024-01-05 10:00:00+02'", "TIMESTAMPTZ '2024-01-05 10:00:00+02'", "CAST('2024-01-05 08:00:00' AS DATETIME(6))", "'2024-01-05 08:00:00'", "toDateTime64('2024-01-05 10:00:00', 6, 'Etc/GMT-2')"},
			same("timestamp[us, tz=UTC]"), `"2024-01-05T08:00:00Z"`},
		{"timestamp of a field of type Date", "Date", [5]string{"TIMESTAMP '2024-01-05 10:00:00'", "TIMESTAMP '2024-01-05 10:00:00'", "TIMESTAMP '2024-01-05 10:00:00'", "'2024-01-05 10:00:00'", "toDateTime('2024-01-05 10:00:00')"}, same("date32"), `"2024-01-05"`},
		{"time of day", "", [5]string{"TIME '10:00:00.5'", "TIME '10:00:00.5'", "CAST('10:00:00.5' AS TIME(3))", "'10:00:00.5'", absent}, [5]string{"time64[us]", "time64[us]", "utf8", "utf8", absent}, `"10:00:00.5"`},
		{"interval", "", [5]string{"INTERVAL '1 month 2 days'", "INTERVAL '1 month 2 days'", absent, absent, absent}, [5]string{"month_day_nano_interval", "month_day_nano_interval", absent, absent, absent}, `"P1M2D"`},
		{"text", "String", same("'Łódź \"x\"'"), same("utf8"), `"Łódź \"x\""`},
		{"binary", "", [5]string{`'\x00\xFFab'::BLOB`, `'\x00ff6162'::bytea`, "x'00ff6162'", "x'00ff6162'", absent}, [5]string{"binary", "binary", "binary", "binary", absent}, `"AP9hYg=="`},
		{"UUID", "", [5]string{"'00112233-4455-6677-8899-aabbccddeeff'::UUID", "'00112233-4455-6677-8899-aabbccddeeff'::uuid", "CAST('00112233-4455-6677-8899-aabbccddeeff' AS UUID)", absent, "toUUID('00112233-4455-6677-8899-aabbccddeeff')"}, [5]string{"utf8", "utf8", "utf8", absent, "utf8"}, `"00112233-4455-6677-8899-aabbccddeeff"`},
		{"array", "", [5]string{"[1, NULL, 3]", "ARRAY[1, NULL, 3]", absent, absent, "[1, NULL, 3]"}, [5]string{"utf8, json", "utf8, json", absent, absent, "utf8, json"}, `[1,null,3]`},
		{"array of texts and times", "", [5]string{"[TIMESTAMPTZ '2024-01-05 10:00:00+02']", "ARRAY[TIMESTAMPTZ '2024-01-05 10:00:00+02']", absent, absent, "[toDateTime64('2024-01-05 10:00:00', 6, 'Etc/GMT-2')]"}, [5]string{"utf8, json", "utf8, json", absent, absent, "utf8, json"}, `["2024-01-05T08:00:00Z"]`},
		{"JSON", "", [5]string{`'{"a": [1]}'::JSON`, `'{"a": [1]}'::jsonb`, absent, absent, absent}, [5]string{"utf8, json", "utf8, json", absent, absent, absent}, `{"a": [1]}`},
		{"NULL without a type", "", same("NULL"), [5]string{"int32", "utf8", "binary", "null", "null"}, "null"},
	}
}
