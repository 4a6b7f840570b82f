package joins

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// matchedTimesTable are the rows of a dataset beside each key and time at which they are valid, for
// an engine whose LEFT joins take equalities alone: those join the key and the time.
//
//	Project
//	  Filter       from ≤ at < to
//	    InnerJoin  on the key
//	      the rows of the dataset
//	      Derived  the keys and times of the dataset that the relationship leaves, each once
type matchedTimesTable struct {
	columns derivedTableColumns
	rel     *catalog.Relationship
	from    *Tree // of the dataset that the relationship leaves
}

// matchedTimesAlias is the alias of the keys and times, matchedTimeColumnName the name of the time.
const (
	matchedTimesAlias     = "times"
	matchedTimeColumnName = "matched_at"
)

func matchedKeyColumnName(i int) string { return "matched_key" + strconv.Itoa(i+1) }

func newMatchedTimesTable(rel *catalog.Relationship, from, to *Tree) *matchedTimesTable {
	m := &matchedTimesTable{columns: newDerivedTableColumns(to), rel: rel, from: from}
	m.columns.reserveName(matchedTimeColumnName)
	for i := range rel.FromFields {
		m.columns.reserveName(matchedKeyColumnName(i))
	}
	return m
}

// keyAndTimeEquality pairs the key and the time of a node's parent with those of the table.
func (m *matchedTimesTable) keyAndTimeEquality(t *Tree, n *Node) ([]plan.JoinEquality, error) {
	times, err := m.keyAndTimeColumns(t, n.parent)
	if err != nil {
		return nil, err
	}
	on := make([]plan.JoinEquality, len(times))
	for i, k := range times {
		on[i] = plan.JoinEquality{Left: k.Expr, Right: newColumnOfTable(n.Alias, k.Name)}
	}
	return on, nil
}

// keyAndTimeColumns returns the key and the time of a row of the dataset that the relationship leaves, as a
// node of a tree reads them, under the names that they have in the table.
func (m *matchedTimesTable) keyAndTimeColumns(t *Tree, n *Node) ([]plan.NamedExpr, error) {
	var out []plan.NamedExpr
	for i, f := range m.rel.FromFields {
		e, err := t.FieldExpr(n, f, "")
		if err != nil {
			return nil, err
		}
		out = append(out, plan.NamedExpr{Name: matchedKeyColumnName(i), Expr: e, Type: f.Type})
	}
	v := m.rel.Valid
	at, err := t.FieldExpr(n, v.At, "")
	if err != nil {
		return nil, err
	}
	return append(out, plan.NamedExpr{Name: matchedTimeColumnName, Expr: comparableValidityValue(at, v.At, v), Type: v.ComparedType()}), nil
}

func (m *matchedTimesTable) findOrAddQualifiedColumn(alias string, name sqlexpr.Name) *sqlexpr.Column {
	return m.columns.findOrAddQualifiedColumn(alias, name)
}

func (m *matchedTimesTable) planRows(alias string) (plan.Node, error) {
	times, err := m.keyAndTimeColumns(m.from, m.from.Root())
	if err != nil {
		return nil, err
	}
	from, err := m.from.Plan()
	if err != nil {
		return nil, err
	}
	keys := &plan.Derived{
		Input: &plan.Aggregate{Input: from, Keys: times, Home: m.rel.From.Name, Why: "times of " + m.rel.Name},
		Alias: m.columns.inner.UniqueAlias(matchedTimesAlias), Why: "times of " + m.rel.Name,
	}
	join := &plan.Join{Right: keys, Kind: plan.InnerJoin, Relationship: m.rel.Name, Cardinality: m.rel.Cardinality.String() + ", reversed"}
	for i, f := range m.rel.ToFields {
		e, err := m.columns.inner.fieldExprWithoutMatchGuard(m.columns.inner.Root(), f, "")
		if err != nil {
			return nil, err
		}
		join.On = append(join.On, plan.JoinEquality{Left: e, Right: newColumnOfTable(keys.Alias, times[i].Name)})
	}
	at := newColumnOfTable(keys.Alias, times[len(times)-1].Name)
	valid, err := m.columns.inner.newJoinValidity(m.columns.inner.Root(), m.rel.Valid, at)
	if err != nil {
		return nil, err
	}
	if join.Left, err = m.columns.inner.Plan(); err != nil {
		return nil, err
	}
	cols := make([]plan.NamedExpr, 0, len(times)+len(m.columns.list))
	for _, k := range times {
		cols = append(cols, plan.NamedExpr{Name: k.Name, Expr: newColumnOfTable(keys.Alias, k.Name), Type: k.Type})
	}
	rows := &plan.Filter{Input: join, Conds: valid.Conditions(), Why: "valid"}
	return &plan.Derived{Input: &plan.Project{Input: rows, Cols: append(cols, m.columns.list...)}, Alias: alias, Why: "valid " + m.rel.Name}, nil
}
