package expressions

import (
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/sqlite"
	"github.com/semlayer/semlayer/integration/internal/floor"
	dbservers "github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/sqlemit"
)

// calls has each function of the language, with arguments between « and »: $ before a number, # before a
// condition, and nothing before other values.
var calls = []string{
	"SUM(«$t.i»)", "COUNT(«$t.i»)", "COUNT(DISTINCT «$t.i»)", "AVG(«$t.i»)", "MIN(«$t.n»)", "MAX(«t.d»)", "BOOL_AND(«#t.b»)", "BOOL_OR(«#t.c»)",
	"ANY_VALUE(«$t.i»)", "STDDEV_POP(«$t.i»)", "VAR_POP(«$t.n»)", "COVAR_POP(«$t.i», «$t.n»)", "MEDIAN(«$t.i»)",
	"PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY «$t.i»)", "PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY «$t.i»)", "LISTAGG(«t.s», ',')", "LISTAGG(«$t.i», ',')",
	"YEAR(«t.d»)", "QUARTER(«t.d»)", "MONTH(«t.ts»)", "DAY(«t.d»)", "DAYOFYEAR(«t.d»)", "DAYOFWEEK(«t.d»)", "HOUR(«t.ts»)", "MINUTE(«t.ts»)", "SECOND(«t.ts»)",
	"EXTRACT(WEEK FROM «t.d»)",
	"DATE_TRUNC('hour', «t.ts»)", "DATE_TRUNC('week', «t.ts»)", "DATE_TRUNC('month', «t.d»)", "DATE_TRUNC('quarter', «t.d»)",
	"DATEADD(HOUR, «$t.i», «t.ts»)", "DATEADD(DAY, «$t.i», «t.d»)", "DATEADD(WEEK, «$t.i», «t.d»)", "DATEADD(MONTH, «$t.i», «t.d»)", "DATEADD(QUARTER, «$t.i», «t.ts»)", "DATEADD(YEAR, «$t.neg», «t.d»)",
	"DATEDIFF(SECOND, «t.d», «t.ts»)", "DATEDIFF(MINUTE, «t.d», «t.ts»)", "DATEDIFF(HOUR, «t.d», «t.ts»)", "DATEDIFF(DAY, «t.d», «t.ts»)",
	"DATEDIFF(WEEK, «t.d», «t.ts»)", "DATEDIFF(MONTH, «t.d», «t.ts»)", "DATEDIFF(QUARTER, «t.d», «t.ts»)", "DATEDIFF(YEAR, «t.d», «t.ts»)",
	"t.d - «t.d»", "TO_DATE(«t.ts»)", "TO_TIMESTAMP(«t.d»)",
	"CONCAT(«t.s», «$t.i», «t.e»)", "LENGTH(«t.s»)", "LOWER(«t.s»)", "UPPER(«t.s»)", "TRIM(«t.w»)", "TRIM(«t.path», 'a')", "LTRIM(«t.w»)", "RTRIM(«t.w»)",
	"LEFT(«t.s», «$t.i»)", "RIGHT(«t.s», «$t.i»)", "SUBSTRING(«t.s», «$t.i»)", "SUBSTRING(«t.s», «$t.neg», «$t.i»)", "REPLACE(«t.path», «t.sz», 'x')", "REPLACE(«t.path», ',', «t.s»)",
	"SPLIT_PART(«t.path», ',', 2)", "POSITION(',' IN «t.path»)", "CONTAINS(«t.path», «t.path»)", "STARTSWITH(«t.path», «t.path»)", "ENDSWITH(«t.path», «t.path»)",
	"ABS(«$t.neg»)", "CEIL(«$t.n»)", "FLOOR(«$t.n»)", "ROUND(«$t.n»)", "ROUND(«$t.n», 1)", "TRUNC(«$t.n»)", "TRUNC(«$t.n», 1)", "ROUND(«$t.f», «$t.i»)", "MOD(«$t.i», «$t.n»)", "MOD(«$t.i», 4)", "«$t.i» % 4",
	"POWER(«$t.f», «$t.i»)", "SQRT(«$t.n»)", "EXP(«$t.f»)", "LN(«$t.n»)", "LOG(«$t.n»)", "LOG(«$t.f», «$t.n»)", "SIGN(«$t.neg»)",
	"GREATEST(«$t.i», «$t.n»)", "LEAST(«$t.i», «$t.n»)", "COALESCE(«$t.i», «$t.neg»)", "NULLIF(«$t.i», «$t.neg»)", "IF(«#t.b», «$t.i», «$t.neg»)",
	"CASE WHEN «#t.b» THEN «$t.i» ELSE «$t.neg» END", "«$t.i» / «$t.n»", "«$t.n» IN («$t.i», «$t.n»)", "«$t.n» BETWEEN «$t.i» AND «$t.n»", "«t.s» LIKE 'it%'", "«$t.i» IS NULL", "«#t.b» IS TRUE", "«#t.u» IS NOT FALSE",
	"«$t.i» IS DISTINCT FROM «$t.neg»", "«$t.i» IS NOT DISTINCT FROM «$t.neg»", "«t.s» || «t.path»",
	"CAST(«$t.n» AS INTEGER)", "CAST(«$t.n» AS DECIMAL(10, 1))", "CAST(«$t.i» AS DOUBLE)", "CAST(«$t.i» AS VARCHAR)", "CAST(«$t.i» AS BOOLEAN)", "CAST(«#t.b» AS VARCHAR)", "CAST(«#t.b» AS INTEGER)", "CAST(«t.ts» AS DATE)", "CAST(«t.d» AS TIMESTAMP)",
}

// weaker returns expressions with the value of an argument that bind weaker than it.
func weaker(arg string) []string {
	value := strings.TrimLeft(arg, "$#")
	chosen := "CASE WHEN t.c THEN NULL ELSE " + value + " END"
	switch arg[0] {
	case '$':
		return []string{chosen, value + " + 3 - 3", "3 - (3 - " + value + ")"}
	case '#':
		return []string{chosen, value + " OR " + value, value + " AND " + value, "NOT NOT " + value}
	}
	return []string{chosen}
}

// TestPrecedence_CallsAreOperandsAndTakeWeakArguments compares, on each engine, a call with the same call over weaker
// arguments, and arithmetic over the call with the arithmetic of its value.
func TestPrecedence_CallsAreOperandsAndTakeWeakArguments(t *testing.T) {
	for name, open := range map[string]func(testing.TB) executor.Executor{
		"duckdb": openDuckDB, "sqlite": openSQLite, "postgres": openPostgres, "clickhouse": openClickHouse,
		"mariadb": openMySQLFamily(servers.MariaDB), "mysql": openMySQLFamily(servers.MySQL),
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			d, ok := sqlemit.LookupDialect(name)
			if !ok {
				t.Fatalf("no dialect %s", name)
			}
			p := precedenceTest{T: t, db: db, d: d}
			for _, call := range calls {
				p.check(call)
			}
			t.Attr("equal", strconv.Itoa(p.equal))
			floor.CheckCount(t, "equal", p.equal, 500)
		})
	}
}

type precedenceTest struct {
	*testing.T
	db    executor.Executor
	d     *sqlemit.Dialect
	equal int
}

func (p *precedenceTest) check(call string) {
	plain := withArgument(call, -1, "")
	sql, err := statement(plain, p.d)
	if err != nil {
		return // the dialect lacks the call
	}
	value, err := ask(p.Context(), p.db, sql)
	if err != nil {
		p.Errorf("%s: %v\n%s", plain, err, sql)
		return
	}
	value = strings.Replace(value, "T", " ", 1)
	for i, arg := range argumentsOf(call) {
		for _, x := range weaker(arg) {
			p.expect(withArgument(call, i, x), value)
		}
	}
	v, isNumber := new(big.Rat).SetString(value)
	if !isNumber || strings.HasPrefix(plain, "LISTAGG") || strings.HasPrefix(plain, "CONCAT") || strings.HasPrefix(plain, "SUBSTRING") || strings.Contains(plain, "AS VARCHAR") {
		return
	}
	number := func(x *big.Rat) string { return x.FloatString(15) }
	p.expect("1000 - "+inBrackets(plain), number(new(big.Rat).Sub(big.NewRat(1000, 1), v)))
	p.expect(inBrackets(plain)+" * 3", number(new(big.Rat).Mul(v, big.NewRat(3, 1))))
	p.expect(inBrackets(plain)+" / 2", number(new(big.Rat).Quo(v, big.NewRat(2, 1))))
	p.expect("-"+inBrackets(plain), number(new(big.Rat).Neg(v)))
}

// inBrackets makes an expression an operand.
func inBrackets(e string) string { return "(" + e + ")" }

// expect compares the value of an expression. An error is one of printing: the dialect wants to see a literal.
func (p *precedenceTest) expect(e, want string) {
	p.Helper()
	sql, err := statement(e, p.d)
	if err != nil {
		return
	}
	got, err := ask(p.Context(), p.db, sql)
	switch {
	case err != nil:
		p.Errorf("%s: %v\n%s", e, err, sql)
	case !same(got, want):
		p.Errorf("%s is %s, want %s\n%s", e, got, want, sql)
	default:
		p.equal++
	}
}

// argumentsOf returns the texts between « and ».
func argumentsOf(call string) []string {
	var out []string
	for _, part := range strings.Split(call, "«")[1:] {
		arg, _, _ := strings.Cut(part, "»")
		out = append(out, arg)
	}
	return out
}

// withArgument returns a call in which argument i is x, and the others are as they are.
func withArgument(call string, i int, x string) string {
	parts := strings.Split(call, "«")
	out := parts[0]
	for j, part := range parts[1:] {
		arg, rest, _ := strings.Cut(part, "»")
		arg = strings.TrimLeft(arg, "$#")
		if j == i {
			arg = inBrackets(x)
		}
		out += arg + rest
	}
	return out
}

func openSQLite(tb testing.TB) executor.Executor {
	tb.Helper()
	db, err := sqlite.Open(tb.Context(), sqlite.Options{Path: ":memory:"})
	return opened(tb, db, err)
}

func openClickHouse(tb testing.TB) executor.Executor {
	tb.Helper()
	db, err := dbservers.ClickHouse(tb).Load(tb.Context(), "precedence", "")
	return opened(tb, db, err)
}
