package catalogue

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/postgres15"
)

// furtherColumns are the columns of our tables behind those of PostgreSQL.
var furtherColumns = map[string][]field{
	"pg_class":      {{"visible", typeBool}, {"selectable", typeBool}},
	"pg_constraint": {{"definition", typeText}, {"pretty", typeText}},
	"pg_index":      {{"definition", typeText}},
	"pg_proc":       {{"arguments", typeText}, {"result", typeText}, {"identity", typeText}, {"visible", typeBool}},
	"pg_type":       {{"spelling", typeText}, {"visible", typeBool}},
}

// storedTables are the tables that DuckDB holds; every other one is empty.
var storedTables = []string{
	"pg_aggregate", "pg_am", "pg_amop", "pg_amproc", "pg_attribute", "pg_auth_members", "pg_authid", "pg_cast", "pg_class", "pg_collation",
	"pg_constraint", "pg_conversion", "pg_depend", "pg_description", "pg_extension", "pg_index", "pg_language", "pg_namespace", "pg_opclass", "pg_operator",
	"pg_opfamily", "pg_proc", "pg_range", "pg_tablespace", "pg_ts_config", "pg_ts_dict", "pg_ts_parser", "pg_ts_template", "pg_type",
}

// storedName is the name of a table in DuckDB.
func storedName(table string) ducksql.Name { return ducksql.Name("t_" + table) }

// readTable prints a table or view of the catalogue.
func (r *resolver) readTable(t *postgres15.Table) (ducksql.Node, []*column, []ducksql.Name, error) {
	var columns []*column
	for _, c := range t.Columns {
		columns = append(columns, &column{name: c.Name, value: value{typ: c.Type, table: t.OID, number: c.Number}})
	}
	names := resultNames(len(columns))
	if rows := sessionTable(t.Name); rows != nil && t.Schema == "pg_catalog" {
		return rows(r), columns, names, nil
	}
	if t.View != "" {
		if node, ok := r.expandView(t, columns); ok {
			return node, columns, names, nil
		}
		return emptyRows(columns), columns, names, nil
	}
	if !r.set.stored[t.Name] {
		columns = append(columns, systemColumns(t)...)
		return emptyRows(columns), columns, resultNames(len(columns)), nil
	}
	node, names := withSystemColumns(t, storedName(t.Name))
	return node, append(columns, systemColumns(t)...), names, nil
}

// systemColumns are those that clients read of tables: the OID of the table, and the transaction.
func systemColumns(t *postgres15.Table) []*column {
	return []*column{
		{name: "tableoid", value: value{typ: typeOID, table: t.OID, number: -6}, hidden: true},
		{name: "xmin", value: value{typ: typeXID, table: t.OID, number: -2}, hidden: true},
	}
}

func withSystemColumns(t *postgres15.Table, from ducksql.Node) (ducksql.Node, []ducksql.Name) {
	items, names := make([]ducksql.Node, 0, len(t.Columns)+2), make([]ducksql.Name, 0, len(t.Columns)+2)
	for _, c := range t.Columns {
		items = append(items, ducksql.Name(c.Name))
		names = append(names, ducksql.Name(c.Name))
	}
	items = append(items, ducksql.Apply("? AS tableoid", intValue(int64(t.OID), typeOID).node), ducksql.Apply("1 AS xmin"))
	return ducksql.Apply("(SELECT ? FROM ?)", ducksql.Commas(items), from), append(names, "tableoid", "xmin")
}

// emptyRows prints a table without rows.
func emptyRows(columns []*column) ducksql.Node {
	items := make([]ducksql.Node, len(columns))
	for i, c := range columns {
		items[i] = ducksql.Apply("CAST(NULL AS "+engineType(c.value.typ)+") AS ?", resultName(i))
	}
	return ducksql.Apply("(SELECT ? WHERE false)", ducksql.Commas(items))
}

// expandView prints the definition of a view; false where the definition has a construct that is not printed,
// which makes the view empty.
func (r *resolver) expandView(t *postgres15.Table, columns []*column) (ducksql.Node, bool) {
	if r.views == maxViews {
		return nil, false
	}
	q := viewTree(t)
	if q == nil {
		return nil, false
	}
	r.views++
	defer func() { r.views-- }()
	node, found, err := r.resolveQuery(q, nil)
	if err != nil || len(found) != len(columns) {
		return nil, false
	}
	for i, c := range found {
		if engineType(c.value.typ) != engineType(columns[i].value.typ) {
			return nil, false
		}
	}
	return ducksql.Apply("(?)", node), true
}

// sessionTable prints the rows of a table that depend on the session; nil for another table.
func sessionTable(name string) func(r *resolver) ducksql.Node {
	return map[string]func(r *resolver) ducksql.Node{
		"pg_auth_members": memberRows, "pg_database": databaseRows, "pg_authid": roleRows, "pg_settings": settingRows, "pg_shdescription": sharedDescriptionRows,
	}[name]
}

// rowsOf prints rows of literals.
func rowsOf(types []uint32, rows [][]string) ducksql.Node {
	if len(rows) == 0 {
		columns := make([]*column, len(types))
		for i, t := range types {
			columns[i] = columnOf("", t)
		}
		return emptyRows(columns)
	}
	printed, names := make([]ducksql.Node, len(rows)), make([]ducksql.Node, len(types))
	for i, row := range rows {
		cells := make([]ducksql.Node, len(row))
		for j, cell := range row {
			cells[j] = ducksql.Apply("CAST(? AS "+engineType(types[j])+")", ducksql.Text(cell))
			if cell == postgres15.Null {
				cells[j] = ducksql.Apply("CAST(NULL AS " + engineType(types[j]) + ")")
			}
		}
		printed[i] = ducksql.Apply("(?)", ducksql.Commas(cells))
	}
	for i := range types {
		names[i] = resultName(i)
	}
	return ducksql.Apply("(SELECT * FROM (VALUES ?) AS v(?))", ducksql.Commas(printed), ducksql.Commas(names))
}

func typesOfTable(name string) []uint32 {
	t := tablesByName()[[2]string{"pg_catalog", name}]
	out := make([]uint32, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = c.Type
	}
	return out
}

const databaseACL = "[=c/" + owner + ", " + owner + "=CTc/" + owner + "]"

func databaseRows(r *resolver) ducksql.Node {
	var rows [][]string
	for _, d := range r.session.allDatabases() {
		rows = append(rows, []string{
			oidText(hashOID("database", d.Name)), d.Name, oidText(ownerOID), "6", "c", "f", "t", "-1", "717", "1", "1663",
			"C", "C.UTF-8", postgres15.Null, postgres15.Null, databaseACL,
		})
	}
	return rowsOf(typesOfTable("pg_database"), rows)
}

// allDatabases are the databases of the server, and the one of the session.
func (s session) allDatabases() []pgwire.CatalogueDatabase {
	for _, d := range s.databases {
		if d.Name == s.database {
			return s.databases
		}
	}
	return append([]pgwire.CatalogueDatabase{{Name: s.database}}, s.databases...)
}

func sharedDescriptionRows(r *resolver) ducksql.Node {
	var rows [][]string
	for _, d := range r.session.allDatabases() {
		if d.Description != "" {
			rows = append(rows, []string{oidText(hashOID("database", d.Name)), "1262", d.Description})
		}
	}
	return rowsOf(typesOfTable("pg_shdescription"), rows)
}

func roleRows(r *resolver) ducksql.Node {
	rows := postgres15.Rows("pg_authid")
	for _, row := range rows {
		if row[1] == r.session.user {
			return rowsOf(typesOfTable("pg_authid"), rows)
		}
	}
	user := []string{oidText(r.session.userOID()), r.session.user, "f", "t", "f", "f", "t", "f", "f", "-1", postgres15.Null, postgres15.Null}
	return rowsOf(typesOfTable("pg_authid"), append(rows, user))
}

// memberRows are the members of roles: those of PostgreSQL, and the user, who is a member of the owner.
func memberRows(r *resolver) ducksql.Node {
	rows := postgres15.Rows("pg_auth_members")
	if user := r.session.userOID(); user != ownerOID {
		rows = append(slices.Clone(rows), []string{oidText(ownerOID), oidText(user), oidText(ownerOID), "f"})
	}
	return rowsOf(typesOfTable("pg_auth_members"), rows)
}

func oidText(oid uint32) string { return strconv.FormatUint(uint64(oid), 10) }
