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
	if err := s.createDatabase(ctx); err != nil {
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

// HostPort returns the address of the server.
func (s *Server) HostPort() string { return s.local.Address.HostPort() }

func (s *Server) connect(ctx context.Context, database, user, password string) (*pgconn.PgConn, error) {
	return pgconn.Connect(ctx, fmt.Sprintf("postgres://%s:%s@%s/%s?sslmode=disable", user, password, s.HostPort(), database))
}

func (s *Server) createDatabase(ctx context.Context) error {
	admin, err := s.connect(ctx, s.local.Address.Database, s.local.Address.User, s.local.Address.Password)
	if err != nil {
		return err
	}
	defer func() { _ = admin.Close(context.WithoutCancel(ctx)) }()
	if version := admin.ParameterStatus("server_version"); !strings.HasPrefix(version, "15.") {
		return fmt.Errorf("%w of PostgreSQL 15: found %s", localdb.ErrNoServer, version)
	}
	if err := runStatements(ctx, admin, "CREATE ROLE me LOGIN PASSWORD 'secret'", "CREATE DATABASE shop TEMPLATE template0"); err != nil {
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
	if err := runStatements(ctx, owner, s.setupStatements()...); err != nil {
		return err
	}
	if s.conn, err = s.connect(ctx, Database, User, Password); err != nil {
		return err
	}
	return s.readObjectNames(ctx)
}

func runStatements(ctx context.Context, c *pgconn.PgConn, statements ...string) error {
	for _, sql := range statements {
		if _, err := c.Exec(ctx, sql).ReadAll(); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

func quoteName(name string) string { return pgx.Identifier{name}.Sanitize() }

func quoteNames(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quoteName(name)
	}
	return strings.Join(out, ", ")
}

func quoteLiteral(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// setupStatements make the relations, and take away what a new server has and a model has not: the other databases
// and the collations of the machine.
func (s *Server) setupStatements() []string {
	out := []string{
		"DELETE FROM pg_collation WHERE collname NOT IN ('default', 'C', 'POSIX', 'ucs_basic')",
		"REVOKE TEMPORARY ON DATABASE shop FROM PUBLIC",
		"UPDATE pg_database SET datistemplate = false", "DROP DATABASE template1", "DROP DATABASE template0", "DROP DATABASE IF EXISTS postgres",
		"COMMENT ON DATABASE shop IS " + quoteLiteral(DatabaseComment),
	}
	for _, rel := range TestRelations() {
		var parts []string
		for _, c := range rel.Columns {
			part := quoteName(c.Name) + " " + c.Type
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
			parts = append(parts, "CONSTRAINT "+quoteName(k.Name)+word+quoteNames(k.Columns)+")")
		}
		out = append(out, "CREATE TABLE "+quoteName(rel.Name)+" ("+strings.Join(parts, ", ")+")", "GRANT SELECT ON "+quoteName(rel.Name)+" TO PUBLIC")
		if rel.Description != "" {
			out = append(out, "COMMENT ON TABLE "+quoteName(rel.Name)+" IS "+quoteLiteral(rel.Description))
		}
		for _, c := range rel.Columns {
			if c.Description != "" {
				out = append(out, "COMMENT ON COLUMN "+quoteName(rel.Name)+"."+quoteName(c.Name)+" IS "+quoteLiteral(c.Description))
			}
		}
	}
	for _, rel := range TestRelations() {
		for _, f := range rel.ForeignKeys {
			out = append(out, "ALTER TABLE "+quoteName(rel.Name)+" ADD CONSTRAINT "+quoteName(f.Name)+" FOREIGN KEY ("+quoteNames(f.Columns)+") REFERENCES "+
				quoteName(f.Target)+" ("+quoteNames(f.TargetColumns)+")")
		}
	}
	// A session is a member of the owner's role, which may only read: the constraints of information_schema are those of one's roles.
	return append(out, "REVOKE INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON ALL TABLES IN SCHEMA public FROM "+quoteName(s.local.Address.User),
		"GRANT "+quoteName(s.local.Address.User)+" TO "+quoteName(User))
}

// ObjectNamesSQL lists the objects that the relations make.
const ObjectNamesSQL = `SELECT oid, 'class ' || relname FROM pg_class WHERE oid > 16383 AND relnamespace = 2200
	UNION ALL SELECT oid, 'type ' || typname FROM pg_type WHERE oid > 16383 AND typnamespace = 2200
	UNION ALL SELECT oid, 'constraint ' || conname FROM pg_constraint WHERE oid > 16383
	UNION ALL SELECT oid, 'database ' || datname FROM pg_database WHERE oid > 16383
	UNION ALL SELECT oid, 'role ' || rolname FROM pg_roles WHERE oid > 16383`

func (s *Server) readObjectNames(ctx context.Context) error {
	a, err := s.QueryAsClient(ctx, ObjectNamesSQL)
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

// StatementResult is the rows of a statement in text; nil is NULL.
type StatementResult struct {
	Names []string
	Types []uint32
	Rows  [][][]byte
}

// QueryAsClient asks the server as a client does.
func (s *Server) QueryAsClient(ctx context.Context, sql string) (*StatementResult, error) {
	results := s.conn.Exec(ctx, sql)
	defer func() { _ = results.Close() }()
	if !results.NextResult() {
		return nil, results.Close()
	}
	a, rows := &StatementResult{}, results.ResultReader()
	for _, f := range rows.FieldDescriptions() {
		a.Names = append(a.Names, f.Name)
		a.Types = append(a.Types, f.DataTypeOID)
	}
	answer := rows.Read()
	a.Rows = answer.Rows
	return a, errors.Join(answer.Err, results.Close())
}
