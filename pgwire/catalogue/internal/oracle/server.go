package oracle

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/executor/localdb"
)

// Server is a PostgreSQL 15 with the relations.
type Server struct {
	local *localdb.Server
	conn  *pgconn.PgConn
	// Names are the objects that the relations make, as kind and name by their OIDs.
	Names map[uint32]string
}

// Start starts a server and makes the relations.
func Start(ctx context.Context) (*Server, error) {
	local, err := localdb.StartPostgres(ctx)
	if err != nil {
		return nil, err
	}
	s := &Server{local: local}
	if err := s.prepare(ctx); err != nil {
		s.Stop(ctx)
		return nil, err
	}
	return s, nil
}

// Stop ends the server.
func (s *Server) Stop(ctx context.Context) {
	if s.conn != nil {
		_ = s.conn.Close(context.WithoutCancel(ctx))
	}
	s.local.Stop()
}

// HostPort is the address of the server.
func (s *Server) HostPort() string { return s.local.Address.HostPort() }

func (s *Server) connect(ctx context.Context, database, user, password string) (*pgconn.PgConn, error) {
	return pgconn.Connect(ctx, fmt.Sprintf("postgres://%s:%s@%s/%s?sslmode=disable", user, password, s.HostPort(), database))
}

func (s *Server) prepare(ctx context.Context) error {
	admin, err := s.connect(ctx, s.local.Address.Database, s.local.Address.User, s.local.Address.Password)
	if err != nil {
		return err
	}
	defer func() { _ = admin.Close(context.WithoutCancel(ctx)) }()
	if version := admin.ParameterStatus("server_version"); !strings.HasPrefix(version, "15") {
		return fmt.Errorf("want PostgreSQL 15, found %s", version)
	}
	if err := run(ctx, admin, "CREATE ROLE me LOGIN PASSWORD 'secret'", "CREATE DATABASE shop TEMPLATE template0"); err != nil {
		return err
	}
	if err := admin.Close(ctx); err != nil { // its database is dropped below
		return err
	}
	owner, err := s.connect(ctx, Database, s.local.Address.User, s.local.Address.Password)
	if err != nil {
		return err
	}
	defer func() { _ = owner.Close(ctx) }()
	if err := run(ctx, owner, s.statements()...); err != nil {
		return err
	}
	if s.conn, err = s.connect(ctx, Database, User, Password); err != nil {
		return err
	}
	return s.readNames(ctx)
}

func run(ctx context.Context, c *pgconn.PgConn, statements ...string) error {
	for _, sql := range statements {
		if _, err := c.Exec(ctx, sql).ReadAll(); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

func quoteAll(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quote(name)
	}
	return strings.Join(out, ", ")
}

func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// statements make the relations, and take away what a new server has and a model has not: the other databases
// and the collations of the machine.
func (s *Server) statements() []string {
	out := []string{
		"DELETE FROM pg_collation WHERE collname NOT IN ('default', 'C', 'POSIX', 'ucs_basic')",
		"REVOKE TEMPORARY ON DATABASE shop FROM PUBLIC",
		"UPDATE pg_database SET datistemplate = false", "DROP DATABASE template1", "DROP DATABASE template0", "DROP DATABASE IF EXISTS postgres",
		"COMMENT ON DATABASE shop IS " + literal(Description),
	}
	for _, rel := range Relations() {
		var parts []string
		for _, c := range rel.Columns {
			part := quote(c.Name) + " " + c.Type
			if c.NotNull {
				part += " NOT NULL"
			}
			parts = append(parts, part)
		}
		for _, k := range rel.Keys {
			word := " UNIQUE ("
			if k.Primary {
				word = " PRIMARY KEY ("
			}
			parts = append(parts, "CONSTRAINT "+quote(k.Name)+word+quoteAll(k.Columns)+")")
		}
		out = append(out, "CREATE TABLE "+quote(rel.Name)+" ("+strings.Join(parts, ", ")+")", "GRANT SELECT ON "+quote(rel.Name)+" TO PUBLIC")
		if rel.Description != "" {
			out = append(out, "COMMENT ON TABLE "+quote(rel.Name)+" IS "+literal(rel.Description))
		}
		for _, c := range rel.Columns {
			if c.Description != "" {
				out = append(out, "COMMENT ON COLUMN "+quote(rel.Name)+"."+quote(c.Name)+" IS "+literal(c.Description))
			}
		}
	}
	for _, rel := range Relations() {
		for _, f := range rel.ForeignKeys {
			out = append(out, "ALTER TABLE "+quote(rel.Name)+" ADD CONSTRAINT "+quote(f.Name)+" FOREIGN KEY ("+quoteAll(f.Columns)+") REFERENCES "+
				quote(f.Target)+" ("+quoteAll(f.TargetColumns)+")")
		}
	}
	// A session is a member of the owner's role, which may only read: the constraints of information_schema are those of one's roles.
	return append(out, "REVOKE INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON ALL TABLES IN SCHEMA public FROM "+quote(s.local.Address.User),
		"GRANT "+quote(s.local.Address.User)+" TO "+quote(User))
}

// NamesSQL lists the objects that the relations make.
const NamesSQL = `SELECT oid, 'class ' || relname FROM pg_class WHERE oid > 16383 AND relnamespace = 2200
	UNION ALL SELECT oid, 'type ' || typname FROM pg_type WHERE oid > 16383 AND typnamespace = 2200
	UNION ALL SELECT oid, 'constraint ' || conname FROM pg_constraint WHERE oid > 16383
	UNION ALL SELECT oid, 'database ' || datname FROM pg_database WHERE oid > 16383
	UNION ALL SELECT oid, 'role ' || rolname FROM pg_roles WHERE oid > 16383`

func (s *Server) readNames(ctx context.Context) error {
	a, err := s.Ask(ctx, NamesSQL)
	if err != nil {
		return err
	}
	s.Names = map[uint32]string{}
	for _, row := range a.Rows {
		var oid uint32
		if _, err := fmt.Sscan(string(row[0]), &oid); err != nil {
			return err
		}
		s.Names[oid] = string(row[1])
	}
	return nil
}

// Answer is the rows of a statement in text; nil is NULL.
type Answer struct {
	Names []string
	Types []uint32
	Rows  [][][]byte
}

// Ask asks the server as a client does.
func (s *Server) Ask(ctx context.Context, sql string) (*Answer, error) {
	results := s.conn.Exec(ctx, sql)
	defer func() { _ = results.Close() }()
	if !results.NextResult() {
		return nil, results.Close()
	}
	a, rows := &Answer{}, results.ResultReader()
	for _, f := range rows.FieldDescriptions() {
		a.Names = append(a.Names, f.Name)
		a.Types = append(a.Types, f.DataTypeOID)
	}
	answer := rows.Read()
	a.Rows = answer.Rows
	return a, errors.Join(answer.Err, results.Close())
}
