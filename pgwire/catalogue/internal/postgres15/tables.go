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
	classOID, className, classNamespace, classKind                = 0, 1, 2, 16
	attributeRelation, attributeName, attributeType, attributeNum = 0, 1, 2, 5
	typeOID, typeName, typeKind, typeCategory                     = 0, 1, 6, 7
	typeElement, typeArray, typeBase                              = 13, 14, 25
	namespaceOID, namespaceName                                   = 0, 1
	viewSchema, viewName, viewDefinition                          = 0, 1, 2
	relkindTable, relkindView                                     = "r", "v"
	firstColumn                                                   = 1
)

// Number reads an OID or another number of a file; 0 for a text that is not one.
func Number(text string) uint32 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0
	}
	return uint32(n)
}

// Types lists the types.
var Types = sync.OnceValue(func() []Type {
	var out []Type
	for _, r := range Rows("pg_type") {
		out = append(out, Type{
			OID: Number(r[typeOID]), Name: r[typeName], Kind: r[typeKind], Category: r[typeCategory],
			Element: Number(r[typeElement]), Array: Number(r[typeArray]), Base: Number(r[typeBase]),
		})
	}
	return out
})

// Tables lists the tables and views.
var Tables = sync.OnceValue(func() []*Table {
	schemas := map[string]string{}
	for _, r := range Rows("pg_namespace") {
		schemas[r[namespaceOID]] = r[namespaceName]
	}
	views := map[[2]string]string{}
	for _, r := range Rows("views") {
		views[[2]string{r[viewSchema], r[viewName]}] = r[viewDefinition]
	}
	byOID := map[string]*Table{}
	var out []*Table
	for _, r := range Rows("pg_class") {
		if r[classKind] != relkindTable && r[classKind] != relkindView {
			continue
		}
		t := &Table{OID: Number(r[classOID]), Schema: schemas[r[classNamespace]], Name: r[className]}
		t.View = views[[2]string{t.Schema, t.Name}]
		byOID[r[classOID]] = t
		out = append(out, t)
	}
	addColumns(byOID)
	return out
})

func addColumns(byOID map[string]*Table) {
	bases := map[uint32]uint32{}
	for _, t := range Types() {
		bases[t.OID] = t.Base
	}
	for _, r := range Rows("pg_attribute") {
		t, n := byOID[r[attributeRelation]], int32(Number(r[attributeNum]))
		if t == nil || n < firstColumn {
			continue
		}
		of := Number(r[attributeType])
		if base := bases[of]; base != 0 {
			of = base
		}
		t.Columns = append(t.Columns, Column{Name: r[attributeName], Type: of, Number: int16(n)})
	}
}
