package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// TiDB speaks MySQL.
var tidb = &Dialect{
	name:  "tidb",
	caps:  mysqlCaps,
	ident: identStyle{quote: '`', limit: 255, reserved: tidbWords},
	lit:   mysqlLiterals,
	like:  likeStyle{backslashEscapes: true},
	types: mysqlTypes,
	ops:   tidbOps,
	time:  tidbTime,
	calls: mysqlCalls,

	rewrite:    tidbRewriteAnd,
	codePoints: "utf8mb4_0900_bin",
}

// TiDB reserves fewer words than MySQL, and a few others (pkg/parser/keywords.go of 8.5).
var tidbWords = words(mysqlCommonWords, mysqlOwnWords, "array current_role ilike tidb_current_tso until")

// tidbOps spells IN as comparisons unless its list is literals. TiDB takes y IN (2, x)
// and y IN (2, NULL) for false or unknown wherever x is NULL, makes an inner join of
// the left join that x comes from, and loses rows (seen in 8.5.4, issue 66825).
var tidbOps = func() operatorTemplates {
	o := mysqlOps
	o.inIgnoresNullItems = true
	return o
}()

// tidbTime has DATE_ADD: after a + or a -, INTERVAL and a parenthesis are the
// function of that name.
var tidbTime = func() timeTemplates {
	t := mysqlTime
	t.bucket = t.bucket.with(sqlexpr.GrainQuarter, call(tidbQuarter))
	t.trunc = t.trunc.with(partQuarter, call("CAST("+tidbQuarter+" AS DATETIME)"))
	t.shift = eachUnit(precPrimary, "DATE_ADD($1, INTERVAL @2 {UNIT})")
	return t
}()

const tidbQuarter = "DATE_ADD(MAKEDATE(YEAR($1), 1), INTERVAL (QUARTER($1) - 1) QUARTER)"
