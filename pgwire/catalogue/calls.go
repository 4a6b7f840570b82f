package catalogue

import (
	"strings"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// call is a call of a function with its arguments.
type call struct {
	*parse.Call
	name string
	args []value
}

// resolveCall prints a call of a function of the closed list.
func (r *resolver) resolveCall(x *parse.Call, s *scope) (value, error) {
	name := fold(x.Function)
	if name == "timezone" && len(x.Arguments) == 2 {
		v, err := r.resolveExpr(x.Arguments[1], s)
		switch v.typ {
		case typeTimestamptz:
			v.typ = typeTimestamp
		case typeTimestamp:
			v.typ = typeTimestamptz
		}
		return v, err
	}
	if a, ok := aggregates[name]; ok {
		return r.resolveAggregate(x, name, a, s)
	}
	if x.Distinct || len(x.OrderBy) > 0 || x.Filter != nil || len(x.WithinGroup) > 0 {
		return value{}, newError(x, "42809", name+" is not an aggregate function")
	}
	if x.Over != nil {
		return r.resolveWindowCall(x, name, s)
	}
	args, err := r.resolveAll(x.Arguments, s)
	if err != nil {
		return value{}, err
	}
	c := &call{Call: x, name: name, args: args}
	if f, ok := sessionFunctions()[name]; ok {
		return f(r, c)
	}
	if f, ok := specialFunctions()[name]; ok {
		return f(r, c)
	}
	if rows, ok := rowFunctions()[name]; ok {
		return r.unnestRows(c, rows)
	}
	return r.applyFunction(c)
}

// applyFunction prints a function that is one form with typed arguments.
func (r *resolver) applyFunction(c *call) (value, error) {
	var mismatch error
	for _, f := range functions()[c.name] {
		if len(f.arguments) != len(c.args) {
			continue
		}
		nodes, err := r.coerceArguments(c, f.arguments)
		if err != nil {
			mismatch = err
			continue
		}
		result := f.result
		if result == sameAsFirst {
			result = c.args[0].typ
			if result == typeUnknown {
				result = typeText
			}
		}
		return value{node: ducksql.Apply(f.form, nodes...), typ: result}, nil
	}
	if isBadText(mismatch) {
		return value{}, mismatch
	}
	return value{}, r.unknownFunction(c)
}

func (r *resolver) unknownFunction(c *call) error {
	types := make([]string, len(c.args))
	for i, a := range c.args {
		types[i] = spelling(a.typ)
	}
	return newError(c.Call, stateUnknownFunction, "function "+c.name+"("+strings.Join(types, ", ")+") does not exist")
}

// coerceArguments gives the arguments the types of a function. A place for any type takes a text of a
// literal without a type.
func (r *resolver) coerceArguments(c *call, types []uint32) ([]ducksql.Node, error) {
	nodes := make([]ducksql.Node, len(types))
	for i, t := range types {
		v, err := r.argumentOf(c.Call, c.args[i], t)
		if err != nil {
			return nil, err
		}
		nodes[i] = v.node
	}
	return nodes, nil
}

func (r *resolver) argumentOf(at parse.Node, v value, t uint32) (value, error) {
	switch {
	case t == anyType && v.typ == typeUnknown:
		return r.coerce(at, v, typeText)
	case t == anyType:
		return v, nil
	case t == typeText && !isText(v.typ):
		if v.typ == typeUnknown || isReg(v.typ) || v.typ == typeJSON {
			return r.toText(at, v)
		}
		return value{}, newError(at, stateMismatch, "a value of type "+spelling(v.typ)+" is not a text")
	case t == typeAnyArray:
		if v.typ == typeUnknown {
			return r.coerce(at, v, arrayOf(typeText))
		}
		if elementOf(v.typ) == 0 {
			return value{}, newError(at, stateMismatch, "a value of type "+spelling(v.typ)+" is not an array")
		}
		return v, nil
	}
	return r.coerce(at, v, t)
}

func (r *resolver) unnestRows(c *call, rows rowFunction) (value, error) {
	lists, columns, err := rows(r, c)
	if err != nil {
		return value{}, err
	}
	if len(lists) == 1 {
		return value{node: ducksql.Apply("unnest(?)", lists[0]), typ: columns[0].value.typ}, nil
	}
	parts, fields := make([]ducksql.Node, len(lists)), make([]field, len(lists))
	for i, list := range lists {
		parts[i] = ducksql.Apply("? := ?", ducksql.Name(columns[i].name), ducksql.Apply("list_extract(?, e_row)", list))
		fields[i] = field{name: columns[i].name, typ: columns[i].value.typ}
	}
	node := ducksql.Apply("unnest(list_transform(range(1, len(?) + 1), e_row -> struct_pack(?)))", lists[0], ducksql.Commas(parts))
	return value{node: node, typ: typeRecord, fields: fields}, nil
}

// resolveRows prints a function in FROM as lists, one for each column.
func (r *resolver) resolveRows(x *parse.Call, s *scope) ([]ducksql.Node, []*column, error) {
	if x.Distinct || len(x.OrderBy) > 0 || x.Filter != nil || x.Over != nil {
		return nil, nil, newUnsupportedError(x, "this function in FROM")
	}
	name := fold(x.Function)
	args, err := r.resolveAll(x.Arguments, s)
	if err != nil {
		return nil, nil, err
	}
	c := &call{Call: x, name: name, args: args}
	if rows, ok := rowFunctions()[name]; ok {
		return rows(r, c)
	}
	v, err := r.resolveCall(x, s)
	if err != nil {
		return nil, nil, err
	}
	return []ducksql.Node{ducksql.Apply("[?]", v.node)}, []*column{{name: name, value: v}}, nil
}

// aggregate is the result of an aggregate over a type.
type aggregate struct {
	form   string // with the arguments
	result func(of uint32) uint32
}

func always(t uint32) func(uint32) uint32 { return func(uint32) uint32 { return t } }

func argumentType(of uint32) uint32 {
	if of == typeUnknown {
		return typeText
	}
	return of
}

func sumType(of uint32) uint32 {
	switch of {
	case typeInt2, typeInt4:
		return typeInt8
	case typeFloat4, typeFloat8:
		return of
	}
	return typeNumeric
}

var aggregates = map[string]aggregate{
	"count": {"count(?)", always(typeInt8)}, "sum": {"sum(?)", sumType}, "min": {"min(?)", argumentType}, "max": {"max(?)", argumentType},
	"avg": {"avg(?)", always(typeFloat8)}, "bool_and": {"bool_and(?)", always(typeBool)}, "bool_or": {"bool_or(?)", always(typeBool)},
	"every": {"bool_and(?)", always(typeBool)}, "array_agg": {"array_agg(?)", arrayOf}, "string_agg": {"string_agg(?)", always(typeText)},
}

func (r *resolver) resolveAggregate(x *parse.Call, name string, a aggregate, s *scope) (value, error) {
	if len(x.WithinGroup) > 0 {
		return value{}, newUnsupportedError(x, "WITHIN GROUP")
	}
	if len(x.Arguments) == 1 {
		if _, star := x.Arguments[0].(*parse.Star); star {
			return r.finishAggregate(x, ducksql.Apply("count(*"), typeInt8, s)
		}
	}
	args, err := r.resolveAll(x.Arguments, s)
	if err != nil {
		return value{}, err
	}
	want := 1
	if name == "string_agg" {
		want = 2
	}
	if len(args) != want {
		return value{}, r.unknownFunction(&call{Call: x, name: name, args: args})
	}
	if args, err = r.aggregateArguments(x, name, args); err != nil {
		return value{}, err
	}
	head := strings.TrimSuffix(a.form, "?)")
	if x.Distinct {
		head += "DISTINCT "
	}
	return r.finishAggregate(x, ducksql.Apply(head+"?", ducksql.Commas(nodesOf(args))), a.result(args[0].typ), s)
}

func (r *resolver) aggregateArguments(x *parse.Call, name string, args []value) ([]value, error) {
	for i := range args {
		var err error
		switch {
		case name == "string_agg" && !isText(args[i].typ):
			return nil, r.unknownFunction(&call{Call: x, name: name, args: args})
		case args[i].typ == typeUnknown:
			args[i], err = r.coerce(x, args[i], typeText)
		case name == "bool_and" || name == "bool_or" || name == "every":
			args[i], err = r.coerce(x, args[i], typeBool)
		case (name == "sum" || name == "avg") && !isNumber(args[i].typ):
			return nil, r.unknownFunction(&call{Call: x, name: name, args: args})
		}
		if err != nil {
			return nil, err
		}
	}
	return args, nil
}

// finishAggregate adds ORDER BY, FILTER and OVER to a call whose parenthesis is open.
func (r *resolver) finishAggregate(x *parse.Call, open ducksql.Node, result uint32, s *scope) (value, error) {
	parts := []ducksql.Node{open}
	if len(x.OrderBy) > 0 {
		keys, err := r.orderKeys(x.OrderBy, s)
		if err != nil {
			return value{}, err
		}
		parts = append(parts, ducksql.Apply("ORDER BY ?", keys))
	}
	parts = append(parts, ducksql.Apply(")"))
	if x.Filter != nil {
		condition, err := r.resolveCondition(x.Filter, s)
		if err != nil {
			return value{}, err
		}
		parts = append(parts, ducksql.Apply("FILTER (WHERE ?)", condition))
	}
	if x.Over != nil {
		over, err := r.resolveWindow(x.Over, s)
		if err != nil {
			return value{}, err
		}
		parts = append(parts, over)
	}
	return value{node: ducksql.List{Separator: " ", Nodes: parts}, typ: result}, nil
}

func (r *resolver) orderKeys(list []*parse.OrderItem, s *scope) (ducksql.Node, error) {
	keys := make([]ducksql.Node, len(list))
	for i, o := range list {
		v, err := r.resolveExpr(o.X, s)
		if err != nil {
			return nil, err
		}
		keys[i] = orderForm(v.node, o)
	}
	return ducksql.Commas(keys), nil
}

func (r *resolver) resolveWindow(w *parse.Window, s *scope) (ducksql.Node, error) {
	if w.Frame != nil {
		return nil, newUnsupportedError(w, "a frame of a window")
	}
	var parts []ducksql.Node
	if len(w.PartitionBy) > 0 {
		values, err := r.resolveAll(w.PartitionBy, s)
		if err != nil {
			return nil, err
		}
		parts = append(parts, ducksql.Apply("PARTITION BY ?", ducksql.Commas(nodesOf(values))))
	}
	if len(w.OrderBy) > 0 {
		keys, err := r.orderKeys(w.OrderBy, s)
		if err != nil {
			return nil, err
		}
		parts = append(parts, ducksql.Apply("ORDER BY ?", keys))
	}
	return ducksql.Apply("OVER (?)", ducksql.List{Separator: " ", Nodes: parts}), nil
}

// windowFunctions are the functions that need OVER and have no argument.
var windowFunctions = map[string]bool{"row_number": true, "rank": true, "dense_rank": true}

func (r *resolver) resolveWindowCall(x *parse.Call, name string, s *scope) (value, error) {
	if !windowFunctions[name] || len(x.Arguments) > 0 {
		return value{}, newUnsupportedError(x, "OVER of this function")
	}
	over, err := r.resolveWindow(x.Over, s)
	return value{node: ducksql.Apply(name+"() ?", over), typ: typeInt8}, err
}
