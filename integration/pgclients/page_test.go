package pgclients

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// example is a program of the page and what it prints.
type example struct {
	client, language, program, output string
}

// pageClients are the clients of the headings of the page.
var pageClients = map[string]string{
	"psql": "psql", "psycopg": "psycopg-3", "SQLAlchemy": "sqlalchemy", "psqlodbc": "psqlodbc", "pgjdbc": "pgjdbc", "node-postgres": "node-postgres",
	"DBD::Pg": "dbd-pg", "ruby-pg": "ruby-pg", "pgx": "pgx", "php-pgsql": "php-pgsql", "RPostgreSQL": "rpostgresql", "libpqxx": "libpqxx",
}

// readExamples reads the programs of docs/postgres-port.md, each with the text after it.
func readExamples(t *testing.T) []example {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "postgres-port.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out []example
	client, language, inside := "", "", false
	for line := range strings.Lines(string(page)) {
		switch {
		case !inside && strings.HasPrefix(line, "### "):
			client = pageClients[strings.TrimSpace(line[4:])]
		case !inside && strings.HasPrefix(line, "```"):
			inside, language = true, strings.TrimSpace(line[3:])
			if client != "" && language != "text" && language != "sh-session" {
				out = append(out, example{client: client, language: language})
			}
		case strings.HasPrefix(line, "```"):
			inside = false
		case !inside || client == "":
		case language == "sh-session" && strings.HasPrefix(line, "$ "):
			out = append(out, example{client: client, language: language, program: line[2:]})
		case language == "sh-session", language == "text":
			out[len(out)-1].output += line
		default:
			out[len(out)-1].program += line
		}
	}
	return out
}

// Each program of the page prints what is below it.
func TestPage_ExamplesPrintTheirOutput(t *testing.T) {
	asked := wanted(t)
	examples := slices.DeleteFunc(readExamples(t), func(e example) bool { return !slices.Contains(asked, e.client) })
	if os.Getenv(clientsVariable) == "all" && len(examples) < 13 {
		t.Fatalf("the page has %d examples", len(examples))
	}
	if len(examples) == 0 {
		t.Skip("no client of the page is asked for: " + clientsVariable)
	}
	environment := startRetail(t)
	for _, e := range examples {
		t.Run(e.client, func(t *testing.T) {
			if got := e.run(t, environment); strings.TrimSpace(got) != strings.TrimSpace(e.output) {
				t.Errorf("%s\nprints\n%s\nwant\n%s", e.program, got, e.output)
			}
		})
	}
}

// run runs the program with the port and the token of the test.
func (e example) run(t *testing.T, environment map[string]string) string {
	t.Helper()
	programs := map[string]struct {
		file    string
		command []string
	}{
		"sh-session": {"example.sh", []string{"sh"}}, "python": {"example.py", []string{"/usr/bin/python3", "-P"}}, "js": {"example.js", []string{"node"}},
		"java": {"Example.java", []string{"java", "-cp", "/usr/share/java/postgresql.jar:."}}, "perl": {"example.pl", []string{"perl"}}, "ruby": {"example.rb", []string{"/usr/bin/ruby"}},
		"go": {"example.go", []string{"go", "run"}}, "php": {"example.php", []string{"php"}}, "r": {"example.R", []string{"Rscript"}},
		"cpp": {"example.cpp", []string{"sh", "testdata/clients/compiled.sh"}},
	}
	program, ok := programs[e.language]
	if !ok {
		t.Fatalf("no program runs %s", e.language)
	}
	path := filepath.Join(t.TempDir(), program.file)
	text := strings.NewReplacer("TOKEN", password, "5433", environment["PGPORT"]).Replace(e.program)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program.command[0], append(slices.Clone(program.command[1:]), path)...)
	modules, err := filepath.Abs("node_modules")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules, "PAGER=")
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	return string(out)
}
