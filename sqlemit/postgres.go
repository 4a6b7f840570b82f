package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

var postgres = &Dialect{
	name:  "postgres",
	caps:  plan.Capabilities{NoSketch: approximateAggregateFuncSet},
	ident: identStyle{quote: '"', limit: 63, fold: foldLower, reserved: postgresReservedWords},
	lit: literalStyle{
		date: keywordAffixes("DATE"), clock: keywordAffixes("TIME"), stamp: keywordAffixes("TIMESTAMP"),
		zoned: literalAffixes{"TIMESTAMP WITH TIME ZONE '", "+00:00'"},
	},
	like:  likeStyle{backslashEscapes: true, ilike: true},
	sort:  nullSortStyle{nullsLast: true},
	types: typeStyle{names: postgresTypeNames, cast: printPostgresCast},
	ops: operatorTemplates{
		divide: parseTemplate("$1 / !2"),
		mod:    parseTemplate("CAST($1 AS NUMERIC) % !2"),
		modAny: parseTemplate("CAST($1 AS NUMERIC) % NULLIF(CAST($2 AS NUMERIC), 0)"),
		concat: parseTemplate("<1 || @2"),
		// || needs a text on one side at least.
		concatAny: parseTemplate("CAST($1 AS TEXT) || @2"),
		// IS NOT DISTINCT FROM joins by nested loop only; arrays compare their
		// NULLs as equal, and can be hashed and sorted.
		joinSame: parseTemplate("ARRAY[$1] = ARRAY[$2]"),
		boolMin:  parseTemplate("BOOL_AND($1)"),
		boolMax:  parseTemplate("BOOL_OR($1)"),
	}.withStandardDistinctFrom().withStandardTruthTests(),
	time:  postgresTimeTemplates,
	sets:  groupingSetsStyle{supported: true},
	calls: postgresCalls,
	union: unionTypingStyle{typedPairwise: true},
	tables: tableStyle{
		writing: TableWriting{Swap: SwapRename, Begin: "BEGIN", Partial: true, Indexes: true, Grants: GrantsBefore},
		text:    standardTables.text, integer: standardTables.integer, timestamp: standardTables.timestamp,
		toInteger: standardTables.toInteger,
		grant:     standardGrant,
	},
}

var postgresReservedWords = newWordSet(`all analyse analyze and any array as asc asymmetric authorization binary both case cast
	check collate collation column concurrently constraint create cross current_catalog current_date current_role
	current_schema current_time current_timestamp current_user default deferrable desc distinct do else end except
	false fetch for foreign freeze from full grant group having ilike in initially inner intersect into is isnull join
	lateral leading left like limit localtime localtimestamp natural not notnull null offset on only or order outer
	overlaps placing primary references returning right select session_user similar some symmetric system_user table
	tablesample then to trailing true union unique user using variadic verbose when where window with`)

var postgresTypeNames = [...]string{
	sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "NUMERIC",
	sqlexpr.TypeFloat: "DOUBLE PRECISION", sqlexpr.TypeString: "VARCHAR", sqlexpr.TypeDate: "DATE",
	sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "TIMESTAMP", sqlexpr.TypeTimestampTZ: "TIMESTAMP WITH TIME ZONE",
	sqlexpr.TypeInterval: "INTERVAL",
}

// ROUND and TRUNC to a number of digits, and %, exist for NUMERIC only. NUMERIC rounds a double to 15 digits, its text does not.
var postgresCalls = standardCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnAvg:            exactAvgDistinctTemplates("AVG", "CAST(CAST($1 AS TEXT) AS NUMERIC)", "CAST($1 AS DOUBLE PRECISION)"),
	sqlexpr.FnPercentileCont: percentileContTemplates,
	sqlexpr.FnPercentileDisc: percentileDiscRoundedDownTemplates,
	// REGEXP_LIKE and REGEXP_COUNT are new in PostgreSQL 15.
	sqlexpr.FnRegexpLike:  newCallTemplates(parseTemplate("@1 ~ @2")),
	sqlexpr.FnRegexpCount: newCallTemplates(parseTemplate("ARRAY_LENGTH(REGEXP_SPLIT_TO_ARRAY($1, $2), 1) - 1")),
	sqlexpr.FnListagg:     orderedListaggTemplates("STRING_AGG", true),
	sqlexpr.FnRound:       newCallTemplates(parseTemplate("ROUND(CAST($1 AS NUMERIC))"), parseTemplate("ROUND(CAST($1 AS NUMERIC), $2)")),
	sqlexpr.FnTrunc:       newCallTemplates(parseTemplate("TRUNC(CAST($1 AS NUMERIC))"), parseTemplate("TRUNC(CAST($1 AS NUMERIC), $2)")),
})

// printPostgresCast casts a condition to INTEGER first, the only numeric type that PostgreSQL casts it to.
func printPostgresCast(w *writer, c *sqlexpr.Cast, min precedence) {
	if c.To.Type.IsNumeric() && w.typeOf(c.X) == sqlexpr.TypeBool {
		c = &sqlexpr.Cast{X: &sqlexpr.Cast{X: c.X, To: sqlexpr.TypeName{Name: "INTEGER"}}, To: c.To}
	}
	w.printPlainCast(c, min)
}
