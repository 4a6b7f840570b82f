package catalogue

import (
	"strconv"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// translator finds the meaning of one statement.
type translator struct {
	set     *tableSet
	session session
	// declared are the types that the client gives its parameters; 0 where the statement decides.
	declared []uint32
	params   []parameter // their values; nil where only the types are requested
	names    int         // made so far
	text     string      // of the statement
	// effective are the calls that may have an effect.
	effective map[*parse.Call]bool
	views     int // that are open around the current place
	keptViews []keptView

	estimate textEstimate
}

// maxViewNesting bounds the views inside of views.
const maxViewNesting = 8

// newUniqueName makes a name that no other part of the printed statement has.
func (r *translator) newUniqueName(prefix string) ducksql.Name {
	r.names++
	return ducksql.Name(prefix + strconv.Itoa(r.names))
}

// numberedColumnName returns the name of a column of a printed SELECT.
func numberedColumnName(i int) ducksql.Name { return ducksql.Name("c" + strconv.Itoa(i+1)) }

// translateQuery prints a query and lists its columns. Their nodes are the names of the columns.
func (r *translator) translateQuery(q *parse.Query, outer *scope) (ducksql.Node, []*scopeColumn, error) {
	endTextEstimate := r.startTextEstimate()
	defer endTextEstimate()
	s := &scope{outer: outer, tables: map[string]*commonTable{}}
	here := r.estimate
	r.startManyRows() // a table of WITH may be read several times
	with, err := r.translateWith(q, s)
	if err != nil {
		return nil, nil, err
	}
	r.estimate = here
	var body ducksql.Node
	var columns []*scopeColumn
	orderScope, items := s, []typedExpr(nil)
	if sel, ok := q.Body.(*parse.Select); ok {
		body, columns, orderScope, items, err = r.translateSelect(sel, s)
	} else {
		r.startManyRows()
		body, columns, err = r.translateQueryBody(q.Body, s)
	}
	if err != nil {
		return nil, nil, err
	}
	parts := []ducksql.Node{body}
	if with != nil {
		parts = []ducksql.Node{with, body}
	}
	end, err := r.translateOrderLimitOffset(q, columns, orderScope, items)
	if err != nil {
		return nil, nil, err
	}
	if queryGivesNoRows(q, body) {
		return newSelectWithoutRows(columns), columns, nil
	}
	return ducksql.SeparatedList{Separator: " ", Nodes: append(parts, end...)}, columns, nil
}

func (r *translator) translateWith(q *parse.Query, s *scope) (ducksql.Node, error) {
	if len(q.With) == 0 {
		return nil, nil
	}
	var tables []ducksql.Node
	for _, t := range q.With {
		name := r.newUniqueName("w")
		node, columns, err := r.translateCommonTable(t, name, q.Recursive, s)
		if err != nil {
			return nil, err
		}
		columns, err = renameColumns(t, columns, t.Columns)
		if err != nil {
			return nil, err
		}
		s.tables[parse.FoldName(t.Name)] = &commonTable{name: string(name), columns: columns}
		names := make([]ducksql.Node, len(columns))
		for i := range columns {
			names[i] = numberedColumnName(i)
		}
		tables = append(tables, ducksql.FillTemplate("? (?) AS (?)", name, ducksql.CommaList(names), node))
	}
	if q.Recursive {
		return ducksql.FillTemplate("WITH RECURSIVE ?", ducksql.CommaList(tables)), nil
	}
	return ducksql.FillTemplate("WITH ?", ducksql.CommaList(tables)), nil
}

// translateCommonTable resolves one table of WITH. In a recursive one, the first part of the UNION gives the
// columns that the second part reads.
func (r *translator) translateCommonTable(t *parse.CommonTable, name ducksql.Name, recursive bool, s *scope) (ducksql.Node, []*scopeColumn, error) {
	union, ok := t.Query.Body.(*parse.SetOperation)
	if !recursive || !ok {
		return r.translateQuery(t.Query, s)
	}
	before := r.names
	_, columns, err := r.translateQueryBody(union.Left, s)
	if err != nil {
		return nil, nil, err
	}
	r.names = before
	columns, err = renameColumns(t, columns, t.Columns)
	if err != nil {
		return nil, nil, err
	}
	s.tables[parse.FoldName(t.Name)] = &commonTable{name: string(name), columns: withGatheredTextBytes(columns)}
	return r.translateQuery(t.Query, s)
}

// renameColumns gives columns the names of an alias, from the first one on.
func renameColumns(at parse.Node, columns []*scopeColumn, names []parse.Name) ([]*scopeColumn, error) {
	if len(names) > len(columns) {
		return nil, newStatementError(at, "42P10", "an alias has more columns than its relation")
	}
	out := make([]*scopeColumn, len(columns))
	for i, c := range columns {
		renamed := *c
		if i < len(names) {
			renamed.name = parse.FoldName(names[i])
		}
		out[i] = &renamed
	}
	return out, nil
}

func (r *translator) translateQueryBody(b parse.QueryBody, s *scope) (ducksql.Node, []*scopeColumn, error) {
	endTextEstimate := r.startTextEstimate()
	defer endTextEstimate()
	switch b := b.(type) {
	case *parse.Select:
		node, columns, _, _, err := r.translateSelect(b, s)
		if isEmptyResult(node) {
			node = newSelectWithoutRows(columns)
		}
		return node, columns, err
	case *parse.Query:
		node, columns, err := r.translateQuery(b, s)
		if err != nil {
			return nil, nil, err
		}
		return markEmptyIf(isEmptyResult(node), ducksql.FillTemplate("(?)", node)), columns, nil
	case *parse.SetOperation:
		return r.translateSetOperation(b, s)
	case *parse.Values:
		return r.translateValues(b, s)
	}
	return nil, nil, newUnsupportedError(b, "this query")
}

func (r *translator) translateSetOperation(o *parse.SetOperation, s *scope) (ducksql.Node, []*scopeColumn, error) {
	left, columns, err := r.translateQueryBody(o.Left, s)
	if err != nil {
		return nil, nil, err
	}
	right, others, err := r.translateQueryBody(o.Right, s)
	if err != nil {
		return nil, nil, err
	}
	if len(columns) != len(others) {
		return nil, nil, newStatementError(o, sqlstateSyntaxError, "each "+o.Operator.String()+" query must have the same number of columns")
	}
	out := make([]*scopeColumn, len(columns))
	leftTypes, rightTypes, types := make([]uint32, len(columns)), make([]uint32, len(columns)), make([]uint32, len(columns))
	for i, c := range columns {
		merged := *c
		leftTypes[i], rightTypes[i] = operandColumnTypeOrUnknown(c), operandColumnTypeOrUnknown(others[i])
		types[i] = commonType(leftTypes[i], rightTypes[i])
		merged.untyped = types[i] == unknownTypeOID
		if merged.untyped {
			types[i] = textTypeOID
		}
		merged.value.textBytes, merged.value.gathered = max(c.value.textBytes, others[i].value.textBytes), c.value.gathered || others[i].value.gathered
		merged.value.typ, merged.value.table, merged.value.number, merged.value.text, merged.value.scale = types[i], 0, 0, nil, numericScale{}
		out[i] = &merged
	}
	if setOperationGivesNoRows(o.Operator, left, right) {
		return newSelectWithoutRows(out), out, nil
	}
	form := "? " + o.Operator.String() + " ?"
	if o.All {
		form = "? " + o.Operator.String() + " ALL ?"
	}
	return ducksql.FillTemplate(form, castSetOperandColumns(left, leftTypes, types), castSetOperandColumns(right, rightTypes, types)), out, nil
}

func operandColumnTypeOrUnknown(c *scopeColumn) uint32 {
	if c.untyped {
		return unknownTypeOID
	}
	return c.value.typ
}

// castSetOperandColumns puts a SELECT around a part of a set operation that gives its columns the types of the whole.
func castSetOperandColumns(body ducksql.Node, from, to []uint32) ducksql.Node {
	items, differ := make([]ducksql.Node, len(from)), false
	for i := range from {
		var item ducksql.Node = numberedColumnName(i)
		if duckDBTypeOf(from[i]) != duckDBTypeOf(to[i]) || isTextType(to[i]) && !isTextType(from[i]) {
			differ = true
			if isTextType(to[i]) {
				item = textFormOf(typedExpr{node: item, typ: from[i]}).node
			} else {
				item = ducksql.FillTemplate("CAST(? AS "+duckDBTypeOf(to[i])+")", item)
			}
		}
		items[i] = ducksql.FillTemplate("? AS ?", item, numberedColumnName(i))
	}
	if !differ {
		return ducksql.FillTemplate("(?)", body)
	}
	return ducksql.FillTemplate("(SELECT ? FROM (?))", ducksql.CommaList(items), body)
}

func (r *translator) translateValues(v *parse.Values, s *scope) (ducksql.Node, []*scopeColumn, error) {
	rows := make([][]typedExpr, len(v.Rows))
	for i, row := range v.Rows {
		for _, x := range row.Items {
			item, err := r.translateExpr(x, s)
			if err != nil {
				return nil, nil, err
			}
			rows[i] = append(rows[i], item)
		}
	}
	columns, names := make([]*scopeColumn, len(rows[0])), make([]ducksql.Node, len(rows[0]))
	for j := range columns {
		items := make([]typedExpr, len(rows))
		for i := range rows {
			items[i] = rows[i][j]
		}
		bytes := maxTextBytes(items)
		typ, err := r.unifyTypes(v, items)
		if err != nil {
			return nil, nil, err
		}
		for i := range rows {
			rows[i][j] = items[i]
		}
		columns[j] = &scopeColumn{name: "column" + strconv.Itoa(j+1), value: typedExpr{node: numberedColumnName(j), typ: typ, textBytes: bytes, gathered: isAnyGathered(r.estimate.parts)}}
		names[j] = numberedColumnName(j)
	}
	printed := make([]ducksql.Node, len(rows))
	for i, row := range rows {
		printed[i] = ducksql.FillTemplate("(?)", ducksql.CommaList(nodesOfTypedExprs(row)))
	}
	from := r.newUniqueName("v")
	return ducksql.FillTemplate("SELECT * FROM (VALUES ?) AS ?(?)", ducksql.CommaList(printed), from, ducksql.CommaList(names)), columns, nil
}

func nodesOfTypedExprs(values []typedExpr) []ducksql.Node {
	out := make([]ducksql.Node, len(values))
	for i, v := range values {
		out[i] = v.node
	}
	return out
}
