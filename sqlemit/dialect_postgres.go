package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var postgres = &Dialect{
	name:    "postgres",
	aliases: []string{"postgresql", "greenplum", "hologres", "gaussdb", "dws", "cockroachdb"},
	ident:   identStyle{quote: '"', limit: 63, fold: foldLower, reserved: postgresWords},
	lit: literalStyle{
		date: keywordAffixes("DATE"), clock: keywordAffixes("TIME"), stamp: keywordAffixes("TIMESTAMP"),
		zoned: affixes{"TIMESTAMP WITH TIME ZONE '", "+00:00'"},
	},
	like:  likeStyle{backslashEscapes: true, ilike: true},
	sort:  sortStyle{nullsLast: true},
	types: typeStyle{names: postgresTypes, cast: postgresCast},
	ops: operatorTemplates{
		divide: operatorTemplate(precMul, "<1 / !2"),
		mod:    operatorTemplate(precMul, "CAST($1 AS NUMERIC) % !2"),
		modAny: operatorTemplate(precMul, "CAST($1 AS NUMERIC) % NULLIF(CAST($2 AS NUMERIC), 0)"),
		concat: operatorTemplate(precConcat, "<1 || @2"),
		// || wants a text on one side at least.
		concatAny: operatorTemplate(precConcat, "CAST($1 AS TEXT) || @2"),
		// IS NOT DISTINCT FROM joins by nested loop only; arrays compare their
		// NULLs as equal, and can be hashed and sorted.
		joinSame: operatorTemplate(precCompare, "ARRAY[$1] = ARRAY[$2]"),
		boolMin:  primaryTemplate("BOOL_AND($1)"),
		boolMax:  primaryTemplate("BOOL_OR($1)"),
	}.standardDistinct().standardTruth(),
	time:  postgresTimeTemplates,
	calls: postgresCalls,
	union: unionStyle{typedPairwise: true},
}

var postgresWords = newWordSet(`all analyse analyze and any array as asc asymmetric authorization binary both case cast
	check collate collation column concurrently constraint create cross current_catalog current_date current_role
	current_schema current_time current_timestamp current_user default deferrable desc distinct do else end except
	false fetch for foreign freeze from full grant group having ilike in initially inner intersect into is isnull join
	lateral leading left like limit localtime localtimestamp natural not notnull null offset on only or order outer
	overlaps placing primary references returning right select session_user similar some symmetric system_user table
	tablesample then to trailing true union unique user using variadic verbose when where window with`)

var postgresTypes = [...]string{
	sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "NUMERIC",
	sqlexpr.TypeFloat: "DOUBLE PRECISION", sqlexpr.TypeString: "VARCHAR", sqlexpr.TypeDate: "DATE",
	sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "TIMESTAMP", sqlexpr.TypeTimestampTZ: "TIMESTAMP WITH TIME ZONE",
	sqlexpr.TypeInterval: "INTERVAL",
}

// ROUND and TRUNC to a number of digits, and %, exist for NUMERIC only.
var postgresCalls = standard.with(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnRound: callTemplates(primaryTemplate("ROUND(CAST($1 AS NUMERIC))"), primaryTemplate("ROUND(CAST($1 AS NUMERIC), $2)")),
	sqlexpr.FnTrunc: callTemplates(primaryTemplate("TRUNC(CAST($1 AS NUMERIC))"), primaryTemplate("TRUNC(CAST($1 AS NUMERIC), $2)")),
})

// postgresCast casts a condition to INTEGER first, the only numeric type that PostgreSQL casts it to.
func postgresCast(w *writer, c *sqlexpr.Cast, min precedence) {
	if c.To.Type.IsNumeric() && w.typeOf(c.X) == sqlexpr.TypeBool {
		c = &sqlexpr.Cast{X: &sqlexpr.Cast{X: c.X, To: sqlexpr.TypeName{Name: "INTEGER"}}, To: c.To}
	}
	w.plainCast(c, min)
}
