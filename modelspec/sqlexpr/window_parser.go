package sqlexpr

import "strconv"

// over reads OVER name or OVER (PARTITION BY … ORDER BY … frame). Window calls
// are recognised to be refused, so what the tree has no place for (the window's
// name, NULLS FIRST) is read and not kept.
func (p *parser) over(c *Call) (Expr, error) {
	o := &Over{At: c.At, Call: c}
	p.advance()
	if p.tok.kind == tokWord || p.tok.kind == tokQuoted {
		p.advance()
		return o, nil
	}
	if err := p.expect(tokLParen, "( after OVER"); err != nil {
		return nil, err
	}
	var err error
	if p.isKeyword(kwPartition) {
		p.advance()
		if err := p.expectWord(kwBy, "BY after PARTITION"); err != nil {
			return nil, err
		}
		if o.Partition, err = p.exprs(); err != nil {
			return nil, err
		}
	}
	if p.isKeyword(kwOrder) {
		if o.Order, err = p.orderBy(); err != nil {
			return nil, err
		}
	}
	if p.isKeyword(kwRows) || p.isKeyword(kwRange) {
		if o.Frame, err = p.frame(); err != nil {
			return nil, err
		}
	}
	if err := p.expect(tokRParen, ") after the window"); err != nil {
		return nil, err
	}
	return o, nil
}

// orderBy reads ORDER BY and its keys.
func (p *parser) orderBy() ([]OrderItem, error) {
	p.advance()
	if err := p.expectWord(kwBy, "BY after ORDER"); err != nil {
		return nil, err
	}
	var keys []OrderItem
	for {
		x, err := p.expr()
		if err != nil {
			return nil, err
		}
		key := OrderItem{X: x}
		if !p.accept(kwAsc) {
			key.Desc = p.accept(kwDesc)
		}
		if p.accept(kwNulls) && !p.accept(kwFirst) && !p.accept(kwLast) {
			return nil, p.expected("FIRST or LAST after NULLS")
		}
		keys = append(keys, key)
		if p.tok.kind != tokComma {
			return keys, nil
		}
		p.advance()
	}
}

func (p *parser) frame() (*Frame, error) {
	f := &Frame{}
	if p.tok.kw == kwRange {
		f.Unit = FrameRange
	}
	p.advance()
	between := p.accept(kwBetween)
	var err error
	if f.Start, err = p.bound(kwPreceding); err != nil || !between {
		return f, err
	}
	if err := p.expectWord(kwAnd, "AND and the end of the frame"); err != nil {
		return nil, err
	}
	f.End, err = p.bound(kwFollowing)
	return f, err
}

// bound reads one end of a frame; an unbounded one may only lie on the given
// side.
func (p *parser) bound(side keyword) (Bound, error) {
	const want = "UNBOUNDED, CURRENT ROW or a number of rows"
	switch {
	case p.accept(kwUnbounded):
		if !p.accept(side) {
			return Bound{}, p.expected("PRECEDING or FOLLOWING, away from the current row, after UNBOUNDED")
		}
		return Bound{Unbounded: true}, nil
	case p.accept(kwCurrent):
		return Bound{}, p.expectWord(kwRow, "ROW after CURRENT")
	case p.tok.kind == tokNumber:
		n, err := strconv.Atoi(p.text(p.tok))
		if err != nil {
			return Bound{}, p.expected(want)
		}
		p.advance()
		switch {
		case p.accept(kwPreceding):
			return Bound{Offset: -n}, nil
		case p.accept(kwFollowing):
			return Bound{Offset: n}, nil
		}
		return Bound{}, p.expected("PRECEDING or FOLLOWING")
	}
	return Bound{}, p.expected(want)
}
