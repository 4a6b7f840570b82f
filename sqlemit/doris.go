package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Doris is StarRocks' elder: what differs is which functions work as windows.
var doris = &Dialect{
	name: "doris",
	caps: Capabilities{
		FullJoin: true, GroupingSets: true,
		NoWindow: funcSet(sqlexpr.FnNthValue, sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr),
	},
	ident: identStyle{quote: '`', reserved: words(mysqlCommonWords, starrocksMoreWords, `anti bitmap_union compact
		cluster current_catalog decimalv2 decimalv3 extract file generic hll_union install ipv4 ipv6 last ntile
		overwrite policy quantile_state sample semi stages string tablet trim uninstall variant`)},
	lit:   starrocksLiterals,
	like:  likeStyle{backslash: true, fixed: true},
	sort:  sortStyle{nullsLast: true},
	types: starrocksTypes,
	ops:   starrocksOps,
	time:  starrocksTime,
	calls: starrocksCalls.with(map[sqlexpr.Func][]callForm{sqlexpr.FnNthValue: nil}),
}
