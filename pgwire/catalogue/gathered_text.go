package catalogue

import (
	"strconv"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// The bounds of the gathered texts that functions of the one row read. The engine counts the memory in which it gathers them, but
// not of what functions make of them.
const (
	maxGatheredBytes  = 2 << 20 // of one
	maxGatheredCopies = 32      // in the JSON of the row
	listItemBytes     = 16      // of a list, beside the text of the item
)

// gatheredTextError is the error of the engine for a gathered text that is too long.
const gatheredTextError = "the gathered text is too long"

// gatheredTextMacros reject texts and lists that are too long. The list around the argument lets the engine compute it once.
func gatheredTextMacros() []string {
	bounded := func(name, length string) string {
		return "CREATE MACRO " + name + "(x) AS list_transform([x], e_whole -> CASE WHEN " + length + " > " + strconv.Itoa(maxGatheredBytes) +
			" THEN error('" + gatheredTextError + "') ELSE e_whole END)[1]"
	}
	item := strconv.Itoa(listItemBytes)
	return []string{
		bounded("f_bounded_text", "strlen(e_whole)"),
		bounded("f_bounded_list", "len(e_whole) * "+item),
		bounded("f_bounded_texts", "list_sum(list_transform(e_whole, e_item -> coalesce(strlen(e_item), 0) + "+item+"))"),
	}
}

// boundGatheredText bounds a value that holds a text or list of several rows.
func boundGatheredText(v typedExpr) ducksql.Node {
	var form string
	switch element := elementTypeOf(v.typ); {
	case element != 0 && duckDBTypeOf(element) == "VARCHAR":
		form = "f_bounded_texts"
	case element != 0:
		form = "f_bounded_list"
	case v.typ != recordTypeOID && duckDBTypeOf(v.typ) == "VARCHAR":
		form = "f_bounded_text"
	default:
		return v.node
	}
	return ducksql.FillTemplate(form+"(?)", v.node)
}

// makesText reports whether an expression makes texts or lists of its parts, in memory that the engine does not count.
func makesText(x parse.Expr) bool {
	switch x := x.(type) {
	case *parse.Binary:
		return x.Op == parse.OpConcat
	case *parse.Call:
		switch parse.FoldName(x.Function) {
		case "coalesce", "nullif", "greatest", "least", "length", "char_length", "character_length", "octet_length", "strpos", "md5",
			"array_length", "array_upper", "array_lower", "array_ndims", "array_position", "cardinality":
			return false
		}
		return !isAggregate(x)
	}
	return false
}
