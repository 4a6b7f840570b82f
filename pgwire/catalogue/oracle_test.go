package catalogue_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/pgwire/catalogue"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/oracle"
	"github.com/semlayer/semlayer/semsql/parse"
)

var only = flag.String("statement", "", "run the statements that hold this text, and print them")

// model is the relations of the oracle as a model.
type model struct{}

func (model) Revision() string                 { return "1" }
func (model) ViewKey() string                  { return "1" }
func (model) Relations() []engine.RelationInfo { return oracle.TestRelations() }

// variables are those of a session of the oracle.
type variables map[string]string

func (v variables) Lookup(name string) (string, bool) {
	text, ok := v[strings.ToLower(name)]
	return text, ok
}

func (v variables) List() []pgwire.SessionVariable {
	var out []pgwire.SessionVariable
	for name, text := range v {
		out = append(out, pgwire.SessionVariable{Name: name, Value: text})
	}
	return out
}

func (v variables) Set(name, value string, _ bool) error {
	v[strings.ToLower(name)] = value
	return nil
}

func newSession() pgwire.CatalogueSession {
	return pgwire.CatalogueSession{
		Model: model{}, Database: oracle.Database, User: oracle.User, ProcessID: 4711, Version: "v1",
		Databases: []pgwire.ModelDatabase{{Name: oracle.Database, Description: oracle.DatabaseComment}},
		Variables: variables{"search_path": `"$user", public`, "server_version_num": "150000", "server_version": "15.0", "timezone": "UTC"},
		Server:    netip.MustParseAddrPort("127.0.0.1:5432"), Client: netip.MustParseAddrPort("127.0.0.1:50000"),
	}
}

// newSessionLike returns a session of the version of a server.
func newSessionLike(tb testing.TB, server *oracle.Server) pgwire.CatalogueSession {
	tb.Helper()
	s := newSession()
	for _, name := range []string{"server_version", "server_version_num"} {
		a, err := server.QueryAsClient(tb.Context(), "SHOW "+name)
		if err != nil {
			tb.Fatal(err)
		}
		if err := s.Variables.Set(name, string(a.Rows[0][0]), false); err != nil {
			tb.Fatal(err)
		}
	}
	return s
}

func newCatalogue(tb testing.TB) *catalogue.Catalogue {
	tb.Helper()
	c := catalogue.New(slog.New(slog.DiscardHandler), nil)
	c.SetMaxTime(time.Minute) // of a busy machine
	tb.Cleanup(c.Close)
	return c
}

// ask asks the catalogue and gives its rows the form of the oracle's.
func ask(ctx context.Context, c pgwire.Catalogue, s pgwire.CatalogueSession, sql string) (*oracle.StatementResult, error) {
	rows, err := answer(ctx, c, s, sql, nil)
	if err != nil {
		return nil, err
	}
	a := &oracle.StatementResult{}
	for _, col := range rows.Columns {
		a.Names = append(a.Names, col.Name)
		a.Types = append(a.Types, col.Type)
	}
	for _, row := range rows.Rows {
		var cells [][]byte
		for i, v := range row {
			cells = append(cells, cellText(v, a.Types[i]))
		}
		a.Rows = append(a.Rows, cells)
	}
	return a, nil
}

// cellText returns a value in PostgreSQL's text form.
func cellText(v any, typ uint32) []byte {
	switch v := v.(type) {
	case nil:
		return nil
	case bool:
		return []byte(map[bool]string{true: "t", false: "f"}[v])
	case int64:
		return strconv.AppendInt(nil, v, 10)
	case float64:
		bits := 64
		if typ == 700 {
			bits = 32
		}
		return strconv.AppendFloat(nil, v, 'g', -1, bits)
	case string:
		return []byte(v)
	case []any:
		var parts []string
		for _, item := range v {
			parts = append(parts, itemText(cellText(item, 0)))
		}
		return []byte("{" + strings.Join(parts, ",") + "}")
	}
	panic(fmt.Sprintf("a cell of type %T", v))
}

func itemText(cell []byte) string {
	text := string(cell)
	switch {
	case cell == nil:
		return "NULL"
	case text == "" || strings.EqualFold(text, "null") || strings.ContainsAny(text, "{}\",\\ \t\n"):
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	}
	return text
}

const oidTypeOID = 26

// notNull is the name that information_schema gives the condition of a column that is not null, with the OID of its relation.
var notNull = regexp.MustCompile(`\b2200_\d+_\d+_not_null\b`)

// serverTexts are texts that differ between servers of one major version. Cells of both sides are compared without them.
var serverTexts = []struct {
	name        string
	pattern     *regexp.Regexp
	replacement string
}{
	{"size of a relation, which depends on the files of a server", regexp.MustCompile(`^\d+ (bytes|kB|MB)$`), "a size"},
	{"text of version(), which has the minor version and the compiler", regexp.MustCompile(`^PostgreSQL 15\.\d+ .*$`), "PostgreSQL 15"},
	{"bounds of an array that was made of a vector; those of the catalogue begin at 1", regexp.MustCompile(`^\[0:\d+\]=`), ""},
	{"attoptions of pg_attver alone, a number that newer minor versions write for each table", regexp.MustCompile(`^\{pg_attver=\d+\}$`), null},
	{"pg_attver among other attoptions", regexp.MustCompile(`\bpg_attver=\d+,|,pg_attver=\d+\b`), ""},
}

// null is the text of a cell without a value.
const null = "␀"

// withoutServerTexts returns a cell in the form that servers of one major version share.
func withoutServerTexts(cell string) string {
	for _, text := range serverTexts {
		cell = text.pattern.ReplaceAllString(cell, text.replacement)
	}
	return cell
}

func TestWithoutServerTexts_RemovesWhatOnlyServersHave(t *testing.T) {
	for _, tt := range [][2]string{
		{"8192 bytes", "a size"},
		{"8192 bytes of clay", "8192 bytes of clay"},
		{"PostgreSQL 15.3 on x86_64-pc-linux-gnu, compiled by gcc", "PostgreSQL 15"},
		{"[0:1]={3,4}", "{3,4}"},
		{"{pg_attver=26565352}", null},
		{"{pg_attver=7,n_distinct=5}", "{n_distinct=5}"},
		{"{n_distinct=5,pg_attver=7}", "{n_distinct=5}"},
		{"{n_distinct=5}", "{n_distinct=5}"},
		{"150020", "150020"},
	} {
		if got := withoutServerTexts(tt[0]); got != tt[1] {
			t.Errorf("%s: got %s, want %s", tt[0], got, tt[1])
		}
	}
}

// unorderedArrays finds aggregates that put rows into an array in no order.
var unorderedArrays = regexp.MustCompile(`(?i)array_agg\([^()]*\)`)

// sortArray puts the elements of an array in an order of the test.
func sortArray(text string) string {
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") {
		return text
	}
	items := strings.Split(text[1:len(text)-1], ",")
	slices.Sort(items)
	return "{" + strings.Join(items, ",") + "}"
}

// lines returns the rows as texts; OIDs of the relations are what they name.
func lines(sql string, a *oracle.StatementResult, names map[uint32]string) []string {
	var out []string
	for _, row := range a.Rows {
		var line bytes.Buffer
		for i, cell := range row {
			text := null
			if cell != nil {
				text = string(cell)
			}
			if oid, err := strconv.ParseUint(text, 10, 32); err == nil && oid > 16383 && (a.Types[i] == oidTypeOID || names[uint32(oid)] != "") {
				text = "{" + names[uint32(oid)] + "}"
			}
			text = notNull.ReplaceAllStringFunc(text, func(name string) string {
				parts := strings.Split(name, "_")
				oid, _ := strconv.ParseUint(parts[1], 10, 32) // digits alone
				return parts[0] + "_{" + names[uint32(oid)] + "}_" + parts[2] + "_not_null"
			})
			text = withoutServerTexts(text)
			if unorderedArrays.MatchString(sql) {
				text = sortArray(text)
			}
			line.WriteString(text + "│")
		}
		if !ownToast.Match(line.Bytes()) {
			out = append(out, line.String())
		}
	}
	return out
}

// orderByOID finds an order by OIDs, which differ between the servers.
var orderByOID = regexp.MustCompile(`(?is)order\s+by([^)]*\b(oid|objoid|conrelid|attrelid|indrelid)\b| 1,2$)`)

// isOrdered reports whether a statement orders its rows. Rows in no order are compared in an order of the test.
func isOrdered(sql string) bool {
	depth, lower := 0, strings.ToLower(sql)
	for i := range lower {
		switch {
		case lower[i] == '(':
			depth++
		case lower[i] == ')':
			depth--
		case depth == 0 && orderBy.MatchString(lower[i:]):
			return !orderByOID.MatchString(sql)
		}
	}
	return false
}

// orderBy finds ORDER BY at the beginning of a text.
var orderBy = regexp.MustCompile(`^order\s+by\b`)

// ownToast finds the tables in which a server stores long texts of the relations. A model stores no rows.
var ownToast = regexp.MustCompile(`pg_toast_\d{5}`)

// startOracle starts the real server, or skips the test where none is wanted.
func startOracle(tb testing.TB) *oracle.Server {
	tb.Helper()
	required := strings.Contains(os.Getenv(localdb.RequireServersEnv), "postgres") || os.Getenv(localdb.RequireServersEnv) == "1"
	s, err := oracle.Start(tb.Context())
	if err != nil {
		if errors.Is(err, localdb.ErrNoServer) && !required {
			tb.Skip(err)
		}
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Stop(context.WithoutCancel(tb.Context())) })
	return s
}

// namesOf returns the OIDs of the catalogue's own objects.
func namesOf(tb testing.TB, c pgwire.Catalogue) map[uint32]string {
	tb.Helper()
	a, err := ask(tb.Context(), c, newSession(), oracle.ObjectNamesSQL)
	if err != nil {
		tb.Fatal(err)
	}
	out := map[uint32]string{}
	for _, row := range a.Rows {
		oid, err := strconv.ParseUint(string(row[0]), 10, 32)
		if err != nil {
			tb.Fatal(err)
		}
		out[uint32(oid)] = string(row[1])
	}
	return out
}

// excepted are recorded statements that are not compared, by a part of their text. PostgreSQL gives rows of its choice for the first;
// the second counts the server's own tables; the next read grants by role, the rules of views and the defaults of arguments, which the port
// does not have. Those of pg_dump read toast tables and the transaction numbers of tables with rows, which it does not have
// either. The last two change what later statements of the session get.
var excepted = []string{
	"SELECT DISTINCT ON (pg_namespace.nspname, relname ) pg_namespace.nspname, relname, relkind, pg_description.description",
	"SELECT att.attname FROM pg_attribute AS att, pg_class AS cl WHERE",
	"pr.rolname AS GRANTEE",
	"pg_get_viewdef(ev_class)",
	"pg_get_expr(proargdefaults, 0) AS arg_defaults",
	"FROM pg_rewrite ORDER BY oid",
	"c.tableoid, c.oid, c.relname, c.relnamespace, c.relkind, c.reltype, c.relowner",
	"p.proargtypes, p.prorettype, p.proacl, acldefault('f', p.proowner) AS acldefault, p.pronamespace, p.proowner FROM pg_proc p LEFT JOIN",
	"SELECT 'pg_opfamily'::regclass AS classid",
	"set_config('search_path', '', false)",
	"PREPARE ",
}

// Each recorded statement of a client has the rows of PostgreSQL 15: names, types and cells.
func TestCatalogue_AnswersRecordedStatementsAsPostgreSQL(t *testing.T) {
	files, err := filepath.Glob("testdata/statements/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal("no statements", err)
	}
	server, c := startOracle(t), newCatalogue(t)
	ours, session := namesOf(t, c), newSessionLike(t, server)
	equal, all := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		client := strings.TrimSuffix(filepath.Base(file), ".sql")
		for i, sql := range oracle.SplitStatementFile(string(text)) {
			if !strings.Contains(sql, *only) || slices.ContainsFunc(excepted, func(part string) bool { return strings.Contains(sql, part) }) {
				continue
			}
			all++
			t.Run(client+"/"+strconv.Itoa(i+1), func(t *testing.T) {
				compareAnswers(t, server, c, session, ours, sql)
				if !t.Failed() {
					equal++
				}
			})
		}
	}
	t.Attr("equal", strconv.Itoa(equal))
	t.Attr("statements", strconv.Itoa(all))
	t.Logf("%d of %d recorded statements have the answer of PostgreSQL 15", equal, all)
}

func compareAnswers(t *testing.T, server *oracle.Server, c pgwire.Catalogue, session pgwire.CatalogueSession, ours map[uint32]string, sql string) {
	want, err := server.QueryAsClient(t.Context(), oracle.ReplacePlaceholdersByOIDs(sql, server.Names))
	got, gotErr := ask(t.Context(), c, session, oracle.ReplacePlaceholdersByOIDs(sql, ours))
	if err != nil {
		if gotErr == nil {
			t.Errorf("%s\nis refused by PostgreSQL: %v", sql, err)
		}
		return
	}
	if gotErr != nil {
		t.Fatalf("%s\n%v", sql, gotErr)
	}
	if diff := cmp.Diff(want.Names, got.Names); diff != "" {
		t.Errorf("%s\nnames of columns (-PostgreSQL +ours)\n%s", sql, diff)
	}
	if diff := cmp.Diff(want.Types, got.Types); diff != "" {
		t.Errorf("%s\ntypes of columns (-PostgreSQL +ours)\n%s", sql, diff)
	}
	a, b := lines(sql, want, server.Names), lines(sql, got, ours)
	if !isOrdered(sql) {
		slices.Sort(a)
		slices.Sort(b)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("%s\nrows (-PostgreSQL +ours)\n%s", sql, diff)
	}
}

// answer reads the rows of the text of a statement.
func answer(ctx context.Context, c pgwire.Catalogue, s pgwire.CatalogueSession, text string, params []pgwire.BindParameterValue) (pgwire.CatalogueRows, error) {
	return c.Answer(ctx, s, parse.ParseStatement(text, parse.DefaultLimits()), params)
}
