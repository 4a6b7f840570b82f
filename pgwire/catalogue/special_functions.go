package catalogue

import (
	"strings"
	"sync"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
)

// specialFunctions are the functions whose form depends on their arguments.
var specialFunctions = sync.OnceValue(func() map[string]sessionFunction {
	return map[string]sessionFunction{
		"coalesce": mergeArguments("coalesce(?)"), "greatest": mergeArguments("greatest(?)"), "least": mergeArguments("least(?)"),
		"nullif": nullIf, "concat": concat, "concat_ws": concatWithSeparator, "format": formatText,
		"has_table_privilege": hasTablePrivilege, "has_any_column_privilege": hasAnyColumnPrivilege, "has_column_privilege": hasColumnPrivilege,
		"has_schema_privilege": hasPrivilege, "has_database_privilege": hasPrivilege, "has_function_privilege": hasPrivilege,
		"has_type_privilege": hasPrivilege, "has_language_privilege": hasPrivilege, "has_sequence_privilege": hasPrivilege,
		"has_tablespace_privilege": hasPrivilege, "has_server_privilege": hasPrivilege, "has_foreign_data_wrapper_privilege": hasPrivilege,
		"has_parameter_privilege": hasPrivilege,
		"json_build_object":       jsonObject, "jsonb_build_object": jsonObject,
		"parse_ident": parseIdent, "row": rowOf,
	}
})

func rowOf(_ *resolver, c *call) (value, error) {
	return value{node: ducksql.Apply("row(?)", ducksql.Commas(nodesOf(c.args))), typ: typeRecord}, nil
}

func mergeArguments(form string) sessionFunction {
	return func(r *resolver, c *call) (value, error) {
		if len(c.args) == 0 {
			return value{}, r.unknownFunction(c)
		}
		typ, err := r.unify(c.Call, c.args)
		return value{node: ducksql.Apply(form, ducksql.Commas(nodesOf(c.args))), typ: typ}, err
	}
}

func nullIf(r *resolver, c *call) (value, error) {
	if len(c.args) != 2 {
		return value{}, r.unknownFunction(c)
	}
	typ, err := r.unify(c.Call, c.args)
	return value{node: ducksql.Apply("nullif(?, ?)", c.args[0].node, c.args[1].node), typ: typ}, err
}

func (r *resolver) textArguments(c *call, from int) ([]ducksql.Node, error) {
	var out []ducksql.Node
	for _, arg := range c.args[from:] {
		text, err := r.toText(c.Call, arg)
		if err != nil {
			return nil, err
		}
		out = append(out, text.node)
	}
	return out, nil
}

func concat(r *resolver, c *call) (value, error) {
	texts, err := r.textArguments(c, 0)
	return value{node: ducksql.Apply("concat(?)", ducksql.Commas(texts)), typ: typeText}, err
}

func concatWithSeparator(r *resolver, c *call) (value, error) {
	if len(c.args) < 2 {
		return value{}, r.unknownFunction(c)
	}
	texts, err := r.textArguments(c, 0)
	return value{node: ducksql.Apply("concat_ws(?)", ducksql.Commas(texts)), typ: typeText}, err
}

// formatText prints format('%s %I', …) as a concatenation; the pattern is a literal.
func formatText(r *resolver, c *call) (value, error) {
	if len(c.args) == 0 {
		return value{}, r.unknownFunction(c)
	}
	pattern, ok := constantText(c.args[0])
	if !ok {
		return value{}, newUnsupportedError(c.Call, "format with a pattern that is an expression")
	}
	parts, next := []ducksql.Node{ducksql.Text("")}, 1
	for pattern != "" {
		i := strings.IndexByte(pattern, '%')
		if i < 0 {
			i = len(pattern)
		}
		parts = append(parts, ducksql.Text(pattern[:i]))
		if pattern = pattern[i:]; pattern == "" {
			break
		}
		if len(pattern) < 2 {
			return value{}, newError(c.Call, "22023", "unterminated format() type specifier")
		}
		part, err := r.formatPart(c, pattern[1], &next)
		if err != nil {
			return value{}, err
		}
		parts = append(parts, part)
		pattern = pattern[2:]
	}
	return value{node: ducksql.Apply("(?)", ducksql.List{Separator: " || ", Nodes: parts}), typ: typeText}, nil
}

func (r *resolver) formatPart(c *call, kind byte, next *int) (ducksql.Node, error) {
	forms := map[byte]string{'s': "coalesce(?, '')", 'I': "f_quote_ident(?)", 'L': "coalesce(f_quote_literal(?), 'NULL')"}
	if kind == '%' {
		return ducksql.Text("%"), nil
	}
	form, ok := forms[kind]
	switch {
	case !ok:
		return nil, newUnsupportedError(c.Call, "this specifier of format()")
	case *next >= len(c.args):
		return nil, newError(c.Call, "22023", "too few arguments for format()")
	}
	text, err := r.toText(c.Call, c.args[*next])
	*next++
	return ducksql.Apply(form, text.node), err
}

// parseIdent prints the parts of a constant name with dots: words are folded, quoted parts kept.
func parseIdent(r *resolver, c *call) (value, error) {
	if len(c.args) != 1 && len(c.args) != 2 {
		return value{}, r.unknownFunction(c)
	}
	text, constant := constantText(c.args[0])
	if !constant {
		if c.args[0].parameter > 0 {
			_, err := r.coerce(c.Call, c.args[0], typeText)
			return nullValue(arrayOf(typeText)), err
		}
		return value{}, newUnsupportedError(c.Call, "parse_ident of an expression")
	}
	path, ok := splitName(strings.TrimSpace(text))
	if !ok {
		return value{}, newError(c.Call, "22023", `string is not a valid identifier: "`+text+`"`)
	}
	parts := make([]ducksql.Node, len(path))
	for i, part := range path {
		parts[i] = ducksql.Text(part)
	}
	return value{node: ducksql.Apply("[?]", ducksql.Commas(parts)), typ: arrayOf(typeText)}, nil
}

// hasPrivilege is true for the privileges that every session has.
func hasPrivilege(r *resolver, c *call) (value, error) {
	if len(c.args) != 2 && len(c.args) != 3 {
		return value{}, r.unknownFunction(c)
	}
	object := c.args[len(c.args)-2]
	granted, err := r.grantedTest(c)
	if err != nil || object.text != nil {
		return value{node: granted, typ: typeBool}, err
	}
	return value{node: ducksql.Apply("CASE WHEN ? IS NOT NULL THEN ? END", object.node, granted), typ: typeBool}, nil
}

// grantedTest prints whether the last argument, a list of privileges, names one that every session has.
func (r *resolver) grantedTest(c *call) (ducksql.Node, error) {
	last := c.args[len(c.args)-1]
	if text, ok := constantText(last); ok {
		return ducksql.Bool(isGranted(text)), nil
	}
	text, err := r.toText(c.Call, last)
	return ducksql.Apply("regexp_matches(?, '(^|,)\\s*(SELECT|USAGE|CONNECT|EXECUTE)\\s*(,|$)', 'i')", text.node), err
}

// hasTablePrivilege is true for SELECT of a relation that every session may read.
func hasTablePrivilege(r *resolver, c *call) (value, error) {
	if len(c.args) != 2 && len(c.args) != 3 {
		return value{}, r.unknownFunction(c)
	}
	return r.tablePrivilege(c, c.args[len(c.args)-2], "(f_may_select(?) AND ?)")
}

// hasAnyColumnPrivilege is true also where a session may read some columns.
func hasAnyColumnPrivilege(r *resolver, c *call) (value, error) {
	if len(c.args) != 2 && len(c.args) != 3 {
		return value{}, r.unknownFunction(c)
	}
	return r.tablePrivilege(c, c.args[len(c.args)-2], "(f_may_select_part(?) AND ?)")
}

func hasColumnPrivilege(r *resolver, c *call) (value, error) {
	if len(c.args) != 3 && len(c.args) != 4 {
		return value{}, r.unknownFunction(c)
	}
	object, number := c.args[len(c.args)-3], c.args[len(c.args)-2]
	if !isInteger(number.typ) {
		return r.tablePrivilege(c, object, "(f_may_select(?) AND ?)")
	}
	return r.tablePrivilege(c, object, "(f_may_select_column(?, ?) AND ?)", number.node)
}

func (r *resolver) tablePrivilege(c *call, object value, form string, more ...ducksql.Node) (value, error) {
	granted, err := r.grantedTest(c)
	if err != nil {
		return value{}, err
	}
	if isText(object.typ) {
		if object, err = r.cast(c.Call, object, typeRegclass); err != nil {
			return value{}, err
		}
	}
	oid, err := r.coerce(c.Call, object, typeOID)
	nodes := append(append([]ducksql.Node{oid.node}, more...), granted)
	return value{node: ducksql.Apply(form, nodes...), typ: typeBool}, err
}

// jsonObject prints json_build_object with PostgreSQL's spaces.
func jsonObject(r *resolver, c *call) (value, error) {
	if len(c.args)%2 != 0 {
		return value{}, r.unknownFunction(c)
	}
	parts := []ducksql.Node{ducksql.Text("{")}
	for i := 0; i < len(c.args); i += 2 {
		if i > 0 {
			parts = append(parts, ducksql.Text(", "))
		}
		key, err := r.toText(c.Call, c.args[i])
		if err != nil {
			return value{}, err
		}
		item, err := r.jsonItem(c, c.args[i+1])
		if err != nil {
			return value{}, err
		}
		parts = append(parts, ducksql.Apply("CAST(to_json(?) AS VARCHAR)", key.node), ducksql.Text(" : "), item)
	}
	parts = append(parts, ducksql.Text("}"))
	return value{node: ducksql.Apply("(?)", ducksql.List{Separator: " || ", Nodes: parts}), typ: typeJSON}, nil
}

func (r *resolver) jsonItem(c *call, v value) (ducksql.Node, error) {
	if isNumber(v.typ) && !isReg(v.typ) || v.typ == typeBool || elementOf(v.typ) != 0 {
		return ducksql.Apply("coalesce(CAST(to_json(?) AS VARCHAR), 'null')", v.node), nil
	}
	if v.typ == typeJSON {
		return ducksql.Apply("coalesce(?, 'null')", v.node), nil
	}
	text, err := r.toText(c.Call, v)
	if err != nil {
		return nil, err
	}
	return ducksql.Apply("coalesce(CAST(to_json(?) AS VARCHAR), 'null')", text.node), nil
}
