package postgresgrammar

import (
	"strconv"
	"strings"
)

var likes = map[string]string{"~~": "like", "!~~": "not-like", "~~*": "ilike", "!~~*": "not-ilike"}

func operatorShape(n node) string {
	name, left, right := lastName(n.list("name")), "", shape(n["rexpr"])
	if n["lexpr"] != nil {
		left = shape(n["lexpr"])
	}
	switch kind := n.text("kind"); kind {
	case "AEXPR_DISTINCT", "AEXPR_NOT_DISTINCT":
		return form("is-"+mark(kind == "AEXPR_NOT_DISTINCT", "not-")+"distinct", left, right)
	case "AEXPR_BETWEEN", "AEXPR_NOT_BETWEEN":
		return form(mark(kind == "AEXPR_NOT_BETWEEN", "not-")+"between", left, right)
	case "AEXPR_IN":
		return form(mark(name == "<>", "not-")+"in", left, right)
	case "AEXPR_OP_ANY", "AEXPR_OP_ALL": // of an array
		not := mark(kind == "AEXPR_OP_ALL", "not-")
		if word, array := unwrap(n["rexpr"]); word == "A_ArrayExpr" {
			return form(not+"in", left, shapes(array.list("elements")))
		}
		return form(not+"in-array", left, right)
	case "AEXPR_NULLIF":
		return form("call", `"nullif"`, left, right)
	}
	if like, ok := likes[name]; ok {
		return form(like, left, patternShape(n["rexpr"]))
	}
	if left == "" {
		return form(map[string]string{"+": "plus", "-": "minus"}[name], right)
	}
	return form(name, left, right)
}

// patternShape writes a pattern, and its escape after it.
func patternShape(v any) string {
	kind, n := unwrap(v)
	if kind == "FuncCall" && lastName(n.list("funcname")) == "like_escape" {
		arguments := n.list("args")
		return shape(arguments[0]) + " " + form("escape", shape(arguments[1]))
	}
	return shape(v)
}

func subqueryShape(n node) string {
	switch n.text("subLinkType") {
	case "EXISTS_SUBLINK":
		return form("exists", shape(n["subselect"]))
	case "EXPR_SUBLINK":
		return form("scalar", shape(n["subselect"]))
	}
	_, query := unwrap(n["subselect"])
	if rows := query.list("valuesLists"); len(rows) > 0 {
		return form("in", shape(n["testexpr"]), shapes(rows))
	}
	in := form("in-query", shape(n["testexpr"]), shape(n["subselect"]))
	if n.text("subLinkType") == "ALL_SUBLINK" {
		return form("not", in)
	}
	return in
}

// The names of types that PostgreSQL's grammar gives to the words of SQL.
var typeWords = map[string]string{
	"int4": "integer", "int8": "bigint", "int2": "smallint", "float8": "double precision", "float4": "real", "bool": "boolean", "bpchar": "character",
}

// The masks of the units of an interval.
var intervalUnits = map[string]string{"2": "month", "4": "year", "8": "day", "1024": "hour", "2048": "minute", "4096": "second"}

func typeShape(n node) string {
	name := lastName(n.list("names"))
	if word, ok := typeWords[name]; ok {
		name = word
	}
	arguments := ""
	for _, v := range n.list("typmods") {
		argument := strings.TrimSuffix(strings.TrimPrefix(shape(v), "(number "), ")")
		if unit, ok := intervalUnits[argument]; ok && name == "interval" {
			argument = unit
		}
		arguments += " " + argument
	}
	return form("type", strconv.Quote(name)+arguments)
}

func callShape(n node) string {
	arguments := shapes(n.list("args"))
	if n.is("agg_star") {
		arguments = "(star)"
	}
	within, by := "", part("by", n.list("agg_order"))
	if n.is("agg_within_group") {
		within, by = part("within", n.list("agg_order")), ""
	}
	over := ""
	if n["over"] != nil {
		over = windowShape(n.sub("over"))
	}
	return form("call", strconv.Quote(lastName(n.list("funcname"))), mark(n.is("agg_distinct"), "distinct"), arguments, by, within, option("filter", n["agg_filter"]), over)
}

// The bits of the options of a frame.
const (
	frameNotDefault = 0x1
	frameStarts     = 0x20 | 0x80 | 0x200 | 0x800 | 0x2000
)

var frameBounds = map[int]string{
	0x20: "unbounded-preceding", 0x200: "current-row", 0x800: "preceding", 0x2000: "following",
	0x100: "unbounded-following", 0x400: "current-row", 0x1000: "preceding", 0x4000: "following",
}

func windowShape(n node) string {
	frame := ""
	if options := n.number("frameOptions"); options&frameNotDefault != 0 {
		frame = form("rows", boundShape(options&frameStarts, n["startOffset"]), boundShape(options&^frameStarts&^0x1f, n["endOffset"]))
	}
	return form("over", part("partition", n.list("partitionClause")), part("by", n.list("orderClause")), frame)
}

func boundShape(option int, offset any) string {
	if offset == nil {
		return form(frameBounds[option])
	}
	return form(frameBounds[option], shape(offset))
}
