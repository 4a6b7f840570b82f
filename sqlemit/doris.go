package sqlemit

import (
	"maps"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// Doris is the predecessor of StarRocks. They differ in the functions that work as windows.
var doris = &Dialect{
	name: "doris",
	caps: plan.Capabilities{
		NoRangeFrames: true,
		Ranked:        allPercentileFuncSet,
		NoWindow:      plan.NewFuncSet(sqlexpr.FnNthValue, sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr),
	},
	ident: identStyle{quote: '`', alwaysQuotes: true},
	lit:   starrocksLiteralStyle("DATETIME(6)"),
	like:  likeStyle{backslashEscapes: true, noEscapeClause: true},
	sort:  nullSortStyle{nullsLast: true},
	limit: limitStyle{unlimited: starrocksUnlimitedRows},
	types: starrocksTypeStyle("DATETIME(6)"),
	ops:   starrocksOps,
	time:  dorisTimeTemplates(),
	sets:  groupingSetsStyle{supported: true, dropsTotalOfNoRows: true},
	calls: starrocksCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{sqlexpr.FnNthValue: nil, sqlexpr.FnListagg: orderedListaggTemplates("GROUP_CONCAT", true)}),
}

// dorisTimeTemplates counts microseconds from the second, as MySQL does, and truncates to no part
// of a second.
func dorisTimeTemplates() timeTemplates {
	t := starrocksTimeTemplates("DATETIME(6)")
	t.otherTrunc = nil
	t.elapsed = parseTemplate("CAST(MICROSECONDS_DIFF($2, $1) AS DOUBLE) / 1000000")
	t.otherPart = maps.Clone(t.otherPart)
	t.otherPart["microsecond"] = mysqlDatePartTemplates["microsecond"]
	return t
}
