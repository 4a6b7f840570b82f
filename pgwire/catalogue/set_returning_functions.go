package catalogue

import (
	"sync"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// setReturningTranslator prints a function that gives rows as lists, one for each of its columns.
type setReturningTranslator func(r *translator, c *functionCall) ([]ducksql.Node, []*scopeColumn, error)

var setReturningTranslatorsByName = sync.OnceValue(func() map[string]setReturningTranslator {
	return map[string]setReturningTranslator{
		"unnest": translateUnnest, "generate_series": translateGenerateSeries, "generate_subscripts": translateGenerateSubscripts, "_pg_expandarray": translateExpandArray,
		"pg_get_keywords": translateGetKeywords, "aclexplode": translateACLExplodeAsEmpty, "regexp_split_to_table": newSplitToRowsTranslator("regexp_split_to_array(?, ?)"),
		"string_to_table":     newSplitToRowsTranslator("f_string_to_array(?, ?)"),
		"json_array_elements": newJSONElementsTranslator(false), "json_array_elements_text": newJSONElementsTranslator(true),
		"pg_options_to_table":     newEmptyRowsTranslator(1, recordField{"option_name", textTypeOID}, recordField{"option_value", textTypeOID}),
		"pg_partition_ancestors":  newEmptyRowsTranslator(1, recordField{"relid", regclassTypeOID}),
		"pg_partition_tree":       newEmptyRowsTranslator(1, recordField{"relid", regclassTypeOID}, recordField{"parentrelid", regclassTypeOID}, recordField{"isleaf", boolTypeOID}, recordField{"level", int4TypeOID}),
		"pg_timezone_names":       newEmptyRowsTranslator(0, recordField{"name", textTypeOID}, recordField{"abbrev", textTypeOID}, recordField{"utc_offset", intervalTypeOID}, recordField{"is_dst", boolTypeOID}),
		"pg_available_extensions": newEmptyRowsTranslator(0, recordField{"name", nameTypeOID}, recordField{"default_version", textTypeOID}, recordField{"comment", textTypeOID}),
	}
})

// hasSetReturningItem reports whether the items of a SELECT give several rows for each of its rows.
func hasSetReturningItem(sel *parse.Select) (found bool) {
	for _, item := range sel.Items {
		parse.Walk(item.X, func(n parse.Node) bool {
			if call, ok := n.(*parse.Call); ok && setReturningTranslatorsByName()[parse.FoldName(call.Function)] != nil {
				found = true
			}
			_, isQuery := n.(*parse.Query)
			return !found && !isQuery
		})
	}
	return found
}

func newTypedColumn(name string, typ uint32) *scopeColumn {
	return &scopeColumn{name: name, value: typedExpr{typ: typ}}
}

func translateUnnest(r *translator, c *functionCall) ([]ducksql.Node, []*scopeColumn, error) {
	if len(c.args) == 0 {
		return nil, nil, r.unknownFunctionError(c)
	}
	var lists []ducksql.Node
	var columns []*scopeColumn
	for _, arg := range c.args {
		if elementTypeOf(arg.typ) == 0 {
			return nil, nil, r.unknownFunctionError(c)
		}
		lists = append(lists, arg.node)
		columns = append(columns, newTypedColumn("unnest", elementTypeOf(arg.typ)))
	}
	return lists, columns, nil
}

// maxSeriesLength bounds the numbers of one series.
const maxSeriesLength = "100000"

func translateGenerateSeries(r *translator, c *functionCall) ([]ducksql.Node, []*scopeColumn, error) {
	if len(c.args) != 2 && len(c.args) != 3 {
		return nil, nil, r.unknownFunctionError(c)
	}
	typ, err := r.unifyTypes(c.Call, c.args)
	if err == nil && typ == textTypeOID {
		typ = int4TypeOID
	}
	if err != nil || numericTypeRanks[typ] == 0 || numericTypeRanks[typ] > numericTypeRanks[int8TypeOID] {
		return nil, nil, r.unknownFunctionError(c)
	}
	step := ducksql.Node(ducksql.IntegerLiteral(1))
	if len(c.args) == 3 {
		step = c.args[2].node
	}
	form := "CAST(CASE WHEN abs(? - ?) // nullif(abs(?), 0) > " + maxSeriesLength + " THEN error('Out of Range') ELSE generate_series(?, ?, ?) END AS " + duckDBTypeOf(typ) + "[])"
	from, to := c.args[0].node, c.args[1].node
	return []ducksql.Node{ducksql.FillTemplate(form, to, from, step, from, to, step)}, []*scopeColumn{newTypedColumn("generate_series", typ)}, nil
}

func translateGenerateSubscripts(r *translator, c *functionCall) ([]ducksql.Node, []*scopeColumn, error) {
	if len(c.args) != 2 && len(c.args) != 3 || elementTypeOf(c.args[0].typ) == 0 {
		return nil, nil, r.unknownFunctionError(c)
	}
	form := "CAST(range(1, len(?) + 1) AS INTEGER[])"
	if isVectorType(c.args[0].typ) {
		form = "CAST(range(0, len(?)) AS INTEGER[])"
	}
	return []ducksql.Node{ducksql.FillTemplate(form, c.args[0].node)}, []*scopeColumn{newTypedColumn("generate_subscripts", int4TypeOID)}, nil
}

// translateExpandArray is _pg_expandarray: the elements x of an array with their numbers n from 1.
func translateExpandArray(r *translator, c *functionCall) ([]ducksql.Node, []*scopeColumn, error) {
	if len(c.args) != 1 || elementTypeOf(c.args[0].typ) == 0 {
		return nil, nil, r.unknownFunctionError(c)
	}
	list := c.args[0].node
	return []ducksql.Node{list, ducksql.FillTemplate("CAST(range(1, len(?) + 1) AS INTEGER[])", list)},
		[]*scopeColumn{newTypedColumn("x", elementTypeOf(c.args[0].typ)), newTypedColumn("n", int4TypeOID)}, nil
}

func translateGetKeywords(r *translator, c *functionCall) ([]ducksql.Node, []*scopeColumn, error) {
	if len(c.args) != 0 {
		return nil, nil, r.unknownFunctionError(c)
	}
	var lists []ducksql.Node
	var columns []*scopeColumn
	for _, f := range []recordField{{"word", textTypeOID}, {"catcode", charTypeOID}, {"barelabel", boolTypeOID}, {"catdesc", textTypeOID}, {"baredesc", textTypeOID}} {
		lists = append(lists, ducksql.FillTemplate("(SELECT list(? ORDER BY word) FROM stored.t_keywords)", ducksql.Name(f.name)))
		columns = append(columns, newTypedColumn(f.name, f.typ))
	}
	return lists, columns, nil
}

// translateACLExplodeAsEmpty is aclexplode: no grant of a catalogue is shown in parts.
func translateACLExplodeAsEmpty(r *translator, c *functionCall) ([]ducksql.Node, []*scopeColumn, error) {
	return newEmptyRowsTranslator(1, recordField{"grantor", oidTypeOID}, recordField{"grantee", oidTypeOID}, recordField{"privilege_type", textTypeOID}, recordField{"is_grantable", boolTypeOID})(r, c)
}

func newSplitToRowsTranslator(form string) setReturningTranslator {
	return func(r *translator, c *functionCall) ([]ducksql.Node, []*scopeColumn, error) {
		if len(c.args) != 2 {
			return nil, nil, r.unknownFunctionError(c)
		}
		nodes, err := r.coerceArguments(c, []uint32{textTypeOID, textTypeOID})
		return []ducksql.Node{ducksql.FillTemplate(form, nodes...)}, []*scopeColumn{newTypedColumn(c.name, textTypeOID)}, err
	}
}

// newEmptyRowsTranslator returns a function that gives no rows here.
func newEmptyRowsTranslator(arguments int, fields ...recordField) setReturningTranslator {
	return func(r *translator, c *functionCall) ([]ducksql.Node, []*scopeColumn, error) {
		if len(c.args) != arguments {
			return nil, nil, r.unknownFunctionError(c)
		}
		var lists []ducksql.Node
		var columns []*scopeColumn
		for _, f := range fields {
			lists = append(lists, ducksql.FillTemplate("CAST([] AS "+duckDBTypeOf(f.typ)+"[])"))
			columns = append(columns, newTypedColumn(f.name, f.typ))
		}
		return lists, columns, nil
	}
}
