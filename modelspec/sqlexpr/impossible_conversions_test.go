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
