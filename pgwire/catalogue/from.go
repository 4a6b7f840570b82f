package catalogue

import (
	"slices"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// resolveFrom prints FROM and adds its relations to the scope; nil without relations.
func (r *resolver) resolveFrom(from []parse.Relation, s *scope) (ducksql.Node, error) {
	if len(from) == 0 {
		return nil, nil
	}
	nodes := make([]ducksql.Node, len(from))
	for i, f := range from {
		var err error
		if nodes[i], err = r.resolveRelation(f, s); err != nil {
			return nil, err
		}
	}
	return ducksql.Commas(nodes), nil
}

func (r *resolver) resolveRelation(rel parse.Relation, s *scope) (ducksql.Node, error) {
	switch rel := rel.(type) {
	case *parse.Table:
		return r.resolveTable(rel, s)
	case *parse.DerivedTable:
		return r.resolveDerivedTable(rel, s)
	case *parse.Join:
		return r.resolveJoin(rel, s)
	case *parse.AliasedJoin:
		return r.resolveAliasedJoin(rel, s)
	case *parse.FunctionTable:
		return r.resolveFunctionTable(rel, s)
	}
	return nil, newUnsupportedError(rel, "this relation")
}

// addRelation adds a relation to the scope.
func addRelation(at parse.Node, s *scope, rel *relation) error {
	for _, other := range s.relations {
		if rel.name != "" && other.name == rel.name {
			return newError(at, stateDuplicateAlias, `table name "`+rel.name+`" specified more than once`)
		}
	}
	s.relations = append(s.relations, rel)
	return nil
}

// bindColumns are the columns of a relation under the name that it has in the printed statement. The
// names of columns there are those of the relation, in its order.
func bindColumns(columns []*column, alias ducksql.Name, names []ducksql.Name) []*column {
	out := make([]*column, len(columns))
	for i, c := range columns {
		bound := *c
		bound.value.node = ducksql.Apply("?.?", alias, names[i])
		bound.value.text, bound.value.parameter = nil, 0
		out[i] = &bound
	}
	return out
}

func resultNames(n int) []ducksql.Name {
	out := make([]ducksql.Name, n)
	for i := range out {
		out[i] = resultName(i)
	}
	return out
}

func (r *resolver) resolveTable(t *parse.Table, s *scope) (ducksql.Node, error) {
	name := fold(t.Path[len(t.Path)-1])
	alias := r.newName("r")
	source, columns, names, err := r.findTable(t, name, s)
	if err != nil {
		return nil, err
	}
	return r.finishRelation(t, s, t.Alias, name, ducksql.Apply("? AS ?", source, alias), bindColumns(columns, alias, names))
}

// finishRelation adds a relation with the names of its alias to the scope.
func (r *resolver) finishRelation(at parse.Node, s *scope, a *parse.TableAlias, name string, node ducksql.Node, columns []*column) (ducksql.Node, error) {
	if a != nil {
		name = fold(a.Name)
		var err error
		if columns, err = renameColumns(at, columns, a.Columns); err != nil {
			return nil, err
		}
	}
	return node, addRelation(at, s, &relation{name: name, columns: columns})
}

// findTable finds a table of WITH, or a table or view of the catalogue.
func (r *resolver) findTable(t *parse.Table, name string, s *scope) (ducksql.Node, []*column, []ducksql.Name, error) {
	if len(t.Path) == 1 {
		if with := s.findCommonTable(name); with != nil {
			return ducksql.Name(with.name), with.columns, resultNames(len(with.columns)), nil
		}
	}
	schema := ""
	if len(t.Path) > 1 {
		schema = fold(t.Path[len(t.Path)-2])
	}
	found := r.set.findTable(schema, name)
	if found == nil || len(t.Path) == 3 && fold(t.Path[0]) != r.session.database {
		return nil, nil, nil, newError(t, stateUnknownTable, `relation "`+pathText(t.Path)+`" does not exist`)
	}
	return r.readTable(found)
}

func pathText(path []parse.Name) string {
	text := ""
	for i, n := range path {
		if i > 0 {
			text += "."
		}
		text += fold(n)
	}
	return text
}

func (r *resolver) resolveDerivedTable(d *parse.DerivedTable, s *scope) (ducksql.Node, error) {
	outer := &scope{outer: s.outer, tables: s.tables}
	if d.Lateral {
		outer = s
	}
	node, columns, err := r.resolveQuery(d.Query, outer)
	if err != nil {
		return nil, err
	}
	alias := r.newName("r")
	form := "(?) AS ?"
	if d.Lateral {
		form = "LATERAL (?) AS ?"
	}
	return r.finishRelation(d, s, d.Alias, "", ducksql.Apply(form, node, alias), bindColumns(columns, alias, resultNames(len(columns))))
}

func (r *resolver) resolveAliasedJoin(j *parse.AliasedJoin, s *scope) (ducksql.Node, error) {
	inner := &scope{outer: s.outer, tables: s.tables}
	node, err := r.resolveRelation(j.Join, inner)
	if err != nil {
		return nil, err
	}
	var columns []*column
	for _, rel := range inner.relations {
		columns = append(append(columns, rel.merged...), rel.columns...)
	}
	return r.finishRelation(j, s, j.Alias, "", ducksql.Apply("(?)", node), columns)
}

func (r *resolver) resolveJoin(j *parse.Join, s *scope) (ducksql.Node, error) {
	first := len(s.relations)
	left, err := r.resolveRelation(j.Left, s)
	if err != nil {
		return nil, err
	}
	second := len(s.relations)
	right, err := r.resolveRelation(j.Right, s)
	if err != nil {
		return nil, err
	}
	if _, nested := j.Right.(*parse.Join); nested {
		right = ducksql.Apply("(?)", right)
	}
	if j.Kind == parse.CrossJoin {
		return ducksql.Apply("? CROSS JOIN ?", left, right), nil
	}
	on, err := r.resolveJoinCondition(j, s, slices.Clone(s.relations[first:second]), slices.Clone(s.relations[second:]))
	if err != nil {
		return nil, err
	}
	return ducksql.Apply("? "+j.Kind.String()+" JOIN ? ON ?", left, right, on), nil
}

func (r *resolver) resolveJoinCondition(j *parse.Join, s *scope, left, right []*relation) (ducksql.Node, error) {
	if j.On != nil {
		inner := &scope{outer: s.outer, tables: s.tables, relations: append(left, right...)}
		return r.resolveCondition(j.On, inner)
	}
	var names []string
	for _, n := range j.Using {
		names = append(names, fold(n))
	}
	if j.Natural {
		names = commonNames(left, right)
	}
	if len(names) == 0 {
		return ducksql.Bool(true), nil
	}
	var terms []ducksql.Node
	for _, name := range names {
		a, b := columnIn(left, name), columnIn(right, name)
		if a == nil || b == nil {
			return nil, newError(j, stateUnknownColumn, `column "`+name+`" specified in USING clause does not exist`)
		}
		terms = append(terms, ducksql.Apply("? = ?", a.value.node, b.value.node))
		merged := *a
		if j.Kind != parse.InnerJoin && j.Kind != parse.LeftJoin {
			merged.value.node = ducksql.Apply("COALESCE(?, ?)", a.value.node, b.value.node)
		}
		left[0].merged = append(left[0].merged, &merged)
	}
	return ducksql.List{Separator: " AND ", Nodes: terms}, nil
}

func commonNames(left, right []*relation) []string {
	var out []string
	for _, rel := range left {
		for _, c := range rel.columns {
			if !c.hidden && columnIn(right, c.name) != nil && !slices.Contains(out, c.name) {
				out = append(out, c.name)
			}
		}
	}
	return out
}

func columnIn(relations []*relation, name string) *column {
	for _, rel := range relations {
		for _, c := range append(slices.Clone(rel.merged), rel.columns...) {
			if c.name == name && !c.hidden {
				return c
			}
		}
	}
	return nil
}

// resolveFunctionTable prints a function in FROM: its rows are the elements of lists.
func (r *resolver) resolveFunctionTable(f *parse.FunctionTable, s *scope) (ducksql.Node, error) {
	lists, columns, err := r.resolveRows(f.Call, s)
	if err != nil {
		return nil, err
	}
	alias := r.newName("r")
	items := make([]ducksql.Node, 0, len(lists)+1)
	for i, list := range lists {
		items = append(items, ducksql.Apply("unnest(?) AS ?", list, resultName(i)))
	}
	if f.Ordinality {
		columns = append(columns, &column{name: "ordinality", value: value{typ: typeInt8}})
		items = append(items, ducksql.Apply("unnest(range(1, len(?) + 1)) AS ?", lists[0], resultName(len(lists))))
	}
	name := fold(f.Call.Function)
	if f.Alias != nil && len(lists) == 1 && len(f.Alias.Columns) == 0 && columns[0].name == name {
		columns[0].name = fold(f.Alias.Name)
	}
	node := ducksql.Apply("LATERAL (SELECT ?) AS ?", ducksql.Commas(items), alias)
	return r.finishRelation(f, s, f.Alias, name, node, bindColumns(columns, alias, resultNames(len(columns))))
}
