package expressions

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/jsonrows"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/mysql"
	"github.com/semlayer/semlayer/executor/postgres"
	"github.com/semlayer/semlayer/integration/internal/containers"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/sqlemit"
)

var servers = containers.SharedServers()

func TestMain(m *testing.M) { os.Exit(servers.RunTests(m)) }

// line is one line of the table.
type line struct {
	number     int
	expr, want string
}

func readTable(tb testing.TB) []line {
	tb.Helper()
	f, err := os.Open("testdata/expressions.txt")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var out []line
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		text := sc.Text()
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		e, want, ok := strings.Cut(text, " ⇒")
		if !ok {
			tb.Fatalf("line %d has no ⇒", n)
		}
		out = append(out, line{n, e, strings.TrimPrefix(want, " ")})
	}
	if err := sc.Err(); err != nil {
		tb.Fatal(err)
	}
	return out
}

// doubleOnSQLite is a decimal literal that SQLite, which has no decimals, reads as the double below it.
const doubleOnSQLite = "CAST(1.005 AS DECIMAL(10,2))"

func TestExpressions_SameOnEveryEngine(t *testing.T) {
	lines := readTable(t)
	for name, open := range map[string]func(testing.TB) executor.Executor{
		"duckdb": openDuckDB, "postgres": openPostgres, "mariadb": openMySQLFamily(servers.MariaDB), "mysql": openMySQLFamily(servers.MySQL), "sqlite": openSQLite,
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			d, ok := sqlemit.LookupDialect(name)
			if !ok {
				t.Fatalf("no dialect %s", name)
			}
			equal := 0
			for _, l := range lines {
				sql, err := statement(l.expr, d)
				if name == "sqlite" && (err != nil || l.expr == doubleOnSQLite) {
					continue // it lacks the function or the part
				}
				if err != nil {
					t.Errorf("line %d: %s: %v", l.number, l.expr, err)
					continue
				}
				got, err := ask(t.Context(), db, sql)
				switch {
				case err != nil:
					t.Errorf("line %d: %s: %v\n%s", l.number, l.expr, err, sql)
				case !same(got, l.want):
					t.Errorf("line %d: %s is %q, want %q\n%s", l.number, l.expr, got, l.want, sql)
				default:
					equal++
				}
			}
			t.Attr("different", strconv.Itoa(len(lines)-equal))
			floor.CheckCount(t, "equal", equal, 200)
		})
	}
}

// ask returns the only value of a statement, as text.
func ask(ctx context.Context, db executor.Executor, sql string) (string, error) {
	rows, err := db.Query(ctx, sql)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	result, err := jsonrows.CollectResult(ctx, rows, nil)
	if err != nil {
		return "", err
	}
	var values []map[string]json.RawMessage
	if err := json.Unmarshal(result.Rows, &values); err != nil {
		return "", err
	}
	if len(values) != 1 {
		return "", fmt.Errorf("%d rows", len(values))
	}
	raw := values[0]["x"]
	var text string
	if json.Unmarshal(raw, &text) == nil && string(raw) != "null" {
		return text, nil
	}
	return string(raw), nil
}

// same compares as the contract does: numbers within 1e-9, an instant at
// midnight with its date, and conditions with the 0 and 1 of MySQL.
func same(got, want string) bool {
	got = strings.Replace(got, "T", " ", 1)
	if got == want || got == want+" 00:00:00" || got+" 00:00:00" == want {
		return true
	}
	switch want {
	case "true":
		return got == "1"
	case "false":
		return got == "0"
	}
	g, gotNumber := new(big.Rat).SetString(got)
	w, wantNumber := new(big.Rat).SetString(want)
	if !gotNumber || !wantNumber {
		return false
	}
	diff := new(big.Rat).Sub(g, w)
	limit := new(big.Rat).Mul(new(big.Rat).Abs(w), big.NewRat(1, 1_000_000_000))
	return diff.Abs(diff).Cmp(limit) <= 0
}

func openDuckDB(tb testing.TB) executor.Executor {
	tb.Helper()
	db, err := duckdb.Open(tb.Context(), duckdb.Options{})
	return opened(tb, db, err)
}

func openPostgres(tb testing.TB) executor.Executor {
	tb.Helper()
	db, err := postgres.Open(postgres.Options{URI: executor.NewSecret(servers.Postgres(tb).URI())})
	return opened(tb, db, err)
}

func openMySQLFamily(server func(testing.TB) *localdb.Server) func(testing.TB) executor.Executor {
	return func(tb testing.TB) executor.Executor {
		tb.Helper()
		s := server(tb)
		db, err := mysql.Open(mysql.Options{
			Host: s.Host, Port: s.Port, User: s.User, Password: executor.NewSecret(s.Password), Database: s.Database, Dialect: string(s.Engine),
		})
		return opened(tb, db, err)
	}
}

func opened[E executor.Executor](tb testing.TB, db E, err error) executor.Executor {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return db
}
