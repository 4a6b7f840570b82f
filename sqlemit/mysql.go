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
	tables:      mysqlTables,
}

// mysqlUnlimitedRows is the largest LIMIT, which the manual recommends for an OFFSET without a limit.
const mysqlUnlimitedRows = "18446744073709551615"

var mysqlCapabilities = plan.Capabilities{
	Ranked:   allPercentileFuncSet,
	NoSketch: approximateAggregateFuncSet,
	NoWindow: plan.NewFuncSet(sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr),

	FiltersBeforeJoins: true, // seen in the block nested loops of MariaDB 10.11
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

// Reserved words of MySQL 9, and of MySQL and MariaDB alike.
var mysqlReservedWords = newWordSet(mysqlCommonReservedWords, mysqlOnlyReservedWords)

const mysqlOnlyReservedWords = `cube cume_dist dense_rank empty except external first_value function generated
	get grouping groups intersect io_after_gtids io_before_gtids json_table lag last_value lateral lead library manual
	nth_value ntile of optimizer_costs over parallel partition percent_rank qualify rank recursive row row_number rows
	stored system tablesample virtual window`

const mysqlCommonReservedWords = `accessible add all alter analyze and as asc asensitive before between bigint binary blob both
	by call cascade case change char character check collate column condition constraint continue convert create cross
	current_date current_time current_timestamp current_user cursor database databases day_hour day_microsecond
	day_minute day_second dec decimal declare default delayed delete desc describe deterministic distinct distinctrow
	div double drop dual each else elseif enclosed escaped exists exit explain false fetch float float4 float8 for force
	foreign from fulltext grant group having high_priority hour_microsecond hour_minute hour_second if ignore in index
	infile inner inout insensitive insert int int1 int2 int3 int4 int8 integer interval into is iterate join key keys
	kill leading leave left like limit linear lines load localtime localtimestamp lock long longblob longtext loop
	low_priority match maxvalue mediumblob mediumint mediumtext middleint minute_microsecond minute_second mod modifies
	natural no_write_to_binlog not null numeric on optimize option optionally or order out outer outfile precision
	primary procedure purge range read read_write reads real references regexp release rename repeat replace require
	resignal restrict return revoke right rlike schema schemas second_microsecond select sensitive separator set show
	signal smallint spatial specific sql sql_big_result sql_calc_found_rows sql_small_result sqlexception sqlstate
	sqlwarning ssl starting straight_join table terminated then tinyblob tinyint tinytext to trailing trigger true undo
	union unique unlock unsigned update usage use using utc_date utc_time utc_timestamp values varbinary varchar
	varcharacter varying when where while with write xor year_month zerofill`
