// Record runs client programs against a PostgreSQL 15 with the relations of the oracle and writes their
// statements about the catalogue, one file for each client.
//
//	go run ./catalogue/internal/record CLIENTS STATEMENTS [NAME…]
//
// A client is an executable file of the directory CLIENTS. It gets the address of the server in the
// variables of libpq.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/oracle"
	"github.com/semlayer/semlayer/semsql/parse"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("want the directories of clients and of statements")
	}
	server, err := oracle.Start(ctx)
	if err != nil {
		return err
	}
	defer server.Stop(ctx)
	recorder, err := server.StartRecorder(ctx)
	if err != nil {
		return err
	}
	defer recorder.Stop()
	clients, err := os.ReadDir(args[0])
	if err != nil {
		return err
	}
	for _, c := range clients {
		name := strings.TrimSuffix(c.Name(), filepath.Ext(c.Name()))
		info, err := c.Info()
		if err != nil {
			return err
		}
		if c.IsDir() || info.Mode()&0o111 == 0 || len(args) > 2 && !slices.Contains(args[2:], name) {
			continue
		}
		if err := runClient(ctx, filepath.Join(args[0], c.Name()), recorder.HostPort()); err != nil {
			fmt.Fprintln(os.Stderr, "record:", name, err)
		}
		var kept []string
		for _, sql := range recorder.TakeStatements() {
			kept = append(kept, catalogueStatementsInText(server.ReplaceOIDsInStatementByPlaceholders(sql))...)
		}
		text := oracle.JoinStatementFile(kept)
		fmt.Println(name, len(oracle.SplitStatementFile(text)))
		if err := os.WriteFile(filepath.Join(args[1], name+".sql"), []byte(text), 0o644); err != nil { //nolint:gosec // a file of the repository
			return err
		}
	}
	return nil
}

func runClient(ctx context.Context, program, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	program, err = filepath.Abs(program)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, program) //nolint:gosec // the caller names the programs
	cmd.Dir = filepath.Dir(program)
	cmd.Env = append(os.Environ(), "PGHOST="+host, "PGPORT="+port, "PGUSER="+oracle.User, "PGPASSWORD="+oracle.Password, "PGDATABASE="+oracle.Database,
		"PGSSLMODE=disable", "PAGER=", "PSQL_PAGER=")
	cmd.Stderr = os.Stderr
	if os.Getenv("RECORD_VERBOSE") != "" {
		cmd.Stdout = os.Stderr
	}
	return cmd.Run()
}

// catalogueStatementsInText returns the statements of a text that ask about the catalogue.
func catalogueStatementsInText(text string) []string {
	var out []string
	for complete := true; complete; {
		var sql string
		sql, text, complete = parse.SplitFirstStatement(text)
		first := strings.ToLower(strings.Join(strings.Fields(sql), " "))
		if readsModel(sql) {
			continue
		}
		if strings.HasPrefix(first, "select") || strings.HasPrefix(first, "with") || strings.HasPrefix(first, "(select") || strings.Contains(first, "pg_") && strings.Contains(first, "select") {
			out = append(out, sql)
		}
	}
	return out
}

// isRelation reports whether a name without a schema is of a relation of the model.
func isRelation(name string) bool {
	return slices.ContainsFunc(oracle.TestRelations(), func(r engine.RelationInfo) bool { return r.Name == name })
}

// readsModel reports whether a statement reads a relation of the model.
func readsModel(sql string) bool {
	q, err := parse.ParseCatalogueStatement(sql, parse.DefaultLimits())
	found := false
	if err == nil {
		parse.Walk(q, func(n parse.Node) bool {
			t, ok := n.(*parse.Table)
			found = found || ok && (t.Path[0].Text == "public" || len(t.Path) == 1 && isRelation(t.Path[0].Text))
			return true
		})
	}
	return found
}
