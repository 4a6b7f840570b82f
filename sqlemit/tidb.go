package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// TiDB speaks MySQL.
var tidb = &Dialect{
	name:  "tidb",
	caps:  mysqlCapabilities,
	ident: identStyle{quote: '`', limit: 255, reserved: tidbReservedWords},
	lit:   mysqlLiteralStyle,
	like:  likeStyle{backslashEscapes: true},
	limit: limitStyle{unlimited: mysqlUnlimitedRows},
	types: mysqlTypeStyle,
	ops:   tidbOps,
	time:  tidbTimeTemplates,
	calls: mysqlCalls,

	rewrite:    rewriteTidbAnd,
	selected:   addZeroToMysqlBits,
	codePoints: "utf8mb4_0900_bin",
	zeroDates:  true,
	tables:     mysqlTables,
}

// TiDB reserves fewer words than MySQL, and a few others (pkg/parser/keywords.go of 8.5).
var tidbReservedWords = newWordSet(mysqlCommonReservedWords, mysqlOnlyReservedWords, "array current_role ilike tidb_current_tso until")

// tidbOps spells IN as comparisons unless its list is literals. TiDB takes y IN (2, x)
// and y IN (2, NULL) for false or unknown wherever x is NULL, makes an inner join of
// the left join that x comes from, and loses rows (seen in 8.5.4, issue 66825).
var tidbOps = func() operatorTemplates {
	o := mysqlOps
	o.inIgnoresNullItems = true
	return o
}()

// tidbTimeTemplates has DATE_ADD: after a + or a -, INTERVAL and a parenthesis are the
// function of that name.
var tidbTimeTemplates = func() timeTemplates {
	t := mysqlTimeTemplates
	t.bucket = t.bucket.withGrainTemplate(sqlexpr.GrainQuarter, parseTemplate(tidbQuarterStartSQL))
	t.trunc = t.trunc.withPartTemplate(partQuarter, parseTemplate("CAST("+tidbQuarterStartSQL+" AS DATETIME)"))
	t.shift = templatesForUnits("DATE_ADD($1, INTERVAL @2 {UNIT})")
	return t
}()

const tidbQuarterStartSQL = "DATE_ADD(MAKEDATE(YEAR($1), 1), INTERVAL (QUARTER($1) - 1) QUARTER)"
