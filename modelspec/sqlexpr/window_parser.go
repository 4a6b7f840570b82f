package sqlexpr

import "strconv"

// parseOverClause reads OVER name or OVER (PARTITION BY … ORDER BY … frame). Window calls
// are recognised to be rejected, so what the tree has no place for (the window's
// name, NULLS FIRST) is read and not kept.
func (p *parser) parseOverClause(c *Call) (Expr, error) {
	o := &WindowCall{Position: c.Position, Call: c}
	p.advanceToken()
	if p.tok.kind == tokWord || p.tok.kind == tokQuotedName {
		p.advanceToken()
		return o, nil
	}
	if err := p.expectToken(tokLParen, "( after OVER"); err != nil {
		return nil, err
	}
	var err error
	if p.isKeyword(kwPartition) {
		p.advanceToken()
		if err := p.expectKeyword(kwBy, "BY after PARTITION"); err != nil {
			return nil, err
		}
		if o.Partition, err = p.parseExprList(); err != nil {
			return nil, err
		}
	}
	if p.isKeyword(kwOrder) {
		if o.Order, _, err = p.parseOrderBy(); err != nil {
			return nil, err
		}
	}
	if p.isKeyword(kwRows) || p.isKeyword(kwRange) {
		if o.Frame, err = p.parseFrame(); err != nil {
			return nil, err
		}
	}
	if err := p.expectToken(tokRParen, ") after the window"); err != nil {
		return nil, err
	}
	return o, nil
}

// parseOrderBy reads ORDER BY and its keys.
func (p *parser) parseOrderBy() (keys []OrderItem, nullsFirst int, err error) {
	nullsFirst = -1
	p.advanceToken()
	if err := p.expectKeyword(kwBy, "BY after ORDER"); err != nil {
		return nil, -1, err
	}
	for {
		x, err := p.parseExpr()
		if err != nil {
			return nil, -1, err
		}
		key := OrderItem{X: x}
		if !p.acceptKeyword(kwAsc) {
			key.Desc = p.acceptKeyword(kwDesc)
		}
		at := p.tok.pos
		if p.acceptKeyword(kwNulls) && !p.acceptKeyword(kwLast) {
			if !p.acceptKeyword(kwFirst) {
				return nil, -1, p.expectedError("FIRST or LAST after NULLS")
			}
			nullsFirst = at
		}
		keys = append(keys, key)
		if p.tok.kind != tokComma {
			return keys, nullsFirst, nil
		}
		p.advanceToken()
	}
}

func (p *parser) parseFrame() (*Frame, error) {
	f := &Frame{}
	if p.tok.kw == kwRange {
		f.Unit = FrameRange
	}
	p.advanceToken()
	between := p.acceptKeyword(kwBetween)
	var err error
	if f.Start, err = p.parseFrameBound(kwPreceding); err != nil || !between {
		return f, err
	}
	if err := p.expectKeyword(kwAnd, "AND and the end of the frame"); err != nil {
		return nil, err
	}
	f.End, err = p.parseFrameBound(kwFollowing)
	return f, err
}

// parseFrameBound reads one end of a frame; an unbounded one may only lie on the given
// side.
func (p *parser) parseFrameBound(side keyword) (FrameBound, error) {
	const want = "UNBOUNDED, CURRENT ROW or a number of rows"
	switch {
	case p.acceptKeyword(kwUnbounded):
		if !p.acceptKeyword(side) {
			return FrameBound{}, p.expectedError("PRECEDING or FOLLOWING, away from the current row, after UNBOUNDED")
		}
		return FrameBound{Unbounded: true}, nil
	case p.acceptKeyword(kwCurrent):
		return FrameBound{}, p.expectKeyword(kwRow, "ROW after CURRENT")
	case p.tok.kind == tokNumber:
		n, err := strconv.Atoi(p.tokenText(p.tok))
		if err != nil {
			return FrameBound{}, p.expectedError(want)
		}
		p.advanceToken()
		switch {
		case p.acceptKeyword(kwPreceding):
			return FrameBound{Offset: -n}, nil
		case p.acceptKeyword(kwFollowing):
			return FrameBound{Offset: n}, nil
		}
		return FrameBound{}, p.expectedError("PRECEDING or FOLLOWING")
	}
	return FrameBound{}, p.expectedError(want)
}
