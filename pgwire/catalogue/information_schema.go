package catalogue

import "github.com/semlayer/semlayer/semsql/parse"

// withOrderOfInformationSchemaColumns gives a statement that lists information_schema.columns in no order the order of the relations' columns, which
// it has in PostgreSQL too. Clients show columns in the order of the rows.
func withOrderOfInformationSchemaColumns(q *parse.Query) *parse.Query {
	sel, ok := q.Body.(*parse.Select)
	if !ok || len(q.OrderBy) > 0 || sel.Distinct || len(sel.DistinctOn) > 0 || len(sel.GroupBy) > 0 || sel.Having != nil || hasAggregate(sel.Items) {
		return q
	}
	var name parse.Name
	for _, from := range sel.From {
		if found, ok := aliasOrNameOfInformationSchemaColumns(from); ok {
			name = found
			break
		}
	}
	if name.Text == "" {
		return q
	}
	out := *q
	for _, key := range []string{"table_schema", "table_name", "ordinal_position"} {
		path := []parse.Name{name, {Text: key}}
		out.OrderBy = append(out.OrderBy, &parse.OrderItem{Position: q.Position, X: &parse.Column{Path: path}})
	}
	return &out
}

// aliasOrNameOfInformationSchemaColumns finds information_schema.columns in FROM: its name there.
func aliasOrNameOfInformationSchemaColumns(rel parse.Relation) (parse.Name, bool) {
	switch rel := rel.(type) {
	case *parse.Join:
		return aliasOrNameOfInformationSchemaColumns(rel.Left)
	case *parse.Table:
		last := len(rel.Path) - 1
		if last < 1 || parse.FoldName(rel.Path[last]) != "columns" || parse.FoldName(rel.Path[last-1]) != "information_schema" {
			return parse.Name{}, false
		}
		if rel.Alias != nil {
			return rel.Alias.Name, len(rel.Alias.Columns) == 0
		}
		return rel.Path[last], true
	default: // no table of information_schema
		return parse.Name{}, false
	}
}

func hasAggregate(items []*parse.SelectItem) bool {
	found := false
	for _, item := range items {
		parse.Walk(item.X, func(n parse.Node) bool {
			if call, ok := n.(*parse.Call); ok {
				_, known := aggregatesByName[parse.FoldName(call.Function)]
				found = found || known
			}
			_, below := n.(*parse.Query)
			return !below
		})
	}
	return found
}
