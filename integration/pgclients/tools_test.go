package pgclients

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/integration/internal/floor"
)

// toolStatements are the statements of a tool on the page, each with its rows there.
type toolStatements struct {
	tool             string
	statements, rows []string
}

// readTools reads the statements of docs/postgres-port.md under the tools that no test runs.
func readTools(t *testing.T) []toolStatements {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "postgres-port.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "### Tools that are tested by their statements\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var out []toolStatements
	for part := range strings.SplitSeq(section, "\n#### ") {
		name, body, _ := strings.Cut(part, "\n")
		statements, rows := fenced(body, "sql"), fenced(body, "text")
		if statements == "" {
			continue
		}
		one := toolStatements{tool: name, rows: strings.Split(rows, "\n\n")}
		for line := range strings.SplitSeq(statements, "\n") {
			one.statements = append(one.statements, strings.TrimSuffix(line, ";"))
		}
		out = append(out, one)
	}
	return out
}

// fenced returns the block of a language.
func fenced(body, language string) string {
	_, rest, _ := strings.Cut(body, "```"+language+"\n")
	block, _, _ := strings.Cut(rest, "\n```")
	return block
}

// rowsAsText returns the rows of a statement as the page shows them.
func rowsAsText(t *testing.T, c *pgx.Conn, sql string) string {
	t.Helper()
	results, err := c.PgConn().Exec(t.Context(), sql).ReadAll()
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return "refused " + refused.Code
	}
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, r := range results {
		for _, row := range r.Rows {
			values := make([]string, len(row))
			for i, v := range row {
				if values[i] = string(v); v == nil {
					values[i] = "NULL"
				}
			}
			lines = append(lines, strings.Join(values, "|"))
		}
	}
	if len(lines) == 0 {
		return "(none)"
	}
	return strings.Join(lines, "\n")
}

func TestPage_StatementsOfToolsHaveTheirRows(t *testing.T) {
	environment := startRetail(t)
	checked := 0
	for _, tool := range readTools(t) {
		t.Run(tool.tool, func(t *testing.T) {
			c, err := pgx.Connect(t.Context(), "postgres://me:"+password+"@"+environment["PGHOST"]+":"+environment["PGPORT"]+"/retail")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = c.Close(t.Context()) }()
			if len(tool.statements) != len(tool.rows) {
				t.Fatalf("%d statements and %d results", len(tool.statements), len(tool.rows))
			}
			for i, sql := range tool.statements {
				if diff := cmp.Diff(tool.rows[i], rowsAsText(t, c, sql)); diff != "" {
					t.Errorf("%s\n%s", sql, diff)
				}
				checked++
			}
		})
	}
	floor.CheckCount(t, "statements", checked, 30)
}
