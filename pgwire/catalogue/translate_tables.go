package catalogue

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/pgwire"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/postgres15"
)

// extraColumnsByTable are the columns of our tables after those of PostgreSQL.
var extraColumnsByTable = map[string][]recordField{
	"pg_class":      {{"visible", boolTypeOID}, {"selectable", boolTypeOID}},
	"pg_constraint": {{"definition", textTypeOID}, {"pretty", textTypeOID}},
	"pg_index":      {{"definition", textTypeOID}},
	"pg_proc":       {{"arguments", textTypeOID}, {"result", textTypeOID}, {"identity", textTypeOID}, {"visible", boolTypeOID}},
	"pg_type":       {{"spelling", textTypeOID}, {"visible", boolTypeOID}},
}

// duckDBStoredTables are the tables that DuckDB holds; every other one is empty.
var duckDBStoredTables = []string{
	"pg_aggregate", "pg_am", "pg_amop", "pg_amproc", "pg_attribute", "pg_auth_members", "pg_authid", "pg_cast", "pg_class", "pg_collation",
	"pg_constraint", "pg_conversion", "pg_depend", "pg_description", "pg_extension", "pg_index", "pg_init_privs", "pg_language", "pg_namespace", "pg_opclass", "pg_operator",
	"pg_opfamily", "pg_proc", "pg_range", "pg_tablespace", "pg_ts_config", "pg_ts_dict", "pg_ts_parser", "pg_ts_template", "pg_type",
}

// duckDBTableName prints the name of a table in DuckDB: in the database that openTableSet attaches.
func duckDBTableName(table string) ducksql.Node {
	return ducksql.FillTemplate("stored.?", ducksql.Name("t_"+table))
}

// translateCatalogueTable prints a table or view of the catalogue.
func (r *translator) translateCatalogueTable(t *postgres15.Table) (ducksql.Node, []*scopeColumn, []ducksql.Name, error) {
	var columns []*scopeColumn
	for _, c := range t.Columns {
		columns = append(columns, &scopeColumn{name: c.Name, value: typedExpr{typ: c.Type, table: t.OID, number: c.Number}})
	}
	names := numberedColumnNames(len(columns))
	if rows := sessionTableRowsTranslator(t.Name); rows != nil && t.Schema == "pg_catalog" {
		return rows(r), columns, names, nil
	}
	if t.View != "" {
		if node, ok := r.keepView(t, columns); ok {
			return node, columns, names, nil
		}
		if node, ok := r.expandView(t, columns); ok {
			return node, columns, names, nil
		}
		return emptyResultNode{emptyTableSubquery(columns)}, columns, names, nil
	}
	if !r.set.stored[t.Name] {
		columns = append(columns, systemColumns(t)...)
		return emptyResultNode{emptyTableSubquery(columns)}, columns, numberedColumnNames(len(columns)), nil
	}
	node, names := withSystemColumns(t, duckDBTableName(t.Name))
	return node, append(columns, systemColumns(t)...), names, nil
}

// systemColumns returns the system columns that clients read of tables: the OID of the table, and the transaction.
func systemColumns(t *postgres15.Table) []*scopeColumn {
	return []*scopeColumn{
		{name: "tableoid", value: typedExpr{typ: oidTypeOID, table: t.OID, number: -6}, hidden: true},
		{name: "xmin", value: typedExpr{typ: xidTypeOID, table: t.OID, number: -2}, hidden: true},
	}
}

func withSystemColumns(t *postgres15.Table, from ducksql.Node) (ducksql.Node, []ducksql.Name) {
	items, names := make([]ducksql.Node, 0, len(t.Columns)+2), make([]ducksql.Name, 0, len(t.Columns)+2)
	for _, c := range t.Columns {
		items = append(items, ducksql.Name(c.Name))
		names = append(names, ducksql.Name(c.Name))
	}
	items = append(items, ducksql.FillTemplate("? AS tableoid", newIntExpr(int64(t.OID), oidTypeOID).node), ducksql.FillTemplate("1 AS xmin"))
	return ducksql.FillTemplate("(SELECT ? FROM ?)", ducksql.CommaList(items), from), append(names, "tableoid", "xmin")
}

// emptyTableSubquery prints a table without rows.
func emptyTableSubquery(columns []*scopeColumn) ducksql.Node {
	items := make([]ducksql.Node, len(columns))
	for i, c := range columns {
		items[i] = ducksql.FillTemplate("CAST(NULL AS "+duckDBTypeOf(c.value.typ)+") AS ?", numberedColumnName(i))
	}
	return ducksql.FillTemplate("(SELECT ? WHERE false)", ducksql.CommaList(items))
}

// expandView prints the definition of a view; false where the definition has a construct that is not printed,
// which makes the view empty.
func (r *translator) expandView(t *postgres15.Table, columns []*scopeColumn) (ducksql.Node, bool) {
	if r.views == maxViewNesting {
		return nil, false
	}
	q := parseViewDefinition(t)
	if q == nil {
		return nil, false
	}
	r.views++
	defer func() { r.views-- }()
	node, found, err := r.translateQuery(q, nil)
	if err != nil || len(found) != len(columns) {
		return nil, false
	}
	for i, c := range found {
		if duckDBTypeOf(c.value.typ) != duckDBTypeOf(columns[i].value.typ) {
			return nil, false
		}
	}
	return markEmptyIf(isEmptyResult(node), ducksql.FillTemplate("(?)", node)), true
}

// sessionTableRowsTranslator prints the rows of a table that depend on the session; nil for another table.
func sessionTableRowsTranslator(name string) func(r *translator) ducksql.Node {
	return map[string]func(r *translator) ducksql.Node{
		"pg_auth_members": roleMemberRowsNode, "pg_database": databaseRowsNode, "pg_authid": roleRowsNode, "pg_settings": pgSettingsTableNode, "pg_shdescription": sharedDescriptionRowsNode,
		"pg_stat_activity": activityRowsNode,
	}[name]
}

// literalRowsSubquery prints rows of literals.
func literalRowsSubquery(types []uint32, rows [][]string) ducksql.Node {
	if len(rows) == 0 {
		columns := make([]*scopeColumn, len(types))
		for i, t := range types {
			columns[i] = newTypedColumn("", t)
		}
		return emptyTableSubquery(columns)
	}
	printed, names := make([]ducksql.Node, len(rows)), make([]ducksql.Node, len(types))
	for i, row := range rows {
		cells := make([]ducksql.Node, len(row))
		for j, cell := range row {
			cells[j] = ducksql.FillTemplate("CAST(? AS "+duckDBTypeOf(types[j])+")", ducksql.TextLiteral(cell))
			if cell == postgres15.NullCell {
				cells[j] = ducksql.FillTemplate("CAST(NULL AS " + duckDBTypeOf(types[j]) + ")")
			}
		}
		printed[i] = ducksql.FillTemplate("(?)", ducksql.CommaList(cells))
	}
	for i := range types {
		names[i] = numberedColumnName(i)
	}
	return ducksql.FillTemplate("(SELECT * FROM (VALUES ?) AS v(?))", ducksql.CommaList(printed), ducksql.CommaList(names))
}

func columnTypesOfTable(name string) []uint32 {
	t := tablesBySchemaAndName()[[2]string{"pg_catalog", name}]
	out := make([]uint32, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = c.Type
	}
	return out
}

const databaseACL = "[=c/" + relationOwnerName + ", " + relationOwnerName + "=CTc/" + relationOwnerName + "]"

func databaseRowsNode(r *translator) ducksql.Node {
	var rows [][]string
	for _, d := range r.session.allDatabases() {
		rows = append(rows, []string{
			oidText(hashToModelOID("database", d.Name)), d.Name, oidText(relationOwnerOID), "6", "c", "f", "t", "-1", "717", "1", "1663",
			"C", "C.UTF-8", postgres15.NullCell, postgres15.NullCell, databaseACL,
		})
	}
	return literalRowsSubquery(columnTypesOfTable("pg_database"), rows)
}

// activityRowsNode returns the row of the session.
func activityRowsNode(r *translator) ducksql.Node {
	s, null := r.session, postgres15.NullCell
	application := ""
	if s.variables != nil {
		application, _ = s.variables.Lookup("application_name")
	}
	address, port := null, null
	if s.client.IsValid() {
		address, port = s.client.Addr().String(), strconv.Itoa(int(s.client.Port()))
	}
	return literalRowsSubquery(columnTypesOfTable("pg_stat_activity"), [][]string{{
		oidText(hashToModelOID("database", s.database)), s.database, oidText(s.processID), null, oidText(s.userOID()), s.user, application, address, null, port,
		s.now, s.now, s.now, s.now, null, null, "active", null, "1", null, r.text, "client backend",
	}})
}

// allDatabases returns the databases of the server, and the one of the session.
func (s session) allDatabases() []pgwire.ModelDatabase {
	for _, d := range s.databases {
		if d.Name == s.database {
			return s.databases
		}
	}
	return append([]pgwire.ModelDatabase{{Name: s.database}}, s.databases...)
}

func sharedDescriptionRowsNode(r *translator) ducksql.Node {
	var rows [][]string
	for _, d := range r.session.allDatabases() {
		if d.Description != "" {
			rows = append(rows, []string{oidText(hashToModelOID("database", d.Name)), "1262", d.Description})
		}
	}
	return literalRowsSubquery(columnTypesOfTable("pg_shdescription"), rows)
}

func roleRowsNode(r *translator) ducksql.Node {
	rows := postgres15.RowsOfFile("pg_authid")
	for _, row := range rows {
		if row[1] == r.session.user {
			return literalRowsSubquery(columnTypesOfTable("pg_authid"), rows)
		}
	}
	user := []string{oidText(r.session.userOID()), r.session.user, "f", "t", "f", "f", "t", "f", "f", "-1", postgres15.NullCell, postgres15.NullCell}
	return literalRowsSubquery(columnTypesOfTable("pg_authid"), append(rows, user))
}

// roleMemberRowsNode returns the members of roles: those of PostgreSQL, and the user, who is a member of the owner.
func roleMemberRowsNode(r *translator) ducksql.Node {
	rows := postgres15.RowsOfFile("pg_auth_members")
	if user := r.session.userOID(); user != relationOwnerOID {
		rows = append(slices.Clone(rows), []string{oidText(relationOwnerOID), oidText(user), oidText(relationOwnerOID), "f"})
	}
	return literalRowsSubquery(columnTypesOfTable("pg_auth_members"), rows)
}

func oidText(oid uint32) string { return strconv.FormatUint(uint64(oid), 10) }
