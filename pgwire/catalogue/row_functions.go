package catalogue

import (
	"sync"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
)

// rowFunction prints a function that gives rows as lists, one for each of its columns.
type rowFunction func(r *resolver, c *call) ([]ducksql.Node, []*column, error)

var rowFunctions = sync.OnceValue(func() map[string]rowFunction {
	return map[string]rowFunction{
		"unnest": unnest, "generate_series": generateSeries, "generate_subscripts": generateSubscripts, "_pg_expandarray": expandArray,
		"pg_get_keywords": keywordRows, "aclexplode": aclRows, "regexp_split_to_table": splitRows("regexp_split_to_array(?, ?)"),
		"string_to_table":         splitRows("f_string_to_array(?, ?)"),
		"pg_options_to_table":     noRows(2, field{"option_name", typeText}, field{"option_value", typeText}),
		"pg_partition_ancestors":  noRows(1, field{"relid", typeRegclass}),
		"pg_partition_tree":       noRows(1, field{"relid", typeRegclass}, field{"parentrelid", typeRegclass}, field{"isleaf", typeBool}, field{"level", typeInt4}),
		"pg_timezone_names":       noRows(0, field{"name", typeText}, field{"abbrev", typeText}, field{"utc_offset", typeInterval}, field{"is_dst", typeBool}),
		"pg_available_extensions": noRows(0, field{"name", typeName}, field{"default_version", typeText}, field{"comment", typeText}),
	}
})

func columnOf(name string, typ uint32) *column {
	return &column{name: name, value: value{typ: typ}}
}

func unnest(r *resolver, c *call) ([]ducksql.Node, []*column, error) {
	if len(c.args) == 0 {
		return nil, nil, r.unknownFunction(c)
	}
	var lists []ducksql.Node
	var columns []*column
	for _, arg := range c.args {
		if elementOf(arg.typ) == 0 {
			return nil, nil, r.unknownFunction(c)
		}
		lists = append(lists, arg.node)
		columns = append(columns, columnOf("unnest", elementOf(arg.typ)))
	}
	return lists, columns, nil
}

// maxSeries bounds the numbers of one series.
const maxSeries = "100000"

func generateSeries(r *resolver, c *call) ([]ducksql.Node, []*column, error) {
	if len(c.args) != 2 && len(c.args) != 3 {
		return nil, nil, r.unknownFunction(c)
	}
	typ, err := r.unify(c.Call, c.args)
	if err == nil && typ == typeText {
		typ = typeInt4
	}
	if err != nil || rankOfNumber[typ] == 0 || rankOfNumber[typ] > rankOfNumber[typeInt8] {
		return nil, nil, r.unknownFunction(c)
	}
	step := ducksql.Node(ducksql.Number(1))
	if len(c.args) == 3 {
		step = c.args[2].node
	}
	form := "CAST(CASE WHEN abs(? - ?) // nullif(abs(?), 0) > " + maxSeries + " THEN error('Out of Range') ELSE generate_series(?, ?, ?) END AS " + engineType(typ) + "[])"
	from, to := c.args[0].node, c.args[1].node
	return []ducksql.Node{ducksql.Apply(form, to, from, step, from, to, step)}, []*column{columnOf("generate_series", typ)}, nil
}

func generateSubscripts(r *resolver, c *call) ([]ducksql.Node, []*column, error) {
	if len(c.args) != 2 && len(c.args) != 3 || elementOf(c.args[0].typ) == 0 {
		return nil, nil, r.unknownFunction(c)
	}
	form := "CAST(range(1, len(?) + 1) AS INTEGER[])"
	if isVector(c.args[0].typ) {
		form = "CAST(range(0, len(?)) AS INTEGER[])"
	}
	return []ducksql.Node{ducksql.Apply(form, c.args[0].node)}, []*column{columnOf("generate_subscripts", typeInt4)}, nil
}

// expandArray is _pg_expandarray: the elements x of an array with their numbers n from 1.
func expandArray(r *resolver, c *call) ([]ducksql.Node, []*column, error) {
	if len(c.args) != 1 || elementOf(c.args[0].typ) == 0 {
		return nil, nil, r.unknownFunction(c)
	}
	list := c.args[0].node
	return []ducksql.Node{list, ducksql.Apply("CAST(range(1, len(?) + 1) AS INTEGER[])", list)},
		[]*column{columnOf("x", elementOf(c.args[0].typ)), columnOf("n", typeInt4)}, nil
}

func keywordRows(r *resolver, c *call) ([]ducksql.Node, []*column, error) {
	if len(c.args) != 0 {
		return nil, nil, r.unknownFunction(c)
	}
	var lists []ducksql.Node
	var columns []*column
	for _, f := range []field{{"word", typeText}, {"catcode", typeChar}, {"barelabel", typeBool}, {"catdesc", typeText}, {"baredesc", typeText}} {
		lists = append(lists, ducksql.Apply("(SELECT list(? ORDER BY word) FROM t_keywords)", ducksql.Name(f.name)))
		columns = append(columns, columnOf(f.name, f.typ))
	}
	return lists, columns, nil
}

// aclRows is aclexplode: no grant of a catalogue is shown in parts.
func aclRows(r *resolver, c *call) ([]ducksql.Node, []*column, error) {
	return noRows(1, field{"grantor", typeOID}, field{"grantee", typeOID}, field{"privilege_type", typeText}, field{"is_grantable", typeBool})(r, c)
}

func splitRows(form string) rowFunction {
	return func(r *resolver, c *call) ([]ducksql.Node, []*column, error) {
		if len(c.args) != 2 {
			return nil, nil, r.unknownFunction(c)
		}
		nodes, err := r.coerceArguments(c, []uint32{typeText, typeText})
		return []ducksql.Node{ducksql.Apply(form, nodes...)}, []*column{columnOf(c.name, typeText)}, err
	}
}

// noRows is a function that gives no rows here.
func noRows(arguments int, fields ...field) rowFunction {
	return func(r *resolver, c *call) ([]ducksql.Node, []*column, error) {
		if len(c.args) != arguments {
			return nil, nil, r.unknownFunction(c)
		}
		var lists []ducksql.Node
		var columns []*column
		for _, f := range fields {
			lists = append(lists, ducksql.Apply("CAST([] AS "+engineType(f.typ)+"[])"))
			columns = append(columns, columnOf(f.name, f.typ))
		}
		return lists, columns, nil
	}
}
