package catalogue

import (
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// jsonbTypeOID is the type of JSON whose keys are in order.
const jsonbTypeOID = 3802

// jsonAggregate is how an aggregate writes the JSON of its rows.
type jsonAggregate struct {
	open, separator, close string
	colon                  string // of an object; "" for a list
	byKey                  bool   // shorter keys come first, and the last value of a key stays
}

var jsonAggregatesByName = map[string]jsonAggregate{
	"json_agg":         {open: "[", separator: ", ", close: "]"},
	"jsonb_agg":        {open: "[", separator: ", ", close: "]"},
	"json_object_agg":  {open: "{ ", separator: ", ", close: " }", colon: " : "},
	"jsonb_object_agg": {colon: ": ", byKey: true},
}

// translateJSONAggregate prints json_agg, json_object_agg and their forms for jsonb.
func (r *translator) translateJSONAggregate(x *parse.Call, name string, s *scope) (typedExpr, error) {
	a, result := jsonAggregatesByName[name], aggregatesByName[name].result(0)
	c := &functionCall{Call: x, name: name}
	want := 1
	if a.colon != "" {
		want = 2
	}
	if len(x.Arguments) != want {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	if x.Distinct || a.byKey && len(x.OrderBy) > 0 {
		return typedExpr{}, newUnsupportedError(x, "DISTINCT or ORDER BY in "+name)
	}
	element, isRow, err := r.jsonOfArgument(c, x.Arguments[want-1], s)
	if err != nil {
		return typedExpr{}, err
	}
	separator := a.separator
	if isRow && name == "json_agg" {
		separator = ", \n "
	}
	if a.colon != "" {
		key, err := r.translateExpr(x.Arguments[0], s)
		if err != nil {
			return typedExpr{}, err
		}
		if key, err = r.convertToText(x, key); err != nil {
			return typedExpr{}, err
		}
		element = ducksql.FillTemplate("(CAST(to_json(?) AS VARCHAR) || ? || ?)", key.node, ducksql.TextLiteral(a.colon), element)
		if a.byKey {
			listed, err := r.appendAggregateClauses(x, ducksql.FillTemplate("list({'k': ?, 'v': ?}", key.node, element), result, s)
			return typedExpr{node: ducksql.FillTemplate("f_jsonb_object(?)", listed.node), typ: result}, err
		}
	}
	listed, err := r.appendAggregateClauses(x, ducksql.FillTemplate("string_agg(?, ?", element, ducksql.TextLiteral(separator)), result, s)
	if err != nil {
		return typedExpr{}, err
	}
	return typedExpr{node: ducksql.FillTemplate("(? || ? || ?)", ducksql.TextLiteral(a.open), listed.node, ducksql.TextLiteral(a.close)), typ: result}, nil
}

// jsonOfArgument prints the JSON of an argument: a value, or the row of a relation that a name means.
func (r *translator) jsonOfArgument(c *functionCall, x parse.Expr, s *scope) (json ducksql.Node, isRow bool, err error) {
	if columns := wholeRow(x, s); columns != nil {
		r.addRowParts(columns)
		json, err = r.jsonOfRow(c, columns)
		return json, true, err
	}
	v, err := r.translateExpr(x, s)
	if err != nil {
		return nil, false, err
	}
	json, err = r.convertToJSONText(c, v)
	return json, false, err
}

// jsonOfRow prints the columns of a row as an object.
func (r *translator) jsonOfRow(c *functionCall, columns []*scopeColumn) (ducksql.Node, error) {
	parts := []ducksql.Node{ducksql.TextLiteral("{")}
	for i, column := range columns {
		before := ","
		if i == 0 {
			before = ""
		}
		value, err := r.convertToJSONText(c, column.value)
		if err != nil {
			return nil, err
		}
		parts = append(parts, ducksql.FillTemplate("? || CAST(to_json(?) AS VARCHAR) || ':'", ducksql.TextLiteral(before), ducksql.TextLiteral(column.name)), value)
	}
	parts = append(parts, ducksql.TextLiteral("}"))
	return ducksql.FillTemplate("concat(?)", ducksql.CommaList(parts)), nil // || would keep a text of each step
}

// wholeRow returns the columns of the relation that a name means; nil for any other expression, and where a column has the name.
func wholeRow(x parse.Expr, s *scope) []*scopeColumn {
	c, ok := x.(*parse.Column)
	if !ok || len(c.Path) != 1 {
		return nil
	}
	name := parse.FoldName(c.Path[0])
	for at := s; at != nil; at = at.outer {
		if found, err := findColumn(c, name, at.relations); found != nil || err != nil {
			return nil
		}
		for _, rel := range at.relations {
			if rel.name == name {
				return appendVisibleColumns(nil, rel.columns)
			}
		}
	}
	return nil
}

// translateToJSON prints row_to_json, to_json and to_jsonb of a row or a value.
func (r *translator) translateToJSON(x *parse.Call, name string, s *scope) (typedExpr, error) {
	c := &functionCall{Call: x, name: name}
	if len(x.Arguments) != 1 {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	json, isRow, err := r.jsonOfArgument(c, x.Arguments[0], s)
	switch {
	case err != nil:
		return typedExpr{}, err
	case name == "row_to_json" && !isRow:
		return typedExpr{}, newStatementError(x, sqlstateUndefinedFunction, "function row_to_json takes a row of a relation")
	}
	return typedExpr{node: json, typ: jsonTypeOID}, nil
}
