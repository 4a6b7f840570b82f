package catalogue

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// rankOfNumber orders the types of numbers: an operation of two has the greater one.
var rankOfNumber = map[uint32]int{typeInt2: 1, typeInt4: 2, typeInt8: 3, typeNumeric: 4, typeFloat4: 5, typeFloat8: 6}

// commonType is the type that two types have together; typeUnknown where there is none.
func commonType(a, b uint32) uint32 {
	switch {
	case a == b:
		return a
	case a == typeUnknown:
		return b
	case b == typeUnknown:
		return a
	case rankOfNumber[a] > 0 && rankOfNumber[b] > 0:
		if rankOfNumber[a] > rankOfNumber[b] {
			return a
		}
		return b
	case isInteger(a) && isInteger(b):
		if isReg(a) || rankOfNumber[a] > 0 {
			if isReg(b) {
				return typeOID
			}
			return b
		}
		return a
	case isText(a) && isText(b):
		if a == typeChar {
			return b
		}
		return a
	case isVector(a) && elementOf(b) != 0:
		return b
	case isVector(b) && elementOf(a) != 0:
		return a
	case elementOf(a) != 0 && elementOf(b) != 0 && commonType(elementOf(a), elementOf(b)) != typeUnknown:
		return arrayOf(commonType(elementOf(a), elementOf(b)))
	case a == typeTimestamp && b == typeTimestamptz, b == typeTimestamp && a == typeTimestamptz:
		return typeTimestamptz
	case isJSONLike(a) && isText(b), isJSONLike(b) && isText(a):
		return typeText
	}
	return typeUnknown
}

// isJSONLike reports whether the values of a type are texts that no rule of this package reads.
func isJSONLike(t uint32) bool {
	return engineType(t) == "VARCHAR" && !isText(t)
}

// unify gives values one type, in place, and returns it.
func (r *resolver) unify(at parse.Node, values []value) (uint32, error) {
	typ := uint32(typeUnknown)
	for _, v := range values {
		if v.typ == typeUnknown {
			continue
		}
		common := commonType(typ, v.typ)
		if common == typeUnknown {
			return 0, newError(at, stateMismatch, "types "+spelling(typ)+" and "+spelling(v.typ)+" cannot be matched")
		}
		typ = common
	}
	target := typ
	if typ == typeUnknown && len(values) > 1 {
		target = typeText
	}
	if typ == typeUnknown && hasOnlyNulls(values) {
		return typeText, nil
	}
	for i := range values {
		if values[i].typ == typ {
			continue
		}
		var err error
		if values[i], err = r.coerce(at, values[i], target); err != nil {
			return 0, err
		}
	}
	if typ == typeUnknown {
		typ = target
	}
	return typ, nil
}

func hasOnlyNulls(values []value) bool {
	for _, v := range values {
		if v.typ != typeUnknown || v.text != nil || v.parameter > 0 {
			return false
		}
	}
	return true
}

// coerce gives a value the type that its place has.
func (r *resolver) coerce(at parse.Node, v value, to uint32) (value, error) {
	if v.parameter > 0 && r.declared[v.parameter-1] == 0 && to != typeUnknown {
		r.declared[v.parameter-1] = to
	}
	switch {
	case v.typ == to || to == typeUnknown:
		return v, nil
	case v.text != nil:
		return r.literalOf(at, *v.text, to)
	case v.typ == typeUnknown:
		return value{node: ducksql.Apply("CAST(? AS "+engineType(to)+")", v.node), typ: to}, nil
	case isText(to) && isText(v.typ), isInteger(to) && isInteger(v.typ) && engineType(to) == engineType(v.typ):
		return value{node: v.node, typ: to, table: v.table, number: v.number}, nil
	case isNumber(to) && isNumber(v.typ):
		return value{node: ducksql.Apply("CAST(? AS "+engineType(to)+")", v.node), typ: to}, nil
	case elementOf(to) != 0 && elementOf(v.typ) != 0:
		return r.convertArray(at, v, to)
	case commonType(v.typ, to) == to:
		return value{node: ducksql.Apply("CAST(? AS "+engineType(to)+")", v.node), typ: to}, nil
	case isText(to) && isJSONLike(v.typ):
		return value{node: v.node, typ: to}, nil
	}
	return value{}, newError(at, stateMismatch, "a value of type "+spelling(v.typ)+" is not a "+spelling(to))
}

func (r *resolver) convertArray(at parse.Node, v value, to uint32) (value, error) {
	if engineType(v.typ) == engineType(to) {
		return value{node: v.node, typ: to}, nil
	}
	if isReg(elementOf(v.typ)) && isText(elementOf(to)) {
		return value{node: regNames(v), typ: to}, nil
	}
	element := r.newName("e")
	item, err := r.cast(at, value{node: element, typ: elementOf(v.typ)}, elementOf(to))
	return value{node: ducksql.Apply("list_transform(?, ? -> ?)", v.node, element, item.node), typ: to}, err
}

func (r *resolver) resolveCast(x *parse.Cast, s *scope) (value, error) {
	to, err := typeOfName(x.To)
	if err != nil {
		return value{}, err
	}
	v, err := r.resolveExpr(x.X, s)
	if err != nil {
		return value{}, err
	}
	v, err = r.cast(x, v, to)
	if err == nil && len(x.To.Arguments) > 0 && (to == typeVarchar || to == typeBpchar) {
		v.node = ducksql.Apply("left(?, ?)", v.node, ducksql.Number(x.To.Arguments[0]))
	}
	return v, err
}

// typeOfName finds the type that a name means; that of a domain is the one it is made of.
func typeOfName(t *parse.TypeName) (uint32, error) {
	name, array := strings.CutSuffix(t.Name, "[]")
	oid, ok := typesBySpelling()[name]
	if !ok {
		return 0, newError(t, stateUnknownObject, `type "`+t.Name+`" does not exist`)
	}
	oid = baseType(oid)
	if array {
		oid = arrayOf(oid)
	}
	return oid, nil
}

// cast prints CAST.
func (r *resolver) cast(at parse.Node, v value, to uint32) (value, error) {
	switch {
	case v.typ == to, v.typ == typeUnknown:
		return r.coerce(at, v, to)
	case isText(to) && to != typeUnknown:
		return r.castToText(at, v, to)
	case isReg(to) && isText(v.typ):
		return r.lookUpReg(at, v, to)
	case isInteger(to) && isInteger(v.typ):
		return value{node: ducksql.Apply("CAST(? AS "+engineType(to)+")", v.node), typ: to}, nil
	case isNumber(to) && v.typ == typeChar && to == typeInt4:
		return value{node: ducksql.Apply("CASE WHEN ? = '' THEN 0 ELSE ascii(?) END", v.node, v.node), typ: to}, nil
	case elementOf(to) != 0 && elementOf(v.typ) != 0:
		return r.convertArray(at, v, to)
	case elementOf(to) != 0 || elementOf(v.typ) != 0:
		return value{}, newError(at, "42846", "cannot cast type "+spelling(v.typ)+" to "+spelling(to))
	case isNumber(to) && (isNumber(v.typ) || isText(v.typ) || v.typ == typeBool), to == typeBool && (isText(v.typ) || isInteger(v.typ)):
		return value{node: ducksql.Apply("CAST(? AS "+engineType(to)+")", v.node), typ: to}, nil
	case isTime(to) && (isTime(v.typ) || isText(v.typ)):
		return value{node: ducksql.Apply("CAST(? AS "+engineType(to)+")", v.node), typ: to}, nil
	case engineType(to) == "VARCHAR":
		return value{node: textOf(v).node, typ: to}, nil
	}
	return value{}, newError(at, "42846", "cannot cast type "+spelling(v.typ)+" to "+spelling(to))
}

func isTime(t uint32) bool {
	return t == typeDate || t == typeTime || t == typeTimestamp || t == typeTimestamptz
}

func (r *resolver) castToText(at parse.Node, v value, to uint32) (value, error) {
	out, err := r.toText(at, v)
	out.typ = to
	switch to {
	case typeChar:
		out.node = ducksql.Apply("left(?, 1)", out.node)
	case typeName:
		if v.typ != typeName {
			out.node = ducksql.Apply("left(?, 63)", out.node)
		}
	}
	return out, err
}

// toText is the text form of a value.
func (r *resolver) toText(at parse.Node, v value) (value, error) {
	if v.text != nil || v.typ == typeUnknown {
		return r.coerce(at, v, typeText)
	}
	if v.typ == typeRecord {
		return value{}, newUnsupportedError(at, "the text of a row")
	}
	return textOf(v), nil
}

// textOf prints the text form of a value with a type.
func textOf(v value) value {
	text := func(form string) value { return value{node: ducksql.Apply(form, v.node), typ: typeText} }
	switch {
	case isText(v.typ) || isJSONLike(v.typ):
		return value{node: v.node, typ: typeText}
	case isReg(v.typ):
		return value{node: ducksql.Apply("f_reg_name(?, ?)", ducksql.Text(regKind(v.typ)), v.node), typ: typeText}
	case isVector(v.typ):
		return text("array_to_string(?, ' ')")
	case isReg(elementOf(v.typ)):
		return value{node: ducksql.Apply("f_array_text(?)", regNames(v)), typ: typeText}
	case elementOf(v.typ) != 0:
		element := ducksql.Name("e_text")
		item := textOf(value{node: element, typ: elementOf(v.typ)})
		return value{node: ducksql.Apply("f_array_text(list_transform(?, ? -> ?))", v.node, element, item.node), typ: typeText}
	case v.typ == typeTimestamptz:
		return text("(CAST(? AS VARCHAR) || '+00')")
	}
	return text("CAST(? AS VARCHAR)")
}

// regNames prints the names of a list of objects. A list_transform may hold no subquery.
func regNames(v value) ducksql.Node {
	return ducksql.Apply("f_reg_names(?, ?)", ducksql.Text(regKind(elementOf(v.typ))), v.node)
}

// regKind is the kind of object that a type shows by its name.
func regKind(t uint32) string { return typesByOID()[t].Name }

// lookUpReg prints the OID of the object that a text names.
func (r *resolver) lookUpReg(at parse.Node, v value, to uint32) (value, error) {
	text, err := r.toText(at, v)
	local := ducksql.Apply("f_local_name(?, ?)", text.node, ducksql.Text(quoteName(r.session.database)+"."))
	return value{node: ducksql.Apply("f_reg_oid(?, ?)", ducksql.Text(regKind(to)), local), typ: to}, err
}

// literalOf reads a literal as a value of a type.
func (r *resolver) literalOf(at parse.Node, text string, to uint32) (value, error) {
	switch {
	case isReg(to):
		return r.regLiteral(at, text, to)
	case isText(to):
		if to == typeChar && len(text) > 1 {
			text = text[:1]
		}
		return value{node: ducksql.Text(text), typ: to}, nil
	case isInteger(to):
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil {
			return value{}, badText(at, text, to)
		}
		return intValue(n, to), nil
	case isFloat(to) || to == typeNumeric:
		f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return value{}, badText(at, text, to)
		}
		return value{node: ducksql.Float(f), typ: to}, nil
	case to == typeBool:
		return boolLiteral(at, text)
	case isVector(to):
		return r.arrayLiteral(at, "{"+strings.Join(strings.Fields(text), ",")+"}", to)
	case elementOf(to) != 0:
		return r.arrayLiteral(at, text, to)
	case isTime(to):
		return value{node: ducksql.Apply("CAST(? AS "+engineType(to)+")", ducksql.Text(text)), typ: to}, nil
	}
	return value{node: ducksql.Text(text), typ: to}, nil
}

func badText(at parse.Node, text string, to uint32) error {
	return newError(at, stateBadText, "invalid input syntax for type "+spelling(to)+`: "`+text+`"`)
}

func boolLiteral(at parse.Node, text string) (value, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "t", "true", "yes", "y", "on", "1":
		return boolValue(true), nil
	case "f", "false", "no", "n", "off", "0":
		return boolValue(false), nil
	}
	return value{}, badText(at, text, typeBool)
}

func (r *resolver) arrayLiteral(at parse.Node, text string, to uint32) (value, error) {
	items, nulls, ok := readArray(text)
	if !ok {
		return value{}, newError(at, stateBadText, `malformed array literal: "`+text+`"`)
	}
	nodes := make([]ducksql.Node, len(items))
	for i, item := range items {
		if nulls[i] {
			nodes[i] = ducksql.Apply("NULL")
			continue
		}
		v, err := r.literalOf(at, item, elementOf(to))
		if err != nil {
			return value{}, err
		}
		nodes[i] = v.node
	}
	return value{node: ducksql.Apply("CAST([?] AS "+engineType(to)+")", ducksql.Commas(nodes)), typ: to}, nil
}

// regLiteral finds the object that a literal names: a number, or a name with or without a schema.
func (r *resolver) regLiteral(at parse.Node, text string, to uint32) (value, error) {
	if text == "-" {
		return intValue(0, to), nil
	}
	if n, err := strconv.ParseUint(text, 10, 32); err == nil {
		return intValue(int64(n), to), nil
	}
	oid, ok := r.set.findObject(regKind(to), text, r.session)
	if !ok {
		return value{}, unknownObject(at, text, to)
	}
	return intValue(int64(oid), to), nil
}

func unknownObject(at parse.Node, text string, to uint32) error {
	switch to {
	case typeRegclass:
		return newError(at, stateUnknownTable, `relation "`+text+`" does not exist`)
	case typeRegproc, typeRegprocedure:
		return newError(at, stateUnknownFunction, `function "`+text+`" does not exist`)
	case typeRegnamespace:
		return newError(at, "3F000", `schema "`+text+`" does not exist`)
	}
	return newError(at, stateUnknownObject, strings.TrimPrefix(typesByOID()[to].Name, "reg")+` "`+text+`" does not exist`)
}
