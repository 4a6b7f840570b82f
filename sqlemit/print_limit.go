package sqlemit

// limitStyle is how a dialect limits rows.
type limitStyle struct {
	// offsetFirst: OFFSET comes before LIMIT.
	offsetFirst bool
	// unlimited is the LIMIT of a statement that has only an OFFSET; "" where OFFSET needs no
	// LIMIT.
	unlimited string
	// needsOrder: without ORDER BY the engine ignores an OFFSET.
	needsOrder bool
}

// printLimitClauses prints the clauses that choose rows by their position.
func (w *writer) printLimitClauses(b *selectBlock) {
	if b.offset > 0 && len(b.order) == 0 && w.d.limit.needsOrder {
		w.printClauseSpace()
		w.appendText("ORDER BY 1")
	}
	if w.d.limit.offsetFirst {
		w.printOffsetClause(b)
	}
	switch {
	case b.hasLimit:
		w.printClauseSpace()
		w.appendText("LIMIT ")
		w.printInteger(b.limit)
	case b.offset > 0 && w.d.limit.unlimited != "":
		w.printClauseSpace()
		w.appendText("LIMIT ")
		w.appendText(w.d.limit.unlimited)
	}
	if !w.d.limit.offsetFirst {
		w.printOffsetClause(b)
	}
}

func (w *writer) printOffsetClause(b *selectBlock) {
	if b.offset > 0 {
		w.printClauseSpace()
		w.appendText("OFFSET ")
		w.printInteger(b.offset)
	}
}
