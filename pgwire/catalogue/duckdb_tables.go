package catalogue

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/ducksql"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/postgres15"
)

// tableSet is the catalogue of one revision of a model.
type tableSet struct {
	engine *duckdb.Executor
	stored map[string]bool // tables that the engine holds
	names  objectNames

	keepsViews    bool // the model is small enough
	viewsMu       sync.Mutex
	views         []ducksql.Name // that have tables, or will have them
	creatingViews chan struct{}  // holds one statement at a time
}

const (
	// duckDBMemoryMiB is the memory of one engine, where the budget has not less.
	duckDBMemoryMiB   = memory.CatalogueBytes >> 20
	duckDBSpillMiB    = 256
	duckDBConnections = 4
)

// tableSetBounds are the bounds of the engines.
type tableSetBounds struct {
	sets               int // that are open at once
	memoryMiB, diskMiB int // of each
}

// newTableSetBounds divides the share of the catalogue among engines, of which there is one at least.
func newTableSetBounds(b *memory.Budget) tableSetBounds {
	if b == nil {
		return tableSetBounds{maxTableSets, duckDBMemoryMiB, duckDBSpillMiB}
	}
	share := int(b.Catalogue >> 20)
	sets := min(max(share/duckDBMemoryMiB, 1), maxTableSets)
	return tableSetBounds{sets, min(share/sets, duckDBMemoryMiB), max(int(b.CatalogueSpill>>20)/sets, 1)}
}

// openTableSet makes the tables of relations.
func openTableSet(ctx context.Context, relations []engine.RelationInfo, bounds tableSetBounds) (*tableSet, error) {
	m := newModelCatalogueRows(relations)
	s := &tableSet{stored: map[string]bool{}, keepsViews: countColumns(relations) <= maxKeptViewColumns, creatingViews: make(chan struct{}, 1)}
	s.names = newObjectNames(m)
	setup := []string{"ATTACH ':memory:' AS stored (COMPRESS)"}
	for _, name := range duckDBStoredTables {
		s.stored[name] = true
		t := tablesBySchemaAndName()[[2]string{"pg_catalog", name}]
		setup = append(setup, createTableStatements(duckDBTableName(name), fieldsWithExtraColumns(t), copyTextOfTable(name, m.rows[name]))...)
	}
	setup = append(setup, createTableStatements(duckDBTableName("keywords"), keywordTableFields, postgres15.TableCopyText("keywords"))...)
	setup = append(setup, createTableStatements(duckDBTableName("views"), []recordField{{"schemaname", textTypeOID}, {"viewname", textTypeOID}, {"definition", textTypeOID}, {"pretty", textTypeOID}}, postgres15.TableCopyText("views"))...)
	setup = append(setup, createTableStatements(duckDBTableName("reg_names"), []recordField{{"kind", textTypeOID}, {"oid", oidTypeOID}, {"name", textTypeOID}}, s.names.formatAsCopyText())...)
	setup = append(setup, createTableStatements(duckDBTableName("reg_texts"), []recordField{{"kind", textTypeOID}, {"name", textTypeOID}, {"oid", oidTypeOID}}, s.names.spellingsCopyText())...)
	setup = append(setup, "CHECKPOINT stored") // which compresses the rows
	var err error
	s.engine, err = duckdb.Open(ctx, duckdb.Options{MemoryLimit: formatMiB(bounds.memoryMiB), SpillLimit: formatMiB(bounds.diskMiB), Threads: 1, Connections: duckDBConnections, MaxChunkBytes: maxResultBytes, Setup: slices.Concat(setup, []string{quoteIdentMacroSQL()}, gatheredTextMacros(), jsonElementMacros, duckDBMacros)})
	return s, err
}

func countColumns(relations []engine.RelationInfo) int {
	n := 0
	for _, r := range relations {
		n += len(r.Columns)
	}
	return n
}

func formatMiB(n int) string { return strconv.Itoa(n) + "MiB" }

var keywordTableFields = []recordField{{"word", textTypeOID}, {"catcode", charTypeOID}, {"barelabel", boolTypeOID}, {"catdesc", textTypeOID}, {"baredesc", textTypeOID}}

// fieldsWithExtraColumns returns the columns of a stored table with those that are ours.
func fieldsWithExtraColumns(t *postgres15.Table) []recordField {
	var out []recordField
	for _, c := range t.Columns {
		out = append(out, recordField{c.Name, c.Type})
	}
	return append(out, extraColumnsByTable[t.Name]...)
}

// copyTextOfTable returns the rows of PostgreSQL and of the model in the text format of COPY.
func copyTextOfTable(name string, more [][]string) string {
	text := []byte(postgres15.TableCopyText(name))
	for _, row := range more {
		text = postgres15.AppendCopyRow(text, row)
	}
	return string(text)
}

// createTableStatements makes a table and reads its rows from a text of rows.
func createTableStatements(name ducksql.Node, fields []recordField, text string) []string {
	definitions, items := make([]ducksql.Node, len(fields)), make([]ducksql.Node, len(fields))
	for i, f := range fields {
		definitions[i] = ducksql.FillTemplate("? "+duckDBTypeOf(f.typ), ducksql.Name(f.name))
		items[i] = copyTextCellToValueExpr(f.typ, i+1)
	}
	create := ducksql.FillTemplate("CREATE TABLE ? (?)", name, ducksql.CommaList(definitions))
	if text == "" {
		return []string{ducksql.Print(create)}
	}
	insert := ducksql.FillTemplate("INSERT INTO ? SELECT ? FROM (SELECT string_split(line, chr(9)) AS f FROM (SELECT unnest(string_split(?, chr(10))) AS line) WHERE line <> '')",
		name, ducksql.CommaList(items), ducksql.TextLiteral(text))
	return []string{ducksql.Print(create), ducksql.Print(insert)}
}

// copyTextCellToValueExpr prints how a cell of a row becomes a value.
func copyTextCellToValueExpr(typ uint32, n int) ducksql.Node {
	cell := ducksql.FillTemplate(`nullif(f[` + strconv.Itoa(n) + `], '\N')`)
	switch {
	case elementTypeOf(typ) != 0:
		return ducksql.FillTemplate("from_json(?, ?)", cell, ducksql.TextLiteral(`["`+duckDBTypeOf(elementTypeOf(typ))+`"]`))
	case duckDBTypeOf(typ) == "VARCHAR":
		return ducksql.FillTemplate(`replace(replace(replace(replace(?, '\\', chr(1)), '\n', chr(10)), '\t', chr(9)), chr(1), '\')`, cell)
	}
	return ducksql.FillTemplate("CAST(? AS "+duckDBTypeOf(typ)+")", cell)
}

// findTable finds a table or view by name; without a schema in pg_catalog.
func (s *tableSet) findTable(schema, name string) *postgres15.Table {
	if schema == "" {
		schema = "pg_catalog"
	}
	return tablesBySchemaAndName()[[2]string{schema, name}]
}

// objectDisplayName is an object with the name that PostgreSQL shows.
type objectDisplayName struct {
	kind string
	oid  uint32
	name string // in quotes where it needs them, with its schema where it is not visible
}

// objectNames are the names of the objects that reg types show.
type objectNames struct {
	list   []objectDisplayName
	byName map[[2]string]uint32 // by kind, and name with or without schema
	byOID  map[string]map[uint32]string
}

func (n *objectNames) add(kind, oid, name, qualified string) {
	o := objectDisplayName{kind, postgres15.ParseNumber(oid), name}
	n.list = append(n.list, o)
	if n.byOID[kind] == nil {
		n.byOID[kind] = map[uint32]string{}
	}
	n.byOID[kind][o.oid] = name
	for _, text := range []string{name, qualified} {
		if _, taken := n.byName[[2]string{kind, text}]; !taken {
			n.byName[[2]string{kind, text}] = o.oid
		}
	}
}

// formatAsCopyText returns the names in the text format of COPY.
func (n *objectNames) formatAsCopyText() string {
	var out []byte
	for _, o := range n.list {
		out = postgres15.AppendCopyRow(out, []string{o.kind, oidText(o.oid), o.name})
	}
	return string(out)
}

// quotedPlainIdentifierPattern is a name in quotes that is a word; f_plain_name drops such quotes too.
var quotedPlainIdentifierPattern = regexp.MustCompile(`"([a-z_][a-z0-9_$]*)"`)

// spellingsCopyText returns the texts that name an object, in the text format of COPY.
func (n *objectNames) spellingsCopyText() string {
	var out []byte
	for spelling, oid := range n.byName {
		plain := quotedPlainIdentifierPattern.ReplaceAllString(spelling[1], "$1")
		if _, taken := n.byName[[2]string{spelling[0], plain}]; taken && plain != spelling[1] {
			continue
		}
		out = postgres15.AppendCopyRow(out, []string{spelling[0], plain, oidText(oid)})
	}
	return string(out)
}

// The tables whose rows are objects that a reg type shows: kind, table, number of the column of the schema.
var regObjectTables = []struct {
	kind, table string
	schema      int
}{
	{"regclass", "pg_class", 2}, {"regcollation", "pg_collation", 2},
	{"regconfig", "pg_ts_config", 2}, {"regdictionary", "pg_ts_dict", 2},
}

func newObjectNames(m *modelCatalogueRows) objectNames {
	n := objectNames{byName: map[[2]string]uint32{}, byOID: map[string]map[uint32]string{}}
	schemas := map[string]string{}
	for _, row := range postgres15.RowsOfFile("pg_namespace") {
		schemas[row[0]] = row[1]
		n.add("regnamespace", row[0], quoteName(row[1]), row[1])
	}
	for _, row := range postgres15.RowsOfFile("pg_authid") {
		n.add("regrole", row[0], quoteName(row[1]), row[1])
	}
	for _, t := range regObjectTables {
		for _, row := range slices.Concat(postgres15.RowsOfFile(t.table), m.rows[t.table]) {
			n.addInSchema(t.kind, row[0], row[1], schemas[row[t.schema]])
		}
	}
	for _, row := range slices.Concat(postgres15.RowsOfFile("pg_type"), m.rows["pg_type"]) {
		n.add("regtype", row[0], row[32], schemas[row[2]]+"."+quoteName(row[1]))
		n.byName[[2]string{"regtype", row[1]}] = postgres15.ParseNumber(row[0])
	}
	n.addFunctions(schemas)
	n.addOperators()
	return n
}

// addInSchema adds an object whose schema is shown unless it is in the search path.
func (n *objectNames) addInSchema(kind, oid, name, schema string) {
	qualified := quoteName(schema) + "." + quoteName(name)
	if schema == "pg_catalog" || schema == "public" {
		n.add(kind, oid, quoteName(name), qualified)
	} else {
		n.add(kind, oid, qualified, qualified)
	}
}

// addFunctions adds the functions. One of several with a name is shown with its schema.
func (n *objectNames) addFunctions(schemas map[string]string) {
	count := map[string]int{}
	for _, row := range postgres15.RowsOfFile("pg_proc") {
		count[row[1]]++
	}
	for _, row := range postgres15.RowsOfFile("pg_proc") {
		qualified := schemas[row[2]] + "." + quoteName(row[1])
		if count[row[1]] > 1 || schemas[row[2]] != "pg_catalog" {
			n.add("regproc", row[0], qualified, qualified)
		} else {
			n.add("regproc", row[0], quoteName(row[1]), qualified)
		}
		arguments := "(" + n.typeListText(row[procArgumentTypesColumnIndex]) + ")"
		n.add("regprocedure", row[0], qualifyUnlessVisible(schemas[row[2]], quoteName(row[1]))+arguments, schemas[row[2]]+"."+quoteName(row[1])+arguments)
	}
}

// The columns of types of the arguments of functions and operators.
const procArgumentTypesColumnIndex, operatorLeftTypeColumnIndex, operatorRightTypeColumnIndex = 19, 7, 8

// qualifyUnlessVisible returns a name with its schema unless that is in the search path.
func qualifyUnlessVisible(schema, name string) string {
	if schema == "pg_catalog" || schema == "public" {
		return name
	}
	return quoteName(schema) + "." + name
}

// typeListText spells a list of types.
func (n *objectNames) typeListText(list string) string {
	var out []string
	for oid := range strings.SplitSeq(strings.Trim(list, "[]"), ",") {
		if oid != "" {
			out = append(out, n.byOID["regtype"][postgres15.ParseNumber(oid)])
		}
	}
	return strings.Join(out, ",")
}

// addOperators adds the operators, by their signs and with the types of their operands.
func (n *objectNames) addOperators() {
	count := map[string]int{}
	for _, row := range postgres15.RowsOfFile("pg_operator") {
		count[row[1]]++
	}
	for _, row := range postgres15.RowsOfFile("pg_operator") {
		name := row[1]
		if count[name] > 1 {
			name = "pg_catalog." + name
		}
		n.add("regoper", row[0], name, "pg_catalog."+row[1])
		left := "NONE"
		if row[operatorLeftTypeColumnIndex] != "0" {
			left = n.typeListText(row[operatorLeftTypeColumnIndex])
		}
		operands := "(" + left + "," + n.typeListText(row[operatorRightTypeColumnIndex]) + ")"
		n.add("regoperator", row[0], row[1]+operands, "pg_catalog."+row[1]+operands)
	}
}

// findObjectOID finds the object that a text names: the names may be in quotes.
func (s *tableSet) findObjectOID(kind, text string, of session) (uint32, bool) {
	path, ok := splitQualifiedName(strings.TrimSpace(text))
	if !ok && kind != "regoper" && kind != "regoperator" {
		return 0, false
	}
	switch kind {
	case "regtype":
		return s.findOIDOfTypeName(text, path)
	case "regrole":
		if len(path) == 1 && path[0] == of.user {
			return of.userOID(), true
		}
	case "regprocedure", "regoper", "regoperator":
		oid, ok := s.names.byName[[2]string{kind, strings.TrimPrefix(strings.ReplaceAll(text, " ", ""), "pg_catalog.")}]
		return oid, ok
	}
	quoted := make([]string, len(path))
	for i, part := range path {
		quoted[i] = quoteName(part)
	}
	oid, ok := s.names.byName[[2]string{kind, strings.Join(quoted, ".")}]
	if !ok && len(path) == 1 {
		oid, ok = s.names.byName[[2]string{kind, "pg_catalog." + quoted[0]}]
	}
	return oid, ok
}

func (s *tableSet) findOIDOfTypeName(text string, path []string) (uint32, bool) {
	name := strings.ToLower(strings.Join(strings.Fields(text), " "))
	if len(path) == 2 && (path[0] == "pg_catalog" || path[0] == "information_schema" || path[0] == "public") {
		name = path[1]
	}
	if strings.HasPrefix(text, `"`) {
		name = path[len(path)-1]
	}
	base, array := strings.CutSuffix(name, "[]")
	if open := strings.IndexByte(base, '('); open > 0 {
		base = strings.TrimSpace(base[:open])
	}
	oid, ok := typesBySpelling()[base]
	if !ok {
		oid, ok = s.names.byName[[2]string{"regtype", base}]
	}
	if ok && array {
		oid = arrayTypeOf(oid)
	}
	return oid, ok && oid != 0
}

// splitQualifiedName cuts a name with dots into its parts; words are folded, quoted parts kept.
func splitQualifiedName(text string) (path []string, ok bool) {
	for {
		var part string
		if strings.HasPrefix(text, `"`) {
			end := strings.Index(strings.ReplaceAll(text[1:], `""`, "\x00\x00"), `"`)
			if end < 0 {
				return nil, false
			}
			part, text = strings.ReplaceAll(text[1:end+1], `""`, `"`), text[end+2:]
		} else {
			end := strings.IndexByte(text, '.')
			if end < 0 {
				end = len(text)
			}
			part, text = strings.ToLower(text[:end]), text[end:]
		}
		if part == "" {
			return nil, false
		}
		path = append(path, part)
		if text == "" {
			return path, true
		}
		if text[0] != '.' {
			return nil, false
		}
		text = text[1:]
	}
}

// quoteName puts a name in quotes where PostgreSQL does.
func quoteName(name string) string {
	plain := name != "" && !isReservedWord(name)
	for i, c := range []byte(name) {
		if c != '_' && (c < 'a' || c > 'z') && (i == 0 || c != '$' && (c < '0' || c > '9')) {
			plain = false
		}
	}
	if plain {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

func quoteNames(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quoteName(name)
	}
	return strings.Join(out, ", ")
}

// isReservedWord reports whether a word needs quotes as a name.
func isReservedWord(name string) bool {
	words := postgres15.RowsOfFile("keywords")
	i, found := slices.BinarySearchFunc(words, name, func(row []string, name string) int { return strings.Compare(row[0], name) })
	return found && words[i][1] != unreservedWordCategory
}
