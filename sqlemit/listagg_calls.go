package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// listaggCall is a call of LISTAGG taken apart.
type listaggCall struct {
	distinct  bool
	value     sqlexpr.Expr
	declared  sqlexpr.Type // of the value, in the model
	separator sqlexpr.Expr
	order     sqlexpr.Expr // nil for the value
	desc      bool
}

// sortKey returns what the values are ordered by.
func (l listaggCall) sortKey() sqlexpr.Expr {
	if l.order == nil {
		return l.value
	}
	return l.order
}

func splitListaggCall(c *sqlexpr.Call) listaggCall {
	l := listaggCall{distinct: c.Distinct, value: c.Args[0], separator: c.Args[1], desc: c.Desc}
	if known, ok := l.value.(*sqlexpr.DeclaredTypeExpr); ok {
		l.value, l.declared = known.X, known.Type
	}
	if len(c.Args) == 3 && !sqlexpr.Equal(c.Args[2], c.Args[0]) {
		l.order = c.Args[2]
	}
	return l
}

// listaggTemplates prints LISTAGG by a function of its parts.
func listaggTemplates(emit func(w *writer, l listaggCall)) []callTemplate {
	f := func(w *writer, c *sqlexpr.Call, _ precedence) { emit(w, splitListaggCall(c)) }
	return append(callTemplatesOfPrintFunc(2, f), callTemplatesOfPrintFunc(3, f)...)
}

// printListaggValueAsText prints the value as text: a condition as true or false, an integer without a point.
func (w *writer) printListaggValueAsText(l listaggCall) {
	switch integer := &w.d.types.integerText; {
	case l.declared == sqlexpr.TypeString || w.typeOf(l.value) == sqlexpr.TypeString:
		w.printExpr(l.value, precAny)
	case l.declared == sqlexpr.TypeBool:
		w.printTemplate(&boolToTextTemplate, precAny, l.value)
	case l.declared == sqlexpr.TypeInt && !integer.isEmpty():
		w.printTemplate(integer, precAny, l.value)
	default:
		w.d.types.cast(w, newCast(l.value, sqlexpr.TypeString), precAny)
	}
}

// printListaggValue prints DISTINCT, where the call has it, and the value.
func (w *writer) printListaggValue(l listaggCall) {
	if l.distinct {
		w.appendText("DISTINCT ")
	}
	w.printListaggValueAsText(l)
}

// printListaggOrder prints ORDER BY with nulls last, ties by the value. The values of a DISTINCT
// are texts.
func (w *writer) printListaggOrder(l listaggCall, nullsLast bool) {
	w.appendText("ORDER BY ")
	desc := func() {
		if l.desc {
			w.appendText(" DESC")
		}
	}
	if l.order == nil {
		w.printListaggOrderKey(l.value)
		desc()
		return
	}
	if !nullsLast {
		w.appendText("CASE WHEN ")
		w.printExpr(l.order, precConcat)
		w.appendText(" IS NULL THEN 1 ELSE 0 END, ")
	}
	w.printListaggOrderKey(l.order)
	desc()
	if nullsLast {
		w.appendText(" NULLS LAST")
	}
	w.appendText(", ")
	w.printListaggOrderKey(l.value)
}

// printListaggOrderKey prints a key of the order. A number alone would be the position of a column.
func (w *writer) printListaggOrderKey(x sqlexpr.Expr) {
	if _, ok := x.(*sqlexpr.Number); ok {
		w.d.types.cast(w, newCast(x, sqlexpr.TypeString), precAny)
		return
	}
	w.printExpr(x, precAny)
}

// orderedListaggTemplates prints NAME(x, separator ORDER BY y).
func orderedListaggTemplates(name string, nullsLast bool) []callTemplate {
	return listaggTemplates(func(w *writer, l listaggCall) {
		w.appendText(name)
		w.appendByte('(')
		w.printListaggValue(l)
		w.appendText(", ")
		w.printExpr(l.separator, precAny)
		w.appendByte(' ')
		w.printListaggOrder(l, nullsLast)
		w.appendByte(')')
	})
}

// listaggWithinGroupPrinter prints LISTAGG(x, separator) WITHIN GROUP (ORDER BY y).
func listaggWithinGroupPrinter(nullsLast bool) func(w *writer, l listaggCall) {
	return func(w *writer, l listaggCall) {
		w.appendText("LISTAGG(")
		w.printListaggValue(l)
		w.appendText(", ")
		w.printExpr(l.separator, precAny)
		w.appendText(") WITHIN GROUP (")
		w.printListaggOrder(l, nullsLast)
		w.appendByte(')')
	}
}

// nullListaggIfEmpty prints a list as NULL where no value is in it: the engine has an empty text.
func nullListaggIfEmpty(list func(w *writer, l listaggCall)) func(w *writer, l listaggCall) {
	return func(w *writer, l listaggCall) {
		w.appendText("CASE WHEN ")
		w.printCall(newCall(sqlexpr.FnCount, l.value), precConcat)
		w.appendText(" > 0 THEN ")
		list(w, l)
		w.appendText(" END")
	}
}

// groupConcatTemplates prints GROUP_CONCAT(x ORDER BY y SEPARATOR ', ').
var groupConcatTemplates = listaggTemplates(func(w *writer, l listaggCall) {
	w.appendText("GROUP_CONCAT(")
	w.printListaggValue(l)
	w.appendByte(' ')
	w.printListaggOrder(l, false)
	w.appendText(" SEPARATOR ")
	w.printExpr(l.separator, precAny)
	w.appendByte(')')
})

// clickhouseListaggTemplates sorts an array of pairs and joins their second parts. The list is
// ordered by a rank, or by the value.
var clickhouseListaggTemplates = listaggTemplates(nullListaggIfEmpty(func(w *writer, l listaggCall) {
	w.appendText("arrayStringConcat(arrayMap(t -> t.2, ")
	if l.order == nil && l.desc {
		w.appendText("arrayReverseSort(")
	} else {
		w.appendText("arraySort(")
	}
	if l.distinct {
		w.appendText("groupUniqArrayIf((")
	} else {
		w.appendText("groupArrayIf((")
	}
	w.printExpr(l.sortKey(), precAny)
	w.appendText(", assumeNotNull(")
	w.printListaggValueAsText(l)
	w.appendText(")), ")
	w.printExpr(l.value, precConcat)
	w.appendText(" IS NOT NULL))), ")
	w.printExpr(l.separator, precAny)
	w.appendByte(')')
}))

// databricksListaggTemplates sorts an array of structs and joins their second parts, as clickhouseListaggTemplates
// does.
var databricksListaggTemplates = listaggTemplates(nullListaggIfEmpty(func(w *writer, l listaggCall) {
	w.appendText("ARRAY_JOIN(TRANSFORM(SORT_ARRAY(")
	if l.distinct {
		w.appendText("COLLECT_SET(CASE WHEN ")
	} else {
		w.appendText("COLLECT_LIST(CASE WHEN ")
	}
	w.printExpr(l.value, precConcat)
	w.appendText(" IS NOT NULL THEN STRUCT(")
	w.printExpr(l.sortKey(), precAny)
	w.appendText(" AS k, ")
	w.printListaggValueAsText(l)
	w.appendText(" AS v) END)")
	if l.order == nil && l.desc {
		w.appendText(", FALSE")
	}
	w.appendText("), t -> t.v), ")
	w.printExpr(l.separator, precAny)
	w.appendByte(')')
}))
