package statements

import (
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/integration/internal/outersql"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

// typesInOuterSQL are the types of columns that random outer SQL computes with.
var typesInOuterSQL = map[string]outersql.ColumnType{
	"integer": outersql.ColumnTypeInteger, "bigint": outersql.ColumnTypeInteger, "numeric": outersql.ColumnTypeDecimal, "double precision": outersql.ColumnTypeDouble,
	"text": outersql.ColumnTypeText, "date": outersql.ColumnTypeDate, "timestamp": outersql.ColumnTypeTimestamp, "boolean": outersql.ColumnTypeBoolean,
}

// storedAs are the types of DuckDB that hold the values of a type.
var storedAs = map[outersql.ColumnType][]string{
	outersql.ColumnTypeInteger: {"BIGINT", "INTEGER", "HUGEINT", "SMALLINT", "TINYINT", "UBIGINT"},
	outersql.ColumnTypeDecimal: {"BIGINT", "INTEGER", "HUGEINT", "SMALLINT", "TINYINT", "DECIMAL"},
	outersql.ColumnTypeDouble:  {"DOUBLE", "FLOAT", "DECIMAL", "BIGINT", "INTEGER", "HUGEINT"},
	outersql.ColumnTypeText:    {"VARCHAR"}, outersql.ColumnTypeDate: {"DATE", "TIMESTAMP"}, outersql.ColumnTypeTimestamp: {"TIMESTAMP"}, outersql.ColumnTypeBoolean: {"BOOLEAN"},
}

// partsOfModel are the results of the queries of the corpus over one model, as tables of a DuckDB.
type partsOfModel struct {
	*fixture
	fixtureName  string
	data         string
	tables       []outersql.ResultTable
	onDuckDBOnly []string // the tables whose queries other engines lack
	setup        []string // that makes the tables
	host         executor.Executor
}

// maxPartRows bounds the rows of a part, because joins multiply them.
const maxPartRows = 60

// add makes the result of a case a part, if random outer SQL can compute with its columns.
func (p *partsOfModel) add(t *testing.T, c *corpus.Case) {
	t.Helper()
	q, ok := p.spelled(t, c)
	if !ok || q.contextFilter != "" || len(q.rows.Rows) == 0 && len(p.tables)%8 > 0 || len(q.rows.Rows) > maxPartRows || len(q.rows.Columns) > 8 {
		return
	}
	s := q.statements[len(p.tables)%len(q.statements)]
	if len(s.Params) > 0 {
		s = q.statements[0]
	}
	compiled, err := p.model.Compile(t.Context(), semsql.Statement{SQL: s.SQL}, targetOf(dialect(t, "duckdb")))
	if err != nil {
		return // other tests count it
	}
	// Without a limit the SELECT around the rows of a dataset would be a select over the dataset.
	if compiled.Kind == semsql.KindDetail && compiled.Planned.Limit == nil {
		s.SQL += " LIMIT 1000"
	}
	part := outersql.ResultTable{Name: "part" + itoa(len(p.tables)+1), Select: s.SQL, Rows: len(q.rows.Rows)}
	stored, err := servers.QueryTable(t.Context(), p.db, "DESCRIBE "+q.sql, nil)
	if err != nil {
		t.Fatal(c.Name, err)
	}
	var columns []string
	for i, column := range compiled.Columns {
		typ, known := typesInOuterSQL[column.Type]
		kind, _, _ := strings.Cut(stored.Rows[i][1].Text, "(")
		if !known || !slices.Contains(storedAs[typ], kind) {
			return
		}
		part.Columns = append(part.Columns, outersql.ResultColumn{Type: typ, Values: literalsOf(q.rows, i, typ)})
		value := "c" + itoa(i)
		switch typ {
		case outersql.ColumnTypeDate:
			value = "CAST(" + value + " AS DATE)"
		case outersql.ColumnTypeDouble:
			value = "CAST(" + value + " AS DOUBLE)"
		}
		columns = append(columns, value+" AS c"+itoa(i))
	}
	var names []string
	for i := range columns {
		names = append(names, "c"+itoa(i))
	}
	p.setup = append(p.setup, "CREATE TABLE "+part.Name+" AS SELECT "+strings.Join(columns, ", ")+" FROM ("+q.sql+") AS q("+strings.Join(names, ", ")+")")
	p.tables = append(p.tables, part)
	if len(c.Engines) > 0 {
		p.onDuckDBOnly = append(p.onDuckDBOnly, part.Name)
	}
}

// literalsOf returns literals of the values of a column.
func literalsOf(rows *table.Table, column int, typ outersql.ColumnType) []string {
	var out []string
	for _, row := range rows.Rows {
		text := row[column].Text
		switch {
		case row[column].Kind == table.CellKindNull || typ == outersql.ColumnTypeBoolean || len(out) >= 8:
		case typ <= outersql.ColumnTypeDouble && (len(text) > 10 || strings.ContainsAny(text, "eE")):
		case typ <= outersql.ColumnTypeDouble:
			out = append(out, text)
		case typ == outersql.ColumnTypeDate:
			out = append(out, "DATE '"+text+"'")
		case typ == outersql.ColumnTypeTimestamp:
			out = append(out, "TIMESTAMP '"+strings.Replace(text, "T", " ", 1)+"'")
		default:
			out = append(out, "'"+strings.ReplaceAll(text, "'", "''")+"'")
		}
	}
	return out
}

// partsOfCorpus returns the parts of every model that has some.
func partsOfCorpus(t *testing.T) []*partsOfModel {
	t.Helper()
	cases, err := corpus.LoadCases("../testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	open := map[string]*partsOfModel{}
	for _, c := range cases {
		if c.Fixture == "" || c.Section("model.yaml") != "" || otherMeaning[c.Name] != "" || c.Section("error.json") != "" || len(c.Engines) > 0 && !slices.Contains(c.Engines, "duckdb") {
			continue
		}
		if open[c.Fixture] == nil {
			_, data := modelOfCase(t, c)
			open[c.Fixture] = &partsOfModel{fixture: openFixture(t, c), fixtureName: c.Fixture, data: data}
		}
		open[c.Fixture].add(t, c)
	}
	var out []*partsOfModel
	for _, name := range slices.Sorted(maps.Keys(open)) {
		p := open[name]
		t.Cleanup(func() { _ = p.db.Close() })
		if len(p.tables) < 3 {
			continue
		}
		host, err := duckdb.Open(t.Context(), duckdb.Options{Setup: append([]string{p.data}, p.setup...), Connections: 1})
		if err != nil {
			t.Fatal(name, err)
		}
		t.Cleanup(func() { _ = host.Close() })
		p.host = host
		out = append(out, p)
	}
	return out
}

// constructsOfOuterSQL are the constructs that random statements have often enough to be held by them.
var constructsOfOuterSQL = []string{
	"choice", "count distinct", "cross join", "derived table", "distinct", "division", "filter", "frame", "groups", "having", "hidden order", "in a subquery",
	"join", "limit", "nulls first", "one group", "order", "scalar subquery", "set operation", "star", "using", "window", "with",
}

// leastStatements is how many statements are compared where the environment does not name a number.
const leastStatements = 200

// statementsPerEngineCase: engines beside DuckDB run one in so many of the statements.
const statementsPerEngineCase = 4

// wantedStatements returns the number of statements with outer SQL are compared, and the seed of the first.
func wantedStatements(t *testing.T) (seed uint64, statements int) {
	t.Helper()
	seed, statements = 1, leastStatements
	if text := os.Getenv("SEMLAYER_PROPERTY_QUERIES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		statements = n
	}
	switch text := os.Getenv("SEMLAYER_PROPERTY_SEED"); text {
	case "":
	case "random":
		seed = rand.Uint64N(1 << 40)
	default:
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seed = n
	}
	return seed, statements
}

// Random outer SQL around the SELECTs of queries has the rows that DuckDB gives for it over tables with the rows of those
// queries: on DuckDB, and on the other engines that are there.
func TestOuterSQL_HasTheRowsOfTheSameTextOverTables(t *testing.T) {
	models := partsOfCorpus(t)
	parts := 0
	for _, p := range models {
		parts += len(p.tables)
	}
	first, wanted := wantedStatements(t)
	engines := otherEngines(t)
	compared, different, empty, ordered, failures := 0, 0, 0, 0, 0
	constructs := map[string]int{}
	for seed := first; compared < wanted; seed++ {
		random := rand.New(rand.NewPCG(seed, 0))
		p := models[random.IntN(len(models))]
		s := outersql.RandomStatement(random, p.tables)
		want, err := servers.QueryTable(t.Context(), p.host, s.Plain, nil)
		if err != nil {
			failures++
			t.Logf("seed %d: DuckDB fails: %v\n%s", seed, err, s.Plain)
			continue
		}
		compared++
		for _, name := range s.Constructs {
			constructs[name]++
		}
		if len(want.Rows) == 0 {
			empty++
		}
		if s.Ordered {
			ordered++
		}
		if problem := p.compareOuter(t, s, want); problem != "" {
			different++
			t.Errorf("seed %d: %s\n%s\nas plain SQL\n%s", seed, problem, s.SQL, s.Plain)
		}
		for _, e := range engines {
			if compared%statementsPerEngineCase > 0 {
				continue
			}
			if problem := e.compareOuter(t, p, s, want); problem != "" {
				different++
				e.different++
				t.Errorf("seed %d: %s: %s\n%s\nas plain SQL\n%s", seed, e.Dialect, problem, s.SQL, s.Plain)
			}
		}
		if different > 20 {
			t.Fatal("there may be more")
		}
	}
	t.Logf("%d models, %d parts, %d statements, %d without rows, %d ordered, %d fail in DuckDB\n%v", len(models), parts, compared, empty, ordered, failures, constructs)
	t.Attr("seed", strconv.FormatUint(first, 10))
	t.Attr("different", itoa(different))
	floor.CheckCount(t, "parts", parts, 100)
	for _, e := range engines {
		t.Logf("%s: %d compared, %d that the dialect cannot say, %d different", e.Dialect, e.compared, e.unsupported, e.different)
		floor.CheckCount(t, "on-"+e.Dialect, e.compared, wanted/(3*statementsPerEngineCase))
	}
	floor.CheckCount(t, "statements", compared, min(wanted, leastStatements))
	floor.CheckCount(t, "ordered", ordered, wanted/5)
	floor.CheckCount(t, "with-rows", compared-empty, wanted/2)
	if failures > wanted/100 {
		t.Errorf("DuckDB fails at %d texts", failures)
	}
	for _, name := range constructsOfOuterSQL {
		if constructs[name] < wanted/50 {
			t.Errorf("%d of %d statements have %s", constructs[name], compared, name)
		}
	}
}

// compareOuter compiles and runs a statement.
func (p *partsOfModel) compareOuter(t *testing.T, s outersql.Statement, want *table.Table) string {
	t.Helper()
	compiled, err := p.model.Compile(t.Context(), semsql.Statement{SQL: s.SQL}, targetOf(dialect(t, "duckdb")))
	var refused *semsql.Error
	switch {
	case errors.As(err, &refused):
		return "refused: " + refused.Code + ": " + refused.Error()
	case err != nil:
		return err.Error()
	}
	if err := plan.CheckTree(compiled.Planned.Root); err != nil {
		return err.Error()
	}
	return p.compareRows(t, compiled.Planned, s.Ordered, want)
}

func (p *partsOfModel) compareRows(t *testing.T, planned *planner.Planned, ordered bool, want *table.Table) string {
	t.Helper()
	sql, err := sqlemit.Emit(t.Context(), planned.Root, dialect(t, "duckdb"), sqlemit.FormatOptions{})
	if err != nil {
		return err.Error()
	}
	got, err := servers.QueryTable(t.Context(), p.db, sql, planned.Columns)
	if err != nil {
		return err.Error() + "\n" + sql
	}
	got.Columns = want.Columns
	if diff := table.Diff(want, got, ordered); diff != "" {
		return "- is plain SQL, + is the statement\n" + diff + "\n" + sql
	}
	return ""
}
