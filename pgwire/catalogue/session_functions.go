package catalogue

import (
	"net/netip"
	"slices"
	"strings"
	"sync"

	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/semsql/parse"
)

// parameter is the value of a parameter.
type parameter = pgwire.BindParameterValue

// session is what a statement may ask of the session that sends it.
type session struct {
	database  string
	user      string
	processID uint32
	databases []pgwire.ModelDatabase
	version   string
	variables pgwire.SessionVariables
	server    netip.AddrPort
	client    netip.AddrPort
	sessions  pgwire.SessionSignals
	now       string // the time of the statement
	// answers reports that the rows of the statement are read: set_config acts only then.
	answers bool
}

// relationOwnerName owns every relation.
const (
	relationOwnerName = "semlayer"
	relationOwnerOID  = 10
)

func (s session) userOID() uint32 {
	if s.user == relationOwnerName {
		return relationOwnerOID
	}
	for _, r := range builtinRoles() {
		if r.name == s.user {
			return r.oid
		}
	}
	return hashToModelOID("role", s.user)
}

// functionTranslator prints a function whose value depends on the session.
type functionTranslator func(r *translator, c *functionCall) (typedExpr, error)

var sessionFunctionTranslatorsByName = sync.OnceValue(func() map[string]functionTranslator {
	return map[string]functionTranslator{
		"current_database":         newSessionValueTranslator(func(s session) typedExpr { return newNameExpr(s.database) }),
		"current_catalog":          newSessionValueTranslator(func(s session) typedExpr { return newNameExpr(s.database) }),
		"current_schema":           newSessionValueTranslator(func(session) typedExpr { return newNameExpr("public") }),
		"current_user":             newSessionValueTranslator(func(s session) typedExpr { return newNameExpr(s.user) }),
		"session_user":             newSessionValueTranslator(func(s session) typedExpr { return newNameExpr(s.user) }),
		"user":                     newSessionValueTranslator(func(s session) typedExpr { return newNameExpr(s.user) }),
		"current_role":             newSessionValueTranslator(func(s session) typedExpr { return newNameExpr(s.user) }),
		"getpgusername":            newSessionValueTranslator(func(s session) typedExpr { return newNameExpr(s.user) }),
		"version":                  newSessionValueTranslator(func(s session) typedExpr { return newTextExpr("PostgreSQL 15.0 (semlayer " + s.version + ")") }),
		"pg_backend_pid":           newSessionValueTranslator(func(s session) typedExpr { return newIntExpr(int64(s.processID), int4TypeOID) }),
		"inet_server_addr":         newSessionValueTranslator(func(s session) typedExpr { return newInetExpr(s.server) }),
		"inet_client_addr":         newSessionValueTranslator(func(s session) typedExpr { return newInetExpr(s.client) }),
		"inet_server_port":         newSessionValueTranslator(func(s session) typedExpr { return newPortExpr(s.server) }),
		"inet_client_port":         newSessionValueTranslator(func(s session) typedExpr { return newPortExpr(s.client) }),
		"pg_is_in_recovery":        newSessionValueTranslator(func(session) typedExpr { return newBoolExpr(false) }),
		"pg_my_temp_schema":        newSessionValueTranslator(func(session) typedExpr { return newIntExpr(0, oidTypeOID) }),
		"getdatabaseencoding":      newSessionValueTranslator(func(session) typedExpr { return newNameExpr("UTF8") }),
		"pg_client_encoding":       newSessionValueTranslator(func(session) typedExpr { return newNameExpr("UTF8") }),
		"txid_current":             newSessionValueTranslator(func(session) typedExpr { return newIntExpr(1, int8TypeOID) }),
		"now":                      newSessionValueTranslator(newStatementTimeExpr),
		"statement_timestamp":      newSessionValueTranslator(newStatementTimeExpr),
		"transaction_timestamp":    newSessionValueTranslator(newStatementTimeExpr),
		"clock_timestamp":          newSessionValueTranslator(newStatementTimeExpr),
		"pg_postmaster_start_time": newSessionValueTranslator(newStatementTimeExpr),
		"pg_conf_load_time":        newSessionValueTranslator(newStatementTimeExpr),
		"current_schemas":          translateCurrentSchemas,
		"current_setting":          translateCurrentSetting,
		"set_config":               translateSetConfig,
		"pg_cancel_backend":        translateSignalBackend,
		"pg_terminate_backend":     translateSignalBackend,
		"pg_advisory_unlock_all":   translateUnlockAll,
		"pg_get_userbyid":          translateGetUserByID,
		"pg_has_role":              newPrivilegeTranslator(2, translateHasRole, "USAGE", "MEMBER", "USAGE WITH ADMIN OPTION", "MEMBER WITH ADMIN OPTION"),
		"shobj_description":        translateShobjDescription,
	}
})

func newSessionValueTranslator(of func(session) typedExpr) functionTranslator {
	return func(r *translator, c *functionCall) (typedExpr, error) {
		if len(c.args) > 0 {
			return typedExpr{}, r.unknownFunctionError(c)
		}
		return of(r.session), nil
	}
}

func newInetExpr(a netip.AddrPort) typedExpr {
	if !a.IsValid() {
		return newNullExpr(inetTypeOID)
	}
	return typedExpr{node: ducksql.TextLiteral(a.Addr().String()), typ: inetTypeOID}
}

func newPortExpr(a netip.AddrPort) typedExpr {
	if !a.IsValid() {
		return newNullExpr(int4TypeOID)
	}
	return newIntExpr(int64(a.Port()), int4TypeOID)
}

func newStatementTimeExpr(s session) typedExpr {
	return typedExpr{node: ducksql.FillTemplate("CAST(? AS TIMESTAMP)", ducksql.TextLiteral(s.now)), typ: timestamptzTypeOID}
}

// translateSessionValue prints the words that are values of the session: current_user, current_date.
func (r *translator) translateSessionValue(x *parse.SessionValue) (typedExpr, error) {
	switch x.Word {
	case "current_date":
		return r.castTime(newStatementTimeExpr(r.session), dateTypeOID), nil
	case "current_timestamp":
		return newStatementTimeExpr(r.session), nil
	case "localtimestamp":
		return r.castTime(newStatementTimeExpr(r.session), timestampTypeOID), nil
	}
	if f, ok := sessionFunctionTranslatorsByName()[x.Word]; ok {
		return f(r, &functionCall{Call: &parse.Call{Position: x.Position}, name: x.Word})
	}
	return typedExpr{}, newUnsupportedError(x, strings.ToUpper(x.Word))
}

func translateCurrentSchemas(r *translator, c *functionCall) (typedExpr, error) {
	if len(c.args) != 1 {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	implicit, err := r.coerceToType(c.Call, c.args[0], boolTypeOID)
	form := "CASE WHEN ? THEN ['pg_catalog', 'public'] ELSE ['public'] END"
	return typedExpr{node: ducksql.FillTemplate(form, implicit.node), typ: arrayTypeOf(nameTypeOID)}, err
}

// literalArgumentText returns the text of an argument that is a literal.
func literalArgumentText(v typedExpr) (string, bool) {
	if v.text != nil {
		return *v.text, true
	}
	text, ok := v.node.(ducksql.TextLiteral)
	return string(text), ok
}

func translateCurrentSetting(r *translator, c *functionCall) (typedExpr, error) {
	if len(c.args) != 1 && len(c.args) != 2 {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	name, ok := literalArgumentText(c.args[0])
	if !ok && c.args[0].parameter > 0 {
		_, err := r.coerceToType(c.Call, c.args[0], textTypeOID)
		return newNullExpr(textTypeOID), err
	}
	if !ok {
		return r.translateSettingNamedByExpr(c)
	}
	if text, ok := r.findVariableOrSetting(name); ok {
		return newTextExpr(text), nil
	}
	if pgwire.IsSuperuserVariable(name) {
		return typedExpr{}, newStatementError(nil, "42501", "only a superuser reads the variable "+strings.ToLower(name))
	}
	if len(c.args) == 2 {
		if missing, ok := c.args[1].node.(ducksql.BoolLiteral); ok && bool(missing) {
			return newNullExpr(textTypeOID), nil
		}
	}
	return typedExpr{}, newStatementError(c.Call, sqlstateUndefinedObject, `unrecognized configuration parameter "`+name+`"`)
}

// translateSettingNamedByExpr prints the value of the setting that an expression names.
func (r *translator) translateSettingNamedByExpr(c *functionCall) (typedExpr, error) {
	name, err := r.convertToText(c.Call, c.args[0])
	if err != nil {
		return typedExpr{}, err
	}
	var rows [][]string
	for _, s := range builtinSettings() {
		text, _ := r.findVariableOrSetting(s.name)
		rows = append(rows, []string{strings.ToLower(s.name), text})
	}
	known := literalRowsSubquery([]uint32{textTypeOID, textTypeOID}, rows)
	return typedExpr{node: ducksql.FillTemplate("(SELECT s.c2 FROM ? AS s WHERE s.c1 = lower(?))", known, name.node), typ: textTypeOID}, nil
}

// findVariableOrSetting returns the value of a variable of the session, or else of a setting of PostgreSQL.
func (r *translator) findVariableOrSetting(name string) (string, bool) {
	if r.session.variables != nil {
		if text, ok := r.session.variables.Lookup(name); ok {
			return text, true
		}
	}
	for _, s := range builtinSettings() {
		if strings.EqualFold(s.name, name) {
			return s.shown, true
		}
	}
	return "", false
}

func translateSetConfig(r *translator, c *functionCall) (typedExpr, error) {
	if len(c.args) != 3 {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	local, err := r.coerceToType(c.Call, c.args[2], boolTypeOID)
	if err != nil {
		return typedExpr{}, err
	}
	name, named := literalArgumentText(c.args[0])
	text, valued := literalArgumentText(c.args[1])
	isLocal, known := local.node.(ducksql.BoolLiteral)
	if !r.session.answers {
		for _, arg := range c.args[:2] {
			if _, err := r.coerceToType(c.Call, arg, textTypeOID); err != nil {
				return typedExpr{}, err
			}
		}
		return newNullExpr(textTypeOID), nil
	}
	if !named || !valued || !known {
		return r.newEffectExpr(c, []uint32{textTypeOID, textTypeOID, boolTypeOID}, textTypeOID, r.setConfigOfRow)
	}
	if err := r.session.variables.Set(name, text, bool(isLocal)); err != nil {
		return typedExpr{}, err
	}
	return newTextExpr(text), nil
}

// setConfigOfRow sets the variable that a row names.
func (r *translator) setConfigOfRow(args []any) (any, error) {
	name, named := args[0].(string)
	if !named {
		return nil, newStatementError(nil, "22004", "SET requires parameter name")
	}
	text, _ := args[1].(string)
	return text, r.session.variables.Set(name, text, args[2] == "true")
}

func translateGetUserByID(r *translator, c *functionCall) (typedExpr, error) {
	if len(c.args) != 1 {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	oid, err := r.coerceToType(c.Call, c.args[0], oidTypeOID)
	return typedExpr{node: ducksql.FillTemplate("f_role_name(?, ?, ?)", oid.node, ducksql.IntegerLiteral(r.session.userOID()), ducksql.TextLiteral(r.session.user)), typ: nameTypeOID}, err
}

// isRole reports whether a role has the name.
func (s session) isRole(name string) bool {
	return name == s.user || name == relationOwnerName || slices.ContainsFunc(builtinRoles(), func(r builtinRole) bool { return r.name == name })
}

// translateHasRole is true of the user's own role, and of the owner's, of which every user is a member: information_schema shows the
// constraints of relations to members of their owner.
func translateHasRole(r *translator, c *functionCall) (typedExpr, error) {
	role := c.args[len(c.args)-2]
	if name, ok := literalArgumentText(role); ok && !r.session.isRole(name) {
		return typedExpr{}, newUnknownRoleError(c, name)
	}
	if isTextType(role.typ) {
		name, err := r.convertToText(c.Call, role)
		return typedExpr{node: ducksql.FillTemplate("(? IN (?, ?))", name.node, ducksql.TextLiteral(r.session.user), ducksql.TextLiteral(relationOwnerName)), typ: boolTypeOID}, err
	}
	oid, err := r.coerceToType(c.Call, role, oidTypeOID)
	return typedExpr{node: ducksql.FillTemplate("(? IN (?, ?))", oid.node, ducksql.IntegerLiteral(r.session.userOID()), ducksql.IntegerLiteral(relationOwnerOID)), typ: boolTypeOID}, err
}

// translateShobjDescription returns the comment on a database.
func translateShobjDescription(r *translator, c *functionCall) (typedExpr, error) {
	if len(c.args) != 2 {
		return typedExpr{}, r.unknownFunctionError(c)
	}
	oid, err := r.coerceToType(c.Call, c.args[0], oidTypeOID)
	if err != nil {
		return typedExpr{}, err
	}
	parts := []ducksql.Node{ducksql.FillTemplate("CASE ?", oid.node)}
	for _, d := range r.session.databases {
		if d.Description != "" {
			parts = append(parts, ducksql.FillTemplate("WHEN ? THEN ?", ducksql.IntegerLiteral(hashToModelOID("database", d.Name)), ducksql.TextLiteral(d.Description)))
		}
	}
	if len(parts) == 1 {
		return newNullExpr(textTypeOID), nil
	}
	kind, _ := literalArgumentText(c.args[1])
	if kind != "pg_database" {
		return newNullExpr(textTypeOID), nil
	}
	return typedExpr{node: ducksql.SeparatedList{Separator: " ", Nodes: append(parts, ducksql.FillTemplate("END"))}, typ: textTypeOID}, nil
}

// grantedPrivileges are the privileges that every session has, by the kind of object.
var grantedPrivileges = []string{"SELECT", "USAGE", "CONNECT", "EXECUTE"}

func isAnyPrivilegeGranted(privileges string) bool {
	for p := range strings.SplitSeq(privileges, ",") {
		if slices.Contains(grantedPrivileges, strings.ToUpper(strings.TrimSpace(p))) {
			return true
		}
	}
	return false
}
