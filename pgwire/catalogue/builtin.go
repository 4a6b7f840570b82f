package catalogue

import (
	"strings"
	"sync"

	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/postgres15"
	"github.com/semlayer/semlayer/semsql/parse"
)

// tablesByName are the tables and views of PostgreSQL by schema and name.
var tablesByName = sync.OnceValue(func() map[[2]string]*postgres15.Table {
	out := map[[2]string]*postgres15.Table{}
	for _, t := range postgres15.Tables() {
		out[[2]string{t.Schema, t.Name}] = t
	}
	return out
})

// role is a role of a new server.
type role struct {
	oid  uint32
	name string
}

var builtinRoles = sync.OnceValue(func() []role {
	var out []role
	for _, row := range postgres15.Rows("pg_authid") {
		out = append(out, role{postgres15.Number(row[0]), row[1]})
	}
	return out
})

// setting is a setting of a new server.
type setting struct {
	name  string
	shown string // with its unit, as in SHOW
	cells []string
}

var builtinSettings = sync.OnceValue(func() []setting {
	var out []setting
	for _, row := range postgres15.Rows("settings") {
		out = append(out, setting{name: row[0], shown: row[settingColumns], cells: row})
	}
	return out
})

// settingColumns is how many columns of pg_settings the file has; behind them is the value with its unit.
const settingColumns = 14

// settingRows is pg_settings with the variables of the session.
func settingRows(r *resolver) ducksql.Node {
	var rows [][]string
	known := map[string]bool{}
	for _, s := range builtinSettings() {
		row := append([]string{}, s.cells[:settingColumns]...)
		if text, ok := r.lookUpVariable(s.name); ok {
			row[1] = text
		}
		if row[11] != postgres15.Null {
			row[11] = strings.NewReplacer(`"`, "").Replace(row[11])
		}
		known[strings.ToLower(s.name)] = true
		rows = append(rows, append(row, postgres15.Null, postgres15.Null, "f"))
	}
	if r.session.variables != nil {
		for _, v := range r.session.variables.List() {
			if !known[strings.ToLower(v.Name)] {
				rows = append(rows, variableRow(v.Name, v.Value, v.Description))
			}
		}
	}
	return rowsOf(typesOfTable("pg_settings"), rows)
}

func variableRow(name, text, description string) []string {
	null := postgres15.Null
	return []string{name, text, null, "Customized Options", description, null, "user", "string", "session", null, null, null, null, text, null, null, "f"}
}

func (r *resolver) lookUpVariable(name string) (string, bool) {
	if r.session.variables == nil {
		return "", false
	}
	return r.session.variables.Lookup(name)
}

// viewTrees are the definitions that have been read, by the OID of the view.
var viewTrees sync.Map

// rowArguments are the calls with whole rows in PostgreSQL's definitions, and what they mean.
var rowArguments = strings.NewReplacer(
	"information_schema._pg_truetypid(a.*, t.*)", "(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END)",
	"information_schema._pg_truetypmod(a.*, t.*)", "(CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END)",
)

// viewTree parses the definition of a view once; nil where the parser refuses it.
func viewTree(t *postgres15.Table) *parse.Query {
	if known, ok := viewTrees.Load(t.OID); ok {
		return known.(*parse.Query)
	}
	limits := parse.DefaultLimits()
	q, err := parse.ParseCatalogue(rowArguments.Replace(t.View), limits)
	if err != nil {
		q = nil
	}
	viewTrees.Store(t.OID, q)
	return q
}
