package parse

import "strings"

// parseOver reads OVER (PARTITION BY … ORDER BY … frame).
func (p *parser) parseOver() (*Window, error) {
	if p.view {
		return nil, p.windowUnsupportedError("OVER in SEMANTIC_VIEW")
	}
	w := &Window{Position: Position(p.tok.at)}
	p.advanceToken()
	if p.tok.kind != tokLParen {
		if p.tok.isName() {
			p.parseWindowNameUse(w, false)
			return w, nil
		}
		return nil, p.expectedError("( after OVER")
	}
	p.advanceToken()
	return w, p.parseWindowInParens(w)
}

// parseWindowInParens reads [name] PARTITION BY … ORDER BY … frame and the closing parenthesis.
func (p *parser) parseWindowInParens(w *Window) (err error) {
	if p.canTokenBeWindowName() {
		p.parseWindowNameUse(w, true)
	}
	if p.isKeyword(kwPartition) {
		p.advanceToken()
		if err := p.expectKeyword(kwBy, "BY after PARTITION"); err != nil {
			return err
		}
		if w.PartitionBy, err = p.parseExprList("the keys of PARTITION BY are"); err != nil {
			return err
		}
	}
	if p.isKeyword(kwOrder) {
		if w.OrderBy, err = p.parseOrderBy(); err != nil {
			return err
		}
	}
	switch {
	case p.isKeyword(kwRows):
		if w.Frame, err = p.parseFrame(); err != nil {
			return err
		}
	case p.isKeyword(kwRange), p.isKeyword(kwGroups):
		return p.unsupportedError("a frame of "+strings.ToUpper(p.tokenText(p.tok)), "write ROWS")
	}
	return p.expectToken(tokRParen, "a clause of the window or )")
}

// parseFrame reads ROWS start and ROWS BETWEEN start AND end.
func (p *parser) parseFrame() (*Frame, error) {
	f := &Frame{Position: Position(p.tok.at)}
	p.advanceToken()
	between := p.acceptKeyword(kwBetween)
	var err error
	if f.Start, err = p.parseFrameBound(); err != nil {
		return nil, err
	}
	f.End = &FrameBound{Position: f.Start.Position, Kind: CurrentRow}
	if between {
		if err := p.expectKeyword(kwAnd, "AND and the end of the frame"); err != nil {
			return nil, err
		}
		if f.End, err = p.parseFrameBound(); err != nil {
			return nil, err
		}
	}
	switch {
	case f.Start.Kind == UnboundedFollowing:
		return nil, newSyntaxError(f.Start.Position, "a frame does not start at UNBOUNDED FOLLOWING", "")
	case f.End.Kind == UnboundedPreceding:
		return nil, newSyntaxError(f.End.Position, "a frame does not end at UNBOUNDED PRECEDING", "")
	case f.Start.Kind > f.End.Kind:
		return nil, newSyntaxError(f.Start.Position, "the start of the frame is after its end", "")
	case p.isKeyword(kwExclude):
		return nil, p.unsupportedError("EXCLUDE in a frame", "")
	}
	return f, nil
}

func (p *parser) parseFrameBound() (*FrameBound, error) {
	b := &FrameBound{Position: Position(p.tok.at)}
	switch {
	case p.acceptKeyword(kwUnbounded):
		switch {
		case p.acceptKeyword(kwPreceding):
			b.Kind = UnboundedPreceding
		case p.acceptKeyword(kwFollowing):
			b.Kind = UnboundedFollowing
		default:
			return nil, p.expectedError("PRECEDING or FOLLOWING after UNBOUNDED")
		}
		return b, nil
	case p.acceptKeyword(kwCurrent):
		b.Kind = CurrentRow
		return b, p.expectKeyword(kwRow, "ROW after CURRENT")
	}
	var err error
	switch p.tok.kind {
	case tokNumber:
		b.Offset, err = p.parsePrimary()
	case tokParameter:
		b.Offset, err = p.parseParameter()
	default:
		return nil, p.expectedError("a number, UNBOUNDED or CURRENT ROW in the frame")
	}
	if err != nil {
		return nil, err
	}
	switch {
	case p.acceptKeyword(kwPreceding):
		b.Kind = Preceding
	case p.acceptKeyword(kwFollowing):
		b.Kind = Following
	default:
		return nil, p.expectedError("PRECEDING or FOLLOWING after the number")
	}
	return b, nil
}
