package catalogue

import (
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// The bounds of the gathered texts that functions read. The engine counts the memory in which it gathers them, but not of what functions make of
// them: in a part of many rows, 2048 texts at once.
const (
	maxGatheredBytes       = 2 << 20   // of one in the one row
	maxGatheredBytesOfRows = 128 << 10 // of one in many rows
	maxGatheredCopies      = 32        // in the JSON of the one row
	listItemBytes          = 16        // of a list, beside the text of the item
)

// gatheredTextError is the error of the engine for a gathered text that is too long.
const gatheredTextError = "the gathered text is too long"

// gatheredForm is how the engine computes the length of a value of several rows.
type gatheredForm struct{ macro, length string }

var (
	gatheredText  = gatheredForm{"f_bounded_text", "strlen(?)"}
	gatheredList  = gatheredForm{"f_bounded_list", "len(?) * " + strconv.Itoa(listItemBytes)}
	gatheredTexts = gatheredForm{"f_bounded_texts", "list_sum(list_transform(?, e_item -> coalesce(strlen(e_item), 0) + " + strconv.Itoa(listItemBytes) + "))"}
)

// bounded returns a template of the value, which is an error where it is longer than so many bytes. The value stands in it twice.
func (f gatheredForm) bounded(most string) string {
	return "CASE WHEN " + f.length + " > " + most + " THEN error('" + gatheredTextError + "') ELSE ? END"
}

// gatheredTextMacros reject texts and lists that are too long. The list around the argument lets the engine compute it once.
func gatheredTextMacros() []string {
	var out []string
	for _, f := range []gatheredForm{gatheredText, gatheredList, gatheredTexts} {
		whole := strings.ReplaceAll(f.bounded("most"), "?", "e_whole")
		out = append(out, "CREATE MACRO "+f.macro+"(x, most) AS list_transform([x], e_whole -> "+whole+")[1]")
	}
	return out
}

// boundGatheredText bounds a value that holds a text or list of several rows. The engine copies what it puts into a list: where many rows
// may have one value, it is bounded as a column, or within its subquery.
func boundGatheredText(x parse.Expr, v typedExpr, oneRow bool) ducksql.Node {
	var form gatheredForm
	switch element := elementTypeOf(v.typ); {
	case element != 0 && duckDBTypeOf(element) == "VARCHAR":
		form = gatheredTexts
	case element != 0:
		form = gatheredList
	case v.typ != recordTypeOID && duckDBTypeOf(v.typ) == "VARCHAR":
		form = gatheredText
	default:
		return v.node
	}
	if oneRow {
		return ducksql.FillTemplate(form.macro+"(?, "+strconv.Itoa(maxGatheredBytes)+")", v.node)
	}
	most := strconv.Itoa(maxGatheredBytesOfRows)
	switch x.(type) {
	case *parse.Column:
		return ducksql.FillTemplate(form.bounded(most), v.node, v.node)
	case *parse.ScalarSubquery:
		return ducksql.FillTemplate("(SELECT "+form.macro+"(e_value, "+most+") FROM ? AS e_gathered(e_value))", v.node)
	}
	return ducksql.FillTemplate(form.macro+"(?, "+most+")", v.node)
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
