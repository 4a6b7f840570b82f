package postgres15

import (
	"strconv"
	"sync"
)

// Column is a column of a table or view.
type Column struct {
	Name   string
	Type   uint32 // OID; the base type of a domain
	Number int16
}

// Table is a table or view of pg_catalog or information_schema.
type Table struct {
	OID     uint32
	Schema  string
	Name    string
	Columns []Column
	View    string // the definition; "" of a table
}

// Type is a type of pg_type.
type Type struct {
	OID      uint32
	Name     string
	Kind     string // typtype
	Category string
	Element  uint32 // typelem
	Array    uint32 // typarray
	Base     uint32 // typbasetype
}

// The columns of the files that are read here.
const (
	classOIDIndex, classNameIndex, classNamespaceIndex, classKindIndex                            = 0, 1, 2, 16
	attributeRelationIndex, attributeNameIndex, attributeTypeIndex, attributeNumberIndex          = 0, 1, 2, 5
	pgTypeOIDColumnIndex, pgTypeNameColumnIndex, pgTypeKindColumnIndex, pgTypeCategoryColumnIndex = 0, 1, 6, 7
	pgTypeElementColumnIndex, pgTypeArrayColumnIndex, pgTypeBaseColumnIndex                       = 13, 14, 25
	namespaceOIDIndex, namespaceNameIndex                                                         = 0, 1
	viewSchemaIndex, viewNameIndex, viewDefinitionIndex                                           = 0, 1, 2
	relkindTable, relkindView                                                                     = "r", "v"
	firstAttributeNumber                                                                          = 1
)

// ParseNumber reads an OID or another number of a file; 0 for a text that is not one.
func ParseNumber(text string) uint32 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return uint32(n)
}

// Types lists the types.
var Types = sync.OnceValue(func() []Type {
	var out []Type
	for _, r := range RowsOfFile("pg_type") {
		out = append(out, Type{
			OID: ParseNumber(r[pgTypeOIDColumnIndex]), Name: r[pgTypeNameColumnIndex], Kind: r[pgTypeKindColumnIndex], Category: r[pgTypeCategoryColumnIndex],
			Element: ParseNumber(r[pgTypeElementColumnIndex]), Array: ParseNumber(r[pgTypeArrayColumnIndex]), Base: ParseNumber(r[pgTypeBaseColumnIndex]),
		})
	}
	return out
})

// Tables lists the tables and views.
var Tables = sync.OnceValue(func() []*Table {
	schemas := map[string]string{}
	for _, r := range RowsOfFile("pg_namespace") {
		schemas[r[namespaceOIDIndex]] = r[namespaceNameIndex]
	}
	views := map[[2]string]string{}
	for _, r := range RowsOfFile("views") {
		views[[2]string{r[viewSchemaIndex], r[viewNameIndex]}] = r[viewDefinitionIndex]
	}
	byOID := map[string]*Table{}
	var out []*Table
	for _, r := range RowsOfFile("pg_class") {
		if r[classKindIndex] != relkindTable && r[classKindIndex] != relkindView {
			continue
		}
		t := &Table{OID: ParseNumber(r[classOIDIndex]), Schema: schemas[r[classNamespaceIndex]], Name: r[classNameIndex]}
		t.View = views[[2]string{t.Schema, t.Name}]
		byOID[r[classOIDIndex]] = t
		out = append(out, t)
	}
	addTableColumns(byOID)
	return out
})

func addTableColumns(byOID map[string]*Table) {
	bases := map[uint32]uint32{}
	for _, t := range Types() {
		bases[t.OID] = t.Base
	}
	for _, r := range RowsOfFile("pg_attribute") {
		t, n := byOID[r[attributeRelationIndex]], int32(ParseNumber(r[attributeNumberIndex]))
		if t == nil || n < firstAttributeNumber {
			continue
		}
		of := ParseNumber(r[attributeTypeIndex])
		if base := bases[of]; base != 0 {
			of = base
		}
		t.Columns = append(t.Columns, Column{Name: r[attributeNameIndex], Type: of, Number: int16(n)})
	}
}
