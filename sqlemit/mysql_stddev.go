package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// MariaDB (seen in 10.11) takes the deviations of rows without groups for NULL where IS NULL, or HAVING with it,
// asks for them directly: it looks at the value before it is computed. A sum with zero is computed first. MySQL has
// the same code, and its dialect is often what talks to a MariaDB.
var mysqlAndMariadbCalls = mysqlCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnStddevPop: zeroPlusCallTemplates(sqlexpr.FnStddevPop), sqlexpr.FnStddevSamp: zeroPlusCallTemplates(sqlexpr.FnStddevSamp),
	sqlexpr.FnVarPop: zeroPlusCallTemplates(sqlexpr.FnVarPop), sqlexpr.FnVarSamp: zeroPlusCallTemplates(sqlexpr.FnVarSamp),
})

// zeroPlusCallTemplates prints 0e0 + f(x).
func zeroPlusCallTemplates(fn sqlexpr.Func) []callTemplate {
	plain := mysqlCalls[fn][0].emit
	return callTemplatesOfPrintFunc(1, func(w *writer, c *sqlexpr.Call, min precedence) {
		p := w.openParenIfNeeded(precAdd, min)
		w.appendText("0e0 + ")
		plain(w, c, precPrimary)
		w.closeOpenedParen(p)
	})
}

// printMysqlWindowWithPlainStddev prints a call as it is beside its window.
func printMysqlWindowWithPlainStddev(w *writer, e *sqlexpr.WindowCall) {
	switch fn := e.Call.Fn; fn {
	case sqlexpr.FnStddevPop, sqlexpr.FnStddevSamp, sqlexpr.FnVarPop, sqlexpr.FnVarSamp:
		w.printCallAndWindow(e, func() { mysqlCalls[fn][0].emit(w, e.Call, precPrimary) })
	default:
		w.printUnwrappedWindowCall(e)
	}
}
