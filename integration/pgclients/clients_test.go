package pgclients

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/integration/internal/floor"
)

// clientsVariable names the clients that have to run: all, or a list.
const clientsVariable = "SEMLAYER_POSTGRES_CLIENTS"

// minClients is how many clients have to run where all are requested.
const minClients = 15

// client is one program that connects.
type client struct {
	name    string
	script  string   // in testdata/clients
	command []string // that runs the script, before its path
	differs facts
	lacks   []string // facts that it cannot find
}

// codes are the errors of clients that show no SQLSTATE but the text of an error, with its code.
var codes = facts{"error": "unknown_column", "cancel": "timeout"}

// codesOfR are those and the numbers of R, which have no trailing zeros.
var codesOfR = facts{"error": "unknown_column", "cancel": "timeout", "query": "east|340|4;west|110|2", "parameter": "1|100;3|80;5|120"}

func scripts() []client {
	python, node, shell := []string{"/usr/bin/python3", "-P"}, []string{"node"}, []string{"sh"}
	return []client{
		{name: "psql", script: "psql.sh", command: shell},
		{name: "pgcli", script: "pgcli.py", command: python},
		{name: "psycopg2", script: "psycopg2.py", command: python},
		{name: "psycopg-3", script: "psycopg3.py", command: python},
		{name: "asyncpg", script: "asyncpg.py", command: python},
		{name: "pygresql", script: "pygresql.py", command: python},
		{name: "sqlalchemy", script: "sqlalchemy.py", command: python},
		{name: "psqlodbc", script: "psqlodbc.py", command: python},
		{name: "libreoffice-base", script: "libreoffice.py", command: python, differs: codes},
		{name: "dbd-pg", script: "dbdpg.pl", command: []string{"perl"}},
		{name: "ruby-pg", script: "ruby-pg.rb", command: []string{"/usr/bin/ruby"}},
		{name: "php-pgsql", script: "php-pgsql.php", command: []string{"php"}},
		{name: "rpostgresql", script: "rpostgresql.R", command: []string{"Rscript"}, differs: codesOfR},
		{name: "dbplyr", script: "dbplyr.R", command: []string{"Rscript"}, differs: codesOfR},
		{name: "libpqxx", script: "libpqxx.cpp", command: []string{"sh", "testdata/clients/compiled.sh"}},
		{name: "pgjdbc", script: "Jdbc.java", command: []string{"java", "-cp", "/usr/share/java/postgresql.jar:."}},
		{name: "node-postgres", script: "node-postgres.js", command: node},
		{name: "postgres-js", script: "postgres-js.js", command: node},
		{name: "knex", script: "knex.js", command: node},
		{name: "sequelize", script: "sequelize.js", command: node},
		{name: "typeorm", script: "typeorm.js", command: node},
		{name: "drizzle", script: "drizzle.js", command: node},
		{name: "directus", script: "directus.js", command: node},
		{name: "postgraphile", script: "postgraphile.js", command: node},
		{name: "django", script: "django.py", command: python},
		{name: "dbix-class", script: "dbix-class.pl", command: []string{"perl"}},
		{name: "postgres-fdw", script: "postgres-fdw.sh", command: shell, lacks: []string{"connect"}},
		{name: "pg-dump", script: "pg-dump.sh", command: shell, lacks: []string{"connect", "query", "error", "cancel", "again"}},
		{name: "sqlboiler", script: "sqlboiler.sh", command: shell, lacks: []string{"connect", "list", "query", "error", "cancel", "again"}},
		{name: "bobgen", script: "bobgen.sh", command: shell, lacks: []string{"connect", "query", "error", "cancel", "again"}},
	}
}

// wanted returns the clients that have to run.
func wanted(t *testing.T) []string {
	t.Helper()
	names := []string{"pgx", "lib-pq"}
	for _, c := range scripts() {
		names = append(names, c.name)
	}
	switch list := os.Getenv(clientsVariable); list {
	case "":
		return []string{"pgx", "lib-pq"}
	case "all":
		return names
	default:
		asked := strings.Fields(strings.ReplaceAll(list, ",", " "))
		for _, name := range asked {
			if !slices.Contains(names, name) {
				t.Fatalf("%s names %s, and the clients are %s", clientsVariable, name, strings.Join(names, " "))
			}
		}
		return asked
	}
}

// Each client connects, lists and describes relations, queries, cancels a statement, and queries again.
func TestClients_ListDescribeQueryAndCancel(t *testing.T) {
	asked := wanted(t)
	environment := startPort(t)
	ofREST := facts{"date": revenueOfFebruary(t, environment[restVariable])}
	ran := 0
	check := func(c client, find func(t *testing.T) facts) {
		if !slices.Contains(asked, c.name) {
			return
		}
		t.Run(c.name, func(t *testing.T) {
			for _, problem := range find(t).compare(c, ofREST) {
				t.Error(problem)
			}
			if !t.Failed() {
				ran++
			}
		})
	}
	check(client{name: "pgx"}, func(t *testing.T) facts { return askPGX(t, environment) })
	check(client{name: "lib-pq"}, func(t *testing.T) facts { return askLibPQ(t, environment) })
	for _, c := range scripts() {
		check(c, func(t *testing.T) facts { return c.ask(t, environment) })
	}
	floor.CheckCount(t, "clients", ran, min(len(asked), minClients))
}

// ask runs the script of a client.
func (c client) ask(t *testing.T, environment map[string]string) facts {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	words := append(slices.Clone(c.command), filepath.Join("testdata", "clients", c.script))
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	modules, err := filepath.Abs("node_modules")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules, "NODE_NO_WARNINGS=1")
	for name, value := range environment {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.WaitDelay = 5 * time.Second
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%v; tools/scripts/postgres-clients.sh installs the clients\n%s%s", err, out, &errors)
	}
	return readFacts(string(out))
}
