package randomtree

import "github.com/semlayer/semlayer/semsql/parse"

func (m *treeMaker) makeCall() parse.Expr {
	switch m.IntN(6) {
	case 0:
		if !m.Shared {
			return m.makeMeasure()
		}
	case 1:
		return &parse.Call{Function: parse.Name{Text: "position"}, Arguments: []parse.Expr{m.makeExpr(), m.makeExpr()}}
	case 2:
		return m.makeAggregate()
	case 3:
		return &parse.Call{Function: parse.Name{Text: "count"}, Arguments: []parse.Expr{m.makeStar()}, Filter: m.makeOptionalFilter()}
	}
	function := pickRandom(m, "coalesce", "left", "date_trunc", "trim", "substring", "greatest", "x_1")
	return &parse.Call{Function: parse.Name{Text: function}, Arguments: makeSome(m, m.makeExpr)}
}

func (m *treeMaker) makeStar() parse.Expr {
	if m.randomTrueOnceIn(2) {
		return &parse.Star{}
	}
	return &parse.Star{Qualifier: []parse.Name{m.makeName()}}
}

func (m *treeMaker) makeOptionalFilter() parse.Expr {
	if !m.randomTrueOnceIn(4) {
		return nil
	}
	return m.makeExpr()
}

func (m *treeMaker) makeAggregate() parse.Expr {
	c := &parse.Call{Function: pickRandom(m, parse.Name{Text: "sum"}, parse.Name{Text: "Total", Quoted: true}), Arguments: makeSome(m, m.makeExpr), Filter: m.makeOptionalFilter()}
	switch m.IntN(5) {
	case 0:
		c.Distinct = true
	case 1:
		c.OrderBy = makeSome(m, m.makeOrderItem)
	case 2:
		c.WithinGroup = makeSome(m, m.makeOrderItem)
	case 3:
		if !m.view {
			c.Over = m.makeWindow()
		}
	}
	return c
}

func (m *treeMaker) makeMeasure() parse.Expr {
	most := 4
	if m.view {
		most = 2
	}
	x := &parse.MeasureCall{Metric: &parse.Column{Path: m.makePath(most)}, Filter: m.makeOptionalFilter()}
	if m.randomTrueOnceIn(3) {
		x.Arguments = makeSome(m, func() *parse.NamedArgument { return &parse.NamedArgument{Name: m.makeName(), X: m.makeExpr()} })
	}
	return x
}

func (m *treeMaker) makeWindow() *parse.Window {
	w := &parse.Window{}
	if m.randomTrueOnceIn(2) {
		w.PartitionBy = makeSome(m, m.makeExpr)
	}
	if m.randomTrueOnceIn(2) {
		w.OrderBy = makeSome(m, m.makeOrderItem)
	}
	if m.randomTrueOnceIn(3) {
		w.Frame = &parse.Frame{
			Start: pickRandom(m, &parse.FrameBound{Kind: parse.UnboundedPreceding}, &parse.FrameBound{Kind: parse.Preceding, Offset: &parse.Number{Text: "2"}}),
			End:   pickRandom(m, &parse.FrameBound{Kind: parse.CurrentRow}, &parse.FrameBound{Kind: parse.Following, Offset: m.makeRowCount()}, &parse.FrameBound{Kind: parse.UnboundedFollowing}),
		}
	}
	return w
}
