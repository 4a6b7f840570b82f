package catalogue

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// jsonTextError is the error of the engine for a part of JSON that it would write in another form than its text has.
const jsonTextError = "the part of JSON is written differently"

// jsonElementMacros take parts out of JSON. PostgreSQL keeps the text of a part, with its blanks, its escapes and the zeros of a
// fraction.
var jsonElementMacros = []string{
	`CREATE MACRO f_json_index(i) AS '$[' || CASE WHEN i < 0 THEN '#' ELSE '' END || i || ']'`,
	`CREATE MACRO f_json_pointer(k) AS '/' || replace(replace(k, '~', '~0'), '/', '~1')`,
	`CREATE MACRO f_json_same(j, part) AS CASE WHEN NOT contains(j, part) OR json_type(part) = 'DOUBLE' THEN error('` + jsonTextError + `') ELSE part END`,
	`CREATE MACRO f_json_part(j, kind, path) AS CASE WHEN json_type(j) = kind THEN f_json_same(j, CAST(json_extract(j, path) AS VARCHAR)) END`,
	`CREATE MACRO f_json_text(j, kind, path) AS CASE WHEN json_type(j) = kind THEN
		CASE WHEN json_type(j, path) = 'VARCHAR' THEN json_extract_string(j, path) ELSE f_json_same(j, json_extract_string(j, path)) END END`,
}

// translateJSONElement prints -> and ->>: an item of a list by its number, or a member of an object by its key.
func (r *translator) translateJSONElement(at parse.Node, sign string, left, right typedExpr) (typedExpr, error) {
	kind, path := "ARRAY", "f_json_index(?)"
	switch {
	case left.typ == jsonbTypeOID:
		return typedExpr{}, newUnsupportedError(at, "the operator "+sign+" of jsonb")
	case left.typ != jsonTypeOID, !isIntegerType(right.typ) && !isTextType(right.typ):
		return typedExpr{}, r.unknownOperatorError(at, sign, left, right)
	case isTextType(right.typ):
		kind, path = "OBJECT", "f_json_pointer(?)"
	}
	form, typ := "f_json_part(?, '"+kind+"', "+path+")", uint32(jsonTypeOID)
	if sign == "->>" {
		form, typ = "f_json_text(?, '"+kind+"', "+path+")", textTypeOID
	}
	return typedExpr{node: ducksql.FillTemplate(form, left.node, right.node), typ: typ}, nil
}

// newJSONElementsTranslator returns the translator of json_array_elements and json_array_elements_text over constants.
func newJSONElementsTranslator(asText bool) setReturningTranslator {
	return func(r *translator, c *functionCall) ([]ducksql.Node, []*scopeColumn, error) {
		if len(c.args) != 1 || c.args[0].typ != jsonTypeOID && c.args[0].typ != unknownTypeOID {
			return nil, nil, r.unknownFunctionError(c)
		}
		text, isConstant := r.constantText(c.Arguments[0])
		if !isConstant {
			return nil, nil, newUnsupportedError(c.Call, c.name+" of an expression")
		}
		var items []ducksql.Node
		if text != nil {
			var err error
			if items, err = readJSONElements(c, *text, asText); err != nil {
				return nil, nil, err
			}
		}
		column := newTypedColumn("value", jsonTypeOID)
		if asText {
			column.value.typ = textTypeOID
		}
		return []ducksql.Node{ducksql.FillTemplate("CAST([?] AS VARCHAR[])", ducksql.CommaList(items))}, []*scopeColumn{column}, nil
	}
}

// constantText returns the text of a literal or parameter under casts; nil for null, and while only types are requested.
func (r *translator) constantText(x parse.Expr) (text *string, isConstant bool) {
	switch x := x.(type) {
	case *parse.Cast:
		return r.constantText(x.X)
	case *parse.String:
		return &x.Value, true
	case *parse.Null:
		return nil, true
	case *parse.Parameter:
		if x.Number > len(r.params) || r.params[x.Number-1].Null {
			return nil, true
		}
		return &r.params[x.Number-1].Text, true
	}
	return nil, false
}

func readJSONElements(c *functionCall, text string, asText bool) ([]ducksql.Node, error) {
	if most := parse.DefaultLimits().ComputedText; len(text) > most {
		return nil, newStatementError(c.Call, sqlstateProgramLimitExceeded, c.name+" reads at most "+strconv.Itoa(most)+" bytes")
	}
	if !json.Valid([]byte(text)) {
		return nil, newStatementError(c.Call, sqlstateInvalidTextRepresentation, "invalid input syntax for type json")
	}
	var elements []json.RawMessage
	if bytes.TrimSpace([]byte(text))[0] != '[' || json.Unmarshal([]byte(text), &elements) != nil {
		return nil, newStatementError(c.Call, sqlstateInvalidParameterValue, "cannot call "+c.name+" on a value that is not an array")
	}
	items := make([]ducksql.Node, len(elements))
	for i, element := range elements {
		items[i] = ducksql.TextLiteral(string(element))
		switch {
		case !asText:
		case string(element) == "null":
			items[i] = ducksql.FillTemplate("NULL")
		case element[0] == '"':
			var s string
			if err := json.Unmarshal(element, &s); err != nil {
				return nil, newStatementError(c.Call, sqlstateInvalidTextRepresentation, "invalid input syntax for type json")
			}
			items[i] = ducksql.TextLiteral(s)
		}
	}
	return items, nil
}
