package catalogue

import (
	"strings"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// resolveCatalogueExpr prints an expression that only catalogue statements have.
func (r *resolver) resolveCatalogueExpr(x parse.CatalogueExpr, s *scope) (value, error) {
	switch x := x.(type) {
	case *parse.Operation:
		return r.resolveOperation(x, s)
	case *parse.Quantified:
		return r.resolveQuantified(x, s)
	case *parse.Subscript:
		return r.resolveSubscript(x, s)
	case *parse.PartOf:
		return r.resolvePart(x, s)
	case *parse.ArrayOf:
		return r.resolveArray(x, s)
	case *parse.ArrayQuery:
		node, columns, err := r.resolveQuery(x.Query, s)
		if err != nil {
			return value{}, err
		}
		if len(columns) != 1 {
			return value{}, newError(x, stateSyntax, "subquery must return only one column")
		}
		return value{node: ducksql.Apply("ARRAY(?)", node), typ: arrayOf(columns[0].value.typ)}, nil
	case *parse.RowOf:
		values, err := r.resolveAll(x.Items, s)
		if err != nil {
			return value{}, err
		}
		return value{node: ducksql.Apply("row(?)", ducksql.Commas(nodesOf(values))), typ: typeRecord}, nil
	case *parse.Collated:
		return r.resolveExpr(x.X, s)
	}
	return value{}, newUnsupportedError(x, "this expression")
}

func (r *resolver) resolveArray(x *parse.ArrayOf, s *scope) (value, error) {
	values, err := r.resolveAll(x.Items, s)
	if err != nil {
		return value{}, err
	}
	typ, err := r.unify(x, values)
	if err != nil {
		return value{}, err
	}
	if len(values) == 0 {
		return value{node: ducksql.Apply("[]"), typ: typeUnknown}, nil
	}
	if typ == typeUnknown {
		typ = typeText
	}
	of := arrayOf(typ)
	if elementOf(typ) != 0 {
		return value{}, newUnsupportedError(x, "an array of arrays")
	}
	return value{node: ducksql.Apply("[?]", ducksql.Commas(nodesOf(values))), typ: of}, nil
}

// resolveSubscript prints x[i]. The subscripts of int2vector and oidvector begin at 0, of arrays at 1.
func (r *resolver) resolveSubscript(x *parse.Subscript, s *scope) (value, error) {
	v, err := r.resolveExpr(x.X, s)
	if err != nil {
		return value{}, err
	}
	element := elementOf(v.typ)
	if element == 0 {
		return value{}, newError(x, stateMismatch, "cannot subscript type "+spelling(v.typ)+" because it does not support subscripting")
	}
	if x.Slice {
		return r.resolveSlice(x, v, s)
	}
	index, err := r.resolveExpr(x.Index, s)
	if err != nil {
		return value{}, err
	}
	if index, err = r.coerce(x.Index, index, typeInt4); err != nil {
		return value{}, err
	}
	form := "f_element(?, ?)"
	if isVector(v.typ) {
		form = "f_element(?, ? + 1)"
	}
	return value{node: ducksql.Apply(form, v.node, index.node), typ: element}, nil
}

func (r *resolver) resolveSlice(x *parse.Subscript, v value, s *scope) (value, error) {
	bounds := []ducksql.Node{ducksql.Number(1), ducksql.Apply("len(?)", v.node)}
	for i, bound := range []parse.Expr{x.Index, x.End} {
		if bound == nil {
			continue
		}
		b, err := r.resolveExpr(bound, s)
		if err != nil {
			return value{}, err
		}
		if b, err = r.coerce(bound, b, typeInt4); err != nil {
			return value{}, err
		}
		bounds[i] = b.node
		if isVector(v.typ) {
			bounds[i] = ducksql.Apply("(? + 1)", b.node)
		}
	}
	return value{node: ducksql.Apply("list_slice(?, greatest(1, ?), ?)", v.node, bounds[0], bounds[1]), typ: v.typ}, nil
}

func (r *resolver) resolvePart(x *parse.PartOf, s *scope) (value, error) {
	v, err := r.resolveExpr(x.X, s)
	if err != nil {
		return value{}, err
	}
	for _, f := range v.fields {
		if f.name == fold(x.Name) {
			return partOf(v, f), nil
		}
	}
	return value{}, newError(x, stateUnknownColumn, `column "`+fold(x.Name)+`" not found in data type `+spelling(v.typ))
}

// partOf is a field of a record.
func partOf(v value, f field) value {
	return value{node: ducksql.Apply("struct_extract(?, ?)", v.node, ducksql.Text(f.name)), typ: f.typ}
}

// resolveQuantified prints an operator with ANY (array) or ALL (array).
func (r *resolver) resolveQuantified(x *parse.Quantified, s *scope) (value, error) {
	left, err := r.resolveExpr(x.X, s)
	if err != nil {
		return value{}, err
	}
	array, err := r.resolveExpr(x.Array, s)
	if err != nil {
		return value{}, err
	}
	if array.typ == typeUnknown {
		of := left.typ
		if of == typeUnknown {
			of = typeText
		}
		if array, err = r.coerce(x.Array, array, arrayOf(of)); err != nil {
			return value{}, err
		}
	}
	element := elementOf(array.typ)
	if element == 0 {
		return value{}, newError(x, stateMismatch, "op ANY/ALL (array) requires array on right side")
	}
	if left.typ == typeUnknown {
		if left, err = r.coerce(x.X, left, element); err != nil {
			return value{}, err
		}
	}
	if x.Operator == "=" && !x.All || x.Operator == "<>" && x.All {
		return r.contains(x, left, array, element)
	}
	name := r.newName("e")
	test, err := r.operate(x, x.Operator, left, value{node: name, typ: element})
	if err != nil {
		return value{}, err
	}
	form := "(len(list_filter(?, ? -> ?)) > 0)"
	if x.All {
		form = "(len(list_filter(?, ? -> NOT ?)) = 0)"
	}
	return value{node: ducksql.Apply(form, array.node, name, test.node), typ: typeBool}, nil
}

func (r *resolver) contains(x *parse.Quantified, left, array value, element uint32) (value, error) {
	form := "list_contains(?, ?)"
	if x.All {
		form = "(NOT list_contains(?, ?))"
	}
	switch {
	case engineType(left.typ) == engineType(element), isInteger(left.typ) && isInteger(element):
	case isText(left.typ) && isText(element):
	default:
		return value{}, r.unknownOperator(x, x.Operator, left, value{typ: element})
	}
	return value{node: ducksql.Apply(form, array.node, left.node), typ: typeBool}, nil
}

// readArray reads PostgreSQL's text form of an array without dimensions: {a,"b c",NULL}.
func readArray(text string) (items []string, nulls []bool, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != '{' || text[len(text)-1] != '}' {
		return nil, nil, false
	}
	text = text[1 : len(text)-1]
	if strings.TrimSpace(text) == "" {
		return nil, nil, true
	}
	for {
		item, rest, quoted, ok := readArrayItem(text)
		if !ok {
			return nil, nil, false
		}
		items = append(items, item)
		nulls = append(nulls, !quoted && strings.EqualFold(item, "null"))
		if rest == "" {
			return items, nulls, true
		}
		text = rest[1:]
	}
}

// readArrayItem reads one element; rest begins with the comma behind it.
func readArrayItem(text string) (item, rest string, quoted, ok bool) {
	text = strings.TrimLeft(text, " ")
	if !strings.HasPrefix(text, `"`) {
		end := strings.IndexByte(text, ',')
		if end < 0 {
			end = len(text)
		}
		item = strings.TrimRight(text[:end], " ")
		return item, text[end:], false, item != "" && !strings.ContainsAny(item, `{}"\`)
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			if i++; i == len(text) {
				return "", "", false, false
			}
		case '"':
			rest = strings.TrimLeft(text[i+1:], " ")
			return b.String(), rest, true, rest == "" || rest[0] == ','
		}
		b.WriteByte(text[i])
	}
	return "", "", false, false
}
