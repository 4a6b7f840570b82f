// Dump writes the catalogue of a new database of PostgreSQL 15 as files: the rows of its tables, the
// definitions of its views and what functions say about them. It starts the server itself.
//
//	go run ./catalogue/internal/postgres15/dump DIRECTORY
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/semlayer/semlayer/executor/localdb"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "dump:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want the directory for the files")
	}
	server, err := localdb.StartPostgres(ctx)
	if err != nil {
		return err
	}
	defer server.Stop()
	d := &dumpWriter{directory: args[0], uri: server.Address.URI()}
	version, err := d.runPSQLQuery(ctx, "SHOW server_version_num")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(version, "15") {
		return fmt.Errorf("want PostgreSQL 15, found %s", version)
	}
	for _, t := range dumpedTables {
		if err := d.writeTable(ctx, t); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	for _, q := range dumpedQueries {
		text, err := d.readCopyText(ctx, q.sql)
		if err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
		if err := d.writeTSVFile(q.name, text); err != nil {
			return err
		}
	}
	return nil
}

// dumpWriter writes what one server returns.
type dumpWriter struct{ directory, uri string }

func (d *dumpWriter) runPSQLQuery(ctx context.Context, sql string) (string, error) {
	cmd := exec.CommandContext(ctx, "psql", "--no-psqlrc", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1", "--dbname", d.uri, "--command", sql)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, stderr.String())
	}
	return string(out), nil
}

// readCopyText returns the rows of a query in the text format of COPY.
func (d *dumpWriter) readCopyText(ctx context.Context, sql string) (string, error) {
	return d.runPSQLQuery(ctx, "COPY ("+sql+") TO STDOUT")
}

func (d *dumpWriter) writeTSVFile(name, text string) error {
	return os.WriteFile(filepath.Join(d.directory, name+".tsv"), []byte(text), 0o644) //nolint:gosec // a file of the repository
}

// writeTable writes the rows of a table in the order that the server reads them, columns in their order, and
// further columns after them.
func (d *dumpWriter) writeTable(ctx context.Context, t dumpedTable) error {
	columns, err := d.runPSQLQuery(ctx, `SELECT string_agg(CASE
		WHEN t.typname IN ('int2vector', 'oidvector') THEN format('array_to_json(%I::int8[])', a.attname)
		WHEN t.typcategory = 'A' THEN format('array_to_json(%I::text::text[])', a.attname)
		WHEN t.typname = 'regproc' THEN format('%I::oid', a.attname)
		WHEN t.typname = 'pg_node_tree' OR a.attname = 'rolpassword' THEN 'NULL::text'
		ELSE quote_ident(a.attname) END, ', ' ORDER BY a.attnum)
		FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
		WHERE a.attrelid = 'pg_catalog.`+t.name+`'::regclass AND a.attnum > 0`)
	if err != nil {
		return err
	}
	sql := "SELECT " + strings.TrimSpace(columns)
	for _, more := range t.further {
		sql += ", " + more
	}
	sql += " FROM pg_catalog." + t.name
	if t.where != "" {
		sql += " WHERE " + t.where
	}
	text, err := d.readCopyText(ctx, sql+" ORDER BY ctid")
	if err != nil {
		return err
	}
	return d.writeTSVFile(t.name, text)
}
