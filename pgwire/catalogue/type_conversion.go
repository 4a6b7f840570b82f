package catalogue

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// numericTypeRanks orders the types of numbers: an operation of two has the greater one.
var numericTypeRanks = map[uint32]int{int2TypeOID: 1, int4TypeOID: 2, int8TypeOID: 3, numericTypeOID: 4, float4TypeOID: 5, float8TypeOID: 6}

// timeTypeRanks orders the types of days and times: two of them have the greater one together.
var timeTypeRanks = map[uint32]int{dateTypeOID: 1, timestampTypeOID: 2, timestamptzTypeOID: 3}

// commonType returns the type that two types have together; unknownTypeOID where there is none.
func commonType(a, b uint32) uint32 {
	switch {
	case a == b:
		return a
	case a == unknownTypeOID:
		return b
	case b == unknownTypeOID:
		return a
	case numericTypeRanks[a] > 0 && numericTypeRanks[b] > 0:
		if numericTypeRanks[a] > numericTypeRanks[b] {
			return a
		}
		return b
	case isIntegerType(a) && isIntegerType(b):
		if isRegType(a) || numericTypeRanks[a] > 0 {
			if isRegType(b) {
				return oidTypeOID
			}
			return b
		}
		return a
	case isTextType(a) && isTextType(b):
		if a == charTypeOID {
			return b
		}
		return a
	case isVectorType(a) && elementTypeOf(b) != 0:
		return b
	case isVectorType(b) && elementTypeOf(a) != 0:
		return a
	case elementTypeOf(a) != 0 && elementTypeOf(b) != 0 && commonType(elementTypeOf(a), elementTypeOf(b)) != unknownTypeOID:
		return arrayTypeOf(commonType(elementTypeOf(a), elementTypeOf(b)))
	case timeTypeRanks[a] > 0 && timeTypeRanks[b] > 0:
		if timeTypeRanks[a] > timeTypeRanks[b] {
			return a
		}
		return b
	case isBitType(a) && isBitType(b):
		return varbitTypeOID
	case isOpaqueTextType(a) && isTextType(b), isOpaqueTextType(b) && isTextType(a):
		return textTypeOID
	}
	return unknownTypeOID
}

// isOpaqueTextType reports whether the values of a type are texts that no rule of this package reads.
func isOpaqueTextType(t uint32) bool {
	return duckDBTypeOf(t) == "VARCHAR" && !isTextType(t)
}

// unifyTypes gives values one type, in place, and returns it.
func (r *translator) unifyTypes(at parse.Node, values []typedExpr) (uint32, error) {
	typ := uint32(unknownTypeOID)
	for _, v := range values {
		if v.typ == unknownTypeOID {
			continue
		}
		common := commonType(typ, v.typ)
		if common == unknownTypeOID {
			return 0, newStatementError(at, sqlstateDatatypeMismatch, "types "+typeSpelling(typ)+" and "+typeSpelling(v.typ)+" cannot be matched")
		}
		typ = common
	}
	target := typ
	if typ == unknownTypeOID && len(values) > 1 {
		target = textTypeOID
	}
	if typ == unknownTypeOID && hasOnlyNulls(values) {
		return textTypeOID, nil
	}
	for i := range values {
		if values[i].typ == typ {
			continue
		}
		var err error
		if values[i], err = r.coerceToType(at, values[i], target); err != nil {
			return 0, err
		}
	}
	if typ == unknownTypeOID {
		typ = target
	}
	return typ, nil
}

func hasOnlyNulls(values []typedExpr) bool {
	for _, v := range values {
		if v.typ != unknownTypeOID || v.text != nil || v.parameter > 0 {
			return false
		}
	}
	return true
}

// coerceToType gives a value the type that its place has.
func (r *translator) coerceToType(at parse.Node, v typedExpr, to uint32) (typedExpr, error) {
	if v.parameter > 0 && r.declared[v.parameter-1] == 0 && to != unknownTypeOID {
		r.declared[v.parameter-1] = to
	}
	switch {
	case v.typ == to || to == unknownTypeOID:
		return v, nil
	case v.text != nil:
		return r.parseLiteral(at, *v.text, to)
	case v.typ == unknownTypeOID:
		return typedExpr{node: ducksql.FillTemplate("CAST(? AS "+duckDBTypeOf(to)+")", v.node), typ: to}, nil
	case isTextType(to) && isTextType(v.typ), isIntegerType(to) && isIntegerType(v.typ) && duckDBTypeOf(to) == duckDBTypeOf(v.typ):
		return typedExpr{node: v.node, typ: to, table: v.table, number: v.number}, nil
	case isNumericType(to) && isNumericType(v.typ):
		return typedExpr{node: ducksql.FillTemplate("CAST(? AS "+duckDBTypeOf(to)+")", v.node), typ: to}, nil
	case elementTypeOf(to) != 0 && elementTypeOf(v.typ) != 0:
		return r.castArray(at, v, to)
	case timeTypeRanks[to] > timeTypeRanks[v.typ] && timeTypeRanks[v.typ] > 0:
		return r.castTime(v, to), nil
	case commonType(v.typ, to) == to:
		return typedExpr{node: ducksql.FillTemplate("CAST(? AS "+duckDBTypeOf(to)+")", v.node), typ: to}, nil
	case isTextType(to) && isOpaqueTextType(v.typ):
		return typedExpr{node: v.node, typ: to}, nil
	}
	return typedExpr{}, newStatementError(at, sqlstateDatatypeMismatch, "a value of type "+typeSpelling(v.typ)+" is not a "+typeSpelling(to))
}

func (r *translator) castArray(at parse.Node, v typedExpr, to uint32) (typedExpr, error) {
	if duckDBTypeOf(v.typ) == duckDBTypeOf(to) {
		return typedExpr{node: v.node, typ: to}, nil
	}
	if isRegType(elementTypeOf(v.typ)) && isTextType(elementTypeOf(to)) {
		return typedExpr{node: objectNamesOfRegArray(v), typ: to}, nil
	}
	element := r.newUniqueName("e")
	item, err := r.translateCastTo(at, typedExpr{node: element, typ: elementTypeOf(v.typ)}, elementTypeOf(to))
	return typedExpr{node: ducksql.FillTemplate("list_transform(?, ? -> ?)", v.node, element, item.node), typ: to}, err
}

func (r *translator) translateCast(x *parse.Cast, s *scope) (typedExpr, error) {
	to, err := typeOfTypeName(x.To)
	if err != nil {
		return typedExpr{}, err
	}
	v, err := r.translateExpr(x.X, s)
	if err != nil {
		return typedExpr{}, err
	}
	if isBitType(to) {
		return r.castToBits(x, v, to)
	}
	v, err = r.translateCastTo(x, v, to)
	if err != nil || len(x.To.Arguments) == 0 {
		return v, err
	}
	switch to {
	case varcharTypeOID, bpcharTypeOID:
		v.node = ducksql.FillTemplate("left(?, ?)", v.node, ducksql.IntegerLiteral(x.To.Arguments[0]))
	case numericTypeOID:
		v = roundToScale(v, append(x.To.Arguments, 0)[1])
	}
	return v, nil
}

// typeOfTypeName finds the type that a name means; that of a domain is the one it is made of.
func typeOfTypeName(t *parse.TypeName) (uint32, error) {
	name, array := strings.CutSuffix(t.Name, "[]")
	oid, ok := typesBySpelling()[name]
	if !ok {
		return 0, newStatementError(t, sqlstateUndefinedObject, `type "`+t.Name+`" does not exist`)
	}
	oid = domainBaseType(oid)
	if array {
		oid = arrayTypeOf(oid)
	}
	return oid, nil
}

// translateCastTo prints CAST.
func (r *translator) translateCastTo(at parse.Node, v typedExpr, to uint32) (typedExpr, error) {
	switch {
	case v.typ == to, v.typ == unknownTypeOID:
		return r.coerceToType(at, v, to)
	case isTextType(to) && to != unknownTypeOID:
		return r.castToTextType(at, v, to)
	case isRegType(to) && isTextType(v.typ):
		return r.regOIDOfText(at, v, to)
	case isIntegerType(to) && isIntegerType(v.typ):
		return typedExpr{node: ducksql.FillTemplate("CAST(? AS "+duckDBTypeOf(to)+")", v.node), typ: to}, nil
	case isNumericType(to) && v.typ == charTypeOID && to == int4TypeOID:
		return typedExpr{node: ducksql.FillTemplate("CASE WHEN ? = '' THEN 0 ELSE ascii(?) END", v.node, v.node), typ: to}, nil
	case elementTypeOf(to) != 0 && elementTypeOf(v.typ) != 0:
		return r.castArray(at, v, to)
	case elementTypeOf(to) != 0 || elementTypeOf(v.typ) != 0:
		return typedExpr{}, newStatementError(at, "42846", "cannot cast type "+typeSpelling(v.typ)+" to "+typeSpelling(to))
	case isBitType(v.typ) && (to == int4TypeOID || to == int8TypeOID):
		return integerOfBits(v, to), nil
	case isNumericType(to) && (isNumericType(v.typ) || isTextType(v.typ) || v.typ == boolTypeOID), to == boolTypeOID && (isTextType(v.typ) || isIntegerType(v.typ)):
		return typedExpr{node: ducksql.FillTemplate("CAST(? AS "+duckDBTypeOf(to)+")", v.node), typ: to}, nil
	case isDateOrTime(to) && isDateOrTime(v.typ):
		return r.castTime(v, to), nil
	case isDateOrTime(to) && isTextType(v.typ):
		return typedExpr{node: ducksql.FillTemplate("CAST(? AS "+duckDBTypeOf(to)+")", v.node), typ: to}, nil
	case duckDBTypeOf(to) == "VARCHAR":
		return typedExpr{node: textFormOf(v).node, typ: to}, nil
	}
	return typedExpr{}, newStatementError(at, "42846", "cannot cast type "+typeSpelling(v.typ)+" to "+typeSpelling(to))
}

func isDateOrTime(t uint32) bool {
	return t == dateTypeOID || t == timeTypeOID || t == timestampTypeOID || t == timestamptzTypeOID
}

func (r *translator) castToTextType(at parse.Node, v typedExpr, to uint32) (typedExpr, error) {
	out, err := r.convertToText(at, v)
	out.typ = to
	switch to {
	case charTypeOID:
		out.node = ducksql.FillTemplate("left(?, 1)", out.node)
	case nameTypeOID:
		if v.typ != nameTypeOID {
			out.node = ducksql.FillTemplate("left(?, 63)", out.node)
		}
	}
	return out, err
}

// convertToText returns the text form of a value.
func (r *translator) convertToText(at parse.Node, v typedExpr) (typedExpr, error) {
	if v.text != nil || v.typ == unknownTypeOID {
		return r.coerceToType(at, v, textTypeOID)
	}
	if v.typ == recordTypeOID {
		return typedExpr{}, newUnsupportedError(at, "the text of a row")
	}
	if v.typ == timestamptzTypeOID {
		return r.instantText(v), nil
	}
	return textFormOf(v), nil
}

// textFormOf prints the text form of a value with a type.
func textFormOf(v typedExpr) typedExpr {
	text := func(form string) typedExpr {
		return typedExpr{node: ducksql.FillTemplate(form, v.node), typ: textTypeOID}
	}
	switch {
	case isTextType(v.typ) || isOpaqueTextType(v.typ):
		return typedExpr{node: v.node, typ: textTypeOID}
	case isRegType(v.typ):
		return typedExpr{node: ducksql.FillTemplate("f_reg_name(?, ?)", ducksql.TextLiteral(regObjectKind(v.typ)), v.node), typ: textTypeOID}
	case isVectorType(v.typ):
		return text("array_to_string(?, ' ')")
	case isRegType(elementTypeOf(v.typ)):
		return typedExpr{node: ducksql.FillTemplate("f_array_text(?)", objectNamesOfRegArray(v)), typ: textTypeOID}
	case elementTypeOf(v.typ) != 0:
		element := ducksql.Name("e_text")
		item := textFormOf(typedExpr{node: element, typ: elementTypeOf(v.typ)})
		return typedExpr{node: ducksql.FillTemplate("f_array_text(list_transform(?, ? -> ?))", v.node, element, item.node), typ: textTypeOID}
	case v.typ == timestamptzTypeOID:
		return text("(CAST(? AS VARCHAR) || '+00')")
	case v.typ == numericTypeOID:
		return textFormOfNumeric(v)
	}
	return text("CAST(? AS VARCHAR)")
}

// objectNamesOfRegArray prints the names of a list of objects. A list_transform may hold no subquery.
func objectNamesOfRegArray(v typedExpr) ducksql.Node {
	return ducksql.FillTemplate("f_reg_names(?, ?)", ducksql.TextLiteral(regObjectKind(elementTypeOf(v.typ))), v.node)
}

// regObjectKind returns the kind of object that a type shows by its name.
func regObjectKind(t uint32) string { return typesByOID()[t].Name }

// regOIDOfText prints the OID of the object that a text names.
func (r *translator) regOIDOfText(at parse.Node, v typedExpr, to uint32) (typedExpr, error) {
	text, err := r.convertToText(at, v)
	local := ducksql.FillTemplate("f_local_name(?, ?)", text.node, ducksql.TextLiteral(quoteName(r.session.database)+"."))
	return typedExpr{node: ducksql.FillTemplate("f_reg_oid(?, ?)", ducksql.TextLiteral(regObjectKind(to)), local), typ: to}, err
}

// parseLiteral reads a literal as a value of a type.
func (r *translator) parseLiteral(at parse.Node, text string, to uint32) (typedExpr, error) {
	switch {
	case isRegType(to):
		return r.parseRegLiteral(at, text, to)
	case isTextType(to):
		if to == charTypeOID && len(text) > 1 {
			text = text[:1]
		}
		return typedExpr{node: ducksql.TextLiteral(text), typ: to}, nil
	case isIntegerType(to):
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil {
			return typedExpr{}, invalidLiteralError(at, text, to)
		}
		return newIntExpr(n, to), nil
	case to == numericTypeOID:
		node, ok := numericNode(text)
		if !ok {
			return typedExpr{}, invalidLiteralError(at, text, to)
		}
		if node == nil {
			return typedExpr{}, newUnsupportedError(at, "a number with so many digits")
		}
		return typedExpr{node: node, typ: to, scale: scaleOfNumberText(text)}, nil
	case isFloatType(to):
		f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return typedExpr{}, invalidLiteralError(at, text, to)
		}
		return typedExpr{node: ducksql.FloatLiteral(f), typ: to}, nil
	case to == boolTypeOID:
		return parseBoolLiteral(at, text)
	case isBitType(to):
		return parseBitLiteral(at, text, to)
	case isVectorType(to):
		return r.parseArrayLiteral(at, "{"+strings.Join(strings.Fields(text), ",")+"}", to)
	case elementTypeOf(to) != 0:
		return r.parseArrayLiteral(at, text, to)
	case isDateOrTime(to):
		return r.parseTimeLiteral(text, to), nil
	}
	return typedExpr{node: ducksql.TextLiteral(text), typ: to}, nil
}

func invalidLiteralError(at parse.Node, text string, to uint32) error {
	return newStatementError(at, sqlstateInvalidTextRepresentation, "invalid input syntax for type "+typeSpelling(to)+`: "`+text+`"`)
}

func parseBoolLiteral(at parse.Node, text string) (typedExpr, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "t", "true", "yes", "y", "on", "1":
		return newBoolExpr(true), nil
	case "f", "false", "no", "n", "off", "0":
		return newBoolExpr(false), nil
	}
	return typedExpr{}, invalidLiteralError(at, text, boolTypeOID)
}

func (r *translator) parseArrayLiteral(at parse.Node, text string, to uint32) (typedExpr, error) {
	elements, ok := parse.ParseArrayText(text)
	if !ok {
		return typedExpr{}, newStatementError(at, sqlstateInvalidTextRepresentation, `malformed array literal: "`+text+`"`)
	}
	nodes := make([]ducksql.Node, len(elements))
	for i, element := range elements {
		if element.Null {
			nodes[i] = ducksql.FillTemplate("NULL")
			continue
		}
		v, err := r.parseLiteral(at, element.Text, elementTypeOf(to))
		if err != nil {
			return typedExpr{}, err
		}
		nodes[i] = v.node
	}
	return typedExpr{node: ducksql.FillTemplate("CAST([?] AS "+duckDBTypeOf(to)+")", ducksql.CommaList(nodes)), typ: to}, nil
}

// parseRegLiteral finds the object that a literal names: a number, or a name with or without a schema.
func (r *translator) parseRegLiteral(at parse.Node, text string, to uint32) (typedExpr, error) {
	if text == "-" {
		return newIntExpr(0, to), nil
	}
	if n, err := strconv.ParseUint(text, 10, 32); err == nil {
		return newIntExpr(int64(n), to), nil
	}
	oid, ok := r.set.findObjectOID(regObjectKind(to), text, r.session)
	if !ok {
		return typedExpr{}, unknownObjectError(at, text, to)
	}
	return newIntExpr(int64(oid), to), nil
}

func unknownObjectError(at parse.Node, text string, to uint32) error {
	switch to {
	case regclassTypeOID:
		return newStatementError(at, sqlstateUndefinedTable, `relation "`+text+`" does not exist`)
	case regprocTypeOID, regprocedureTypeOID:
		return newStatementError(at, sqlstateUndefinedFunction, `function "`+text+`" does not exist`)
	case regnamespaceTypeOID:
		return newStatementError(at, "3F000", `schema "`+text+`" does not exist`)
	}
	return newStatementError(at, sqlstateUndefinedObject, strings.TrimPrefix(typesByOID()[to].Name, "reg")+` "`+text+`" does not exist`)
}
