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
type parameter = pgwire.CatalogueParameter

// session is what a statement may ask of the session that sends it.
type session struct {
	database  string
	user      string
	processID uint32
	databases []pgwire.CatalogueDatabase
	version   string
	variables pgwire.CatalogueVariables
	server    netip.AddrPort
	client    netip.AddrPort
	now       string // the time of the statement
	// answers reports that the rows of the statement are read: set_config acts only then.
	answers bool
}

// owner owns every relation.
const (
	owner    = "semlayer"
	ownerOID = 10
)

func (s session) userOID() uint32 {
	if s.user == owner {
		return ownerOID
	}
	for _, r := range builtinRoles() {
		if r.name == s.user {
			return r.oid
		}
	}
	return hashOID("role", s.user)
}

// sessionFunction prints a function whose value depends on the session.
type sessionFunction func(r *resolver, c *call) (value, error)

var sessionFunctions = sync.OnceValue(func() map[string]sessionFunction {
	return map[string]sessionFunction{
		"current_database":         constant(func(s session) value { return nameValue(s.database) }),
		"current_catalog":          constant(func(s session) value { return nameValue(s.database) }),
		"current_schema":           constant(func(session) value { return nameValue("public") }),
		"current_user":             constant(func(s session) value { return nameValue(s.user) }),
		"session_user":             constant(func(s session) value { return nameValue(s.user) }),
		"user":                     constant(func(s session) value { return nameValue(s.user) }),
		"current_role":             constant(func(s session) value { return nameValue(s.user) }),
		"getpgusername":            constant(func(s session) value { return nameValue(s.user) }),
		"version":                  constant(func(s session) value { return textValue("PostgreSQL 15.0 (semlayer " + s.version + ")") }),
		"pg_backend_pid":           constant(func(s session) value { return intValue(int64(s.processID), typeInt4) }),
		"inet_server_addr":         constant(func(s session) value { return addressValue(s.server) }),
		"inet_client_addr":         constant(func(s session) value { return addressValue(s.client) }),
		"inet_server_port":         constant(func(s session) value { return portValue(s.server) }),
		"inet_client_port":         constant(func(s session) value { return portValue(s.client) }),
		"pg_is_in_recovery":        constant(func(session) value { return boolValue(false) }),
		"pg_my_temp_schema":        constant(func(session) value { return intValue(0, typeOID) }),
		"getdatabaseencoding":      constant(func(session) value { return nameValue("UTF8") }),
		"pg_client_encoding":       constant(func(session) value { return nameValue("UTF8") }),
		"txid_current":             constant(func(session) value { return intValue(1, typeInt8) }),
		"now":                      constant(timeValue),
		"statement_timestamp":      constant(timeValue),
		"transaction_timestamp":    constant(timeValue),
		"clock_timestamp":          constant(timeValue),
		"pg_postmaster_start_time": constant(timeValue),
		"pg_conf_load_time":        constant(timeValue),
		"current_schemas":          currentSchemas,
		"current_setting":          currentSetting,
		"set_config":               setConfig,
		"pg_get_userbyid":          roleName,
		"pg_has_role":              hasRole,
		"shobj_description":        sharedDescription,
	}
})

func constant(of func(session) value) sessionFunction {
	return func(r *resolver, c *call) (value, error) {
		if len(c.args) > 0 {
			return value{}, r.unknownFunction(c)
		}
		return of(r.session), nil
	}
}

func addressValue(a netip.AddrPort) value {
	if !a.IsValid() {
		return nullValue(typeInet)
	}
	return value{node: ducksql.Text(a.Addr().String()), typ: typeInet}
}

func portValue(a netip.AddrPort) value {
	if !a.IsValid() {
		return nullValue(typeInt4)
	}
	return intValue(int64(a.Port()), typeInt4)
}

func timeValue(s session) value {
	return value{node: ducksql.Apply("CAST(? AS TIMESTAMP)", ducksql.Text(s.now)), typ: typeTimestamptz}
}

// resolveSessionValue prints the words that are values of the session: current_user, current_date.
func (r *resolver) resolveSessionValue(x *parse.SessionValue) (value, error) {
	switch x.Word {
	case "current_date":
		return value{node: ducksql.Apply("CAST(? AS DATE)", timeValue(r.session).node), typ: typeDate}, nil
	case "current_timestamp":
		return timeValue(r.session), nil
	case "localtimestamp":
		v := timeValue(r.session)
		v.typ = typeTimestamp
		return v, nil
	}
	if f, ok := sessionFunctions()[x.Word]; ok {
		return f(r, &call{Call: &parse.Call{Pos: x.Pos}, name: x.Word})
	}
	return value{}, newUnsupportedError(x, strings.ToUpper(x.Word))
}

func currentSchemas(r *resolver, c *call) (value, error) {
	if len(c.args) != 1 {
		return value{}, r.unknownFunction(c)
	}
	implicit, err := r.coerce(c.Call, c.args[0], typeBool)
	form := "CASE WHEN ? THEN ['pg_catalog', 'public'] ELSE ['public'] END"
	return value{node: ducksql.Apply(form, implicit.node), typ: arrayOf(typeName)}, err
}

// constantText is the text of an argument that is a literal.
func constantText(v value) (string, bool) {
	if v.text != nil {
		return *v.text, true
	}
	text, ok := v.node.(ducksql.Text)
	return string(text), ok
}

func currentSetting(r *resolver, c *call) (value, error) {
	if len(c.args) != 1 && len(c.args) != 2 {
		return value{}, r.unknownFunction(c)
	}
	name, ok := constantText(c.args[0])
	if !ok && c.args[0].parameter > 0 {
		_, err := r.coerce(c.Call, c.args[0], typeText)
		return nullValue(typeText), err
	}
	if !ok {
		return r.settingOf(c)
	}
	if text, ok := r.setting(name); ok {
		return textValue(text), nil
	}
	if len(c.args) == 2 {
		if missing, ok := c.args[1].node.(ducksql.Bool); ok && bool(missing) {
			return nullValue(typeText), nil
		}
	}
	return value{}, newError(c.Call, stateUnknownObject, `unrecognized configuration parameter "`+name+`"`)
}

// settingOf prints the value of the setting that an expression names.
func (r *resolver) settingOf(c *call) (value, error) {
	name, err := r.toText(c.Call, c.args[0])
	if err != nil {
		return value{}, err
	}
	var rows [][]string
	for _, s := range builtinSettings() {
		text, _ := r.setting(s.name)
		rows = append(rows, []string{strings.ToLower(s.name), text})
	}
	known := rowsOf([]uint32{typeText, typeText}, rows)
	return value{node: ducksql.Apply("(SELECT s.c2 FROM ? AS s WHERE s.c1 = lower(?))", known, name.node), typ: typeText}, nil
}

// setting is the value of a variable of the session, or else of a setting of PostgreSQL.
func (r *resolver) setting(name string) (string, bool) {
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

func setConfig(r *resolver, c *call) (value, error) {
	if len(c.args) != 3 {
		return value{}, r.unknownFunction(c)
	}
	local, err := r.coerce(c.Call, c.args[2], typeBool)
	if err != nil {
		return value{}, err
	}
	name, named := constantText(c.args[0])
	text, valued := constantText(c.args[1])
	isLocal, known := local.node.(ducksql.Bool)
	if !r.session.answers {
		for _, arg := range c.args[:2] {
			if _, err := r.coerce(c.Call, arg, typeText); err != nil {
				return value{}, err
			}
		}
		return nullValue(typeText), nil
	}
	if !named || !valued || !known {
		return value{}, newUnsupportedError(c.Call, "set_config of expressions")
	}
	if err := r.session.variables.Set(name, text, bool(isLocal)); err != nil {
		return value{}, err
	}
	return textValue(text), nil
}

func roleName(r *resolver, c *call) (value, error) {
	if len(c.args) != 1 {
		return value{}, r.unknownFunction(c)
	}
	oid, err := r.coerce(c.Call, c.args[0], typeOID)
	return value{node: ducksql.Apply("f_role_name(?, ?, ?)", oid.node, ducksql.Number(r.session.userOID()), ducksql.Text(r.session.user)), typ: typeName}, err
}

// hasRole is true of the user's own role, and of the owner's, of which every user is a member: information_schema shows the
// constraints of relations to members of their owner.
func hasRole(r *resolver, c *call) (value, error) {
	if len(c.args) != 2 && len(c.args) != 3 {
		return value{}, r.unknownFunction(c)
	}
	role := c.args[len(c.args)-2]
	if isText(role.typ) {
		name, err := r.toText(c.Call, role)
		return value{node: ducksql.Apply("(? IN (?, ?))", name.node, ducksql.Text(r.session.user), ducksql.Text(owner)), typ: typeBool}, err
	}
	oid, err := r.coerce(c.Call, role, typeOID)
	return value{node: ducksql.Apply("(? IN (?, ?))", oid.node, ducksql.Number(r.session.userOID()), ducksql.Number(ownerOID)), typ: typeBool}, err
}

// sharedDescription is the comment on a database.
func sharedDescription(r *resolver, c *call) (value, error) {
	if len(c.args) != 2 {
		return value{}, r.unknownFunction(c)
	}
	oid, err := r.coerce(c.Call, c.args[0], typeOID)
	if err != nil {
		return value{}, err
	}
	parts := []ducksql.Node{ducksql.Apply("CASE ?", oid.node)}
	for _, d := range r.session.databases {
		if d.Description != "" {
			parts = append(parts, ducksql.Apply("WHEN ? THEN ?", ducksql.Number(hashOID("database", d.Name)), ducksql.Text(d.Description)))
		}
	}
	if len(parts) == 1 {
		return nullValue(typeText), nil
	}
	kind, _ := constantText(c.args[1])
	if kind != "pg_database" {
		return nullValue(typeText), nil
	}
	return value{node: ducksql.List{Separator: " ", Nodes: append(parts, ducksql.Apply("END"))}, typ: typeText}, nil
}

// grantedPrivileges are the privileges that every session has, by the kind of object.
var grantedPrivileges = []string{"SELECT", "USAGE", "CONNECT", "EXECUTE"}

func isGranted(privileges string) bool {
	for p := range strings.SplitSeq(privileges, ",") {
		if slices.Contains(grantedPrivileges, strings.ToUpper(strings.TrimSpace(p))) {
			return true
		}
	}
	return false
}
