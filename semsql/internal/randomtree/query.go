package randomtree

import (
	"math/rand/v2"

	"github.com/semlayer/semlayer/semsql/parse"
)

// Options of a tree. Shared leaves out what only this language has: MEASURE, SEMANTIC_VIEW and the units of
// INTERVAL that PostgreSQL lacks.
type Options struct{ Shared bool }

// treeMaker makes the parts of one tree. Size bounds how many more nodes it has.
type treeMaker struct {
	*rand.Rand
	Options
	size int
	view bool // inside of SEMANTIC_VIEW
}

// RandomQuery makes a statement.
func RandomQuery(r *rand.Rand, o Options) *parse.Query {
	m := &treeMaker{Rand: r, Options: o, size: 10 + r.IntN(60)}
	return m.makeQuery()
}

// randomTrueOnceIn is true once in n times.
func (m *treeMaker) randomTrueOnceIn(n int) bool { return m.IntN(n) == 0 }

// takeNodeFromBudget takes a node from the budget; false when it is spent.
func (m *treeMaker) takeNodeFromBudget() bool {
	m.size--
	return m.size > 0
}

func pickRandom[T any](m *treeMaker, list ...T) T { return list[m.IntN(len(list))] }

// makeSome makes one to four elements, mostly few.
func makeSome[T any](m *treeMaker, element func() T) []T {
	list := []T{element()}
	for m.randomTrueOnceIn(2) && len(list) < 4 && m.size > 0 {
		list = append(list, element())
	}
	return list
}

func (m *treeMaker) makeQuery() *parse.Query {
	q := &parse.Query{Body: m.makeQueryBody(0)}
	if m.randomTrueOnceIn(6) && m.takeNodeFromBudget() {
		q.With = makeSome(m, m.makeCommonTable)
	}
	m.addOrderAndLimit(q)
	return q
}

// addOrderAndLimit gives a query an order and a limit.
func (m *treeMaker) addOrderAndLimit(q *parse.Query) {
	if m.randomTrueOnceIn(3) {
		q.OrderBy = makeSome(m, m.makeOrderItem)
	}
	if m.randomTrueOnceIn(4) {
		q.Limit = m.makeRowCount()
	}
	if m.randomTrueOnceIn(6) {
		q.Offset = m.makeRowCount()
	}
}

func (m *treeMaker) makeRowCount() parse.Expr {
	if m.randomTrueOnceIn(3) {
		return &parse.Parameter{Number: 1 + m.IntN(9)}
	}
	return &parse.Number{Text: pickRandom(m, "0", "1", "100")}
}

func (m *treeMaker) makeCommonTable() *parse.CommonTable {
	return &parse.CommonTable{Name: m.makeName(), Columns: m.makeColumnNames(), Query: m.makeQuery()}
}

// makeColumnNames makes no name most of the time.
func (m *treeMaker) makeColumnNames() []parse.Name {
	if !m.randomTrueOnceIn(4) {
		return nil
	}
	return makeSome(m, m.makeName)
}

// makeQueryBody makes a select, or several of them; a query in parentheses only as an operand.
func (m *treeMaker) makeQueryBody(depth int) parse.QueryBody {
	switch {
	case m.randomTrueOnceIn(5) && depth < 3 && m.takeNodeFromBudget():
		return &parse.SetOperation{
			Operator: pickRandom(m, parse.Union, parse.Intersect, parse.Except), All: m.randomTrueOnceIn(2),
			Left: m.makeQueryBody(depth + 1), Right: m.makeQueryBody(depth + 1),
		}
	case depth > 0 && m.randomTrueOnceIn(6):
		q := &parse.Query{Body: m.makeSelect(), Limit: m.makeRowCount()}
		m.addOrderAndLimit(q)
		return q
	}
	return m.makeSelect()
}

func (m *treeMaker) makeSelect() *parse.Select {
	s := &parse.Select{Distinct: m.randomTrueOnceIn(6), Items: makeSome(m, m.makeSelectItem)}
	if !m.randomTrueOnceIn(8) {
		s.From = makeSome(m, m.makeRelation)
	}
	if m.randomTrueOnceIn(2) {
		s.Where = m.makeExpr()
	}
	if m.randomTrueOnceIn(3) {
		s.GroupBy = makeSome(m, m.makeExpr)
	}
	if m.randomTrueOnceIn(5) {
		s.Having = m.makeExpr()
	}
	return s
}

func (m *treeMaker) makeSelectItem() *parse.SelectItem {
	switch {
	case m.randomTrueOnceIn(8) && !m.view:
		return &parse.SelectItem{X: &parse.Star{}}
	case m.randomTrueOnceIn(8):
		return &parse.SelectItem{X: &parse.Star{Qualifier: []parse.Name{m.makeName()}}}
	}
	i := &parse.SelectItem{X: m.makeExpr()}
	if m.randomTrueOnceIn(3) {
		i.Alias = pickRandom(m, m.makeName(), parse.Name{Text: pickRandom(m, "order", "select", "from", "year")})
	}
	return i
}

func (m *treeMaker) makeOrderItem() *parse.OrderItem {
	return &parse.OrderItem{X: m.makeExpr(), Desc: m.randomTrueOnceIn(2), Nulls: pickRandom(m, parse.NullsDefault, parse.NullsFirst, parse.NullsLast)}
}

// makeName makes names that need quotes and names that do not.
func (m *treeMaker) makeName() parse.Name {
	if m.randomTrueOnceIn(3) {
		return parse.Name{Text: pickRandom(m, "Order Date", "a", "SELECT", `qu"ote`, "größe", "date", "tick`ed"), Quoted: true}
	}
	return parse.Name{Text: pickRandom(m, "a", "b", "amount", "größe", "date", "time", "year", "x_1", "first", "rows", "value$")}
}

// makePath makes up to most names. Behind a dot every word is a name.
func (m *treeMaker) makePath(most int) []parse.Name {
	path := []parse.Name{m.makeName()}
	for len(path) < most && m.randomTrueOnceIn(2) {
		path = append(path, pickRandom(m, m.makeName(), parse.Name{Text: pickRandom(m, "group", "left", "interval")}))
	}
	return path
}
