package duckdb

import (
	"unsafe"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// newJSONWriterForType returns the cell that writes a type as JSON, or nil when some
// part of the type cannot be carried. Only cells that a row refers to are ever
// read: what lies between them in the library's memory may be anything.
func newJSONWriterForType(logical bindings.LogicalType) cellTextWriter {
	switch bindings.GetTypeId(logical) {
	case bindings.TypeList:
		if child := newNullableCellJSONWriter(bindings.ListTypeChildType(logical)); child.cell != nil {
			return &listCellJSONWriter{child: child}
		}
	case bindings.TypeArray:
		if child := newNullableCellJSONWriter(bindings.ArrayTypeChildType(logical)); child.cell != nil {
			return &arrayCellJSONWriter{child: child, length: int(bindings.ArrayTypeArraySize(logical))}
		}
	case bindings.TypeMap:
		key, value := newNullableCellJSONWriter(bindings.MapTypeKeyType(logical)), newNullableCellJSONWriter(bindings.MapTypeValueType(logical))
		if key.cell != nil && value.cell != nil {
			return &mapCellJSONWriter{key: key, value: value}
		}
	case bindings.TypeStruct:
		return newStructCellJSONWriter(logical)
	case bindings.TypeUnion:
		return newUnionCellJSONWriter(logical)
	default:
		return newScalarJSONWriter(logical)
	}
	return nil
}

// nullableCellJSONWriter is a cell of a child vector, which may be null where its parent is
// not.
type nullableCellJSONWriter struct {
	cell cellTextWriter
	vec  duckdbVector
}

// newNullableCellJSONWriter takes the type over and destroys it.
func newNullableCellJSONWriter(logical bindings.LogicalType) nullableCellJSONWriter {
	defer bindings.DestroyLogicalType(&logical)
	return nullableCellJSONWriter{cell: newJSONWriterForType(logical)}
}

func (c *nullableCellJSONWriter) bindVector(v bindings.Vector) {
	c.vec = newVector(v)
	c.cell.bindVector(c.vec)
}

func (c *nullableCellJSONWriter) appendCell(dst []byte, row int) []byte {
	if !c.vec.isValid(row) {
		return jsontext.AppendNull(dst)
	}
	return c.cell.appendCell(dst, row)
}

type listEntry struct{ offset, length uint64 }

func listBoundsAt(data unsafe.Pointer, row int) (from, to int) {
	e := (*listEntry)(unsafe.Add(data, row*int(unsafe.Sizeof(listEntry{}))))
	return int(e.offset), int(e.offset + e.length)
}

type listCellJSONWriter struct {
	child nullableCellJSONWriter
	data  unsafe.Pointer
}

func (c *listCellJSONWriter) bindVector(vec duckdbVector) {
	c.data = vec.data
	c.child.bindVector(bindings.ListVectorGetChild(vec.handle))
}

func (c *listCellJSONWriter) appendCell(dst []byte, row int) []byte {
	from, to := listBoundsAt(c.data, row)
	return appendJSONList(dst, &c.child, from, to)
}

func appendJSONList(dst []byte, child *nullableCellJSONWriter, from, to int) []byte {
	dst = append(dst, '[')
	for i := from; i < to; i++ {
		if i > from {
			dst = append(dst, ',')
		}
		dst = child.appendCell(dst, i)
	}
	return append(dst, ']')
}

type arrayCellJSONWriter struct {
	child  nullableCellJSONWriter
	length int
}

func (c *arrayCellJSONWriter) bindVector(vec duckdbVector) {
	c.child.bindVector(bindings.ArrayVectorGetChild(vec.handle))
}

func (c *arrayCellJSONWriter) appendCell(dst []byte, row int) []byte {
	return appendJSONList(dst, &c.child, row*c.length, (row+1)*c.length)
}

// mapCellJSONWriter writes an object. A key that is not a string is written as JSON and then
// taken as the text of the key.
type mapCellJSONWriter struct {
	key, value nullableCellJSONWriter
	data       unsafe.Pointer
	scratch    []byte
}

func (c *mapCellJSONWriter) bindVector(vec duckdbVector) {
	c.data = vec.data
	entries := bindings.ListVectorGetChild(vec.handle)
	c.key.bindVector(bindings.StructVectorGetChild(entries, 0))
	c.value.bindVector(bindings.StructVectorGetChild(entries, 1))
}

func (c *mapCellJSONWriter) appendCell(dst []byte, row int) []byte {
	from, to := listBoundsAt(c.data, row)
	dst = append(dst, '{')
	for i := from; i < to; i++ {
		if i > from {
			dst = append(dst, ',')
		}
		c.scratch = c.key.appendCell(c.scratch[:0], i)
		dst = c.value.appendCell(jsontext.AppendKey(dst, c.scratch), i)
	}
	return append(dst, '}')
}

// structCellJSONWriter writes an object, or a list when the fields have no names.
type structCellJSONWriter struct {
	keys     []string
	children []nullableCellJSONWriter
}

func newStructCellJSONWriter(logical bindings.LogicalType) cellTextWriter {
	c := &structCellJSONWriter{}
	for i := range bindings.StructTypeChildCount(logical) {
		child := newNullableCellJSONWriter(bindings.StructTypeChildType(logical, i))
		if child.cell == nil {
			return nil
		}
		c.children = append(c.children, child)
		if name := bindings.StructTypeChildName(logical, i); name != "" {
			c.keys = append(c.keys, string(append(jsontext.AppendString(nil, name), ':')))
		}
	}
	return c
}

func (c *structCellJSONWriter) bindVector(vec duckdbVector) {
	for i := range c.children {
		c.children[i].bindVector(bindings.StructVectorGetChild(vec.handle, bindings.IdxT(i)))
	}
}

func (c *structCellJSONWriter) appendCell(dst []byte, row int) []byte {
	named := len(c.keys) == len(c.children)
	opening, closing := byte('['), byte(']')
	if named {
		opening, closing = '{', '}'
	}
	dst = append(dst, opening)
	for i := range c.children {
		if i > 0 {
			dst = append(dst, ',')
		}
		if named {
			dst = append(dst, c.keys[i]...)
		}
		dst = c.children[i].appendCell(dst, row)
	}
	return append(dst, closing)
}

// unionCellJSONWriter writes an object of one member. DuckDB stores a union as a struct whose first child
// selects the member.
type unionCellJSONWriter struct {
	keys    []string
	members []nullableCellJSONWriter
	tags    unsafe.Pointer
}

func newUnionCellJSONWriter(logical bindings.LogicalType) cellTextWriter {
	c := &unionCellJSONWriter{}
	for i := range bindings.UnionTypeMemberCount(logical) {
		member := newNullableCellJSONWriter(bindings.UnionTypeMemberType(logical, i))
		if member.cell == nil {
			return nil
		}
		c.members = append(c.members, member)
		c.keys = append(c.keys, string(append(jsontext.AppendString(nil, bindings.UnionTypeMemberName(logical, i)), ':')))
	}
	return c
}

func (c *unionCellJSONWriter) bindVector(vec duckdbVector) {
	c.tags = bindings.VectorGetData(bindings.StructVectorGetChild(vec.handle, 0))
	for i := range c.members {
		c.members[i].bindVector(bindings.StructVectorGetChild(vec.handle, bindings.IdxT(i+1)))
	}
}

func (c *unionCellJSONWriter) appendCell(dst []byte, row int) []byte {
	tag := *(*uint8)(unsafe.Add(c.tags, row))
	dst = append(dst, '{')
	dst = append(dst, c.keys[tag]...)
	dst = c.members[tag].appendCell(dst, row)
	return append(dst, '}')
}
