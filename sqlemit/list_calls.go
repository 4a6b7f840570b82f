package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// listAggregate is a call of LISTAGG taken apart.
type listAggregate struct {
	distinct  bool
	value     sqlexpr.Expr
	declared  sqlexpr.Type // of the value, in the model
	separator sqlexpr.Expr
	order     sqlexpr.Expr // nil for the value
	desc      bool
}

func newListAggregate(c *sqlexpr.Call) listAggregate {
	l := listAggregate{distinct: c.Distinct, value: c.Args[0], separator: c.Args[1], desc: c.Desc}
	if known, ok := l.value.(*sqlexpr.DeclaredTypeExpr); ok {
		l.value, l.declared = known.X, known.Type
	}
	if len(c.Args) == 3 && !sqlexpr.Equal(c.Args[2], c.Args[0]) {
		l.order = c.Args[2]
	}
	return l
}

// listCallTemplates prints LISTAGG by a function of its parts.
func listCallTemplates(emit func(w *writer, l listAggregate)) []callTemplate {
	f := func(w *writer, c *sqlexpr.Call, _ precedence) { emit(w, newListAggregate(c)) }
	return append(customCallTemplates(2, f), customCallTemplates(3, f)...)
}

// printListValueAsText prints the value as text: a condition as true or false, an integer without a point.
func (w *writer) printListValueAsText(l listAggregate) {
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

// printListValue prints DISTINCT, where the call has it, and the value.
func (w *writer) printListValue(l listAggregate) {
	if l.distinct {
		w.appendText("DISTINCT ")
	}
	w.printListValueAsText(l)
}

// printListOrder prints ORDER BY with nulls last, ties by the value. The values of a DISTINCT
// are texts.
func (w *writer) printListOrder(l listAggregate, nullsLast bool) {
	w.appendText("ORDER BY ")
	desc := func() {
		if l.desc {
			w.appendText(" DESC")
		}
	}
	if l.order == nil {
		w.printListOrderKey(l.value)
		desc()
		return
	}
	if !nullsLast {
		w.appendText("CASE WHEN ")
		w.printExpr(l.order, precConcat)
		w.appendText(" IS NULL THEN 1 ELSE 0 END, ")
	}
	w.printListOrderKey(l.order)
	desc()
	if nullsLast {
		w.appendText(" NULLS LAST")
	}
	w.appendText(", ")
	w.printListOrderKey(l.value)
}

// printListOrderKey prints a key of the order. A number alone would be the position of a column.
func (w *writer) printListOrderKey(x sqlexpr.Expr) {
	if _, ok := x.(*sqlexpr.Number); ok {
		w.d.types.cast(w, newCast(x, sqlexpr.TypeString), precAny)
		return
	}
	w.printExpr(x, precAny)
}

// orderedListTemplates prints NAME(x, separator ORDER BY y).
func orderedListTemplates(name string, nullsLast bool) []callTemplate {
	return listCallTemplates(func(w *writer, l listAggregate) {
		w.appendText(name)
		w.appendByte('(')
		w.printListValue(l)
		w.appendText(", ")
		w.printExpr(l.separator, precAny)
		w.appendByte(' ')
		w.printListOrder(l, nullsLast)
		w.appendByte(')')
	})
}

// listWithinGroupPrinter prints LISTAGG(x, separator) WITHIN GROUP (ORDER BY y).
func listWithinGroupPrinter(nullsLast bool) func(w *writer, l listAggregate) {
	return func(w *writer, l listAggregate) {
		w.appendText("LISTAGG(")
		w.printListValue(l)
		w.appendText(", ")
		w.printExpr(l.separator, precAny)
		w.appendText(") WITHIN GROUP (")
		w.printListOrder(l, nullsLast)
		w.appendByte(')')
	}
}

// nullListIfEmpty prints a list as NULL where no value is in it: the engine has an empty text.
func nullListIfEmpty(list func(w *writer, l listAggregate)) func(w *writer, l listAggregate) {
	return func(w *writer, l listAggregate) {
		w.appendText("CASE WHEN ")
		w.printCall(newCall(sqlexpr.FnCount, l.value), precConcat)
		w.appendText(" > 0 THEN ")
		list(w, l)
		w.appendText(" END")
	}
}

// separatedListTemplates prints GROUP_CONCAT(x ORDER BY y SEPARATOR ', ').
var separatedListTemplates = listCallTemplates(func(w *writer, l listAggregate) {
	w.appendText("GROUP_CONCAT(")
	w.printListValue(l)
	w.appendByte(' ')
	w.printListOrder(l, false)
	w.appendText(" SEPARATOR ")
	w.printExpr(l.separator, precAny)
	w.appendByte(')')
})

// clickhouseListTemplates sorts an array of pairs and joins their second parts. The list is
// ordered by a rank, or by the value.
var clickhouseListTemplates = listCallTemplates(nullListIfEmpty(func(w *writer, l listAggregate) {
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
	if l.order == nil {
		w.printExpr(l.value, precAny)
	} else {
		w.printExpr(l.order, precAny)
	}
	w.appendText(", assumeNotNull(")
	w.printListValueAsText(l)
	w.appendText(")), ")
	w.printExpr(l.value, precConcat)
	w.appendText(" IS NOT NULL))), ")
	w.printExpr(l.separator, precAny)
	w.appendByte(')')
}))

// databricksListTemplates sorts an array of structs and joins their second parts, as clickhouseListTemplates
// does.
var databricksListTemplates = listCallTemplates(nullListIfEmpty(func(w *writer, l listAggregate) {
	w.appendText("ARRAY_JOIN(TRANSFORM(SORT_ARRAY(")
	if l.distinct {
		w.appendText("COLLECT_SET(CASE WHEN ")
	} else {
		w.appendText("COLLECT_LIST(CASE WHEN ")
	}
	w.printExpr(l.value, precConcat)
	w.appendText(" IS NOT NULL THEN STRUCT(")
	if l.order == nil {
		w.printExpr(l.value, precAny)
	} else {
		w.printExpr(l.order, precAny)
	}
	w.appendText(" AS k, ")
	w.printListValueAsText(l)
	w.appendText(" AS v) END)")
	if l.order == nil && l.desc {
		w.appendText(", FALSE")
	}
	w.appendText("), t -> t.v), ")
	w.printExpr(l.separator, precAny)
	w.appendByte(')')
}))
