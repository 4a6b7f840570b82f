package catalogue

import (
	"slices"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// translateFrom prints FROM and adds its relations to the scope; nil without relations.
func (r *translator) translateFrom(from []parse.Relation, s *scope) (ducksql.Node, error) {
	if len(from) == 0 {
		return nil, nil
	}
	nodes, empty := make([]ducksql.Node, len(from)), false
	for i, f := range from {
		var err error
		if nodes[i], err = r.translateRelation(f, s); err != nil {
			return nil, err
		}
		empty = empty || isEmptyResult(nodes[i])
	}
	return markEmptyIf(empty, ducksql.CommaList(nodes)), nil
}

func (r *translator) translateRelation(rel parse.Relation, s *scope) (ducksql.Node, error) {
	switch rel := rel.(type) {
	case *parse.Table:
		return r.translateTable(rel, s)
	case *parse.DerivedTable:
		return r.translateDerivedTable(rel, s)
	case *parse.Join:
		return r.translateJoin(rel, s)
	case *parse.AliasedJoin:
		return r.translateAliasedJoin(rel, s)
	case *parse.FunctionTable:
		return r.translateFunctionTable(rel, s)
	default:
		return nil, newUnsupportedError(rel, "this relation")
	}
}

// addScopeRelation adds a relation to the scope.
func addScopeRelation(at parse.Node, s *scope, rel *scopeRelation) error {
	for _, other := range s.relations {
		if rel.name != "" && other.name == rel.name {
			return newStatementError(at, sqlstateDuplicateAlias, `table name "`+rel.name+`" specified more than once`)
		}
	}
	s.relations = append(s.relations, rel)
	return nil
}

// scopeColumnsUnderAlias returns the columns of a relation under the name that it has in the printed statement. The
// names of columns there are those of the relation, in its order.
func scopeColumnsUnderAlias(columns []*scopeColumn, alias ducksql.Name, names []ducksql.Name) []*scopeColumn {
	out := make([]*scopeColumn, len(columns))
	for i, c := range columns {
		bound := *c
		bound.value.node = ducksql.FillTemplate("?.?", alias, names[i])
		bound.value.text, bound.value.parameter = nil, 0
		out[i] = &bound
	}
	return out
}

func numberedColumnNames(n int) []ducksql.Name {
	out := make([]ducksql.Name, n)
	for i := range out {
		out[i] = numberedColumnName(i)
	}
	return out
}

func (r *translator) translateTable(t *parse.Table, s *scope) (ducksql.Node, error) {
	name := parse.FoldName(t.Path[len(t.Path)-1])
	alias := r.newUniqueName("r")
	source, columns, names, err := r.findTable(t, name, s)
	if err != nil {
		return nil, err
	}
	node := markEmptyIf(isEmptyResult(source), ducksql.FillTemplate("? AS ?", source, alias))
	return r.addAliasedRelation(t, s, t.Alias, name, node, scopeColumnsUnderAlias(columns, alias, names))
}

// addAliasedRelation adds a relation with the names of its alias to the scope.
func (r *translator) addAliasedRelation(at parse.Node, s *scope, a *parse.TableAlias, name string, node ducksql.Node, columns []*scopeColumn) (ducksql.Node, error) {
	if a != nil {
		name = parse.FoldName(a.Name)
		var err error
		if columns, err = renameColumns(at, columns, a.Columns); err != nil {
			return nil, err
		}
	}
	return node, addScopeRelation(at, s, &scopeRelation{name: name, columns: columns})
}

// findTable finds a table of WITH, or a table or view of the catalogue.
func (r *translator) findTable(t *parse.Table, name string, s *scope) (ducksql.Node, []*scopeColumn, []ducksql.Name, error) {
	if len(t.Path) == 1 {
		if with := s.findCommonTable(name); with != nil {
			return ducksql.Name(with.name), with.columns, numberedColumnNames(len(with.columns)), nil
		}
	}
	schema := ""
	if len(t.Path) > 1 {
		schema = parse.FoldName(t.Path[len(t.Path)-2])
	}
	found := r.set.findTable(schema, name)
	if found == nil || len(t.Path) == 3 && parse.FoldName(t.Path[0]) != r.session.database {
		return nil, nil, nil, newStatementError(t, sqlstateUndefinedTable, `relation "`+dottedPathText(t.Path)+`" does not exist`)
	}
	return r.translateCatalogueTable(found)
}

func dottedPathText(path []parse.Name) string {
	text := ""
	for i, n := range path {
		if i > 0 {
			text += "."
		}
		text += parse.FoldName(n)
	}
	return text
}

func (r *translator) translateDerivedTable(d *parse.DerivedTable, s *scope) (ducksql.Node, error) {
	outer := &scope{outer: s.outer, tables: s.tables}
	if d.Lateral {
		outer = s
	}
	node, columns, err := r.translateQuery(d.Query, outer)
	if err != nil {
		return nil, err
	}
	alias := r.newUniqueName("r")
	form := "(?) AS ?"
	if d.Lateral {
		form = "LATERAL (?) AS ?"
	}
	printed := markEmptyIf(isEmptyResult(node), ducksql.FillTemplate(form, node, alias))
	return r.addAliasedRelation(d, s, d.Alias, "", printed, scopeColumnsUnderAlias(columns, alias, numberedColumnNames(len(columns))))
}

func (r *translator) translateAliasedJoin(j *parse.AliasedJoin, s *scope) (ducksql.Node, error) {
	inner := &scope{outer: s.outer, tables: s.tables}
	node, err := r.translateRelation(j.Join, inner)
	if err != nil {
		return nil, err
	}
	var columns []*scopeColumn
	for _, rel := range inner.relations {
		columns = append(append(columns, rel.merged...), rel.columns...)
	}
	return r.addAliasedRelation(j, s, j.Alias, "", markEmptyIf(isEmptyResult(node), ducksql.FillTemplate("(?)", node)), columns)
}

func (r *translator) translateJoin(j *parse.Join, s *scope) (ducksql.Node, error) {
	first := len(s.relations)
	left, err := r.translateRelation(j.Left, s)
	if err != nil {
		return nil, err
	}
	second := len(s.relations)
	right, err := r.translateRelation(j.Right, s)
	if err != nil {
		return nil, err
	}
	empty := joinGivesNoRows(j.Kind, left, right)
	if _, nested := j.Right.(*parse.Join); nested {
		right = ducksql.FillTemplate("(?)", right)
	}
	if j.Kind == parse.CrossJoin {
		return markEmptyIf(empty, ducksql.FillTemplate("? CROSS JOIN ?", left, right)), nil
	}
	on, err := r.translateJoinCondition(j, s, slices.Clone(s.relations[first:second]), slices.Clone(s.relations[second:]))
	if err != nil {
		return nil, err
	}
	return markEmptyIf(empty, ducksql.FillTemplate("? "+j.Kind.String()+" JOIN ? ON ?", left, right, on)), nil
}

func (r *translator) translateJoinCondition(j *parse.Join, s *scope, left, right []*scopeRelation) (ducksql.Node, error) {
	if j.On != nil {
		inner := &scope{outer: s.outer, tables: s.tables, relations: append(left, right...)}
		return r.translateCondition(j.On, inner)
	}
	var names []string
	for _, n := range j.Using {
		names = append(names, parse.FoldName(n))
	}
	if j.Natural {
		names = commonColumnNames(left, right)
	}
	if len(names) == 0 {
		return ducksql.BoolLiteral(true), nil
	}
	var terms []ducksql.Node
	for _, name := range names {
		a, b := findVisibleColumn(left, name), findVisibleColumn(right, name)
		if a == nil || b == nil {
			return nil, newStatementError(j, sqlstateUndefinedColumn, `column "`+name+`" specified in USING clause does not exist`)
		}
		terms = append(terms, ducksql.FillTemplate("? = ?", a.value.node, b.value.node))
		merged := *a
		merged.value.textBytes = max(a.value.textBytes, b.value.textBytes)
		if j.Kind != parse.InnerJoin && j.Kind != parse.LeftJoin {
			merged.value.node = ducksql.FillTemplate("COALESCE(?, ?)", a.value.node, b.value.node)
		}
		left[0].merged = append(left[0].merged, &merged)
	}
	return ducksql.SeparatedList{Separator: " AND ", Nodes: terms}, nil
}

func commonColumnNames(left, right []*scopeRelation) []string {
	var out []string
	for _, rel := range left {
		for _, c := range rel.columns {
			if !c.hidden && findVisibleColumn(right, c.name) != nil && !slices.Contains(out, c.name) {
				out = append(out, c.name)
			}
		}
	}
	return out
}

func findVisibleColumn(relations []*scopeRelation, name string) *scopeColumn {
	for _, rel := range relations {
		for _, c := range append(slices.Clone(rel.merged), rel.columns...) {
			if c.name == name && !c.hidden {
				return c
			}
		}
	}
	return nil
}

// translateFunctionTable prints a function in FROM: its rows are the elements of lists.
func (r *translator) translateFunctionTable(f *parse.FunctionTable, s *scope) (ducksql.Node, error) {
	before := len(r.estimate.parts)
	lists, columns, err := r.translateSetReturningCall(f.Call, s)
	if err != nil {
		return nil, err
	}
	for _, c := range columns {
		c.value.textBytes, c.value.gathered = longestBytes(r.estimate.parts[before:]), isAnyGathered(r.estimate.parts)
	}
	alias := r.newUniqueName("r")
	items := make([]ducksql.Node, 0, len(lists)+1)
	for i, list := range lists {
		items = append(items, ducksql.FillTemplate("unnest(?) AS ?", list, numberedColumnName(i)))
	}
	if f.Ordinality {
		columns = append(columns, &scopeColumn{name: "ordinality", value: typedExpr{typ: int8TypeOID}})
		items = append(items, ducksql.FillTemplate("unnest(range(1, len(?) + 1)) AS ?", lists[0], numberedColumnName(len(lists))))
	}
	name := parse.FoldName(f.Call.Function)
	if f.Alias != nil && len(lists) == 1 && len(f.Alias.Columns) == 0 && columns[0].name == name {
		columns[0].name = parse.FoldName(f.Alias.Name)
	}
	node := ducksql.FillTemplate("LATERAL (SELECT ?) AS ?", ducksql.CommaList(items), alias)
	bound := scopeColumnsUnderAlias(columns, alias, numberedColumnNames(len(columns)))
	if f.Alias != nil && len(bound) == 1 && bound[0].name != parse.FoldName(f.Alias.Name) { // the row of one column is its value
		row := *bound[0]
		row.name, row.hidden = parse.FoldName(f.Alias.Name), true
		bound = append(bound, &row)
	}
	return r.addAliasedRelation(f, s, f.Alias, name, node, bound)
}
