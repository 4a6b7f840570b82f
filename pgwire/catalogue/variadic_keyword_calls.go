package catalogue

import (
	"slices"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// functionsTakingVariadic are the functions with any number of arguments, and how many they have before those.
var functionsTakingVariadic = map[string]int{"concat": 0, "concat_ws": 1, "format": 1, "json_build_object": 0}

// translateVariadicKeywordCall prints a call whose last argument is an array of arguments.
func (r *translator) translateVariadicKeywordCall(x *parse.Call, name string, last *parse.Variadic, s *scope) (typedExpr, error) {
	before := x.Arguments[:len(x.Arguments)-1]
	fixed, known := functionsTakingVariadic[name]
	if !known || len(before) != fixed {
		args, err := r.translateExprs(before, s)
		if err != nil {
			return typedExpr{}, err
		}
		return typedExpr{}, r.unknownFunctionError(&functionCall{Call: x, name: name, args: args})
	}
	if items, ok := last.X.(*parse.ArrayConstructor); ok {
		if _, err := r.translateArray(items, s); err != nil { // the items have one type
			return typedExpr{}, err
		}
		if nested := slices.ContainsFunc(items.Items, isArrayConstructor); nested {
			return typedExpr{}, newUnsupportedError(last, "VARIADIC of an array of arrays")
		}
		written := *x
		written.Arguments = slices.Concat(before, items.Items)
		return r.translateCall(&written, s)
	}
	return r.translateConcatOfVariadicArray(x, name, before, last, s)
}

func isArrayConstructor(x parse.Expr) bool {
	_, ok := x.(*parse.ArrayConstructor)
	return ok
}

// translateConcatOfVariadicArray prints concat and concat_ws of the elements of an array.
func (r *translator) translateConcatOfVariadicArray(x *parse.Call, name string, before []parse.Expr, last *parse.Variadic, s *scope) (typedExpr, error) {
	list, err := r.translateExpr(last.X, s)
	if err != nil {
		return typedExpr{}, err
	}
	element := elementTypeOf(list.typ)
	if (name != "concat" && name != "concat_ws") || !isTextType(element) && !isIntegerType(element) {
		return typedExpr{}, newUnsupportedError(last, "VARIADIC of this array")
	}
	separator := typedExpr{node: ducksql.TextLiteral(""), typ: textTypeOID}
	if name == "concat_ws" {
		if separator, err = r.translateExpr(before[0], s); err == nil {
			separator, err = r.convertToText(x, separator)
		}
	}
	return typedExpr{node: ducksql.FillTemplate("f_array_to_string(?, ?)", list.node, separator.node), typ: textTypeOID}, err
}
