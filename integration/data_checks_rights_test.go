package integration_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/datacheck"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/postgres"
)

// twoTables returns a model of two datasets, one metric each.
func twoTables() string {
	id := modelField("id", "Integer", "", "")
	return modelOf([]string{
		modelDataset("orders", "orders", ordersKey, id, modelField("customer", "Integer", "", "")),
		modelDataset("customers", "customers", ordersKey, id),
	}, "  - {name: bought, from: orders, to: customers, from_columns: [customer], to_columns: [id]}\n",
		metricLine("orders", "COUNT(orders.id)")+metricLine("customers", "COUNT(customers.id)"))
}

const twoTablesData = "CREATE TABLE orders (id INTEGER, customer INTEGER);\nCREATE TABLE customers (id INTEGER);\n" +
	"INSERT INTO orders VALUES (1, 1), (1, 2);\nINSERT INTO customers VALUES (1);\n"

// An account without the right to read a table learns that nothing is known of it, and all about the others.
func TestDataChecks_TableWithoutPrivilege(t *testing.T) {
	address := shared.Postgres(t)
	admin, err := pgx.Connect(t.Context(), address.URI())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close(context.WithoutCancel(t.Context())) }()
	run := func(sql string) {
		t.Helper()
		if _, err := admin.PgConn().Exec(context.WithoutCancel(t.Context()), sql).ReadAll(); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	const drop = "DROP SCHEMA IF EXISTS data_checks CASCADE; DROP ROLE IF EXISTS data_checks_reader"
	run(drop)
	run("CREATE SCHEMA data_checks; SET search_path = data_checks")
	run(twoTablesData)
	run("CREATE ROLE data_checks_reader LOGIN PASSWORD 'reader'; GRANT USAGE ON SCHEMA data_checks TO data_checks_reader; GRANT SELECT ON data_checks.orders TO data_checks_reader")
	defer run(drop)
	db, err := postgres.Open(postgres.Options{
		Host: address.Host, Port: address.Port, User: "data_checks_reader", Password: executor.NewSecret("reader"),
		Database: address.Database, Schema: "data_checks", PoolSize: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	want := []string{
		"error key_not_unique at datasets[0].primary_key: the key (id) of orders is not unique: 2 rows have 1 value; `1` is in 2 rows",
		"warning check_incomplete at datasets[1].source: it is not known whether the model fits the source of customers, `customers`: permission denied for table customers (SQLSTATE 42501)",
	}
	if d := cmp.Diff(want, findingTexts(checkData(t, db, twoTables(), datacheck.Options{}))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// brokenStatements fails the statements that hold a text.
type brokenStatements struct {
	executor.Executor
	text string
	fail func(ctx context.Context) error
}

func (b brokenStatements) Query(ctx context.Context, sql string) (executor.Rows, error) {
	if strings.Contains(sql, b.text) {
		return nil, b.fail(ctx)
	}
	return b.Executor.Query(ctx, sql)
}

func openTwoTables(t *testing.T) executor.Executor {
	t.Helper()
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{twoTablesData}, Connections: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestDataChecks_StatementsThatFail(t *testing.T) {
	const duplicate = "error key_not_unique at datasets[0].primary_key: the key (id) of orders is not unique: 2 rows have 1 value; `1` is in 2 rows"
	const orphan = "warning relationship_unmatched at relationships[0].from_columns: 1 of 2 values (50 %) of orders.customer have no row in customers, in 1 of 2 rows, for example `2`"
	hang := func(ctx context.Context) error {
		<-ctx.Done()
		return &executor.Error{Code: executor.CodeDriver, Message: "cancelled", Err: ctx.Err()}
	}
	for _, test := range []struct {
		name, text string
		fail       func(ctx context.Context) error
		want       []string
	}{
		{"a scan hangs", `COUNT(DISTINCT "orders".id)`, hang, []string{
			"warning check_incomplete at datasets[0]: it is not known whether the values of orders.id are unique: the statement did not end within 3s",
			orphan,
		}},
		{"a join hangs", "LEFT JOIN", hang, []string{
			duplicate,
			"warning check_incomplete at relationships[0].from_columns: it is not known whether each value of orders.customer has a row in customers: the statement did not end within 3s",
		}},
		{"the example hangs", "HAVING", hang, []string{
			"error key_not_unique at datasets[0].primary_key: the key (id) of orders is not unique: 2 rows have 1 value", orphan,
		}},
		{"the warehouse gives a scan up", `COUNT(DISTINCT "orders".id)`,
			func(context.Context) error {
				return &executor.Error{Code: executor.CodeDriver, Message: "out of memory"}
			}, []string{
				"warning check_incomplete at datasets[0]: it is not known whether the values of orders.id are unique: out of memory", orphan,
			}},
		{"a scan of the other side hangs", `COUNT(DISTINCT "customers".id)`, hang, []string{
			duplicate,
			"warning check_incomplete at datasets[1]: it is not known whether the values of customers.id are unique: the statement did not end within 3s",
			"warning check_incomplete at relationships[0].from_columns: it is not known whether each value of orders.customer has a row in customers: the rows of customers were not counted",
		}},
		{"a source hangs", "FROM customers AS \"customers\" LIMIT 0", hang, []string{
			duplicate,
			"warning check_incomplete at datasets[1].source: it is not known whether the model fits the source of customers, `customers`: the statement did not end within 3s",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel() // those that hang wait for their timeouts together
			db := brokenStatements{openTwoTables(t), test.text, test.fail}
			found := checkData(t, db, twoTables(), datacheck.Options{StatementTimeout: 3 * time.Second, MaxRows: datacheck.UnlimitedRows})
			if d := cmp.Diff(test.want, findingTexts(found)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// A connection that breaks in the middle ends the check without a finding, and so does the end of the context.
func TestDataChecks_BrokenConnectionIsAnError(t *testing.T) {
	lost := &executor.Error{Code: executor.CodeConnection, Message: "the warehouse cannot be reached", Err: io.ErrUnexpectedEOF}
	for _, text := range []string{"SELECT 1", "LIMIT 0", "COUNT(DISTINCT", "LEFT JOIN"} {
		db := brokenStatements{openTwoTables(t), text, func(context.Context) error { return lost }}
		c := engine.Config{ModelText: []byte(twoTables()), Connections: []engine.ProgramConnection{{Name: "data", Executor: db}}}
		v, err := engine.ValidateData(t.Context(), c, "data", datacheck.Options{})
		var failure *engine.ExecuteError
		if v != nil || !errors.As(err, &failure) || failure.Code != executor.CodeConnection {
			t.Errorf("%s: %v %v", text, v, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	db := brokenStatements{openTwoTables(t), "LEFT JOIN", func(ctx context.Context) error {
		cancel()
		return ctx.Err()
	}}
	c := engine.Config{ModelText: []byte(twoTables()), Connections: []engine.ProgramConnection{{Name: "data", Executor: db}}}
	v, err := engine.ValidateData(ctx, c, "data", datacheck.Options{})
	var failure *engine.ExecuteError
	if v != nil || !errors.As(err, &failure) || failure.Code != executor.CodeTimeout {
		t.Errorf("cancelled: %v %v", v, err)
	}
}

// Skipped codes are neither found nor paid for.
func TestDataChecks_SkippedCodesRunNoStatement(t *testing.T) {
	db := brokenStatements{openTwoTables(t), "COUNT(", func(context.Context) error {
		return &executor.Error{Code: executor.CodeConnection, Message: "a statement that should not run"}
	}}
	found := checkData(t, db, twoTables(), datacheck.Options{
		Skip: []string{"key_not_unique", "key_has_null", "relationship_unmatched", "expression_rejected"},
	})
	if len(found) > 0 {
		t.Errorf("%v", found)
	}
}

// The count of nulls of a composite key is rejected: nothing is concluded from the other counts.
func TestDataChecks_CompositeKeyWithoutItsNulls(t *testing.T) {
	id := modelField("id", "Integer", "", "")
	model := modelOf([]string{modelDataset("orders", "orders", "    primary_key: [id, customer]\n    unique_keys: [[id]]\n", id, modelField("customer", "Integer", "", ""))}, "", "")
	db := brokenStatements{openTwoTables(t), " OR ", func(context.Context) error {
		return &executor.Error{Code: executor.CodeSQLRejected, Message: "no"}
	}}
	want := []string{
		"warning check_incomplete at datasets[0]: it is not known whether the values of (id, customer) of orders are unique: no",
		"error key_not_unique at datasets[0].unique_keys[0]: the key (id) of orders is not unique: 2 rows have 1 value; `1` is in 2 rows",
	}
	if d := cmp.Diff(want, findingTexts(checkData(t, db, model, datacheck.Options{}))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
