package sqlemit_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/sqlemit"
)

// stringLiteralText is a text with all that may need an escape.
const stringLiteralText = `it's \ "x"` + "\n" + "`;--"

// stringLiterals is that text in each dialect.
var stringLiterals = map[string]string{
	"duckdb":     `'it''s \ "x"` + "\n`;--'",
	"postgres":   `'it''s \ "x"` + "\n`;--'",
	"redshift":   `'it''s \\ "x"` + "\n`;--'",
	"mysql":      `'it''s \\ "x"` + "\n`;--'",
	"mariadb":    `'it''s \\ "x"` + "\n`;--'",
	"tidb":       `'it''s \\ "x"` + "\n`;--'",
	"starrocks":  `'it''s \\ "x"` + "\n`;--'",
	"doris":      `'it''s \\ "x"` + "\n`;--'",
	"sqlite":     `'it''s \ "x"` + "\n`;--'",
	"clickhouse": `'it''s \\ "x"` + "\n`;--'",
	"trino":      `'it''s \ "x"` + "\n`;--'",
	"snowflake":  `'it''s \\ "x"` + "\n`;--'",
	"bigquery":   `'it\'s \\ "x"\n` + "`;--'",
	"databricks": `'it\'s \\ "x"` + "\n`;--'",
}

// escapesByBackslash reports whether a backslash in a literal of a dialect escapes.
func escapesByBackslash(dialect string) bool { return strings.Contains(stringLiterals[dialect], `\\`) }

func TestLiteral_StringQuotesPerDialect(t *testing.T) {
	for _, d := range dialects(t) {
		got, err := expression(&sqlexpr.String{Value: stringLiteralText}, d)
		if err != nil || got != stringLiterals[d.Name()] {
			t.Errorf("%s: got %s, %v\nwant %s", d.Name(), got, err, stringLiterals[d.Name()])
		}
	}
}

func TestLiteral_Typed(t *testing.T) {
	tests := []struct{ dialect, expr, want string }{
		{"postgres", "DATE '2024-02-29'", "DATE '2024-02-29'"},
		{"postgres", "TIMESTAMP '2024-02-29T13:05'", "TIMESTAMP '2024-02-29 13:05:00'"},
		{"postgres", "TIMESTAMPTZ '2024-02-29 23:30:00-02:00'", "TIMESTAMP WITH TIME ZONE '2024-03-01 01:30:00+00:00'"},
		{"duckdb", "TIMESTAMPTZ '2024-02-29 23:30:00.25Z'", "TIMESTAMPTZ '2024-02-29 23:30:00.25+00:00'"},
		{"mysql", "TIMESTAMPTZ '2024-02-29 23:30:00-02:00'", "TIMESTAMP '2024-03-01 01:30:00'"},
		{"bigquery", "TIMESTAMP '2024-02-29 13:05:00'", "DATETIME '2024-02-29 13:05:00'"},
		{"clickhouse", "DATE '2024-02-29'", "toDate32('2024-02-29')"},
		{"clickhouse", "TIMESTAMP '2024-02-29 13:05:00'", "toDateTime64('2024-02-29 13:05:00', 6, 'UTC')"},
		{"snowflake", "TIMESTAMP '2024-02-29 13:05:00'", "TO_TIMESTAMP_NTZ('2024-02-29 13:05:00')"},
		{"trino", "TIMESTAMPTZ '2024-02-29 13:05:00Z'", "TIMESTAMP '2024-02-29 13:05:00 UTC'"},
		{"starrocks", "TIMESTAMP '2024-02-29 13:05:00'", "CAST('2024-02-29 13:05:00' AS DATETIME)"},
		{"sqlite", "DATE '2024-02-29'", "'2024-02-29'"},
		{"postgres", "INTERVAL '3' QUARTER", "INTERVAL '9 month'"},
		{"duckdb", "INTERVAL '-2' WEEK", "INTERVAL '-2 week'"},
	}
	for _, tt := range tests {
		d, _ := sqlemit.LookupDialect(tt.dialect)
		got, err := expression(parse(t, tt.expr), d)
		if err != nil || got != tt.want {
			t.Errorf("%s: %s\n got %s, %v\nwant %s", tt.dialect, tt.expr, got, err, tt.want)
		}
	}
}

func TestLiteral_NumbersKeepDigits(t *testing.T) {
	d, _ := sqlemit.LookupDialect("postgres")
	for text, want := range map[string]string{
		"1": "1", "007": "007", "1.50": "1.50", ".5": "0.5", "5.": "5.0", "1e3": "1e3", "5.e-3": "5.0e-3",
		"123456789012345678901234567890": "123456789012345678901234567890",
	} {
		if got, err := expression(&sqlexpr.Number{Text: text}, d); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", ".", "-1", "1e", "1e+", "0x1", "1 ", "1;", "NaN"} {
		if got, err := expression(&sqlexpr.Number{Text: text}, d); err == nil {
			t.Errorf("%q: got %s", text, got)
		}
	}
}

// readLiteral reads a text literal as the dialect's engine does, and returns
// what follows it.
func readLiteral(sql string, backslash bool) (value, rest string, ok bool) {
	if !strings.HasPrefix(sql, "'") {
		return "", "", false
	}
	var b strings.Builder
	for i := 1; i < len(sql); i++ {
		switch c := sql[i]; {
		case c == '\\' && backslash:
			i++
			if i == len(sql) {
				return "", "", false
			}
			switch sql[i] {
			case 'n':
				b.WriteByte('\n')
			case 'r':
				b.WriteByte('\r')
			default:
				b.WriteByte(sql[i])
			}
		case c == '\'' && i+1 < len(sql) && sql[i+1] == '\'':
			b.WriteByte('\'')
			i++
		case c == '\'':
			return b.String(), sql[i+1:], true
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

// The engine reads back exactly the string, and nothing after it.
func FuzzLiteral_String(f *testing.F) {
	for _, s := range []string{"", "'", `\`, `\'`, `''`, `'\''`, "\n", "a\r\nb", `"`, "`", "--", "/*", "é", "\\\\'"} {
		f.Add(s)
	}
	all := dialects(f)
	f.Fuzz(func(t *testing.T, s string) {
		for _, d := range all {
			sql, err := expression(&sqlexpr.String{Value: s}, d)
			if strings.Contains(s, "\x00") {
				if err == nil {
					t.Fatalf("%s: a NUL byte got through: %q", d.Name(), sql)
				}
				continue
			}
			value, rest, ok := readLiteral(sql, escapesByBackslash(d.Name()))
			if err != nil || !ok || rest != "" || value != s {
				t.Fatalf("%s: %q became %s, which reads as %q then %q (%v)", d.Name(), s, sql, value, rest, err)
			}
		}
	})
}

// shortestLimit is how long a name may be where it may be least: longer ones get
// another end there.
const shortestLimit = 63

// Quoting keeps every name inside its quotes.
func FuzzNames_Quoted(f *testing.F) {
	for _, s := range []string{"a", `"`, "`", `\`, "\\`", `""`, "``", "a.b", "order", "größe"} {
		f.Add(s)
	}
	all := dialects(f)
	f.Fuzz(func(t *testing.T, s string) {
		for _, d := range all {
			sql, err := expression(&sqlexpr.Column{Path: []sqlexpr.Name{{Text: s, Quoted: true}}}, d)
			if err != nil {
				t.Fatal(err)
			}
			q := quote(d, "")[0]
			escape := d.Name() == "bigquery" || d.Name() == "clickhouse"
			if got, ok := readName(sql, q, escape); !ok || got != s && len(s) <= shortestLimit {
				t.Fatalf("%s: %q became %s, which reads as %q", d.Name(), s, sql, got)
			}
		}
	})
}

func readName(sql string, q byte, backslash bool) (string, bool) {
	if len(sql) < 2 || sql[0] != q || sql[len(sql)-1] != q {
		return "", false
	}
	var b strings.Builder
	for i := 1; i < len(sql)-1; i++ {
		switch c := sql[i]; {
		case backslash && c == '\\', !backslash && c == q:
			i++
			if i == len(sql)-1 || !backslash && sql[i] != q {
				return "", false
			}
			b.WriteByte(sql[i])
		case c == q:
			return "", false
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}
