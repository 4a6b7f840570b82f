package postgresgrammar

import (
	"fmt"
	"strconv"
	"strings"
)

// node is a node of PostgreSQL's tree as JSON: most are wrapped in an object whose only key is
// their kind. Fields with the zero value are absent.
type node map[string]any

// unwrap returns the kind and the fields of a wrapped node.
func unwrap(v any) (string, node) {
	wrapped, _ := v.(map[string]any)
	for kind, fields := range wrapped {
		n, _ := fields.(map[string]any)
		return kind, n
	}
	return "", nil
}

func (n node) sub(key string) node {
	m, _ := n[key].(map[string]any)
	return m
}

func (n node) list(key string) []any {
	l, _ := n[key].([]any)
	return l
}

func (n node) text(key string) string {
	s, _ := n[key].(string)
	return s
}

func (n node) is(key string) bool {
	b, _ := n[key].(bool)
	return b
}

func (n node) number(key string) int {
	f, _ := n[key].(float64)
	return int(f)
}

// form is (word parts…) without the empty parts.
func form(word string, parts ...string) string {
	for _, p := range parts {
		if p != "" {
			word += " " + p
		}
	}
	return "(" + word + ")"
}

func mark(is bool, word string) string {
	if is {
		return word
	}
	return ""
}

func shapes(list []any) string {
	var parts []string
	for _, v := range list {
		parts = append(parts, shape(v))
	}
	return strings.Join(parts, " ")
}

func part(word string, list []any) string {
	if len(list) == 0 {
		return ""
	}
	return form(word, shapes(list))
}

func option(word string, v any) string {
	if v == nil {
		return ""
	}
	return form(word, shape(v))
}

// names quotes the strings of a list.
func names(list []any) string {
	var parts []string
	for _, v := range list {
		_, s := unwrap(v)
		parts = append(parts, strconv.Quote(s.text("sval")))
	}
	return strings.Join(parts, " ")
}

// lastName returns the last string of a list: a function, operator or type without its schema.
func lastName(list []any) string {
	if len(list) == 0 {
		return ""
	}
	_, s := unwrap(list[len(list)-1])
	return s.text("sval")
}

// shape writes PostgreSQL's tree in the form in which the tests of semsql/parse write theirs.
func shape(v any) string {
	kind, n := unwrap(v)
	switch kind {
	case "SelectStmt":
		return queryShape(n)
	case "CommonTableExpr":
		return form("with", strconv.Quote(n.text("ctename")), names(n.list("aliascolnames")), shape(n["ctequery"]))
	case "ResTarget":
		return form("item", shape(n["val"]), mark(n.text("name") != "", strconv.Quote(n.text("name"))))
	case "SortBy":
		return form("order", shape(n["node"]), mark(n.text("sortby_dir") == "SORTBY_DESC", "desc"),
			mark(n.text("sortby_nulls") == "SORTBY_NULLS_FIRST", "first"), mark(n.text("sortby_nulls") == "SORTBY_NULLS_LAST", "last"))
	case "RangeVar", "RangeSubselect", "JoinExpr":
		return relationShape(kind, n)
	case "List":
		return shapes(n.list("items"))
	case "GroupingSet":
		return form(map[string]string{"GROUPING_SET_EMPTY": "set", "GROUPING_SET_ROLLUP": "rollup", "GROUPING_SET_CUBE": "cube", "GROUPING_SET_SETS": "sets"}[n.text("kind")], shapes(n.list("content")))
	case "RowExpr":
		return form("set", shapes(n.list("args")))
	case "GroupingFunc":
		return form("call", strconv.Quote("grouping"), shapes(n.list("args")))
	}
	return exprShape(kind, n)
}

func queryShape(n node) string {
	body := ""
	if op := n.text("op"); op != "" && op != "SETOP_NONE" {
		body = form(strings.ToLower(strings.TrimPrefix(op, "SETOP_")), mark(n.is("all"), "all"), queryShape(n.sub("larg")), queryShape(n.sub("rarg")))
	} else {
		body = form("select", mark(len(n.list("distinctClause")) > 0, "distinct"), shapes(n.list("targetList")), part("from", n.list("fromClause")),
			option("where", n["whereClause"]), part("group", n.list("groupClause")), option("having", n["havingClause"]))
	}
	end := form("", shapes(n.sub("withClause").list("ctes")), part("by", n.list("sortClause")), count("limit", n["limitCount"]), count("offset", n["limitOffset"]))
	if end == "()" {
		return body
	}
	return form("query", body, strings.TrimSuffix(strings.TrimPrefix(end, "( "), ")"))
}

// count returns the number of LIMIT or OFFSET; NULL and ALL are nothing.
func count(word string, v any) string {
	if text := option(word, v); text != form(word, "(null)") {
		return text
	}
	return ""
}

func aliasShape(n node) string {
	if n == nil {
		return ""
	}
	return form("as", strconv.Quote(n.text("aliasname")), names(n.list("colnames")))
}

func relationShape(kind string, n node) string {
	switch kind {
	case "RangeVar":
		var path []string
		for _, key := range []string{"catalogname", "schemaname", "relname"} {
			if n.text(key) != "" {
				path = append(path, strconv.Quote(n.text(key)))
			}
		}
		return form("table", strings.Join(path, " "), aliasShape(n.sub("alias")))
	case "RangeSubselect":
		return form("derived", mark(n.is("lateral"), "lateral"), shape(n["subquery"]), aliasShape(n.sub("alias")))
	}
	return form("join", strings.ToLower(strings.TrimPrefix(n.text("jointype"), "JOIN_")), mark(n.is("isNatural"), "natural"),
		shape(n["larg"]), shape(n["rarg"]), option("on", n["quals"]), names(n.list("usingClause")))
}

func exprShape(kind string, n node) string {
	switch kind {
	case "ColumnRef":
		return columnShape(n)
	case "A_Const":
		return constantShape(n)
	case "ParamRef":
		return form("parameter", strconv.Itoa(n.number("number")))
	case "BoolExpr":
		return form(strings.ToLower(strings.TrimSuffix(n.text("boolop"), "_EXPR")), shapes(n.list("args")))
	case "A_Expr":
		return operatorShape(n)
	case "SubLink":
		return subqueryShape(n)
	case "NullTest":
		return form("is-"+mark(n.text("nulltesttype") == "IS_NOT_NULL", "not-")+"null", shape(n["arg"]))
	case "BooleanTest":
		test := strings.ToLower(strings.ReplaceAll(n.text("booltesttype"), "_", "-"))
		return form(strings.Replace(test, "unknown", "null", 1), shape(n["arg"]))
	case "CaseExpr":
		return form("case", option("of", n["arg"]), shapes(n.list("args")), option("else", n["defresult"]))
	case "CaseWhen":
		return form("when", shape(n["expr"]), shape(n["result"]))
	case "TypeCast":
		return form("cast", shape(n["arg"]), typeShape(n.sub("typeName")))
	case "CoalesceExpr":
		return form("call", `"coalesce"`, shapes(n.list("args")))
	case "MinMaxExpr":
		return form("call", strconv.Quote(strings.ToLower(strings.TrimPrefix(n.text("op"), "IS_"))), shapes(n.list("args")))
	case "FuncCall":
		return callShape(n)
	case "SQLValueFunction":
		return form(strings.ToLower(strings.TrimPrefix(n.text("op"), "SVFOP_")))
	}
	return fmt.Sprintf("(unknown %s %v)", kind, n)
}

func columnShape(n node) string {
	fields := n.list("fields")
	if kind, _ := unwrap(fields[len(fields)-1]); kind == "A_Star" {
		return form("star", names(fields[:len(fields)-1]))
	}
	return form("column", names(fields))
}

func constantShape(n node) string {
	switch {
	case n.is("isnull"):
		return "(null)"
	case n["ival"] != nil:
		return form("number", strconv.Itoa(n.sub("ival").number("ival")))
	case n["fval"] != nil:
		return form("number", n.sub("fval").text("fval"))
	case n["boolval"] != nil:
		return form(strconv.FormatBool(n.sub("boolval").is("boolval")))
	}
	return form("text", strconv.Quote(n.sub("sval").text("sval")))
}
