package catalogue

import (
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// translateCatalogueOnlyExpr prints an expression that only catalogue statements have.
func (r *translator) translateCatalogueOnlyExpr(x parse.CatalogueExpr, s *scope) (typedExpr, error) {
	switch x := x.(type) {
	case *parse.CatalogueOperation:
		return r.translateCatalogueOnlyOperator(x, s)
	case *parse.QuantifiedComparison:
		return r.translateAnyAllOperator(x, s)
	case *parse.Subscript:
		return r.translateSubscript(x, s)
	case *parse.FieldSelection:
		return r.translateRecordField(x, s)
	case *parse.ArrayConstructor:
		return r.translateArray(x, s)
	case *parse.ArraySubquery:
		node, columns, err := r.translateQuery(x.Query, s)
		if err != nil {
			return typedExpr{}, err
		}
		if len(columns) != 1 {
			return typedExpr{}, newStatementError(x, sqlstateSyntaxError, "subquery must return only one column")
		}
		return typedExpr{node: ducksql.FillTemplate("ARRAY(?)", node), typ: arrayTypeOf(columns[0].value.typ), textBytes: columns[0].value.textBytes}, nil
	case *parse.RowConstructor:
		values, err := r.translateExprs(x.Items, s)
		if err != nil {
			return typedExpr{}, err
		}
		return typedExpr{node: ducksql.FillTemplate("row(?)", ducksql.CommaList(nodesOfTypedExprs(values))), typ: recordTypeOID}, nil
	case *parse.Collated:
		return r.translateExpr(x.X, s)
	}
	return typedExpr{}, newUnsupportedError(x, "this expression")
}

func (r *translator) translateArray(x *parse.ArrayConstructor, s *scope) (typedExpr, error) {
	values, err := r.translateExprs(x.Items, s)
	if err != nil {
		return typedExpr{}, err
	}
	typ, err := r.unifyTypes(x, values)
	if err != nil {
		return typedExpr{}, err
	}
	if len(values) == 0 {
		return typedExpr{node: ducksql.FillTemplate("[]"), typ: unknownTypeOID}, nil
	}
	if typ == unknownTypeOID {
		typ = textTypeOID
	}
	of := arrayTypeOf(typ)
	if elementTypeOf(typ) != 0 {
		return typedExpr{}, newUnsupportedError(x, "an array of arrays")
	}
	return typedExpr{node: ducksql.FillTemplate("[?]", ducksql.CommaList(nodesOfTypedExprs(values))), typ: of}, nil
}

// translateSubscriptOfName prints the character of a name at a place from 0.
func (r *translator) translateSubscriptOfName(x *parse.Subscript, v typedExpr, s *scope) (typedExpr, error) {
	place, err := r.translateExpr(x.Index, s)
	if err != nil {
		return typedExpr{}, err
	}
	place, err = r.coerceToType(x.Index, place, int4TypeOID)
	return typedExpr{node: ducksql.FillTemplate("CASE WHEN ? >= 0 THEN substring(?, ? + 1, 1) END", place.node, v.node, place.node), typ: charTypeOID}, err
}

// translateSubscript prints x[i]. The subscripts of int2vector and oidvector begin at 0, of arrays at 1.
func (r *translator) translateSubscript(x *parse.Subscript, s *scope) (typedExpr, error) {
	v, err := r.translateExpr(x.X, s)
	if err != nil {
		return typedExpr{}, err
	}
	element := elementTypeOf(v.typ)
	switch {
	case v.typ == nameTypeOID && !x.Slice:
		return r.translateSubscriptOfName(x, v, s)
	case element == 0:
		return typedExpr{}, newStatementError(x, sqlstateDatatypeMismatch, "cannot subscript type "+typeSpelling(v.typ)+" because it does not support subscripting")
	}
	if x.Slice {
		return r.translateSlice(x, v, s)
	}
	index, err := r.translateExpr(x.Index, s)
	if err != nil {
		return typedExpr{}, err
	}
	if index, err = r.coerceToType(x.Index, index, int4TypeOID); err != nil {
		return typedExpr{}, err
	}
	form := "f_element(?, ?)"
	if isVectorType(v.typ) {
		form = "f_element(?, ? + 1)"
	}
	return typedExpr{node: ducksql.FillTemplate(form, v.node, index.node), typ: element}, nil
}

func (r *translator) translateSlice(x *parse.Subscript, v typedExpr, s *scope) (typedExpr, error) {
	bounds := []ducksql.Node{ducksql.IntegerLiteral(1), ducksql.FillTemplate("len(?)", v.node)}
	for i, bound := range []parse.Expr{x.Index, x.End} {
		if bound == nil {
			continue
		}
		b, err := r.translateExpr(bound, s)
		if err != nil {
			return typedExpr{}, err
		}
		if b, err = r.coerceToType(bound, b, int4TypeOID); err != nil {
			return typedExpr{}, err
		}
		bounds[i] = b.node
		if isVectorType(v.typ) {
			bounds[i] = ducksql.FillTemplate("(? + 1)", b.node)
		}
	}
	return typedExpr{node: ducksql.FillTemplate("list_slice(?, greatest(1, ?), ?)", v.node, bounds[0], bounds[1]), typ: v.typ}, nil
}

func (r *translator) translateRecordField(x *parse.FieldSelection, s *scope) (typedExpr, error) {
	v, err := r.translateExpr(x.X, s)
	if err != nil {
		return typedExpr{}, err
	}
	for _, f := range v.fields {
		if f.name == parse.FoldName(x.Name) {
			return extractRecordField(v, f), nil
		}
	}
	return typedExpr{}, newStatementError(x, sqlstateUndefinedColumn, `column "`+parse.FoldName(x.Name)+`" not found in data type `+typeSpelling(v.typ))
}

// extractRecordField returns a field of a record.
func extractRecordField(v typedExpr, f recordField) typedExpr {
	return typedExpr{node: ducksql.FillTemplate("struct_extract(?, ?)", v.node, ducksql.TextLiteral(f.name)), typ: f.typ}
}

// translateAnyAllOperator prints an operator with ANY (array) or ALL (array).
func (r *translator) translateAnyAllOperator(x *parse.QuantifiedComparison, s *scope) (typedExpr, error) {
	left, err := r.translateExpr(x.X, s)
	if err != nil {
		return typedExpr{}, err
	}
	array, err := r.translateExpr(x.Array, s)
	if err != nil {
		return typedExpr{}, err
	}
	if array.typ == unknownTypeOID {
		of := left.typ
		if of == unknownTypeOID {
			of = textTypeOID
		}
		if array, err = r.coerceToType(x.Array, array, arrayTypeOf(of)); err != nil {
			return typedExpr{}, err
		}
	}
	element := elementTypeOf(array.typ)
	if element == 0 {
		return typedExpr{}, newStatementError(x, sqlstateDatatypeMismatch, "op ANY/ALL (array) requires array on right side")
	}
	if left.typ == unknownTypeOID {
		if left, err = r.coerceToType(x.X, left, element); err != nil {
			return typedExpr{}, err
		}
	}
	switch sameType := isComparableByList(left.typ, element); {
	case x.Operator == "=" && x.All && sameType:
		return typedExpr{node: equalsAllElements(left, array), typ: boolTypeOID}, nil
	case x.Operator == "<>" && !x.All && sameType:
		return typedExpr{node: ducksql.FillTemplate("(NOT ?)", equalsAllElements(left, array)), typ: boolTypeOID}, nil
	case x.Operator == "=" && !x.All, x.Operator == "<>" && x.All:
		return r.translateEqualAnyOrNotEqualAll(x, left, array, element)
	}
	name := r.newUniqueName("e")
	test, err := r.translateOperatorBySign(x, x.Operator, left, typedExpr{node: name, typ: element})
	if err != nil {
		return typedExpr{}, err
	}
	form := "(len(list_filter(?, ? -> ?)) > 0)"
	if x.All {
		form = "(len(list_filter(?, ? -> NOT ?)) = 0)"
	}
	return typedExpr{node: ducksql.FillTemplate(form, array.node, name, test.node), typ: boolTypeOID}, nil
}

// isComparableByList reports whether the functions of lists compare a value with elements of a type.
func isComparableByList(t, element uint32) bool {
	return duckDBTypeOf(t) == duckDBTypeOf(element) || isIntegerType(t) && isIntegerType(element) || isTextType(t) && isTextType(element)
}

// equalsAllElements prints x = ALL (array) without a lambda, which may not read columns of the query around a LATERAL.
func equalsAllElements(left, array typedExpr) ducksql.Node {
	return ducksql.FillTemplate("(CASE WHEN len(?) = 0 THEN true WHEN ? IS NOT NULL THEN len(list_distinct(list_append(?, ?))) = 1 END)",
		array.node, left.node, array.node, left.node)
}

func (r *translator) translateEqualAnyOrNotEqualAll(x *parse.QuantifiedComparison, left, array typedExpr, element uint32) (typedExpr, error) {
	form := "list_contains(?, ?)"
	if x.All {
		form = "(NOT list_contains(?, ?))"
	}
	if !isComparableByList(left.typ, element) {
		return typedExpr{}, r.unknownOperatorError(x, x.Operator, left, typedExpr{typ: element})
	}
	return typedExpr{node: ducksql.FillTemplate(form, array.node, left.node), typ: boolTypeOID}, nil
}
