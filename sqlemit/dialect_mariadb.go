package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// MariaDB is MySQL with its own list of reserved words.
var mariadb = &Dialect{
	name:  "mariadb",
	caps:  mysqlCapabilities,
	ident: identStyle{quote: '`', limit: 255, reserved: mariadbWords},
	lit:   mysqlLiterals,
	like:  likeStyle{backslashEscapes: true},
	limit: limitStyle{unlimited: mysqlUnlimited},
	types: mysqlTypes,
	ops:   mysqlOps,
	time:  mysqlTimeTemplates,
	calls: mysqlCalls,

	windowSpecs:                   mysqlWindowSpecs,
	codePoints:                    "utf8mb4_nopad_bin",
	havingAmbiguousDuplicateNames: true,
	window:                        mariadbWindow,
}

// mariadbWindow casts the ranks of which a derived table keeps ten digits behind the
// point otherwise.
func mariadbWindow(w *writer, e *sqlexpr.Over) {
	switch e.Call.Fn {
	case sqlexpr.FnPercentRank, sqlexpr.FnCumeDist:
		w.text("CAST(")
		w.plainWindow(e)
		w.text(" AS DOUBLE)")
	default:
		w.plainWindow(e)
	}
}

var mariadbWords = newWordSet(mysqlCommonWords, `current_role delete_domain_id do_domain_ids except general ignore_domain_ids
	ignore_server_ids intersect master_heartbeat_period master_ssl_verify_server_cert offset over page_checksum
	parse_vcol_expr partition recursive ref_system_id returning row_number rows slow sql_error stats_auto_recalc
	stats_persistent stats_sample_pages vector window without`)
