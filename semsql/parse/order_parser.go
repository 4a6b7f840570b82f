package parse

// parseOrderLimitOffset reads ORDER BY, LIMIT, OFFSET and FETCH, in PostgreSQL's orders.
func (p *parser) parseOrderLimitOffset(q *Query) error {
	if p.isKeyword(kwOrder) {
		p.advanceToken()
		if err := p.expectKeyword(kwBy, "BY after ORDER"); err != nil {
			return err
		}
		var err error
		if q.OrderBy, err = p.parseOrderItems(); err != nil {
			return err
		}
	}
	limited, moved := false, false
	for {
		switch {
		case p.isKeyword(kwLimit), p.isKeyword(kwFetch):
			if limited {
				return newSyntaxError(p.tok.at, "a query has one LIMIT or FETCH; this is the second", "")
			}
			limited = true
			if err := p.parseLimit(q); err != nil {
				return err
			}
		case p.isKeyword(kwOffset):
			if moved {
				return newSyntaxError(p.tok.at, "a query has one OFFSET; this is the second", "")
			}
			moved = true
			if err := p.parseOffset(q); err != nil {
				return err
			}
		case p.isKeyword(kwFor):
			if !p.isWord(p.ahead, "read") {
				return p.refuseLockingClause()
			}
			if err := p.skipForReadOnly(); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// skipForReadOnly reads FOR READ ONLY, which every statement is.
func (p *parser) skipForReadOnly() error {
	p.advanceToken()
	p.advanceToken()
	return p.expectKeyword(kwOnly, "ONLY after FOR READ")
}

func (p *parser) refuseLockingClause() error {
	switch p.ahead.kw {
	case kwUpdate, kwShare, kwNo, kwKey:
		return newReadOnlyError(p.tok.at, "FOR UPDATE or FOR SHARE")
	}
	return p.unsupportedError("FOR after a query", "")
}

func (p *parser) parseOrderItems() ([]*OrderItem, error) {
	return parseCommaSeparated(p, p.lim.Items, "the keys of ORDER BY are", (*parser).parseOrderItem)
}

func (p *parser) parseOrderItem() (*OrderItem, error) {
	item := &OrderItem{Position: Position(p.tok.at)}
	var err error
	if item.X, err = p.parseExpr(); err != nil {
		return nil, err
	}
	switch {
	case p.acceptKeyword(kwAsc):
	case p.acceptKeyword(kwDesc):
		item.Desc = true
	case p.isKeyword(kwUsing):
		return nil, p.unsupportedError("ORDER BY … USING", "write ASC or DESC")
	}
	if p.acceptKeyword(kwNulls) {
		switch {
		case p.acceptKeyword(kwFirst):
			item.Nulls = NullsFirst
		case p.acceptKeyword(kwLast):
			item.Nulls = NullsLast
		default:
			return nil, p.expectedError("FIRST or LAST after NULLS")
		}
	}
	return item, nil
}

func (p *parser) parseLimit(q *Query) error {
	if p.acceptKeyword(kwFetch) {
		return p.parseFetch(q)
	}
	p.advanceToken()
	if p.acceptKeyword(kwAll) {
		return nil
	}
	x, err := p.parseExpr()
	if err != nil {
		return err
	}
	if p.tok.kind == tokComma {
		return newSyntaxError(p.tok.at, "LIMIT takes one number", "write LIMIT count OFFSET start")
	}
	q.Limit = nilForNullLimit(x)
	return nil
}

// parseFetch reads FIRST|NEXT [count] ROW|ROWS ONLY.
func (p *parser) parseFetch(q *Query) error {
	if !p.acceptKeyword(kwFirst) && !p.acceptKeyword(kwNext) {
		return p.expectedError("FIRST or NEXT after FETCH")
	}
	if p.isKeyword(kwRow) || p.isKeyword(kwRows) {
		q.Limit = &Number{Position: p.tok.at, Text: "1"}
	} else {
		x, err := p.parsePrefixOperators()
		if err != nil {
			return err
		}
		q.Limit = nilForNullLimit(x)
	}
	if !p.acceptKeyword(kwRow) && !p.acceptKeyword(kwRows) {
		return p.expectedError("ROW or ROWS in FETCH")
	}
	if p.isKeyword(kwWith) {
		return p.unsupportedError("FETCH … WITH TIES", "write ONLY")
	}
	return p.expectKeyword(kwOnly, "ONLY at the end of FETCH")
}

func (p *parser) parseOffset(q *Query) error {
	p.advanceToken()
	x, err := p.parseExpr()
	if err != nil {
		return err
	}
	q.Offset = nilForNullLimit(x)
	if !p.acceptKeyword(kwRow) {
		p.acceptKeyword(kwRows)
	}
	return nil
}

// nilForNullLimit is nil for NULL, which counts as no clause.
func nilForNullLimit(x Expr) Expr {
	if _, null := x.(*Null); null {
		return nil
	}
	return x
}
