package generated_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/datacheck"
	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/servers"
)

func TestDataChecks_DuckDB(t *testing.T) {
	testDataChecks(t, func(ctx context.Context, _, script string) (executor.Executor, error) {
		return duckdb.Open(ctx, duckdb.Options{Setup: []string{script}})
	})
}

func TestDataChecks_SQLite(t *testing.T)     { testDataChecks(t, servers.SQLite(t).Load) }
func TestDataChecks_PostgreSQL(t *testing.T) { testDataChecks(t, servers.PostgreSQL(t, &shared).Load) }
func TestDataChecks_MariaDB(t *testing.T)    { testDataChecks(t, servers.MariaDB(t, &shared).Load) }
func TestDataChecks_ClickHouse(t *testing.T) { testDataChecks(t, servers.ClickHouse(t).Load) }

// testDataChecks checks that a generated model has no finding about the data it was made of, but the share of unmatched
// values that the generator accepts, and that a fault of the data has exactly its finding.
func testDataChecks(t *testing.T, open load) {
	seeds := 3
	if os.Getenv("SEMLAYER_TEST_LONG") != "" {
		seeds = 60
	}
	planted, wrong := 0, 0
	for seed := range seeds {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 6))
			schema := randomSchema(r)
			db, err := open(t.Context(), "data checks", script(schema))
			if err != nil {
				t.Fatal(err)
			}
			out, err := generate.GenerateFromWarehouse(t.Context(), db, generate.Options{Name: "random", MaxRows: 100_000})
			if err != nil {
				t.Fatal(err)
			}
			before := dataFindings(t, string(out.Text), db)
			wrong += compareFindings(t, "the data of the model", before, nil, unmatchedFindings(out.Report))
			for _, fault := range randomFaults(r, schema, out.Report) {
				db, err := open(t.Context(), "data checks", script(fault.schema))
				if err != nil {
					t.Fatal(err)
				}
				planted++
				wrong += compareFindings(t, fault.name, dataFindings(t, string(out.Text), db), before, []string{fault.want})
			}
			if t.Failed() {
				t.Logf("%s", out.Text)
			}
		})
	}
	t.Attr("planted", strconv.Itoa(planted))
	t.Attr("wrong", strconv.Itoa(wrong))
}

// dataFindings lists the findings about data as code and message.
func dataFindings(t *testing.T, model string, db executor.Executor) []string {
	t.Helper()
	defer func() { _ = db.Close() }()
	v, err := engine.ValidateData(t.Context(), engine.Config{
		ModelText: []byte(model), Connections: []engine.ProgramConnection{{Name: "w", Executor: recordedSelects{t, db}}},
	}, "w", datacheck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, i := range v.Issues {
		if datacheck.IsDataFindingCode(i.Code) {
			out = append(out, i.Code+" "+i.Message)
		}
	}
	return out
}

// recordedSelects reports a statement that is not one SELECT.
type recordedSelects struct {
	t *testing.T
	executor.Executor
}

func (r recordedSelects) Query(ctx context.Context, sql string) (executor.Rows, error) {
	if !isSelect(sql) {
		r.t.Errorf("a statement that is not a SELECT: %s", sql)
	}
	return r.Executor.Query(ctx, sql)
}

// TypesFollowValues is that of the executor.
func (r recordedSelects) TypesFollowValues() bool {
	v, ok := r.Executor.(executor.DynamicTypingReporter)
	return ok && v.TypesFollowValues()
}

// compareFindings checks that each wanted beginning is one finding, and that the others were there before. It returns how
// many findings are missing or too many.
func compareFindings(t *testing.T, what string, found, before, want []string) (wrong int) {
	t.Helper()
	for _, w := range want {
		if !slices.ContainsFunc(found, func(f string) bool { return strings.HasPrefix(f, w) }) {
			wrong++
			t.Errorf("%s: no finding %q among %q", what, w, found)
		}
	}
	for _, f := range found {
		if !slices.Contains(before, f) && !slices.ContainsFunc(want, func(w string) bool { return strings.HasPrefix(f, w) }) {
			wrong++
			t.Errorf("%s: the finding %q", what, f)
		}
	}
	return wrong
}

// unmatchedFindings returns the findings about the relationships that a generator wrote beside some unmatched values.
func unmatchedFindings(r generate.Report) []string {
	var out []string
	for _, e := range r.Relationships {
		if e.Written && e.Unmatched > 0 {
			out = append(out, fmt.Sprintf("relationship_unmatched %d of %d values (%d %%) of %s.%s have no row in %s,",
				e.Unmatched, e.Values, e.Unmatched, e.From, e.FromColumns[0], e.To))
		}
	}
	return out
}

// dataFault is a schema with a fault, and the beginning of its finding.
type dataFault struct {
	name, want string
	schema     []randomTable
}

// randomFaults plants faults into copies of a schema.
func randomFaults(r *rand.Rand, schema []randomTable, report generate.Report) []dataFault {
	var out []dataFault
	plant := func(name, want string, at int, change func(*randomTable)) {
		copied := slices.Clone(schema)
		copied[at].columns = slices.Clone(copied[at].columns)
		rows := make([][]string, len(copied[at].rows))
		for i, row := range copied[at].rows {
			rows[i] = slices.Clone(row)
		}
		copied[at].rows = rows
		change(&copied[at])
		out = append(out, dataFault{name + " in " + schema[at].name, want, copied})
	}
	last := len(schema) - 1 // trips, which has a key and rows
	dataset := nameOf(schema[last].name)
	row := 1 + r.IntN(len(schema[last].rows)-1)
	plant("a duplicate", "key_not_unique the key (trip_id) of "+dataset+" is not unique: 300 rows have 299 different values; `0` is in 2 rows", last,
		func(x *randomTable) { x.rows[row][0] = "0" })
	plant("a null", "key_has_null the key (trip_id) of "+dataset+" is null in 1 of 300 rows", last, func(x *randomTable) { x.rows[row][0] = "NULL" })
	for _, e := range report.Relationships {
		column := slices.IndexFunc(schema[last].columns, func(c randomColumn) bool { return c.name == e.FromColumns[0] })
		if !e.Written || e.From != dataset || column < 0 {
			continue
		}
		plant("an orphan", fmt.Sprintf("relationship_unmatched %d of %d values", e.Unmatched+1, e.Values+1), last,
			func(x *randomTable) { x.rows[row][column] = "777" })
		break
	}
	at := r.IntN(len(schema))
	table := schema[at]
	column := 1 + r.IntN(len(table.columns)-1)
	field := fieldNames(table)[column]
	plant("a table less", "source_not_found the source of "+nameOf(table.name)+",", at, func(x *randomTable) { x.name += "_gone" })
	// PostgreSQL reads t.count as COUNT(t) where the table has no such column.
	if _, joins := table.references[table.columns[column].name]; !joins && table.columns[column].name != "count" {
		plant("a column less", "column_not_found "+nameOf(table.name)+"."+field+" reads the column `"+
			strings.Join(strings.Fields(table.columns[column].name), " ")+"`", at, func(x *randomTable) { x.columns[column].name = "gone_column" })
		if kind := table.columns[column].kind; kind == "DATE" && len(table.rows) > 0 {
			plant("another type", "datatype_mismatch "+nameOf(table.name)+"."+field+" is declared Date, and its values are String", at,
				func(x *randomTable) {
					x.columns[column].kind = "VARCHAR(20)"
					for i := range x.rows {
						x.rows[i][column] = "'no date'"
					}
				})
		}
	}
	return out
}
