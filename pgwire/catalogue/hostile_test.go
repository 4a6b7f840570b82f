package catalogue_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/pgwire/catalogue"
	"github.com/semlayer/semlayer/semsql/parse"
)

// Statements that reach for more than the catalogue are rejected before the engine has them, or read as values.
func TestCatalogue_RefusesWhatIsNotPostgreSQL(t *testing.T) {
	c := newCatalogue(t)
	for _, test := range []struct{ sql, state string }{
		{"SELECT * FROM read_csv('/etc/passwd')", "42883"},
		{"SELECT * FROM read_text('/etc/passwd')", "42883"},
		{"SELECT getenv('HOME')", "42883"},
		{"SELECT * FROM duckdb_settings()", "42883"},
		{"SELECT * FROM query('SELECT 1')", "42883"},
		{"SELECT * FROM '/etc/passwd'", "42601"},
		{`SELECT * FROM "/etc/passwd"`, "42P01"},
		{"SELECT * FROM t_pg_class", "42P01"},
		{"SELECT * FROM duckdb_tables", "42P01"},
		{"SELECT * FROM sqlite_master", "42P01"},
		{"SELECT * FROM information_schema.nope", "42P01"},
		{"SELECT * FROM other.public.pg_class", "42P01"},
		{"SELECT * FROM public.orders", "42P01"},
		{"SELECT visible FROM pg_class", "42703"},
		{"SELECT nope FROM pg_class", "42703"},
		{"SELECT oid FROM pg_class, pg_type", "42702"},
		{"SELECT 1 FROM pg_class c, pg_type c", "42712"},
		{"SELECT x.oid FROM pg_class c", "42P01"},
		{"SELECT f_table_is_visible(1)", "42883"},
		{"SELECT nope(1)", "42883"},
		{"SELECT lower(1)", "42883"},
		{"SELECT 1 = 'x'::text", "42883"},
		{"SELECT 'nope'::regclass", "42P01"},
		{"SELECT 'nope'::regtype", "42704"},
		{"SELECT 'x'::nope", "42704"},
		{"SELECT 'x'::int4", "22P02"},
		{"SELECT '{a'::text[]", "22P02"},
		{"SELECT 'a' ~ '('", "2201B"},
		{"SELECT (SELECT oid FROM pg_class)", "21000"},
		{"SELECT oid, count(*) FROM pg_class", "42803"},
		{"SELECT 1 UNION SELECT 1, 2", "42601"},
		{"SELECT ARRAY[[1], [2]]", "0A000"},
		{"SELECT MEASURE(revenue) FROM pg_class", "0A000"},
		{"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY oid) FROM pg_class", "42809"},
		{"SELECT current_setting('nope')", "42704"},
		{"SELECT has_table_privilege('nope', 'SELECT')", "42P01"},
		{"SELECT has_column_privilege('nope', 'oid', 'SELECT')", "42P01"},
		{"SELECT has_column_privilege('pg_class', 'nope', 'SELECT')", "42703"},
		{"SELECT has_column_privilege(oid, relname, 'SELECT') FROM pg_class", "42703"},
		{"SELECT has_schema_privilege('nope', 'USAGE')", "3F000"},
		{"SELECT has_type_privilege('nope', 'USAGE')", "42704"},
		{"SELECT has_database_privilege('nope', 'CONNECT')", "3D000"},
		{"SELECT has_table_privilege('nope', 'pg_class', 'SELECT')", "42704"},
		{"SELECT has_column_privilege('nope', 'pg_class', 'oid', 'SELECT')", "42704"},
		{"SELECT has_schema_privilege('nope', 'public', 'USAGE')", "42704"},
		{"SELECT pg_has_role('nope', 'USAGE')", "42704"},
		{"SELECT pg_has_role('nope', 'semlayer', 'USAGE')", "42704"},
		{"SELECT has_table_privilege('pg_class', 'NOPE')", "22023"},
		{"SELECT has_table_privilege('pg_class', 'SELECT, NOPE')", "22023"},
		{"SELECT has_table_privilege('pg_class', 'USAGE')", "22023"},
		{"SELECT has_table_privilege('nope', 'NOPE')", "42P01"},
		{"SELECT has_column_privilege('pg_class', 'oid', 'DELETE')", "22023"},
		{"SELECT has_database_privilege(current_database(), '')", "22023"},
		{"SELECT has_function_privilege(1, 'SELECT')", "22023"},
		{"SELECT pg_has_role('semlayer', 'SELECT')", "22023"},
		{"SELECT parse_ident('a..b')", "22023"},
		{"SELECT parse_ident('\"a')", "22023"},
		{"SELECT parse_ident(relname) FROM pg_class", "0A000"},
		{"SELECT b'012'", "42601"},
		{"SELECT '012'::bit(3)", "22P02"},
		{"SELECT b'01'::bit(0)", "22023"},
		{"SELECT b'01'::bit(10000000)", "54000"},
		{"SELECT b'01' & b'011'", "22026"},
		{"SELECT b'01' & 1", "42883"},
		{"SELECT generate_series(1, 1000000000)", "22003"},
		{"SELECT * FROM pg_attribute a, pg_attribute b", "54000"},
		{"DELETE FROM pg_class", "25006"},
		{"SELECT $1", "08P01"},
		{strings.Repeat("(", 5000) + "SELECT 1" + strings.Repeat(")", 5000), "54001"},
		{"SELECT " + strings.Repeat("1 + ", 5000) + "1", "54001"},
		{"SELECT '" + strings.Repeat("x", 10) + "\x00'", "42601"},
	} {
		rows, err := answer(t.Context(), c, newSession(), test.sql, nil)
		var e *engine.SQLError
		if !errors.As(err, &e) || e.SQLState != test.state || e.Code == "" || e.Message == "" {
			t.Errorf("%.100s: %v %v, want %s", test.sql, rows.Rows, err, test.state)
		}
	}
}

// A test of privileges reads the roles and the words of PostgreSQL.
func TestCatalogue_ReadsRolesAndPrivileges(t *testing.T) {
	c := newCatalogue(t)
	for _, test := range []struct {
		sql  string
		want bool
	}{
		{"SELECT has_table_privilege('public', 'pg_class', 'select')", true},
		{"SELECT has_table_privilege('semlayer', 'pg_class', ' insert , Select ')", true},
		{"SELECT has_table_privilege('pg_monitor', 'orders', 'TRUNCATE')", false},
		{"SELECT has_table_privilege(current_user, 'orders', 'SELECT WITH GRANT OPTION')", false},
		{"SELECT has_schema_privilege('public', 'CREATE, USAGE')", true},
		{"SELECT pg_has_role('semlayer', 'member')", true},
		{"SELECT pg_has_role(current_user, 'pg_monitor', 'USAGE')", false},
	} {
		rows, err := answer(t.Context(), c, newSession(), test.sql, nil)
		if err != nil || len(rows.Rows) != 1 || rows.Rows[0][0] != test.want {
			t.Errorf("%s: %v %v, want %v", test.sql, rows.Rows, err, test.want)
		}
	}
}

// A hostile text is a value.
func TestCatalogue_ReadsTextsAsValues(t *testing.T) {
	c := newCatalogue(t)
	for _, text := range []string{"'; DROP TABLE t_pg_class; --", `\'`, `"`, "?", "$1", "%", "\n\t", "é€", "{a,b}", "x' OR '1'='1"} {
		quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
		rows, err := answer(t.Context(), c, newSession(), "SELECT "+quoted+", "+quoted+" || '', $1, (ARRAY["+quoted+"])[1], relname FROM pg_class WHERE relname = 'orders' OR relname = "+quoted,
			[]pgwire.BindParameterValue{{Text: text}})
		if err != nil || len(rows.Rows) != 1 {
			t.Errorf("%q: %v %v", text, rows.Rows, err)
			continue
		}
		for i, cell := range rows.Rows[0][:4] {
			if cell != text {
				t.Errorf("column %d of %q is %q", i, text, cell)
			}
		}
	}
}

// A statement ends with its context, also inside of the engine.
func TestCatalogue_EndsWithItsContext(t *testing.T) {
	c := newCatalogue(t)
	if _, err := answer(t.Context(), c, newSession(), "SELECT 1", nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err := answer(ctx, c, newSession(), "SELECT count(*) FROM pg_attribute a, pg_attribute b, pg_attribute c WHERE a.attname || b.attname < c.attname", nil)
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) > testwait.Deadline {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
	if rows, err := answer(t.Context(), c, newSession(), "SELECT 1", nil); err != nil || rows.Rows[0][0] != int64(1) {
		t.Errorf("the next statement: %v %v", rows.Rows, err)
	}
}

// Each shape of a statement is logged once, without the constants of the statement, and no part of it above debug.
func TestCatalogue_LogsShapesOnce(t *testing.T) {
	for level, want := range map[slog.Level]int{slog.LevelDebug: 1, slog.LevelInfo: 0} {
		var text bytes.Buffer
		c := catalogue.New(slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: level})), nil)
		t.Cleanup(func() { c.Close() })
		for _, secret := range []string{"first", "second"} {
			if _, err := answer(t.Context(), c, newSession(), "SELECT oid AS \"a tulip\" FROM pg_class WHERE relname = '"+secret+"' LIMIT 7", nil); err != nil {
				t.Fatal(err)
			}
		}
		log := text.String()
		if strings.Count(log, "shape=") != want || strings.Contains(log, "first") || strings.Contains(log, "second") || strings.Count(log, "tulip") != want {
			t.Errorf("%v: %s", level, log)
		}
	}
}

// The memory for the log of statements does not depend on their lengths.
func TestCatalogue_CutsLoggedShapes(t *testing.T) {
	var text bytes.Buffer
	c := catalogue.New(slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug})), nil)
	defer c.Close()
	names := make([]string, 800)
	for i := range names {
		names[i] = fmt.Sprintf(`1 AS "%d_%s"`, i, strings.Repeat("é", 300))
	}
	if _, err := answer(t.Context(), c, newSession(), "SELECT "+strings.Join(names, ", ")+" FROM pg_namespace LIMIT 0", nil); err != nil {
		t.Fatal(err)
	}
	if n := text.Len(); n < 1000 || n > 1300 {
		t.Errorf("%d bytes are logged", n)
	}
}

// revisionOf is a revision of a model with its relations.
type revisionOf struct {
	name  string
	names []string
}

func (m revisionOf) Revision() string { return m.name }
func (m revisionOf) ViewKey() string  { return m.name }

func (m revisionOf) Relations() []engine.RelationInfo {
	var out []engine.RelationInfo
	for _, name := range m.names {
		out = append(out, engine.RelationInfo{Name: name, Columns: []engine.RelationColumn{{Name: "x", Type: "text"}}})
	}
	return out
}

// Each revision has its relations. An OID is that of the name, also beside other relations.
func TestCatalogue_KeepsOIDsOverRevisions(t *testing.T) {
	c := newCatalogue(t)
	var oids []any
	for i := range 6 {
		s := newSession()
		m := revisionOf{name: fmt.Sprint(i), names: []string{"orders"}}
		for j := range i {
			m.names = append(m.names, fmt.Sprintf("a%d", j))
		}
		s.Model = m
		rows, err := answer(t.Context(), c, s, "SELECT 'orders'::regclass::oid, count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace", nil)
		if err != nil {
			t.Fatal(err)
		}
		if rows.Rows[0][1] != int64(i+1) {
			t.Errorf("revision %d has %v relations", i, rows.Rows[0][1])
		}
		oids = append(oids, rows.Rows[0][0])
	}
	for _, oid := range oids {
		if oid != oids[0] || oid.(int64) < 16384 {
			t.Errorf("the OIDs of one relation are %v", oids)
		}
	}
}

// Describe finds columns and the types of parameters without a row.
func TestCatalogue_DescribesStatements(t *testing.T) {
	c := newCatalogue(t)
	d, err := c.Describe(t.Context(), newSession(), parse.ParseStatement("SELECT relname, oid, $2 AS x FROM pg_class WHERE oid = $1 AND relkind = ANY ($3) AND relname = $4 LIMIT $5", parse.DefaultLimits()), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(d.Parameters), "[26 25 1002 19 20]"; got != want {
		t.Errorf("parameters %s, want %s", got, want)
	}
	if len(d.Columns) != 3 || d.Columns[0] != (pgwire.Column{Name: "relname", Type: 19, Table: 1259, Attribute: 2}) || d.Columns[2].Name != "x" {
		t.Errorf("columns %+v", d.Columns)
	}
}

// No text makes the catalogue panic, and each error has a code and a SQLSTATE.
func FuzzCatalogue(f *testing.F) {
	for _, sql := range []string{
		"SELECT 'pg_class'::regclass, c.oid::regclass::text FROM pg_class c WHERE relname ~ '^a' LIMIT 1",
		"SELECT (information_schema._pg_expandarray(indkey)).n, indkey[0] FROM pg_index LIMIT 2",
		"SELECT * FROM unnest(ARRAY[1, 2]) WITH ORDINALITY t(a, b) JOIN pg_am USING (oid)", "SELECT ARRAY(SELECT oid FROM pg_am), format('%I', 'a')",
		"WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 3) SELECT * FROM t", "SELECT count(*) FILTER (WHERE true) OVER () FROM pg_am GROUP BY 1",
	} {
		f.Add(sql)
	}
	c := newCatalogue(f)
	f.Fuzz(func(t *testing.T, sql string) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		_, err := answer(ctx, c, newSession(), sql, nil)
		var e *engine.SQLError
		if err != nil && !errors.As(err, &e) && ctx.Err() == nil {
			t.Fatalf("%q: %v", sql, err)
		}
		if e != nil && (e.Code == "" || e.SQLState == "") {
			t.Fatalf("%q: %#v", sql, e)
		}
	})
}
