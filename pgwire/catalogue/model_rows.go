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
	publicOID          = "2200"
	classOfTables      = "1259"
	classOfTypes       = "1247"
	classOfSchemas     = "2615"
	classOfConstraints = "2606"
	btreeOID           = "403"
	relationACL        = `["` + owner + `=r/` + owner + `","=r/` + owner + `"]`
	null               = postgres15.Null
	maxNameLength      = 63
)

// modelRows are the rows that the relations of a model add to the tables of the catalogue.
type modelRows struct {
	relations []engine.RelationInfo
	oids      map[object]uint32
	rows      map[string][][]string // by table
	types     map[string][]string   // the row of pg_type by the name of the type
	system    [][]string            // the rows of pg_attribute for the columns that every table has
}

// newModelRows makes the rows of relations.
func newModelRows(relations []engine.RelationInfo) *modelRows {
	m := &modelRows{relations: relations, oids: assignOIDs(objectsOf(relations)), rows: map[string][][]string{}, types: map[string][]string{}}
	for _, row := range postgres15.Rows("pg_type") {
		m.types[row[0]] = row
	}
	for _, row := range postgres15.Rows("pg_attribute") {
		if row[0] == classOfTables && strings.HasPrefix(row[5], "-") {
			m.system = append(m.system, row)
		}
	}
	for _, rel := range relations {
		m.addRelation(rel)
	}
	return m
}

func objectsOf(relations []engine.RelationInfo) []object {
	var out []object
	for _, rel := range relations {
		out = append(out, object{kindClass, rel.Name}, object{kindRowType, rel.Name}, object{kindArrayType, rel.Name})
		for _, k := range rel.Keys {
			out = append(out, object{kindClass, k.Name}, constraintObject(rel.Name, k.Name))
		}
		for _, f := range rel.ForeignKeys {
			out = append(out, constraintObject(rel.Name, f.Name))
		}
	}
	return out
}

func constraintObject(relation, name string) object {
	return object{kindConstraint, relation + "\x00" + name}
}

func (m *modelRows) oid(kind, name string) string { return oidText(m.oids[object{kind, name}]) }

func (m *modelRows) add(table string, cells ...string) {
	m.rows[table] = append(m.rows[table], cells)
}

func (m *modelRows) addRelation(rel engine.RelationInfo) {
	oid := m.oid(kindClass, rel.Name)
	m.add("pg_class", oid, rel.Name, publicOID, m.oid(kindRowType, rel.Name), "0", oidText(ownerOID), "2", oid, "0", "0", "-1", "0", "0",
		boolText(len(rel.Keys) > 0), "f", "p", "r", strconv.Itoa(len(rel.Columns)), "0", "f", boolText(m.hasForeignKeys(rel)), "f", "f", "f", "t", "d", "f",
		"0", "717", "1", relationACL, null, null, "t", "t")
	m.addRowTypes(rel, oid)
	for i, c := range rel.Columns {
		m.addColumn(oid, c.Name, c.Type, i+1, c.NotNull)
		m.addDescription(oid, i+1, c.Description)
	}
	for _, row := range m.system {
		m.add("pg_attribute", append([]string{oid}, row[1:]...)...)
	}
	m.addDescription(oid, 0, rel.Description)
	m.addDependency(classOfTables, oid, classOfSchemas, publicOID, 0, "n")
	m.addDependency(classOfTypes, m.oid(kindRowType, rel.Name), classOfTables, oid, 0, "i")
	m.addDependency(classOfTypes, m.oid(kindArrayType, rel.Name), classOfTypes, m.oid(kindRowType, rel.Name), 0, "i")
	for _, k := range rel.Keys {
		m.addKey(rel, k)
	}
	for _, f := range rel.ForeignKeys {
		m.addForeignKey(rel, f)
	}
}

// hasForeignKeys reports whether a foreign key begins or ends at a relation: PostgreSQL watches both sides by triggers.
func (m *modelRows) hasForeignKeys(rel engine.RelationInfo) bool {
	return len(rel.ForeignKeys) > 0 || slices.ContainsFunc(m.relations, func(other engine.RelationInfo) bool {
		return slices.ContainsFunc(other.ForeignKeys, func(f engine.RelationForeignKey) bool { return f.Target == rel.Name })
	})
}

// addDependency adds a row of pg_depend: the first object depends on the second, or on a column of it.
func (m *modelRows) addDependency(class, oid, ofClass, of string, column int, kind string) {
	m.add("pg_depend", class, oid, "0", ofClass, of, strconv.Itoa(column), kind)
}

func (m *modelRows) addColumnDependencies(constraint string, rel engine.RelationInfo, columns []string, kind string) {
	for _, name := range columns {
		m.addDependency(classOfConstraints, constraint, classOfTables, m.oid(kindClass, rel.Name), columnNumber(rel, name), kind)
	}
}

func boolText(b bool) string {
	if b {
		return "t"
	}
	return "f"
}

func (m *modelRows) addDescription(oid string, number int, text string) {
	if text != "" {
		m.add("pg_description", oid, classOfTables, strconv.Itoa(number), text)
	}
}

// The types of a row of pg_class and of arrays of them, from which those of our relations are copied.
const rowTypeOID, rowArrayOID = "83", "273"

func (m *modelRows) addRowTypes(rel engine.RelationInfo, oid string) {
	row, array := slices.Clone(m.types[rowTypeOID]), slices.Clone(m.types[rowArrayOID])
	row[0], row[1], row[2], row[11], row[14] = m.oid(kindRowType, rel.Name), rel.Name, publicOID, oid, m.oid(kindArrayType, rel.Name)
	array[0], array[2], array[13] = row[14], publicOID, row[0]
	array[1] = ("_" + rel.Name)[:min(len(rel.Name)+1, maxNameLength)]
	row[32], array[32] = quoteName(rel.Name), quoteName(rel.Name)+"[]"
	m.add("pg_type", row...)
	m.add("pg_type", array...)
}

// typeRow is the row of pg_type for a type as a relation spells it.
func (m *modelRows) typeRow(spelling string) []string {
	if oid, ok := typesBySpelling()[spelling]; ok {
		return m.types[oidText(oid)]
	}
	return m.types[oidText(typeText)]
}

func (m *modelRows) addColumn(oid, name, spelling string, number int, notNull bool) {
	t := m.typeRow(spelling)
	m.add("pg_attribute", oid, name, t[0], "-1", t[4], strconv.Itoa(number), "0", "-1", "-1", t[5], t[22], t[23], "", boolText(notNull),
		"f", "f", "", "", "f", "t", "0", t[28], null, null, null, null)
}

func (m *modelRows) addKey(rel engine.RelationInfo, k engine.RelationKey) {
	oid, table := m.oid(kindClass, k.Name), m.oid(kindClass, rel.Name)
	width := strconv.Itoa(len(k.Columns))
	m.add("pg_class", oid, k.Name, publicOID, "0", "0", oidText(ownerOID), btreeOID, oid, "0", "1", "0", "0", "0", "f", "f", "p", "i", width, "0",
		"f", "f", "f", "f", "f", "t", "n", "f", "0", "0", "0", null, null, null, "t", "f")
	var collations, classes, options []string
	for i, name := range k.Columns {
		c := rel.Columns[columnNumber(rel, name)-1]
		t := m.typeRow(c.Type)
		m.addColumn(oid, name, c.Type, i+1, false)
		collations, classes, options = append(collations, t[28]), append(classes, operatorClassOf(t[0])), append(options, "0")
	}
	list := quoteNames(k.Columns)
	m.add("pg_index", oid, table, width, width, "t", "f", boolText(k.Primary), "f", "t", "f", "t", "f", "t", "t", "f", numbersOf(rel, k.Columns),
		jsonList(collations), jsonList(classes), jsonList(options), null, null,
		"CREATE UNIQUE INDEX "+quoteName(k.Name)+" ON public."+quoteName(rel.Name)+" USING btree ("+list+")")
	kind, word := "u", "UNIQUE"
	if k.Primary {
		kind, word = "p", "PRIMARY KEY"
	}
	constraint := oidText(m.oids[constraintObject(rel.Name, k.Name)])
	m.addColumnDependencies(constraint, rel, k.Columns, "a")
	m.addDependency(classOfTables, oid, classOfConstraints, constraint, 0, "i")
	m.add("pg_constraint", constraint, k.Name, publicOID, kind, "f", "f", "t", table, "0", oid, "0", "0", " ", " ", " ",
		"t", "0", "t", numbersOf(rel, k.Columns), null, null, null, null, null, null, null, word+" ("+list+")", word+" ("+list+")")
}

func (m *modelRows) addForeignKey(rel engine.RelationInfo, f engine.RelationForeignKey) {
	i := slices.IndexFunc(m.relations, func(other engine.RelationInfo) bool { return other.Name == f.Target })
	if i < 0 {
		return
	}
	target := m.relations[i]
	var equal []string
	for _, name := range f.TargetColumns {
		equal = append(equal, equalityOf(m.typeRow(target.Columns[columnNumber(target, name)-1].Type)[0]))
	}
	definition := "FOREIGN KEY (" + quoteNames(f.Columns) + ") REFERENCES " + quoteName(f.Target) + "(" + quoteNames(f.TargetColumns) + ")"
	constraint := oidText(m.oids[constraintObject(rel.Name, f.Name)])
	m.addColumnDependencies(constraint, rel, f.Columns, "a")
	m.addColumnDependencies(constraint, target, f.TargetColumns, "n")
	m.addDependency(classOfConstraints, constraint, classOfTables, m.keyIndex(target, f.TargetColumns), 0, "n")
	m.add("pg_constraint", constraint, f.Name, publicOID, "f", "f", "f", "t", m.oid(kindClass, rel.Name), "0",
		m.keyIndex(target, f.TargetColumns), "0", m.oid(kindClass, f.Target), "a", "a", "s", "t", "0", "t", numbersOf(rel, f.Columns),
		numbersOf(target, f.TargetColumns), jsonList(equal), jsonList(equal), jsonList(equal), null, null, null,
		definition, definition)
}

// keyIndex is the index of the key that a foreign key names.
func (m *modelRows) keyIndex(target engine.RelationInfo, columns []string) string {
	for _, k := range target.Keys {
		if len(k.Columns) == len(columns) && !slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(k.Columns, c) }) {
			return m.oid(kindClass, k.Name)
		}
	}
	return "0"
}

// columnNumber is the number of a column from 1.
func columnNumber(rel engine.RelationInfo, name string) int {
	return slices.IndexFunc(rel.Columns, func(c engine.RelationColumn) bool { return c.Name == name }) + 1
}

func numbersOf(rel engine.RelationInfo, names []string) string {
	var numbers []string
	for _, name := range names {
		numbers = append(numbers, strconv.Itoa(columnNumber(rel, name)))
	}
	return jsonList(numbers)
}

func jsonList(numbers []string) string { return "[" + strings.Join(numbers, ",") + "]" }

// operatorClassOf is the class of operators by which an index orders a type.
func operatorClassOf(typ string) string {
	for _, row := range postgres15.Rows("pg_opclass") {
		if row[1] == btreeOID && row[6] == typ && row[7] == "t" {
			return row[0]
		}
	}
	return "0"
}

// equalityOf is the operator = of a type.
func equalityOf(typ string) string {
	for _, row := range postgres15.Rows("pg_operator") {
		if row[1] == "=" && row[7] == typ && row[8] == typ {
			return row[0]
		}
	}
	return "0"
}
