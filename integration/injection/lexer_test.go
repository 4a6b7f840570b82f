package injection_test

import (
	"fmt"
	"strings"
	"testing"
)

// sqlLexer is how an engine reads a statement, as far as it decides where a text ends.
type sqlLexer struct {
	quote     byte // of names
	backslash bool // escapes in text
	hash      bool // begins a comment
}

var lexes = map[string]sqlLexer{
	"duckdb": {quote: '"'}, "postgres": {quote: '"'}, "mariadb": {quote: '`', backslash: true, hash: true},
}

// oneSelect returns why a statement is not one SELECT without comments, "" when it is.
func (l sqlLexer) oneSelect(sql string) string {
	if !strings.HasPrefix(sql, "SELECT ") && !strings.HasPrefix(sql, "SELECT\n") && !strings.HasPrefix(sql, "WITH ") {
		return "it does not begin as a query"
	}
	outside, why := l.outside(sql)
	if why != "" {
		return why
	}
	for _, bad := range []string{";", "--", "/*", "*/", "$", "?", "@", `\`} {
		if strings.Contains(outside, bad) {
			return bad + " stands outside of quotes"
		}
	}
	if l.hash && strings.Contains(outside, "#") {
		return "# stands outside of quotes"
	}
	for word := range strings.FieldsFuncSeq(strings.ToUpper(outside), func(r rune) bool { return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') }) {
		switch word {
		case "INTO", "COPY", "ATTACH", "INSTALL", "LOAD", "PRAGMA", "LOAD_FILE", "PG_READ_FILE", "PG_SLEEP", "SLEEP", "BENCHMARK", "GETENV", "READ_CSV", "READ_TEXT", "READ_BLOB",
			"SET_CONFIG", "LO_IMPORT", "DBLINK", "LOAD_EXTENSION", "READFILE", "DROP", "DELETE", "UPDATE", "INSERT", "CREATE", "CALL":
			return word + " stands outside of quotes"
		}
	}
	return ""
}

// outside returns the text outside of quotes.
func (l sqlLexer) outside(sql string) (text, why string) {
	var b strings.Builder
	for i := 0; i < len(sql); i++ {
		c := sql[i]
		if c != '\'' && c != l.quote {
			b.WriteByte(c)
			continue
		}
		begin := i
		for i++; ; i++ {
			if i >= len(sql) {
				return "", fmt.Sprintf("the quote at %d has no end", begin)
			}
			if l.backslash && c == '\'' && sql[i] == '\\' {
				i++
				continue
			}
			if sql[i] == c {
				if i+1 < len(sql) && sql[i+1] == c {
					i++
					continue
				}
				break
			}
		}
		b.WriteString(" x ")
	}
	return b.String(), ""
}

func TestLexer_SeesEscapeFromQuotes(t *testing.T) {
	for _, tt := range []struct {
		engine, sql string
		one         bool
	}{
		{"postgres", `SELECT 'a;''--' FROM "x;"`, true},
		{"postgres", `SELECT 'a\' FROM "x"`, true},
		{"mariadb", `SELECT 'a\' FROM x`, false},
		{"mariadb", "SELECT 'a\\';' FROM `x;``#`", true},
		{"mariadb", "SELECT 1 # 'x'", false},
		{"duckdb", `SELECT 1; SELECT 2`, false},
		{"duckdb", `SELECT 'a'; --'`, false},
		{"duckdb", `SELECT 1 /* x */`, false},
		{"duckdb", `DROP TABLE notes`, false},
		{"duckdb", `SELECT read_text('x')`, false},
		{"postgres", `SELECT $$x$$`, false},
		{"postgres", `SELECT 1 FROM "x`, false},
	} {
		if why := lexes[tt.engine].oneSelect(tt.sql); (why == "") != tt.one {
			t.Errorf("%s: %s: %q", tt.engine, tt.sql, why)
		}
	}
}
