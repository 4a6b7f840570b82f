package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

var mysql = &Dialect{
	name:  "mysql",
	caps:  mysqlCapabilities,
	ident: identStyle{quote: '`', limit: 255, reserved: mysqlReservedWords},
	lit:   mysqlLiteralStyle,
	like:  likeStyle{backslashEscapes: true},
	limit: limitStyle{unlimited: mysqlUnlimitedRows},
	types: mysqlTypeStyle,
	ops:   mysqlOps,
	time:  mysqlTimeTemplates,
	calls: mysqlAndMariadbCalls,

	windowSpecs: maxMysqlWindowSpecs,
	codePoints:  "utf8mb4_0900_bin",
	zeroDates:   true,
	window:      printMysqlWindowWithPlainStddev,
	selected:    addZeroToMysqlBits,
}

// mysqlUnlimitedRows is the largest LIMIT, which the manual recommends for an OFFSET without a limit.
const mysqlUnlimitedRows = "18446744073709551615"

var mysqlCapabilities = plan.Capabilities{
	Ranked:   allPercentileFuncSet,
	NoSketch: approximateAggregateFuncSet,
	NoWindow: plan.NewFuncSet(sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr),
}

// MariaDB (seen in 10.11) computes wrong ranks when one SELECT holds three
// windows and the keys of one are a prefix of another's: RANK() OVER (ORDER BY
// v), RANK() OVER (PARTITION BY g ORDER BY m), SUM(v) OVER (). Two windows are
// safe. The mysql dialect has the same limit, since it is often what talks to a
// MariaDB.
const maxMysqlWindowSpecs = 2

// The session's sql_mode is known: neither NO_BACKSLASH_ESCAPES nor ANSI_QUOTES.
var mysqlLiteralStyle = literalStyle{
	backslashEscapes: true,
	date:             keywordAffixes("DATE"), clock: keywordAffixes("TIME"), stamp: keywordAffixes("TIMESTAMP"), zoned: keywordAffixes("TIMESTAMP"),
}

var mysqlTypeStyle = typeStyle{
	names: [...]string{
		sqlexpr.TypeBool: "SIGNED", sqlexpr.TypeInt: "SIGNED", sqlexpr.TypeDecimal: "DECIMAL",
		sqlexpr.TypeFloat: "DOUBLE", sqlexpr.TypeString: "CHAR", sqlexpr.TypeDate: "DATE",
		sqlexpr.TypeTime: "TIME(6)", sqlexpr.TypeTimestamp: "DATETIME(6)", sqlexpr.TypeTimestampTZ: "DATETIME(6)",
		sqlexpr.TypeInterval: "",
	},
	cast:    printMysqlCast,
	notText: parseTemplate("COLLATION($1) = 'binary'"),
}

var mysqlOps = operatorTemplates{
	divide: parseTemplate("$1 / !2"),
	mod:    parseTemplate("$1 % !2"),
	// -2.00 % 2 is a -0.00 that MariaDB takes for less than 0.
	modAny: parseTemplate("@1 % !2 + 0"), modNegativeZero: true,
	concat:   parseTemplate("CONCAT($1, $2)"),
	same:     parseTemplate("@1 <=> @2"),
	differ:   parseTemplate("NOT (@1 <=> @2)"),
	joinSame: parseTemplate("@1 <=> @2"),
}.withStandardTruthTests()

// printMysqlCast casts conditions to 0 and 1, because MySQL has no boolean type.
func printMysqlCast(w *writer, c *sqlexpr.Cast, min precedence) {
	from := w.typeOf(c.X)
	switch {
	case c.To.Type == sqlexpr.TypeBool && from == sqlexpr.TypeBool:
		w.printExpr(c.X, min)
	case c.To.Type == sqlexpr.TypeBool && from.IsNumeric():
		w.printTemplate(&numberToBoolTemplate, min, c.X)
	case c.To.Type == sqlexpr.TypeBool:
		w.printTemplate(&textToBoolTemplate, min, c.X)
	case c.To.Type == sqlexpr.TypeString && from == sqlexpr.TypeBool:
		w.printTemplate(&boolToTextTemplate, min, c.X)
	case c.To.Type == sqlexpr.TypeString && w.d.types.text.collate == "" && (from.IsNumeric() || from.IsDateOrTimestamp() || isDeclaredNumberOrTime(c.X)):
		w.printMysqlStringOfNumberOrTime(c, min)
	default:
		w.printPlainCast(c, min)
	}
}

// A cast to CHAR has the collation of the session, and beside a column with another one it is an illegal mix of collations. CONCAT of
// a number or a time has a collation that gives way to that of the column.
var (
	mysqlStringTemplate    = parseTemplate("CONCAT($1, '')")
	mysqlCutStringTemplate = parseTemplate("LEFT(CONCAT($1, ''), $2)")
)

func (w *writer) printMysqlStringOfNumberOrTime(c *sqlexpr.Cast, min precedence) {
	if len(c.To.Args) == 0 {
		w.printTemplate(&mysqlStringTemplate, min, c.X)
		return
	}
	w.printTemplate(&mysqlCutStringTemplate, min, c.X, newIntegerConstant(int64(c.To.Args[0])))
}
