package catalogue

import (
	"strconv"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// resolver finds the meaning of one statement.
type resolver struct {
	set     *tableSet
	session session
	// declared are the types that the client gives its parameters; 0 where the statement decides.
	declared []uint32
	params   []parameter // their values; nil where only the types are asked for
	names    int         // made so far
	views    int         // that are open around the current place
}

// maxViews bounds the views inside of views.
const maxViews = 8

// newName makes a name that no other part of the printed statement has.
func (r *resolver) newName(prefix string) ducksql.Name {
	r.names++
	return ducksql.Name(prefix + strconv.Itoa(r.names))
}

// resultName is the name of a column of a printed SELECT.
func resultName(i int) ducksql.Name { return ducksql.Name("c" + strconv.Itoa(i+1)) }

// resolveQuery prints a query and lists its columns. Their nodes are the names of the columns.
func (r *resolver) resolveQuery(q *parse.Query, outer *scope) (ducksql.Node, []*column, error) {
	s := &scope{outer: outer, tables: map[string]*commonTable{}}
	with, err := r.resolveWith(q, s)
	if err != nil {
		return nil, nil, err
	}
	var body ducksql.Node
	var columns []*column
	orderScope, items := s, []value(nil)
	if sel, ok := q.Body.(*parse.Select); ok {
		body, columns, orderScope, items, err = r.resolveSelect(sel, s)
	} else {
		body, columns, err = r.resolveBody(q.Body, s)
	}
	if err != nil {
		return nil, nil, err
	}
	parts := []ducksql.Node{body}
	if with != nil {
		parts = []ducksql.Node{with, body}
	}
	end, err := r.resolveQueryEnd(q, columns, orderScope, items)
	if err != nil {
		return nil, nil, err
	}
	return ducksql.List{Separator: " ", Nodes: append(parts, end...)}, columns, nil
}

func (r *resolver) resolveWith(q *parse.Query, s *scope) (ducksql.Node, error) {
	if len(q.With) == 0 {
		return nil, nil
	}
	var tables []ducksql.Node
	for _, t := range q.With {
		name := r.newName("w")
		node, columns, err := r.resolveCommonTable(t, name, q.Recursive, s)
		if err != nil {
			return nil, err
		}
		columns, err = renameColumns(t, columns, t.Columns)
		if err != nil {
			return nil, err
		}
		s.tables[fold(t.Name)] = &commonTable{name: string(name), columns: columns}
		names := make([]ducksql.Node, len(columns))
		for i := range columns {
			names[i] = resultName(i)
		}
		tables = append(tables, ducksql.Apply("? (?) AS (?)", name, ducksql.Commas(names), node))
	}
	if q.Recursive {
		return ducksql.Apply("WITH RECURSIVE ?", ducksql.Commas(tables)), nil
	}
	return ducksql.Apply("WITH ?", ducksql.Commas(tables)), nil
}

// resolveCommonTable resolves one table of WITH. Of a recursive one, the first part of its UNION gives the
// columns that the second one reads.
func (r *resolver) resolveCommonTable(t *parse.CommonTable, name ducksql.Name, recursive bool, s *scope) (ducksql.Node, []*column, error) {
	union, ok := t.Query.Body.(*parse.SetOperation)
	if !recursive || !ok {
		return r.resolveQuery(t.Query, s)
	}
	before := r.names
	_, columns, err := r.resolveBody(union.Left, s)
	if err != nil {
		return nil, nil, err
	}
	r.names = before
	columns, err = renameColumns(t, columns, t.Columns)
	if err != nil {
		return nil, nil, err
	}
	s.tables[fold(t.Name)] = &commonTable{name: string(name), columns: columns}
	return r.resolveQuery(t.Query, s)
}

// renameColumns gives columns the names of an alias, from the first one on.
func renameColumns(at parse.Node, columns []*column, names []parse.Name) ([]*column, error) {
	if len(names) > len(columns) {
		return nil, newError(at, "42P10", "an alias has more columns than its relation")
	}
	out := make([]*column, len(columns))
	for i, c := range columns {
		renamed := *c
		if i < len(names) {
			renamed.name = fold(names[i])
		}
		out[i] = &renamed
	}
	return out, nil
}

func (r *resolver) resolveBody(b parse.Body, s *scope) (ducksql.Node, []*column, error) {
	switch b := b.(type) {
	case *parse.Select:
		node, columns, _, _, err := r.resolveSelect(b, s)
		return node, columns, err
	case *parse.Query:
		node, columns, err := r.resolveQuery(b, s)
		if err != nil {
			return nil, nil, err
		}
		return ducksql.Apply("(?)", node), columns, nil
	case *parse.SetOperation:
		return r.resolveSetOperation(b, s)
	case *parse.Values:
		return r.resolveValues(b, s)
	}
	return nil, nil, newUnsupportedError(b, "this query")
}

func (r *resolver) resolveSetOperation(o *parse.SetOperation, s *scope) (ducksql.Node, []*column, error) {
	left, columns, err := r.resolveBody(o.Left, s)
	if err != nil {
		return nil, nil, err
	}
	right, others, err := r.resolveBody(o.Right, s)
	if err != nil {
		return nil, nil, err
	}
	if len(columns) != len(others) {
		return nil, nil, newError(o, stateSyntax, "each "+o.Operator.String()+" query must have the same number of columns")
	}
	out := make([]*column, len(columns))
	leftTypes, rightTypes, types := make([]uint32, len(columns)), make([]uint32, len(columns)), make([]uint32, len(columns))
	for i, c := range columns {
		merged := *c
		leftTypes[i], rightTypes[i] = typeOfPart(c), typeOfPart(others[i])
		types[i] = commonType(leftTypes[i], rightTypes[i])
		merged.untyped = types[i] == typeUnknown
		if merged.untyped {
			types[i] = typeText
		}
		merged.value.typ, merged.value.table, merged.value.number, merged.value.text = types[i], 0, 0, nil
		out[i] = &merged
	}
	form := "? " + o.Operator.String() + " ?"
	if o.All {
		form = "? " + o.Operator.String() + " ALL ?"
	}
	return ducksql.Apply(form, convertColumns(left, leftTypes, types), convertColumns(right, rightTypes, types)), out, nil
}

func typeOfPart(c *column) uint32 {
	if c.untyped {
		return typeUnknown
	}
	return c.value.typ
}

// convertColumns puts a SELECT around a part of a set operation that gives its columns the types of the whole.
func convertColumns(body ducksql.Node, from, to []uint32) ducksql.Node {
	items, differ := make([]ducksql.Node, len(from)), false
	for i := range from {
		var item ducksql.Node = resultName(i)
		if engineType(from[i]) != engineType(to[i]) || isText(to[i]) && !isText(from[i]) {
			differ = true
			if isText(to[i]) {
				item = textOf(value{node: item, typ: from[i]}).node
			} else {
				item = ducksql.Apply("CAST(? AS "+engineType(to[i])+")", item)
			}
		}
		items[i] = ducksql.Apply("? AS ?", item, resultName(i))
	}
	if !differ {
		return ducksql.Apply("(?)", body)
	}
	return ducksql.Apply("(SELECT ? FROM (?))", ducksql.Commas(items), body)
}

func (r *resolver) resolveValues(v *parse.Values, s *scope) (ducksql.Node, []*column, error) {
	rows := make([][]value, len(v.Rows))
	for i, row := range v.Rows {
		for _, x := range row.Items {
			item, err := r.resolveExpr(x, s)
			if err != nil {
				return nil, nil, err
			}
			rows[i] = append(rows[i], item)
		}
	}
	columns, names := make([]*column, len(rows[0])), make([]ducksql.Node, len(rows[0]))
	for j := range columns {
		items := make([]value, len(rows))
		for i := range rows {
			items[i] = rows[i][j]
		}
		typ, err := r.unify(v, items)
		if err != nil {
			return nil, nil, err
		}
		for i := range rows {
			rows[i][j] = items[i]
		}
		columns[j] = &column{name: "column" + strconv.Itoa(j+1), value: value{node: resultName(j), typ: typ}}
		names[j] = resultName(j)
	}
	printed := make([]ducksql.Node, len(rows))
	for i, row := range rows {
		printed[i] = ducksql.Apply("(?)", ducksql.Commas(nodesOf(row)))
	}
	from := r.newName("v")
	return ducksql.Apply("SELECT * FROM (VALUES ?) AS ?(?)", ducksql.Commas(printed), from, ducksql.Commas(names)), columns, nil
}

func nodesOf(values []value) []ducksql.Node {
	out := make([]ducksql.Node, len(values))
	for i, v := range values {
		out[i] = v.node
	}
	return out
}
