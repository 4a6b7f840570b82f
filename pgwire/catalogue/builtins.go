package catalogue

import (
	"strings"
	"sync"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/postgres15"
	"github.com/semlayer/semlayer/semsql/parse"
)

// tablesBySchemaAndName are the tables and views of PostgreSQL by schema and name.
var tablesBySchemaAndName = sync.OnceValue(func() map[[2]string]*postgres15.Table {
	out := map[[2]string]*postgres15.Table{}
	for _, t := range postgres15.Tables() {
		out[[2]string{t.Schema, t.Name}] = t
	}
	return out
})

// builtinRole is a role of a new server.
type builtinRole struct {
	oid  uint32
	name string
}

var builtinRoles = sync.OnceValue(func() []builtinRole {
	var out []builtinRole
	for _, row := range postgres15.RowsOfFile("pg_authid") {
		out = append(out, builtinRole{postgres15.ParseNumber(row[0]), row[1]})
	}
	return out
})

// builtinSetting is a setting of a new server.
type builtinSetting struct {
	name  string
	shown string // with its unit, as in SHOW
	cells []string
}

var builtinSettings = sync.OnceValue(func() []builtinSetting {
	var out []builtinSetting
	for _, row := range postgres15.RowsOfFile("settings") {
		out = append(out, builtinSetting{name: row[0], shown: row[settingColumnCount], cells: row})
	}
	return out
})

// settingColumnCount is how many columns of pg_settings the file has; after them is the value with its unit.
const settingColumnCount = 14

// pgSettingsTableNode is pg_settings with the variables of the session.
func pgSettingsTableNode(r *translator) ducksql.Node {
	var rows [][]string
	known := map[string]bool{}
	for _, s := range builtinSettings() {
		row := append([]string{}, s.cells[:settingColumnCount]...)
		if text, ok := r.findSessionVariable(s.name); ok {
			row[1] = text
		}
		if row[11] != postgres15.NullCell {
			row[11] = strings.NewReplacer(`"`, "").Replace(row[11])
		}
		known[strings.ToLower(s.name)] = true
		rows = append(rows, append(row, postgres15.NullCell, postgres15.NullCell, "f"))
	}
	if r.session.variables != nil {
		for _, v := range r.session.variables.List() {
			if !known[strings.ToLower(v.Name)] {
				rows = append(rows, pgSettingsRowOfVariable(v.Name, v.Value, v.Description))
			}
		}
	}
	return literalRowsSubquery(columnTypesOfTable("pg_settings"), rows)
}

func pgSettingsRowOfVariable(name, text, description string) []string {
	null := postgres15.NullCell
	return []string{name, text, null, "Customized Options", description, null, "user", "string", "session", null, null, null, null, text, null, null, "f"}
}

func (r *translator) findSessionVariable(name string) (string, bool) {
	if r.session.variables == nil {
		return "", false
	}
	return r.session.variables.Lookup(name)
}

// viewQueriesByOID are the definitions that have been read, by the OID of the view.
var viewQueriesByOID sync.Map

// viewWholeRowCallReplacer are the calls with whole rows in PostgreSQL's definitions, and what they mean.
var viewWholeRowCallReplacer = strings.NewReplacer(
	"information_schema._pg_truetypid(a.*, t.*)", "(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END)",
	"information_schema._pg_truetypmod(a.*, t.*)", "(CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END)",
)

// parseViewDefinition parses the definition of a view once; nil where the parser rejects it.
func parseViewDefinition(t *postgres15.Table) *parse.Query {
	if known, ok := viewQueriesByOID.Load(t.OID); ok {
		return known.(*parse.Query)
	}
	limits := parse.DefaultLimits()
	q, err := parse.ParseCatalogueStatement(viewWholeRowCallReplacer.Replace(t.View), limits)
	if err != nil {
		q = nil
	}
	viewQueriesByOID.Store(t.OID, q)
	return q
}
