package types_test

// absent says that an engine has no such value.
const absent = "–"

// value is one kind of value and how to say it on each engine.
type value struct {
	kind     string // as the page calls it
	datatype string // of the field in the model, or none
	sql      [3]string
	arrow    [3]string // or one for all
	json     string
}

func same(s string) [3]string { return [3]string{s, s, s} }

// engines is the order of everything that has three parts.
var engines = [3]string{"DuckDB", "PostgreSQL", "MySQL family"}

func values() []value {
	const (
		wide = "170141183460469231731687303715884105727"
		when = "TIMESTAMP '2024-01-05 10:00:00.5'"
	)
	return []value{
		{"boolean", "Boolean", [3]string{"TRUE", "TRUE", "1 = 1"}, same("bool"), "true"},
		{"integer", "Integer", same("42"), same("int32"), "42"},
		{"integer of 64 bits", "Integer", [3]string{"9007199254740993", "9007199254740993", "9007199254740993"}, same("int64"), "9007199254740993"},
		{"unsigned integer", "Integer", [3]string{"18446744073709551615::UBIGINT", absent, "CAST(18446744073709551615 AS UNSIGNED)"}, [3]string{"uint64", absent, "uint64"}, "18446744073709551615"},
		{"huge integer", "Integer", [3]string{wide + "::HUGEINT", wide + "::numeric(39)", "CAST(" + wide + " AS DECIMAL(39))"},
			[3]string{"decimal(38, 0)", "decimal256(39, 0)", "decimal256(76, 0)"}, wide},
		{"decimal with a declared scale", "Decimal", [3]string{"12.5::DECIMAL(10,2)", "12.5::numeric(10,2)", "CAST(12.5 AS DECIMAL(10,2))"},
			[3]string{"decimal(10, 2)", "decimal(10, 2)", "decimal(38, 2)"}, "12.50"},
		{"sum of decimals", "Decimal", [3]string{"(SELECT SUM(x) FROM (SELECT 12.5::DECIMAL(10,2) AS x) AS s)", "(SELECT SUM(x) FROM (SELECT 12.5::numeric(10,2) AS x) AS s)", "(SELECT SUM(x) FROM (SELECT CAST(12.5 AS DECIMAL(10,2)) AS x) AS s)"},
			[3]string{"decimal(38, 2)", "utf8, number", "decimal(38, 2)"}, "12.50"},
		{"double", "Float", [3]string{"0.1::DOUBLE", "0.1::float8", "CAST(0.1 AS DOUBLE)"}, same("float64"), "0.1"},
		{"single", "Float", [3]string{"0.1::FLOAT", "0.1::float4", "CAST(0.1 AS FLOAT)"}, same("float32"), "0.1"},
		{"NaN and infinities", "Float", [3]string{"'-inf'::DOUBLE", "'-Infinity'::float8", absent}, [3]string{"float64", "float64", absent}, "null"},
		{"date", "Date", same("DATE '2024-01-05'"), same("date32"), `"2024-01-05"`},
		{"timestamp", "DateTime", [3]string{when, when, "CAST('2024-01-05 10:00:00.5' AS DATETIME(6))"}, same("timestamp[us]"), `"2024-01-05T10:00:00.5"`},
		{"timestamp with a zone", "DateTimeTz", [3]string{"TIMESTAMPTZ '2024-01-05 10:00:00+02'", "TIMESTAMPTZ '2024-01-05 10:00:00+02'", "CAST('2024-01-05 08:00:00' AS DATETIME(6))"},
			same("timestamp[us, tz=UTC]"), `"2024-01-05T08:00:00Z"`},
		{"timestamp of a field that is a date", "Date", [3]string{"TIMESTAMP '2024-01-05 10:00:00'", "TIMESTAMP '2024-01-05 10:00:00'", "TIMESTAMP '2024-01-05 10:00:00'"}, same("date32"), `"2024-01-05"`},
		{"time of day", "", [3]string{"TIME '10:00:00.5'", "TIME '10:00:00.5'", "CAST('10:00:00.5' AS TIME(3))"}, [3]string{"time64[us]", "time64[us]", "utf8"}, `"10:00:00.5"`},
		{"interval", "", [3]string{"INTERVAL '1 month 2 days'", "INTERVAL '1 month 2 days'", absent}, [3]string{"month_day_nano_interval", "month_day_nano_interval", absent}, `"P1M2D"`},
		{"text", "String", same("'Łódź \"x\"'"), same("utf8"), `"Łódź \"x\""`},
		{"binary", "", [3]string{`'\x00\xFFab'::BLOB`, `'\x00ff6162'::bytea`, "x'00ff6162'"}, same("binary"), `"AP9hYg=="`},
		{"UUID", "", [3]string{"'00112233-4455-6677-8899-aabbccddeeff'::UUID", "'00112233-4455-6677-8899-aabbccddeeff'::uuid", "CAST('00112233-4455-6677-8899-aabbccddeeff' AS UUID)"}, same("utf8"), `"00112233-4455-6677-8899-aabbccddeeff"`},
		{"array", "", [3]string{"[1, NULL, 3]", "ARRAY[1, NULL, 3]", absent}, [3]string{"utf8, json", "utf8, json", absent}, `[1,null,3]`},
		{"array of texts and times", "", [3]string{"[TIMESTAMPTZ '2024-01-05 10:00:00+02']", "ARRAY[TIMESTAMPTZ '2024-01-05 10:00:00+02']", absent}, [3]string{"utf8, json", "utf8, json", absent}, `["2024-01-05T08:00:00Z"]`},
		{"JSON", "", [3]string{`'{"a": [1]}'::JSON`, `'{"a": [1]}'::jsonb`, absent}, [3]string{"utf8, json", "utf8, json", absent}, `{"a": [1]}`},
		{"NULL without a type", "", same("NULL"), [3]string{"int32", "utf8", "binary"}, "null"},
	}
}
