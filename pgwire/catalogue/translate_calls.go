package catalogue

import (
	"strings"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// functionCall is a call of a function with its arguments.
type functionCall struct {
	*parse.Call
	name string
	args []typedExpr
}

// translateCall prints a call of a function of the closed list.
func (r *translator) translateCall(x *parse.Call, s *scope) (typedExpr, error) {
	name := parse.FoldName(x.Function)
	if name == "timezone" && len(x.Arguments) == 2 {
		return r.translateAtTimeZone(x, s)
	}
	if _, ok := jsonAggregatesByName[name]; ok {
		return r.translateJSONAggregate(x, name, s)
	}
	if name == "row_to_json" || name == "to_json" {
		return r.translateToJSON(x, name, s)
	}
	if a, ok := aggregatesByName[name]; ok {
		return r.translateAggregate(x, name, a, s)
	}
	if x.Distinct || len(x.OrderBy) > 0 || x.Filter != nil || len(x.WithinGroup) > 0 {
		return typedExpr{}, newStatementError(x, "42809", name+" is not an aggregate function")
	}
	if x.Over != nil {
		return r.translateWindowCall(x, name, s)
	}
	if n := len(x.Arguments); n > 0 {
		if last, ok := x.Arguments[n-1].(*parse.Variadic); ok {
			return r.translateVariadicKeywordCall(x, name, last, s)
		}
	}
	args, err := r.translateExprs(x.Arguments, s)
	if err != nil {
		return typedExpr{}, err
	}
	c := &functionCall{Call: x, name: name, args: args}
	if f, ok := sessionFunctionTranslatorsByName()[name]; ok {
		return f(r, c)
	}
	if f, ok := translatorsByFunctionName()[name]; ok {
		return f(r, c)
	}
	if rows, ok := setReturningTranslatorsByName()[name]; ok {
		return r.unnestSetReturningCall(c, rows)
	}
	return r.translateCallByTemplate(c)
}

// translateCallByTemplate prints a function that is one form with typed arguments.
func (r *translator) translateCallByTemplate(c *functionCall) (typedExpr, error) {
	var mismatch error
	for _, f := range functionOverloadsByName()[c.name] {
		if len(f.arguments) != len(c.args) {
			continue
		}
		nodes, err := r.coerceArguments(c, f.arguments)
		if err != nil {
			mismatch = err
			continue
		}
		result := f.result
		if result == sameTypeAsFirstArgument {
			result = c.args[0].typ
			if result == unknownTypeOID {
				result = textTypeOID
			}
		}
		return typedExpr{node: ducksql.FillTemplate(f.form, nodes...), typ: result}, nil
	}
	if isInvalidLiteralError(mismatch) {
		return typedExpr{}, mismatch
	}
	return typedExpr{}, r.unknownFunctionError(c)
}

func (r *translator) unknownFunctionError(c *functionCall) error {
	types := make([]string, len(c.args))
	for i, a := range c.args {
		types[i] = typeSpelling(a.typ)
	}
	return newStatementError(c.Call, sqlstateUndefinedFunction, "function "+c.name+"("+strings.Join(types, ", ")+") does not exist")
}

// coerceArguments gives the arguments the types of a function. A place for any type takes a text of a
// literal without a type.
func (r *translator) coerceArguments(c *functionCall, types []uint32) ([]ducksql.Node, error) {
	nodes := make([]ducksql.Node, len(types))
	for i, t := range types {
		v, err := r.coerceArgument(c.Call, c.args[i], t)
		if err != nil {
			return nil, err
		}
		nodes[i] = v.node
	}
	return nodes, nil
}

func (r *translator) coerceArgument(at parse.Node, v typedExpr, t uint32) (typedExpr, error) {
	switch {
	case t == anyArgumentType && v.typ == unknownTypeOID:
		return r.coerceToType(at, v, textTypeOID)
	case t == anyArgumentType:
		return v, nil
	case t == textTypeOID && !isTextType(v.typ):
		if v.typ == unknownTypeOID || isRegType(v.typ) || v.typ == jsonTypeOID {
			return r.convertToText(at, v)
		}
		return typedExpr{}, newStatementError(at, sqlstateDatatypeMismatch, "a value of type "+typeSpelling(v.typ)+" is not a text")
	case t == anyArrayTypeOID:
		if v.typ == unknownTypeOID {
			return r.coerceToType(at, v, arrayTypeOf(textTypeOID))
		}
		if elementTypeOf(v.typ) == 0 {
			return typedExpr{}, newStatementError(at, sqlstateDatatypeMismatch, "a value of type "+typeSpelling(v.typ)+" is not an array")
		}
		return v, nil
	}
	return r.coerceToType(at, v, t)
}

func (r *translator) unnestSetReturningCall(c *functionCall, rows setReturningTranslator) (typedExpr, error) {
	lists, columns, err := rows(r, c)
	if err != nil {
		return typedExpr{}, err
	}
	if len(lists) == 1 {
		return typedExpr{node: ducksql.FillTemplate("unnest(?)", lists[0]), typ: columns[0].value.typ}, nil
	}
	parts, fields := make([]ducksql.Node, len(lists)), make([]recordField, len(lists))
	for i, list := range lists {
		parts[i] = ducksql.FillTemplate("? := ?", ducksql.Name(columns[i].name), ducksql.FillTemplate("list_extract(?, e_row)", list))
		fields[i] = recordField{name: columns[i].name, typ: columns[i].value.typ}
	}
	node := ducksql.FillTemplate("unnest(list_transform(range(1, len(?) + 1), e_row -> struct_pack(?)))", lists[0], ducksql.CommaList(parts))
	return typedExpr{node: node, typ: recordTypeOID, fields: fields}, nil
}

// translateSetReturningCall prints a function in FROM as lists, one for each column.
func (r *translator) translateSetReturningCall(x *parse.Call, s *scope) ([]ducksql.Node, []*scopeColumn, error) {
	if x.Distinct || len(x.OrderBy) > 0 || x.Filter != nil || x.Over != nil {
		return nil, nil, newUnsupportedError(x, "this function in FROM")
	}
	name := parse.FoldName(x.Function)
	args, err := r.translateExprs(x.Arguments, s)
	if err != nil {
		return nil, nil, err
	}
	c := &functionCall{Call: x, name: name, args: args}
	if rows, ok := setReturningTranslatorsByName()[name]; ok {
		return rows(r, c)
	}
	v, err := r.translateCall(x, s)
	if err != nil {
		return nil, nil, err
	}
	return []ducksql.Node{ducksql.FillTemplate("[?]", v.node)}, []*scopeColumn{{name: name, value: v}}, nil
}

// aggregateTranslation is the result of an aggregate over a type.
type aggregateTranslation struct {
	form   string // with the arguments
	result func(of uint32) uint32
}

func fixedResultTypeFunc(t uint32) func(uint32) uint32 { return func(uint32) uint32 { return t } }

func argumentTypeAsResult(of uint32) uint32 {
	if of == unknownTypeOID {
		return textTypeOID
	}
	return of
}

func sumResultType(of uint32) uint32 {
	switch of {
	case int2TypeOID, int4TypeOID:
		return int8TypeOID
	case float4TypeOID, float8TypeOID:
		return of
	}
	return numericTypeOID
}

var aggregatesByName = map[string]aggregateTranslation{
	"count": {"count(?)", fixedResultTypeFunc(int8TypeOID)}, "sum": {"sum(?)", sumResultType}, "min": {"min(?)", argumentTypeAsResult}, "max": {"max(?)", argumentTypeAsResult},
	"avg": {"avg(?)", fixedResultTypeFunc(float8TypeOID)}, "bool_and": {"bool_and(?)", fixedResultTypeFunc(boolTypeOID)}, "bool_or": {"bool_or(?)", fixedResultTypeFunc(boolTypeOID)},
	"every": {"bool_and(?)", fixedResultTypeFunc(boolTypeOID)}, "array_agg": {"array_agg(?)", arrayTypeOf}, "string_agg": {"string_agg(?)", fixedResultTypeFunc(textTypeOID)},
	"json_agg": {"", fixedResultTypeFunc(jsonTypeOID)}, "jsonb_agg": {"", fixedResultTypeFunc(jsonbTypeOID)},
	"json_object_agg": {"", fixedResultTypeFunc(jsonTypeOID)}, "jsonb_object_agg": {"", fixedResultTypeFunc(jsonbTypeOID)},
}

func (r *translator) translateAggregate(x *parse.Call, name string, a aggregateTranslation, s *scope) (typedExpr, error) {
	if len(x.WithinGroup) > 0 {
		return typedExpr{}, newUnsupportedError(x, "WITHIN GROUP")
	}
	if len(x.Arguments) == 1 {
		if _, star := x.Arguments[0].(*parse.Star); star {
			return r.appendAggregateClauses(x, ducksql.FillTemplate("count(*"), int8TypeOID, s)
		}
	}
	args, err := r.translateExprs(x.Arguments, s)
	if err != nil {
		return typedExpr{}, err
	}
	want := 1
	if name == "string_agg" {
		want = 2
	}
	if len(args) != want {
		return typedExpr{}, r.unknownFunctionError(&functionCall{Call: x, name: name, args: args})
	}
	if args, err = r.coerceAggregateArguments(x, name, args); err != nil {
		return typedExpr{}, err
	}
	head := strings.TrimSuffix(a.form, "?)")
	if x.Distinct {
		head += "DISTINCT "
	}
	return r.appendAggregateClauses(x, ducksql.FillTemplate(head+"?", ducksql.CommaList(nodesOfTypedExprs(args))), a.result(args[0].typ), s)
}

func (r *translator) coerceAggregateArguments(x *parse.Call, name string, args []typedExpr) ([]typedExpr, error) {
	for i := range args {
		var err error
		switch {
		case name == "string_agg" && !isTextType(args[i].typ):
			return nil, r.unknownFunctionError(&functionCall{Call: x, name: name, args: args})
		case args[i].typ == unknownTypeOID:
			args[i], err = r.coerceToType(x, args[i], textTypeOID)
		case name == "bool_and" || name == "bool_or" || name == "every":
			args[i], err = r.coerceToType(x, args[i], boolTypeOID)
		case (name == "sum" || name == "avg") && !isNumericType(args[i].typ):
			return nil, r.unknownFunctionError(&functionCall{Call: x, name: name, args: args})
		}
		if err != nil {
			return nil, err
		}
	}
	return args, nil
}

// appendAggregateClauses adds ORDER BY, FILTER and OVER to a call whose parenthesis is open.
func (r *translator) appendAggregateClauses(x *parse.Call, open ducksql.Node, result uint32, s *scope) (typedExpr, error) {
	parts := []ducksql.Node{open}
	if len(x.OrderBy) > 0 {
		keys, err := r.translateCallOrderKeys(x.OrderBy, s)
		if err != nil {
			return typedExpr{}, err
		}
		parts = append(parts, ducksql.FillTemplate("ORDER BY ?", keys))
	}
	parts = append(parts, ducksql.FillTemplate(")"))
	if x.Filter != nil {
		condition, err := r.translateCondition(x.Filter, s)
		if err != nil {
			return typedExpr{}, err
		}
		parts = append(parts, ducksql.FillTemplate("FILTER (WHERE ?)", condition))
	}
	if x.Over != nil {
		over, err := r.translateWindow(x.Over, s)
		if err != nil {
			return typedExpr{}, err
		}
		parts = append(parts, over)
	}
	return typedExpr{node: ducksql.SeparatedList{Separator: " ", Nodes: parts}, typ: result}, nil
}

func (r *translator) translateCallOrderKeys(list []*parse.OrderItem, s *scope) (ducksql.Node, error) {
	keys := make([]ducksql.Node, len(list))
	for i, o := range list {
		v, err := r.translateExpr(o.X, s)
		if err != nil {
			return nil, err
		}
		keys[i] = addNullsOrder(v.node, o)
	}
	return ducksql.CommaList(keys), nil
}

func (r *translator) translateWindow(w *parse.Window, s *scope) (ducksql.Node, error) {
	if w.Frame != nil {
		return nil, newUnsupportedError(w, "a frame of a window")
	}
	var parts []ducksql.Node
	if len(w.PartitionBy) > 0 {
		values, err := r.translateExprs(w.PartitionBy, s)
		if err != nil {
			return nil, err
		}
		parts = append(parts, ducksql.FillTemplate("PARTITION BY ?", ducksql.CommaList(nodesOfTypedExprs(values))))
	}
	if len(w.OrderBy) > 0 {
		keys, err := r.translateCallOrderKeys(w.OrderBy, s)
		if err != nil {
			return nil, err
		}
		parts = append(parts, ducksql.FillTemplate("ORDER BY ?", keys))
	}
	return ducksql.FillTemplate("OVER (?)", ducksql.SeparatedList{Separator: " ", Nodes: parts}), nil
}

// windowFunctions are the functions that need OVER and have no argument.
var windowFunctions = map[string]bool{"row_number": true, "rank": true, "dense_rank": true}

func (r *translator) translateWindowCall(x *parse.Call, name string, s *scope) (typedExpr, error) {
	if !windowFunctions[name] || len(x.Arguments) > 0 {
		return typedExpr{}, newUnsupportedError(x, "OVER of this function")
	}
	over, err := r.translateWindow(x.Over, s)
	return typedExpr{node: ducksql.FillTemplate(name+"() ?", over), typ: int8TypeOID}, err
}
