package randomtree

import "github.com/semlayer/semlayer/semsql/parse"

func (m *treeMaker) makeRelation() parse.Relation {
	switch {
	case !m.takeNodeFromBudget():
	case m.randomTrueOnceIn(4):
		return m.makeJoin()
	case m.randomTrueOnceIn(6):
		alias := m.makeTableAlias()
		return &parse.DerivedTable{Query: m.makeQuery(), Lateral: m.randomTrueOnceIn(5), Alias: alias}
	case m.randomTrueOnceIn(5) && !m.Shared:
		return m.makeSemanticView()
	}
	t := &parse.Table{Path: m.makePath(3)}
	if m.randomTrueOnceIn(2) {
		t.Alias = m.makeTableAlias()
	}
	return t
}

func (m *treeMaker) makeTableAlias() *parse.TableAlias {
	return &parse.TableAlias{Name: m.makeName(), Columns: m.makeColumnNames()}
}

func (m *treeMaker) makeJoin() parse.Relation {
	j := &parse.Join{Kind: pickRandom(m, parse.InnerJoin, parse.LeftJoin, parse.RightJoin, parse.FullJoin, parse.CrossJoin)}
	j.Left, j.Right = m.makeRelation(), m.makeRelation()
	switch {
	case j.Kind == parse.CrossJoin:
	case m.randomTrueOnceIn(6):
		j.Natural = true
	case m.randomTrueOnceIn(4):
		j.Using = makeSome(m, m.makeName)
	default:
		j.On = m.makeExpr()
	}
	return j
}

func (m *treeMaker) makeSemanticView() parse.Relation {
	outside := m.view
	m.view = true
	v := &parse.SemanticView{Model: m.makePath(3)}
	if m.randomTrueOnceIn(2) {
		v.Dimensions = makeSome(m, m.makeSelectItem)
	}
	if m.randomTrueOnceIn(4) {
		v.Facts = makeSome(m, m.makeSelectItem)
	} else {
		v.Metrics = makeSome(m, m.makeSelectItem)
	}
	if m.randomTrueOnceIn(3) {
		v.Where = m.makeExpr()
	}
	m.view = outside
	if m.randomTrueOnceIn(2) {
		v.Alias = m.makeTableAlias()
	}
	return v
}
