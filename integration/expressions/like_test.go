package expressions

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/sqlemit"
)

// like matches a pattern character by character: the definition of LIKE.
func like(text, pattern []rune) bool {
	switch {
	case len(pattern) == 0:
		return len(text) == 0
	case pattern[0] == '%':
		return like(text, pattern[1:]) || len(text) > 0 && like(text[1:], pattern)
	}
	return len(text) > 0 && (pattern[0] == '_' || pattern[0] == text[0]) && like(text[1:], pattern[1:])
}

func TestLike_AnyPatternMatchesOnDuckDBWhatItDefines(t *testing.T) {
	db := openDuckDB(t)
	d, _ := sqlemit.LookupDialect("duckdb")
	random := rand.New(rand.NewPCG(1, 2))
	word := func(alphabet []rune, most int) string {
		out := make([]rune, random.IntN(most))
		for i := range out {
			out[i] = alphabet[random.IntN(len(alphabet))]
		}
		return string(out)
	}
	printed := map[string]bool{}
	for range 1000 {
		text, pattern := word([]rune(`aab.ü\`), 12), word([]rune(`aab.ü\%%__`), 9)
		for _, form := range []struct {
			operator string
			want     bool
		}{
			{" LIKE ", like([]rune(text), []rune(pattern))},
			{" NOT LIKE ", !like([]rune(text), []rune(pattern))},
			{" ILIKE ", like([]rune(text), []rune(pattern))},
		} {
			expr := "'" + text + "'" + form.operator + "'" + pattern + "'"
			if form.operator == " ILIKE " {
				expr = "'" + text + "' ILIKE '" + strings.ToUpper(pattern) + "'"
			}
			sql, err := statement(expr, d)
			if err != nil {
				t.Fatalf("%s: %v", expr, err)
			}
			for _, operator := range []string{" LIKE ", " ILIKE ", "REGEXP_FULL_MATCH"} {
				printed[operator] = printed[operator] || strings.Contains(sql, operator)
			}
			if got, err := ask(t.Context(), db, sql); err != nil || got != strconv.FormatBool(form.want) {
				t.Errorf("%s: %s, %v; want %v\n%s", expr, got, err, form.want, sql)
			}
		}
	}
	if len(printed) != 3 {
		t.Errorf("only %v were printed", printed)
	}
}

// Each of these took minutes or more when DuckDB matched it by backtracking.
func TestLike_NoPatternBacktracksOnDuckDB(t *testing.T) {
	db := openDuckDB(t)
	d, _ := sqlemit.LookupDialect("duckdb")
	for _, condition := range []string{
		"t.s LIKE '%x%x%x%x%x%_b'", "t.s LIKE '%_x%_x%_x%_x%_b'", "t.s ILIKE '%x%x%x%x%x%b'",
		"t.s LIKE '%x%x%x%x%!x%b' ESCAPE '!'", "t.s LIKE '%x%x%x%x%x%b'",
	} {
		e, err := sqlexpr.Parse(condition)
		if err != nil {
			t.Fatal(err)
		}
		scan := &plan.Scan{Source: sqlexpr.DatasetTableOrQuery{Query: "SELECT REPEAT('x', 5000) AS s"}, Alias: "t"}
		sql, err := sqlemit.Emit(t.Context(), &plan.Project{Input: scan, Cols: []plan.NamedExpr{{Name: "x", Expr: e}}}, d, sqlemit.FormatOptions{})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if got, err := ask(t.Context(), db, sql); err != nil || got != "false" || time.Since(began) > testwait.Deadline {
			t.Errorf("%s: %s, %v, took %s", condition, got, err, time.Since(began))
		}
	}
}
