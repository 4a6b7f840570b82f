package expressions

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
)

// foreignCalls are sound calls, on an engine that has the function.
var foreignCalls = []string{
	"DATE_FORMAT(DATE '2024-01-31', '%Y')",
	"DECODE(1, 1, 'one', 'other')",
	"GETDATE()",
	"LAST_DAY(DATE '2024-01-31')",
	"LPAD('a', 3, 'x')",
	"NOW()",
	"REGEXP_CONTAINS('foo', 'o')",
	"REGEXP_LIKE('foo', 'o', 'i')",
	"REVERSE('foo')",
	"RPAD('a', 3, 'x')",
	"SAFE_DIVIDE(1, 0)",
	"TO_CHAR(DATE '2024-01-31', 'Dy')",
}

func TestFunctionNotPortable_NamesTheEnginesThatRefuseTheFunction(t *testing.T) {
	for name, open := range map[string]func(testing.TB) executor.Executor{
		"duckdb": openDuckDB, "postgres": openPostgres, "mariadb": openMySQLFamily(servers.MariaDB),
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			for _, call := range foreignCalls {
				_, err := ask(t.Context(), db, "SELECT "+call+" AS x")
				named := strings.Contains(warningOf(t, call), " "+name)
				if named != (err != nil) {
					t.Errorf("%s: named as lacking: %v; the engine's answer: %v", call, named, err)
				}
			}
		})
	}
}

// warningOf returns the message about a function that a model calls for every engine. Its
// list of dialects is what precedes the advice.
func warningOf(t *testing.T, call string) string {
	t.Helper()
	model := "version: 0.2.0.dev0\nname: m\ndatasets:\n  - name: d\n    source: d\n    fields:\n" +
		"      - {name: x, expression: {dialects: [{dialect: ANSI_SQL, expression: \"" + call + "\"}]}}\n"
	e, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(model)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, w := range e.Warnings() {
		if w.Code == "function_not_portable" {
			if !strings.Contains(w.Message, "are known to lack it") {
				t.Errorf("%s: %s", call, w.Message)
			}
			list, _, _ := strings.Cut(w.Message, ";")
			return list
		}
	}
	t.Fatalf("%s: no warning", call)
	return ""
}
