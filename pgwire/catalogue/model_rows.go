package catalogue

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire/catalogue/internal/postgres15"
)

// The kinds of objects that a model has.
const (
	kindClass      = "class"
	kindRowType    = "type"
	kindArrayType  = "array"
	kindConstraint = "constraint"
)

const (
	publicSchemaOID      = "2200"
	pgClassOID           = "1259"
	pgTypeOID            = "1247"
	pgNamespaceOID       = "2615"
	pgConstraintOID      = "2606"
	btreeAccessMethodOID = "403"
	relationACL          = `["` + relationOwnerName + `=r/` + relationOwnerName + `","=r/` + relationOwnerName + `"]`
	nullCell             = postgres15.NullCell
	maxIdentifierLength  = 63
)

// modelCatalogueRows are the rows that the relations of a model add to the tables of the catalogue.
type modelCatalogueRows struct {
	relations []engine.RelationInfo
	oids      map[catalogueObjectKey]uint32
	rows      map[string][][]string // by table
	types     map[string][]string   // the row of pg_type by the name of the type
	system    [][]string            // the rows of pg_attribute for the columns that every table has
}

// newModelCatalogueRows makes the rows of relations.
func newModelCatalogueRows(relations []engine.RelationInfo) *modelCatalogueRows {
	m := &modelCatalogueRows{relations: relations, oids: assignOIDs(objectKeysOfRelations(relations)), rows: map[string][][]string{}, types: map[string][]string{}}
	for _, row := range postgres15.RowsOfFile("pg_type") {
		m.types[row[0]] = row
	}
	for _, row := range postgres15.RowsOfFile("pg_attribute") {
		if row[0] == pgClassOID && strings.HasPrefix(row[5], "-") {
			m.system = append(m.system, row)
		}
	}
	for _, rel := range relations {
		m.addRelationRows(rel)
	}
	return m
}

func objectKeysOfRelations(relations []engine.RelationInfo) []catalogueObjectKey {
	var out []catalogueObjectKey
	for _, rel := range relations {
		out = append(out, catalogueObjectKey{kindClass, rel.Name}, catalogueObjectKey{kindRowType, rel.Name}, catalogueObjectKey{kindArrayType, rel.Name})
		for _, k := range rel.Keys {
			out = append(out, catalogueObjectKey{kindClass, k.Name}, constraintObjectKey(rel.Name, k.Name))
		}
		for _, f := range rel.ForeignKeys {
			out = append(out, constraintObjectKey(rel.Name, f.Name))
		}
	}
	return out
}

func constraintObjectKey(relation, name string) catalogueObjectKey {
	return catalogueObjectKey{kindConstraint, relation + "\x00" + name}
}

func (m *modelCatalogueRows) objectOIDText(kind, name string) string {
	return oidText(m.oids[catalogueObjectKey{kind, name}])
}

func (m *modelCatalogueRows) addRow(table string, cells ...string) {
	m.rows[table] = append(m.rows[table], cells)
}

func (m *modelCatalogueRows) addRelationRows(rel engine.RelationInfo) {
	oid := m.objectOIDText(kindClass, rel.Name)
	m.addRow("pg_class", oid, rel.Name, publicSchemaOID, m.objectOIDText(kindRowType, rel.Name), "0", oidText(relationOwnerOID), "2", oid, "0", "0", "-1", "0", "0",
		boolText(len(rel.Keys) > 0), "f", "p", "r", strconv.Itoa(len(rel.Columns)), "0", "f", boolText(m.isEitherSideOfForeignKey(rel)), "f", "f", "f", "t", "d", "f",
		"0", "717", "1", relationACL, nullCell, nullCell, "t", "t")
	m.addRowAndArrayTypes(rel, oid)
	for i, c := range rel.Columns {
		m.addColumnRow(oid, c.Name, c.Type, i+1, c.NotNull)
		m.addDescriptionRow(oid, i+1, c.Description)
	}
	for _, row := range m.system {
		m.addRow("pg_attribute", append([]string{oid}, row[1:]...)...)
	}
	m.addDescriptionRow(oid, 0, rel.Description)
	m.addDependencyRow(pgClassOID, oid, pgNamespaceOID, publicSchemaOID, 0, "n")
	m.addDependencyRow(pgTypeOID, m.objectOIDText(kindRowType, rel.Name), pgClassOID, oid, 0, "i")
	m.addDependencyRow(pgTypeOID, m.objectOIDText(kindArrayType, rel.Name), pgTypeOID, m.objectOIDText(kindRowType, rel.Name), 0, "i")
	for _, k := range rel.Keys {
		m.addKeyRows(rel, k)
	}
	for _, f := range rel.ForeignKeys {
		m.addForeignKeyRows(rel, f)
	}
}

// isEitherSideOfForeignKey reports whether a foreign key begins or ends at a relation: PostgreSQL watches both sides by triggers.
func (m *modelCatalogueRows) isEitherSideOfForeignKey(rel engine.RelationInfo) bool {
	return len(rel.ForeignKeys) > 0 || slices.ContainsFunc(m.relations, func(other engine.RelationInfo) bool {
		return slices.ContainsFunc(other.ForeignKeys, func(f engine.RelationForeignKey) bool { return f.Target == rel.Name })
	})
}

// addDependencyRow adds a row of pg_depend: the first object depends on the second, or on a column of it.
func (m *modelCatalogueRows) addDependencyRow(class, oid, ofClass, of string, column int, kind string) {
	m.addRow("pg_depend", class, oid, "0", ofClass, of, strconv.Itoa(column), kind)
}

func (m *modelCatalogueRows) addColumnDependencyRows(constraint string, rel engine.RelationInfo, columns []string, kind string) {
	for _, name := range columns {
		m.addDependencyRow(pgConstraintOID, constraint, pgClassOID, m.objectOIDText(kindClass, rel.Name), relationColumnNumber(rel, name), kind)
	}
}

func boolText(b bool) string {
	if b {
		return "t"
	}
	return "f"
}

func (m *modelCatalogueRows) addDescriptionRow(oid string, number int, text string) {
	if text != "" {
		m.addRow("pg_description", oid, pgClassOID, strconv.Itoa(number), text)
	}
}

// The types of a row of pg_class and of arrays of them, from which those of our relations are copied.
const pgClassRowTypeOID, pgClassArrayTypeOID = "83", "273"

func (m *modelCatalogueRows) addRowAndArrayTypes(rel engine.RelationInfo, oid string) {
	row, array := slices.Clone(m.types[pgClassRowTypeOID]), slices.Clone(m.types[pgClassArrayTypeOID])
	row[0], row[1], row[2], row[11], row[14] = m.objectOIDText(kindRowType, rel.Name), rel.Name, publicSchemaOID, oid, m.objectOIDText(kindArrayType, rel.Name)
	array[0], array[2], array[13] = row[14], publicSchemaOID, row[0]
	array[1] = ("_" + rel.Name)[:min(len(rel.Name)+1, maxIdentifierLength)]
	row[32], array[32] = quoteName(rel.Name), quoteName(rel.Name)+"[]"
	m.addRow("pg_type", row...)
	m.addRow("pg_type", array...)
}

// pgTypeRowOfColumnType returns the row of pg_type for a type as a relation spells it.
func (m *modelCatalogueRows) pgTypeRowOfColumnType(spelling string) []string {
	if oid, ok := typesBySpelling()[spelling]; ok {
		return m.types[oidText(oid)]
	}
	return m.types[oidText(textTypeOID)]
}

func (m *modelCatalogueRows) addColumnRow(oid, name, spelling string, number int, notNull bool) {
	t := m.pgTypeRowOfColumnType(spelling)
	m.addRow("pg_attribute", oid, name, t[0], "-1", t[4], strconv.Itoa(number), "0", "-1", "-1", t[5], t[22], t[23], "", boolText(notNull),
		"f", "f", "", "", "f", "t", "0", t[28], nullCell, nullCell, nullCell, nullCell)
}

func (m *modelCatalogueRows) addKeyRows(rel engine.RelationInfo, k engine.RelationKey) {
	oid, table := m.objectOIDText(kindClass, k.Name), m.objectOIDText(kindClass, rel.Name)
	width := strconv.Itoa(len(k.Columns))
	m.addRow("pg_class", oid, k.Name, publicSchemaOID, "0", "0", oidText(relationOwnerOID), btreeAccessMethodOID, oid, "0", "1", "0", "0", "0", "f", "f", "p", "i", width, "0",
		"f", "f", "f", "f", "f", "t", "n", "f", "0", "0", "0", nullCell, nullCell, nullCell, "t", "f")
	var collations, classes, options []string
	for i, name := range k.Columns {
		c := rel.Columns[relationColumnNumber(rel, name)-1]
		t := m.pgTypeRowOfColumnType(c.Type)
		m.addColumnRow(oid, name, c.Type, i+1, false)
		collations, classes, options = append(collations, t[28]), append(classes, operatorClassOf(t[0])), append(options, "0")
	}
	list := quoteNames(k.Columns)
	m.addRow("pg_index", oid, table, width, width, "t", "f", boolText(k.Primary), "f", "t", "f", "t", "f", "t", "t", "f", columnNumbersJSON(rel, k.Columns),
		joinNumbersAsJSONArray(collations), joinNumbersAsJSONArray(classes), joinNumbersAsJSONArray(options), nullCell, nullCell,
		"CREATE UNIQUE INDEX "+quoteName(k.Name)+" ON public."+quoteName(rel.Name)+" USING btree ("+list+")")
	kind, word := "u", "UNIQUE"
	if k.Primary {
		kind, word = "p", "PRIMARY KEY"
	}
	constraint := oidText(m.oids[constraintObjectKey(rel.Name, k.Name)])
	m.addColumnDependencyRows(constraint, rel, k.Columns, "a")
	m.addDependencyRow(pgClassOID, oid, pgConstraintOID, constraint, 0, "i")
	m.addRow("pg_constraint", constraint, k.Name, publicSchemaOID, kind, "f", "f", "t", table, "0", oid, "0", "0", " ", " ", " ",
		"t", "0", "t", columnNumbersJSON(rel, k.Columns), nullCell, nullCell, nullCell, nullCell, nullCell, nullCell, nullCell, word+" ("+list+")", word+" ("+list+")")
}

func (m *modelCatalogueRows) addForeignKeyRows(rel engine.RelationInfo, f engine.RelationForeignKey) {
	i := slices.IndexFunc(m.relations, func(other engine.RelationInfo) bool { return other.Name == f.Target })
	if i < 0 {
		return
	}
	target := m.relations[i]
	var equal []string
	for _, name := range f.TargetColumns {
		equal = append(equal, equalityOperatorOf(m.pgTypeRowOfColumnType(target.Columns[relationColumnNumber(target, name)-1].Type)[0]))
	}
	definition := "FOREIGN KEY (" + quoteNames(f.Columns) + ") REFERENCES " + quoteName(f.Target) + "(" + quoteNames(f.TargetColumns) + ")"
	constraint := oidText(m.oids[constraintObjectKey(rel.Name, f.Name)])
	m.addColumnDependencyRows(constraint, rel, f.Columns, "a")
	m.addColumnDependencyRows(constraint, target, f.TargetColumns, "n")
	m.addDependencyRow(pgConstraintOID, constraint, pgClassOID, m.oidOfKeyIndex(target, f.TargetColumns), 0, "n")
	m.addRow("pg_constraint", constraint, f.Name, publicSchemaOID, "f", "f", "f", "t", m.objectOIDText(kindClass, rel.Name), "0",
		m.oidOfKeyIndex(target, f.TargetColumns), "0", m.objectOIDText(kindClass, f.Target), "a", "a", "s", "t", "0", "t", columnNumbersJSON(rel, f.Columns),
		columnNumbersJSON(target, f.TargetColumns), joinNumbersAsJSONArray(equal), joinNumbersAsJSONArray(equal), joinNumbersAsJSONArray(equal), nullCell, nullCell, nullCell,
		definition, definition)
}

// oidOfKeyIndex returns the index of the key that a foreign key names.
func (m *modelCatalogueRows) oidOfKeyIndex(target engine.RelationInfo, columns []string) string {
	for _, k := range target.Keys {
		if len(k.Columns) == len(columns) && !slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(k.Columns, c) }) {
			return m.objectOIDText(kindClass, k.Name)
		}
	}
	return "0"
}

// relationColumnNumber returns the number of a column from 1.
func relationColumnNumber(rel engine.RelationInfo, name string) int {
	return slices.IndexFunc(rel.Columns, func(c engine.RelationColumn) bool { return c.Name == name }) + 1
}

func columnNumbersJSON(rel engine.RelationInfo, names []string) string {
	var numbers []string
	for _, name := range names {
		numbers = append(numbers, strconv.Itoa(relationColumnNumber(rel, name)))
	}
	return joinNumbersAsJSONArray(numbers)
}

func joinNumbersAsJSONArray(numbers []string) string { return "[" + strings.Join(numbers, ",") + "]" }

// operatorClassOf returns the class of operators by which an index orders a type.
func operatorClassOf(typ string) string {
	for _, row := range postgres15.RowsOfFile("pg_opclass") {
		if row[1] == btreeAccessMethodOID && row[6] == typ && row[7] == "t" {
			return row[0]
		}
	}
	return "0"
}

// equalityOperatorOf returns the operator = of a type.
func equalityOperatorOf(typ string) string {
	for _, row := range postgres15.RowsOfFile("pg_operator") {
		if row[1] == "=" && row[7] == typ && row[8] == typ {
			return row[0]
		}
	}
	return "0"
}
