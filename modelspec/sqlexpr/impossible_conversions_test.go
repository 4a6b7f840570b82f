package sqlexpr

import "testing"

func TestFindImpossibleConversion_BetweenNumbersAndTimes(t *testing.T) {
	types := map[string]Type{"d": TypeDate, "t": TypeTimestamp, "z": TypeTimestampTZ, "c": TypeTime, "i": TypeInt, "n": TypeDecimal, "f": TypeFloat, "b": TypeBool, "s": TypeString}
	leaf := func(e Expr) Type {
		if c, ok := e.(*Column); ok {
			return types[c.Path[0].Text]
		}
		return TypeUnknown
	}
	for text, want := range map[string]string{
		"CAST(20240105 AS DATE)":                "a value of type integer cannot be converted to date",
		"CAST(f AS TIMESTAMP)":                  "a value of type double cannot be converted to timestamp",
		"CAST(b AS DATE)":                       "a value of type boolean cannot be converted to date",
		"CAST(d AS INTEGER)":                    "a value of type date cannot be converted to integer",
		"CAST(DATEADD('day', 1, d) AS DECIMAL)": "a value of type date cannot be converted to decimal",
		"CAST(c AS INTEGER)":                    "a value of type time cannot be converted to integer",
		"TO_DATE(i)":                            "a value of type integer cannot be converted to date",
		"TO_TIMESTAMP(i + 1)":                   "a value of type integer cannot be converted to timestamp",
		"YEAR(i)":                               "YEAR takes a date or time, and the value is of type integer",
		"EXTRACT(MONTH FROM n)":                 "EXTRACT takes a date or time, and the value is of type decimal",
		"DATE_TRUNC('month', i)":                "DATE_TRUNC takes a date or time, and the value is of type integer",
		"DATEADD('day', 1, i)":                  "DATEADD takes a date or time, and the value is of type integer",
		"DATEDIFF('day', d, i)":                 "DATEDIFF takes a date or time, and the value is of type integer",
		"CAST(d AS TIMESTAMP)":                  "",
		"CAST(t AS VARCHAR)":                    "",
		"CAST(s AS DATE)":                       "",
		"CAST(u AS DATE)":                       "",
		"CAST(s AS INTEGER)":                    "",
		"CAST(b AS INTEGER)":                    "",
		"TO_DATE(s)":                            "",
		"YEAR(z)":                               "",
		"DATE_TRUNC('month', s)":                "",
		"DATEADD('day', i, d)":                  "",

		"s + 1":                              "+ takes numbers, and a value is of type string",
		"d + s":                              "+ takes numbers, and a value is of type string",
		"1 - TRIM(s)":                        "- takes numbers, and a value is of type string",
		"u * s":                              "* takes numbers, and a value is of type string",
		"i / (s || '1')":                     "/ takes numbers, and a value is of type string",
		"s % 2":                              "% takes numbers, and a value is of type string",
		"-s":                                 "- takes numbers, and a value is of type string",
		"i + 'north'":                        "+ takes numbers, and a value is of type string",
		"'12kg' * 2":                         "* takes numbers, and a value is of type string",
		"ABS(s)":                             "ABS takes numbers, and a value is of type string",
		"ROUND(n, s)":                        "ROUND takes numbers, and a value is of type string",
		"LEFT(s, s)":                         "LEFT takes numbers, and a value is of type string",
		"SUBSTRING(s, 1, s)":                 "SUBSTRING takes numbers, and a value is of type string",
		"SPLIT_PART(s, ',', s)":              "SPLIT_PART takes numbers, and a value is of type string",
		"DATEADD('day', s, d)":               "DATEADD takes numbers, and a value is of type string",
		"SUM(s)":                             "SUM takes numbers, and a value is of type string",
		"i + '5'":                            "",
		"d - '2024-01-05'":                   "",
		"u + 'north'":                        "",
		"u + 1":                              "",
		"i + CAST(s AS DECIMAL)":             "",
		"i + LENGTH(s)":                      "",
		"s || i":                             "",
		"LEFT(s, i)":                         "",
		"d + INTERVAL '1' DAY":               "",
		"COALESCE(i, s)":                     "a value of type string and one of type integer have no common type",
		"COALESCE(n, 'none')":                "a value of type string and one of type decimal have no common type",
		"COALESCE(s, 0)":                     "a value of type string and one of type integer have no common type",
		"COALESCE(d, s)":                     "a value of type string and one of type date have no common type",
		"COALESCE(u, s, b)":                  "a value of type string and one of type boolean have no common type",
		"GREATEST(f, s)":                     "a value of type string and one of type double have no common type",
		"IF(b, i, s)":                        "a value of type string and one of type integer have no common type",
		"CASE WHEN b THEN 1 ELSE 'none' END": "a value of type string and one of type integer have no common type",
		"COALESCE(i, '5')":                   "",
		"COALESCE(d, '2024-01-05')":          "",
		"COALESCE(b, 'yes')":                 "",
		"COALESCE(s, 'none', NULL)":          "",
		"COALESCE(u, 'none')":                "",
		"COALESCE(u, 0)":                     "",
		"COALESCE(i, n, f)":                  "",
		"i = s":                              "a value of type string is compared with one of type integer",
		"s > d":                              "a value of type string is compared with one of type date",
		"i = 'north'":                        "a value of type string is compared with one of type integer",
		"i IN (1, s)":                        "a value of type string is compared with one of type integer",
		"s BETWEEN 1 AND 2":                  "a value of type string is compared with one of type integer",
		"NULLIF(n, s)":                       "a value of type string is compared with one of type decimal",
		"CASE s WHEN 1 THEN 'a' END":         "a value of type string is compared with one of type integer",
		"i = '5'":                            "",
		"s = '5'":                            "",
		"d >= '2024-01-05'":                  "",
		"u = s":                              "",
	} {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if c := FindImpossibleConversion(e, leaf); c != nil {
			got = c.Message
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
