package parse_test

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/parse"
)

// shapeOf writes a tree as PostgreSQL understands the statement: names folded, chains of AND
// flat, a sign part of its number, NOT IN as the negation of IN. integration/postgresgrammar
// writes PostgreSQL's trees in the same form.
func shapeOf(n parse.Node) string {
	switch n := n.(type) {
	case *parse.Query:
		return queryShape(n)
	case *parse.Select:
		return form("select", mark(n.Distinct, "distinct"), shapes(n.Items), part("from", n.From), option("where", n.Where), part("group", n.GroupBy), option("having", n.Having))
	case *parse.SetOperation:
		return form(strings.ToLower(n.Operator.String()), mark(n.All, "all"), shapeOf(n.Left), shapeOf(n.Right))
	case *parse.CommonTable:
		return form("with", nameShape(n.Name), nameShapes(n.Columns), shapeOf(n.Query))
	case *parse.SelectItem:
		if n.Alias.Text == "" {
			return form("item", shapeOf(n.X))
		}
		return form("item", shapeOf(n.X), nameShape(n.Alias))
	case *parse.OrderItem:
		return form("order", shapeOf(n.X), mark(n.Desc, "desc"), [...]string{"", "first", "last"}[n.Nulls])
	case parse.Relation:
		return relationShape(n)
	case *parse.Window:
		return windowShape(n)
	case parse.Expr:
		return exprShape(n)
	}
	panic(fmt.Sprintf("%T has no shape", n))
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

func shapes[N parse.Node](list []N) string {
	var parts []string
	for _, n := range list {
		parts = append(parts, shapeOf(n))
	}
	return strings.Join(parts, " ")
}

// part returns a list with a word before it; nothing for an empty one.
func part[N parse.Node](word string, list []N) string {
	if len(list) == 0 {
		return ""
	}
	return form(word, shapes(list))
}

func option(word string, x parse.Expr) string {
	if x == nil {
		return ""
	}
	return form(word, shapeOf(x))
}

func nameShape(n parse.Name) string {
	if n.Quoted {
		return strconv.Quote(n.Text)
	}
	folded := strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, n.Text)
	return strconv.Quote(folded)
}

func nameShapes(names []parse.Name) string {
	var parts []string
	for _, n := range names {
		parts = append(parts, nameShape(n))
	}
	return strings.Join(parts, " ")
}

func queryShape(q *parse.Query) string {
	body := shapeOf(q.Body)
	end := form("", shapes(q.With), part("by", q.OrderBy), option("limit", q.Limit), option("offset", q.Offset))
	if end == "()" {
		return body
	}
	return form("query", body, strings.TrimSuffix(strings.TrimPrefix(end, "( "), ")"))
}

func aliasShape(a *parse.TableAlias) string {
	if a == nil {
		return ""
	}
	return form("as", nameShape(a.Name), nameShapes(a.Columns))
}

func relationShape(r parse.Relation) string {
	switch r := r.(type) {
	case *parse.Table:
		return form("table", nameShapes(r.Path), aliasShape(r.Alias))
	case *parse.DerivedTable:
		return form("derived", mark(r.Lateral, "lateral"), shapeOf(r.Query), aliasShape(r.Alias))
	case *parse.Join:
		kind := strings.ToLower(r.Kind.String())
		if r.Kind == parse.CrossJoin {
			kind = "inner"
		}
		return form("join", kind, mark(r.Natural, "natural"), shapeOf(r.Left), shapeOf(r.Right), option("on", r.On), nameShapes(r.Using))
	case *parse.SemanticView, *parse.AliasedJoin, *parse.FunctionTable: // which PostgreSQL's grammar does not have here
	}
	panic(fmt.Sprintf("%T has no shape", r))
}

func exprShape(x parse.Expr) string {
	switch x := x.(type) {
	case *parse.Grouping:
		return form([...]string{"set", "rollup", "cube", "sets"}[x.Kind], shapes(x.Items))
	case *parse.Unary:
		return unaryShape(x)
	case *parse.Binary:
		return binaryShape(x)
	case *parse.Between:
		return form(mark(x.Not, "not-")+"between", shapeOf(x.X), shapeOf(x.Lo), shapeOf(x.Hi))
	case *parse.In:
		return form(mark(x.Not, "not-")+"in", shapeOf(x.X), shapes(x.Items))
	case *parse.InArray:
		array := shapeOf(x.Array)
		for _, to := range x.Casts {
			array = form("cast", array, typeShape(to))
		}
		return form(mark(x.Not, "not-")+"in-array", shapeOf(x.X), array)
	case *parse.InQuery:
		return negated(x.Not, form("in-query", shapeOf(x.X), shapeOf(x.Query)))
	case *parse.Like:
		return form(mark(x.Not, "not-")+mark(x.Fold, "i")+"like", shapeOf(x.X), shapeOf(x.Pattern), option("escape", x.Escape))
	case *parse.IsNull:
		return form("is-"+mark(x.Not, "not-")+"null", shapeOf(x.X))
	case *parse.IsTruth:
		return form("is-"+mark(x.Not, "not-")+strconv.FormatBool(x.Want), shapeOf(x.X))
	case *parse.Case:
		whens := ""
		for _, w := range x.Whens {
			whens += " " + form("when", shapeOf(w.Cond), shapeOf(w.Then))
		}
		return form("case", option("of", x.Operand), strings.TrimSpace(whens), option("else", x.Else))
	case *parse.Cast:
		return form("cast", shapeOf(x.X), typeShape(x.To))
	case *parse.Extract:
		return form("call", `"extract"`, form("text", strconv.Quote(x.Part)), shapeOf(x.X))
	case *parse.Call:
		return callShape(x)
	case *parse.MeasureCall:
		return form("call", `"measure"`, shapeOf(x.Metric), option("filter", x.Filter))
	case *parse.ScalarSubquery:
		return form("scalar", shapeOf(x.Query))
	case *parse.Exists:
		return form("exists", shapeOf(x.Query))
	}
	return leafShape(x)
}

func negated(not bool, shape string) string {
	if not {
		return form("not", shape)
	}
	return shape
}

// numberShape writes an integer without a leading zero.
func numberShape(text string) string { return form("number", text) }

// unaryShape makes a sign part of its number, as PostgreSQL does.
func unaryShape(x *parse.Unary) string {
	operand := shapeOf(x.X)
	switch number, ok := strings.CutPrefix(operand, "(number "); {
	case x.Op == parse.OpNot:
		return form("not", operand)
	case x.Op == parse.OpPlus:
		return form("plus", operand)
	case ok && operand == "(number 0)":
		return operand
	case ok && strings.HasPrefix(number, "-"):
		return "(number " + number[1:]
	case ok:
		return "(number -" + number
	}
	return form("minus", operand)
}

var operatorShapes = map[sqlexpr.BinaryOp]string{parse.OpIsDistinctFrom: "is-distinct", parse.OpIsNotDistinctFrom: "is-not-distinct"}

func binaryShape(x *parse.Binary) string {
	if x.Op == parse.OpAnd || x.Op == parse.OpOr {
		var operands []string
		left := parse.Expr(x)
		for {
			b, ok := left.(*parse.Binary)
			if !ok || b.Op != x.Op {
				break
			}
			operands = append([]string{shapeOf(b.R)}, operands...)
			left = b.L
		}
		return form(strings.ToLower(x.Op.String()), shapeOf(left), strings.Join(operands, " "))
	}
	word := operatorShapes[x.Op]
	if word == "" {
		word = x.Op.String()
	}
	return form(word, shapeOf(x.L), shapeOf(x.R))
}

func typeShape(t *parse.TypeName) string {
	arguments := ""
	for _, n := range t.Arguments {
		arguments += " " + strconv.Itoa(n)
	}
	return form("type", strconv.Quote(t.Name)+arguments)
}

func leafShape(x parse.Expr) string {
	switch x := x.(type) {
	case *parse.Column:
		return form("column", nameShapes(x.Path))
	case *parse.Star:
		return form("star", nameShapes(x.Qualifier))
	case *parse.Parameter:
		return form("parameter", strconv.Itoa(x.Number))
	case *parse.Number:
		return numberShape(x.Text)
	case *parse.String:
		return form("text", strconv.Quote(x.Value))
	case *parse.Bool:
		return form(strconv.FormatBool(x.Value))
	case *parse.Null:
		return form("null")
	case *parse.TimeLiteral:
		return form("cast", form("text", strconv.Quote(x.Value)), form("type", strconv.Quote(x.Type)))
	case *parse.Interval:
		return form("cast", form("text", strconv.Quote(x.Value)), form("type", `"interval"`, x.Unit))
	case *parse.SessionValue:
		return form(x.Word)
	}
	panic(fmt.Sprintf("%T has no shape", x))
}

func callShape(c *parse.Call) string {
	name := nameShape(c.Function)
	arguments := shapes(c.Arguments)
	switch name {
	case `"trim"`:
		name = `"btrim"`
	case `"position"`:
		arguments = shapeOf(c.Arguments[1]) + " " + shapeOf(c.Arguments[0])
	}
	over := ""
	if c.Over != nil {
		over = shapeOf(c.Over)
	}
	return form("call", name, mark(c.Distinct, "distinct"), arguments, part("by", c.OrderBy), part("within", c.WithinGroup), option("filter", c.Filter), over)
}

func windowShape(w *parse.Window) string {
	frame := ""
	if w.Frame != nil {
		frame = form("rows", boundShape(w.Frame.Start), boundShape(w.Frame.End))
	}
	return form("over", part("partition", w.PartitionBy), part("by", w.OrderBy), frame)
}

func boundShape(b *parse.FrameBound) string {
	word := [...]string{"unbounded-preceding", "preceding", "current-row", "following", "unbounded-following"}[b.Kind]
	if b.Offset == nil {
		return form(word)
	}
	return form(word, shapeOf(b.Offset))
}
