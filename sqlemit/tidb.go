package sqlemit

// TiDB speaks MySQL.
var tidb = &Dialect{
	name:  "tidb",
	caps:  mysqlCaps,
	ident: identStyle{quote: '`', limit: 255, reserved: mysqlWords},
	lit:   mysqlLiterals,
	like:  likeStyle{backslash: true},
	types: mysqlTypes,
	ops:   mysqlOps,
	time:  mysqlTime,
	calls: mysqlCalls,
}
