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

// limit prints the clauses that choose rows by their position.
func (w *writer) limit(b *selectBlock) {
	if b.offset > 0 && len(b.order) == 0 && w.d.limit.needsOrder {
		w.space()
		w.text("ORDER BY 1")
	}
	if w.d.limit.offsetFirst {
		w.offsetClause(b)
	}
	switch {
	case b.hasLimit:
		w.space()
		w.text("LIMIT ")
		w.integer(b.limit)
	case b.offset > 0 && w.d.limit.unlimited != "":
		w.space()
		w.text("LIMIT ")
		w.text(w.d.limit.unlimited)
	}
	if !w.d.limit.offsetFirst {
		w.offsetClause(b)
	}
}

func (w *writer) offsetClause(b *selectBlock) {
	if b.offset > 0 {
		w.space()
		w.text("OFFSET ")
		w.integer(b.offset)
	}
}
