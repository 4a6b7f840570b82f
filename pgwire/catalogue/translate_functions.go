package catalogue

import (
	"slices"
	"strings"
	"sync"

	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
)

// translatorsByFunctionName are the functions whose form depends on their arguments.
var translatorsByFunctionName = sync.OnceValue(func() map[string]functionTranslator {
	return map[string]functionTranslator{
		"coalesce": newUnifiedArgumentsTranslator("coalesce(?)"), "greatest": newUnifiedArgumentsTranslator("greatest(?)"), "least": newUnifiedArgumentsTranslator("least(?)"),
		"nullif": translateNullIf, "concat": translateConcat, "concat_ws": translateConcatWS, "format": translateFormat,
		"has_table_privilege":                newPrivilegeTranslator(2, translateHasTablePrivilege, "SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER", "RULE"),
		"has_any_column_privilege":           newPrivilegeTranslator(2, translateHasAnyColumnPrivilege, "SELECT", "INSERT", "UPDATE", "REFERENCES"),
		"has_column_privilege":               newPrivilegeTranslator(3, translateHasColumnPrivilege, "SELECT", "INSERT", "UPDATE", "REFERENCES"),
		"has_schema_privilege":               newPrivilegeTranslator(2, newNamedPrivilegeTranslator(regnamespaceTypeOID), "CREATE", "USAGE"),
		"has_type_privilege":                 newPrivilegeTranslator(2, newNamedPrivilegeTranslator(regtypeTypeOID), "USAGE"),
		"has_database_privilege":             newPrivilegeTranslator(2, translateHasDatabasePrivilege, "CREATE", "TEMPORARY", "TEMP", "CONNECT"),
		"has_function_privilege":             newPrivilegeTranslator(2, translateHasPrivilege, "EXECUTE"),
		"has_language_privilege":             newPrivilegeTranslator(2, translateHasPrivilege, "USAGE"),
		"has_sequence_privilege":             newPrivilegeTranslator(2, translateHasPrivilege, "USAGE", "SELECT", "UPDATE"),
		"has_tablespace_privilege":           newPrivilegeTranslator(2, translateHasPrivilege, "CREATE"),
		"has_server_privilege":               newPrivilegeTranslator(2, translateHasPrivilege, "USAGE"),
		"has_foreign_data_wrapper_privilege": newPrivilegeTranslator(2, translateHasPrivilege, "USAGE"),
		"has_parameter_privilege":            newPrivilegeTranslator(2, translateHasPrivilege, "SET", "ALTER SYSTEM"),
		"json_build_object":                  translateJSONBuildObject, "jsonb_build_object": translateJSONBuildObject,
		"parse_ident": translateParseIdent, "date_trunc": translateDateTrunc, "row": translateRow, "round": translateRound,
	}
})

func translateRow(_ *translator, c *functionCall) (typedExpr, error) {
	return typedExpr{node: ducksql.FillTemplate("row(?)", ducksql.CommaList(nodesOfTypedExprs(c.args))), typ: recordTypeOID}, nil
}

func newUnifiedArgumentsTranslator(form string) functionTranslator {
	return func(r *translator, c *functionCall) (typedExpr, error) {
		if len(c.args) == 0 {
			return typedExpr{}, r.unknownFunctionError(c)
		}
		typ, err := r.unifyTypes(c.Call, c.args)
		return typedExpr{node: ducksql.FillTemplate(form, ducksql.CommaList(nodesOfTypedExprs(c.args))), typ: typ}, err
	}
}

func translateNullIf(r *translator, c *functionCall) (typedExpr, error) {
	if len(c.args) != 2 {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	typ, err := r.unifyTypes(c.Call, c.args)
	return typedExpr{node: ducksql.FillTemplate("nullif(?, ?)", c.args[0].node, c.args[1].node), typ: typ}, err
}

func (r *translator) coerceArgumentsToText(c *functionCall, from int) ([]ducksql.Node, error) {
	var out []ducksql.Node
	for _, arg := range c.args[from:] {
		text, err := r.convertToText(c.Call, arg)
		if err != nil {
			return nil, err
		}
		out = append(out, text.node)
	}
	return out, nil
}

func translateConcat(r *translator, c *functionCall) (typedExpr, error) {
	texts, err := r.coerceArgumentsToText(c, 0)
	return typedExpr{node: ducksql.FillTemplate("concat(?)", ducksql.CommaList(texts)), typ: textTypeOID}, err
}

func translateConcatWS(r *translator, c *functionCall) (typedExpr, error) {
	if len(c.args) < 2 {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	texts, err := r.coerceArgumentsToText(c, 0)
	return typedExpr{node: ducksql.FillTemplate("concat_ws(?)", ducksql.CommaList(texts)), typ: textTypeOID}, err
}

// translateFormat prints format('%s %I', …) as a concatenation; the pattern is a literal.
func translateFormat(r *translator, c *functionCall) (typedExpr, error) {
	if len(c.args) == 0 {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	pattern, ok := literalArgumentText(c.args[0])
	if !ok {
		return typedExpr{}, newUnsupportedError(c.Call, "format with a pattern that is an expression")
	}
	parts, next := []ducksql.Node{ducksql.TextLiteral("")}, 1
	for pattern != "" {
		i := strings.IndexByte(pattern, '%')
		if i < 0 {
			i = len(pattern)
		}
		parts = append(parts, ducksql.TextLiteral(pattern[:i]))
		if pattern = pattern[i:]; pattern == "" {
			break
		}
		if len(pattern) < 2 {
			return typedExpr{}, newStatementError(c.Call, sqlstateInvalidParameterValue, "unterminated format() type specifier")
		}
		part, err := r.translateFormatSpecifier(c, pattern[1], &next)
		if err != nil {
			return typedExpr{}, err
		}
		parts = append(parts, part)
		pattern = pattern[2:]
	}
	return typedExpr{node: ducksql.FillTemplate("(?)", ducksql.SeparatedList{Separator: " || ", Nodes: parts}), typ: textTypeOID}, nil
}

func (r *translator) translateFormatSpecifier(c *functionCall, kind byte, next *int) (ducksql.Node, error) {
	forms := map[byte]string{'s': "coalesce(?, '')", 'I': "f_quote_ident(?)", 'L': "coalesce(f_quote_literal(?), 'NULL')"}
	if kind == '%' {
		return ducksql.TextLiteral("%"), nil
	}
	form, ok := forms[kind]
	switch {
	case !ok:
		return nil, newUnsupportedError(c.Call, "this specifier of format()")
	case *next >= len(c.args):
		return nil, newStatementError(c.Call, sqlstateInvalidParameterValue, "too few arguments for format()")
	}
	text, err := r.convertToText(c.Call, c.args[*next])
	*next++
	return ducksql.FillTemplate(form, text.node), err
}

// translateParseIdent prints the parts of a constant name with dots: words are folded, quoted parts kept.
func translateParseIdent(r *translator, c *functionCall) (typedExpr, error) {
	if len(c.args) != 1 && len(c.args) != 2 {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	text, constant := literalArgumentText(c.args[0])
	if !constant {
		if c.args[0].parameter > 0 {
			_, err := r.coerceToType(c.Call, c.args[0], textTypeOID)
			return newNullExpr(arrayTypeOf(textTypeOID)), err
		}
		return typedExpr{}, newUnsupportedError(c.Call, "parse_ident of an expression")
	}
	path, ok := splitQualifiedName(strings.TrimSpace(text))
	if !ok {
		return typedExpr{}, newStatementError(c.Call, sqlstateInvalidParameterValue, `string is not a valid identifier: "`+text+`"`)
	}
	parts := make([]ducksql.Node, len(path))
	for i, part := range path {
		parts[i] = ducksql.TextLiteral(part)
	}
	return typedExpr{node: ducksql.FillTemplate("[?]", ducksql.CommaList(parts)), typ: arrayTypeOf(textTypeOID)}, nil
}

// newPrivilegeTranslator reads a test of privileges, with a role before the other arguments or without. A constant role has to exist, and
// constant privileges are words of the kind of object.
func newPrivilegeTranslator(arguments int, translate functionTranslator, words ...string) functionTranslator {
	return func(r *translator, c *functionCall) (typedExpr, error) {
		switch len(c.args) {
		case arguments:
		case arguments + 1:
			if role, ok := literalArgumentText(c.args[0]); ok && role != "public" && !r.session.isRole(role) {
				return typedExpr{}, newUnknownRoleError(c, role)
			}
		default:
			return typedExpr{}, r.unknownFunctionError(c)
		}
		test, err := translate(r, c)
		if err != nil {
			return typedExpr{}, err
		}
		return test, checkPrivilegeWords(c, words)
	}
}

func newUnknownRoleError(c *functionCall, role string) error {
	return newStatementError(c.Call, sqlstateUndefinedObject, `role "`+role+`" does not exist`)
}

// checkPrivilegeWords refuses a constant list of privileges that has another word than these.
func checkPrivilegeWords(c *functionCall, words []string) error {
	privileges, ok := literalArgumentText(c.args[len(c.args)-1])
	if !ok {
		return nil
	}
	for item := range strings.SplitSeq(privileges, ",") {
		item = strings.TrimSpace(item)
		word := strings.TrimSuffix(strings.ToUpper(item), " WITH GRANT OPTION")
		if !slices.Contains(words, word) {
			return newStatementError(c.Call, sqlstateInvalidParameterValue, `unrecognized privilege type: "`+item+`"`)
		}
	}
	return nil
}

// translateHasPrivilege is true for the privileges that every session has.
func translateHasPrivilege(r *translator, c *functionCall) (typedExpr, error) {
	object := c.args[len(c.args)-2]
	granted, err := r.grantedPrivilegeTest(c)
	if err != nil || object.text != nil {
		return typedExpr{node: granted, typ: boolTypeOID}, err
	}
	return typedExpr{node: ducksql.FillTemplate("CASE WHEN ? IS NOT NULL THEN ? END", object.node, granted), typ: boolTypeOID}, nil
}

// newNamedPrivilegeTranslator is translateHasPrivilege of objects that a constant names by a reg type.
func newNamedPrivilegeTranslator(object uint32) functionTranslator {
	return func(r *translator, c *functionCall) (typedExpr, error) {
		if name, ok := privilegeObjectName(c); ok {
			if _, err := r.parseRegLiteral(c.Call, name, object); err != nil {
				return typedExpr{}, err
			}
		}
		return translateHasPrivilege(r, c)
	}
}

func translateHasDatabasePrivilege(r *translator, c *functionCall) (typedExpr, error) {
	name, ok := privilegeObjectName(c)
	if ok && !slices.ContainsFunc(r.session.allDatabases(), func(d pgwire.ModelDatabase) bool { return d.Name == name }) {
		return typedExpr{}, newStatementError(c.Call, "3D000", `database "`+name+`" does not exist`)
	}
	return translateHasPrivilege(r, c)
}

// privilegeObjectName returns the constant that names the object of a test of privileges.
func privilegeObjectName(c *functionCall) (name string, ok bool) {
	return literalArgumentText(c.args[len(c.args)-2])
}

// grantedPrivilegeTest prints whether the last argument, a list of privileges, names one that every session has.
func (r *translator) grantedPrivilegeTest(c *functionCall) (ducksql.Node, error) {
	last := c.args[len(c.args)-1]
	if text, ok := literalArgumentText(last); ok {
		return ducksql.BoolLiteral(isAnyPrivilegeGranted(text)), nil
	}
	text, err := r.convertToText(c.Call, last)
	return ducksql.FillTemplate("regexp_matches(?, '(^|,)\\s*(SELECT|USAGE|CONNECT|EXECUTE)\\s*(,|$)', 'i')", text.node), err
}

// translateHasTablePrivilege is true for SELECT of a relation that every session may read.
func translateHasTablePrivilege(r *translator, c *functionCall) (typedExpr, error) {
	return r.tablePrivilegeTest(c, c.args[len(c.args)-2], "(f_may_select(?) AND ?)")
}

// translateHasAnyColumnPrivilege is true also where a session may read some columns.
func translateHasAnyColumnPrivilege(r *translator, c *functionCall) (typedExpr, error) {
	return r.tablePrivilegeTest(c, c.args[len(c.args)-2], "(f_may_select_part(?) AND ?)")
}

func translateHasColumnPrivilege(r *translator, c *functionCall) (typedExpr, error) {
	object, column := c.args[len(c.args)-3], c.args[len(c.args)-2]
	if isIntegerType(column.typ) {
		return r.tablePrivilegeTest(c, object, "(f_may_select_column(?, ?) AND ?)", column.node)
	}
	name, err := r.convertToText(c.Call, column)
	if err != nil {
		return typedExpr{}, err
	}
	return r.tablePrivilegeTest(c, object, "(f_may_select_column_named(?, ?) AND ?)", name.node)
}

func (r *translator) tablePrivilegeTest(c *functionCall, object typedExpr, form string, more ...ducksql.Node) (typedExpr, error) {
	granted, err := r.grantedPrivilegeTest(c)
	if err != nil {
		return typedExpr{}, err
	}
	if isTextType(object.typ) {
		if object, err = r.translateCastTo(c.Call, object, regclassTypeOID); err != nil {
			return typedExpr{}, err
		}
	}
	oid, err := r.coerceToType(c.Call, object, oidTypeOID)
	nodes := append(append([]ducksql.Node{oid.node}, more...), granted)
	return typedExpr{node: ducksql.FillTemplate(form, nodes...), typ: boolTypeOID}, err
}

// nullKeyError is the error of the engine for an object of JSON with a key that is null.
const nullKeyError = "a key is null"

// translateJSONBuildObject prints json_build_object with PostgreSQL's spaces.
func translateJSONBuildObject(r *translator, c *functionCall) (typedExpr, error) {
	if len(c.args)%2 != 0 {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	parts := []ducksql.Node{ducksql.TextLiteral("{")}
	for i := 0; i < len(c.args); i += 2 {
		if i > 0 {
			parts = append(parts, ducksql.TextLiteral(", "))
		}
		key, err := r.convertToText(c.Call, c.args[i])
		if err != nil {
			return typedExpr{}, err
		}
		item, err := r.convertToJSONText(c, c.args[i+1])
		if err != nil {
			return typedExpr{}, err
		}
		parts = append(parts, ducksql.FillTemplate("coalesce(CAST(to_json(?) AS VARCHAR), error('"+nullKeyError+"'))", key.node), ducksql.TextLiteral(" : "), item)
	}
	parts = append(parts, ducksql.TextLiteral("}"))
	return typedExpr{node: ducksql.FillTemplate("concat(?)", ducksql.CommaList(parts)), typ: jsonTypeOID}, nil // || would keep a text of each step
}

func (r *translator) convertToJSONText(c *functionCall, v typedExpr) (ducksql.Node, error) {
	element := elementTypeOf(v.typ)
	switch {
	case element != 0 && isIdentifierType(element) && !isRegType(element):
		return ducksql.FillTemplate("coalesce(CAST(to_json(CAST(? AS VARCHAR[])) AS VARCHAR), 'null')", v.node), nil
	case isNumericType(v.typ) && !isIdentifierType(v.typ), v.typ == boolTypeOID, element != 0:
		return ducksql.FillTemplate("coalesce(CAST(to_json(?) AS VARCHAR), 'null')", v.node), nil
	case v.typ == jsonTypeOID:
		return ducksql.FillTemplate("coalesce(?, 'null')", v.node), nil
	}
	text, err := r.convertToText(c.Call, v)
	if err != nil {
		return nil, err
	}
	return ducksql.FillTemplate("coalesce(CAST(to_json(?) AS VARCHAR), 'null')", text.node), nil
}
