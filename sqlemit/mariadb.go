package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// MariaDB is MySQL with its own list of reserved words.
var mariadb = &Dialect{
	name:  "mariadb",
	caps:  mariadbCapabilities,
	ident: identStyle{quote: '`', limit: 255, reserved: mariadbReservedWords},
	lit:   mysqlLiteralStyle,
	like:  likeStyle{backslashEscapes: true},
	limit: limitStyle{unlimited: mysqlUnlimitedRows},
	types: mysqlTypeStyle,
	ops:   mariadbOps,
	time:  mysqlTimeTemplates,
	calls: mysqlAndMariadbCalls,

	windowSpecs:                   maxMysqlWindowSpecs,
	codePoints:                    "utf8mb4_nopad_bin",
	zeroDates:                     true,
	havingAmbiguousDuplicateNames: true,
	wholePartExtremesAreSlow:      true,
	window:                        printMariadbWindow,
	selected:                      addZeroToMysqlBits,
	tables:                        mysqlTables,
}

var mariadbCapabilities = func() plan.Capabilities {
	c := mysqlCapabilities
	c.JoinsByIndexAlone = true
	return c
}()

// mariadbOps spells NOT IN with counts of NULLs. MariaDB overlooks a NULL among the rows of NOT IN where the value is a
// decimal that groups give (seen in 10.11.19).
var mariadbOps = func() operatorTemplates {
	o := mysqlOps
	o.inIgnoresNullRows = true
	return o
}()

// printMariadbWindow casts the ranks of which a derived table keeps ten digits after the
// point otherwise.
func printMariadbWindow(w *writer, e *sqlexpr.WindowCall) {
	switch e.Call.Fn {
	case sqlexpr.FnLag, sqlexpr.FnLead:
		if len(e.Call.Args) == 3 {
			w.printExpr(lagWithDefault(e), precAny)
			return
		}
		printMysqlWindowWithPlainStddev(w, e)
	case sqlexpr.FnPercentRank, sqlexpr.FnCumeDist:
		w.appendText("CAST(")
		w.printUnwrappedWindowCall(e)
		w.appendText(" AS DOUBLE)")
	default:
		printMysqlWindowWithPlainStddev(w, e)
	}
}

// lagWithDefault returns LAG or LEAD with the value of rows that have no such neighbour, for which MariaDB has no argument: the
// constant 1 of the neighbour is NULL there.
func lagWithDefault(e *sqlexpr.WindowCall) sqlexpr.Expr {
	of := func(x sqlexpr.Expr) sqlexpr.Expr {
		over := *e
		over.Call = newCall(e.Call.Fn, x, e.Call.Args[1])
		return &over
	}
	missing := &sqlexpr.IsNull{X: of(newIntegerConstant(1))}
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: missing, Then: e.Call.Args[2]}}, Else: of(e.Call.Args[0])}
}

var mariadbReservedWords = newWordSet(mysqlCommonReservedWords, `current_role delete_domain_id do_domain_ids except general ignore_domain_ids
	ignore_server_ids intersect master_heartbeat_period master_ssl_verify_server_cert offset over page_checksum
	parse_vcol_expr partition recursive ref_system_id returning row_number rows slow sql_error stats_auto_recalc
	stats_persistent stats_sample_pages vector window without`)
