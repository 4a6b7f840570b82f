package sqlite_test

import (
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/testwait"
)

func TestLetters_HaveTheCaseThatTheyHaveInOtherEngines(t *testing.T) {
	e := open(t, ":memory:")
	duck, err := duckdb.Open(t.Context(), duckdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer duck.Close()
	for expression, want := range map[string]string{
		"LOWER('KÖLN ZOË ÅNGSTRÖM')": `"köln zoë ångström"`,
		"UPPER('köln zoë ångström')": `"KÖLN ZOË ÅNGSTRÖM"`,
		"LOWER('ΟΔΥΣΣΕΥΣ')":          `"οδυσσευσ"`, // letter by letter: no final sigma
		"UPPER('ς σ')":               `"Σ Σ"`,
		"LOWER('İI')":                `"ii"`,
		"UPPER('ıi')":                `"II"`,
		"LOWER('ẞ')":                 `"ß"`,
		"LOWER('Ж')":                 `"ж"`,
		"UPPER('ǆ')":                 `"Ǆ"`,
		"LOWER('東京 🐢 ')":             `"東京 🐢 "`,
		"LOWER('')":                  `""`,
		"LOWER(NULL)":                "null",
		"lower ( 'Ä' )":              `"ä"`,
		"'LOWER(Ä)' || UPPER(/* LOWER( */ 'ä''lower(')": `"LOWER(Ä)Ä'LOWER("`,
	} {
		for name, on := range map[string]executor.Executor{"sqlite": e, "duckdb": duck} {
			got, err := executortest.QueryRowsJSON(t.Context(), on, "SELECT "+expression+" AS v")
			if err != nil || got != `[{"v":`+want+`}]` {
				t.Errorf("%s: %s is %s, %v, want %s", name, expression, got, err, want)
			}
		}
	}
	if got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT UPPER(12) AS v"); err != nil || got != `[{"v":"12"}]` {
		t.Errorf("UPPER(12) is %s, %v", got, err)
	}
	// Engines differ here: DuckDB has a capital for it, PostgreSQL and MySQL have none.
	if got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT UPPER('straße') AS v"); err != nil || got != `[{"v":"STRAßE"}]` {
		t.Errorf("UPPER('straße') is %s, %v", got, err)
	}
}

func TestLike_TakesNoNoticeOfTheCaseOfAnyLetter(t *testing.T) {
	e := open(t, ":memory:")
	for condition, want := range map[string]string{
		"'Zoë Müller' LIKE 'ZOË m%'":   "1",
		"'Zoë Müller' LIKE '%ÜLL__'":   "1",
		"'Zoë Müller' LIKE '%ÜLL_'":    "0",
		"'Zoë' LIKE 'zo_'":             "1",
		"'Zoë' LIKE 'zo'":              "0",
		"'' LIKE '%'":                  "1",
		"'' LIKE ''":                   "1",
		"'' LIKE '_'":                  "0",
		"'a%b' LIKE 'A!%B' ESCAPE '!'": "1",
		"'axb' LIKE 'A!%B' ESCAPE '!'": "0",
		"'a' LIKE 'a!' ESCAPE '!'":     "0",
		"'Ä' LIKE 'Öä' ESCAPE 'Ö'":     "1",
		"'aXbXc' LIKE '%x%x%'":         "1",
		"'abab' LIKE '%ab'":            "1",
		"'ababc' LIKE '%abc'":          "1",
		"NULL LIKE 'a'":                "null",
		"'a' LIKE NULL":                "null",
		"'a' LIKE 'a' ESCAPE NULL":     "null",
		"12 LIKE '1_'":                 "1",
		"'a' NOT LIKE 'B%'":            "1",
	} {
		got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT "+condition+" AS v")
		if err != nil || got != `[{"v":`+want+`}]` {
			t.Errorf("%s is %s, %v, want %s", condition, got, err, want)
		}
	}
	_, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT 'a' LIKE 'b' ESCAPE 'xy' AS v")
	if failure := executortest.ExpectError(t, err, executor.CodeSQLRejected); !strings.Contains(failure.Message, "single character") {
		t.Errorf("message %q", failure.Message)
	}
	_, err = executortest.QueryRowsJSON(t.Context(), e, "SELECT 'a' LIKE '"+strings.Repeat("_", 50_001)+"' AS v")
	executortest.ExpectError(t, err, executor.CodeSQLRejected)
}

// A pattern that a matcher with a stack of places to go back to would be at for years.
func TestLike_DoesNotBacktrackFurtherThanOneRun(t *testing.T) {
	e := open(t, ":memory:")
	text := "replace(hex(zeroblob(20000)), '0', 'x')"
	begun := time.Now()
	for _, condition := range []string{text + " LIKE '%_x%_x%_x%_x%_x%_x%_x%_x%_b'", text + " GLOB '*?x*?x*?x*?x*?x*?x*?x*?b'", "LOWER(" + text + ") GLOB '*x*x*x*x*x*x*x*x*x*b'"} {
		got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT "+condition+" AS v")
		if err != nil || got != `[{"v":0}]` {
			t.Errorf("%s is %s, %v", condition, got, err)
		}
	}
	if took := time.Since(begun); took > testwait.Deadline {
		t.Errorf("it took %v", took)
	}
}

// SQLite keeps what its own LOWER makes of names in the index; it leaves the capitals in.
func TestLetters_AreNotReadFromAnIndexOfSQLitesOwn(t *testing.T) {
	path := file(t, `CREATE TABLE cities(name TEXT); INSERT INTO cities VALUES ('KÖLN'), ('köln'), ('Bonn');
		CREATE INDEX folded ON cities(lower(name)); CREATE INDEX some ON cities(name) WHERE lower(name) = 'köln';`)
	e := open(t, path)
	got, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT count(*) AS n FROM cities WHERE LOWER(name) = 'köln'")
	if err != nil || got != `[{"n":2}]` {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestLetters_AnErrorSpeaksOfTheStatement(t *testing.T) {
	_, err := executortest.QueryRowsJSON(t.Context(), open(t, ":memory:"), "SELECT LOWER(1, 2) AS v")
	failure := executortest.ExpectError(t, err, executor.CodeSQLRejected)
	if !strings.Contains(failure.Message, "LOWER()") || strings.Contains(failure.Message, "semlayer") {
		t.Errorf("message %q", failure.Message)
	}
}
