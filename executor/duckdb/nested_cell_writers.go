package duckdb

import (
	"unsafe"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// newJSONWriterForType returns the cell that writes a type as JSON, or nil when some
// part of the type cannot be carried. Only cells that a row refers to are ever
// read: what lies between them in the library's memory may be anything.
func newJSONWriterForType(logical bindings.LogicalType) cellWriter {
	switch bindings.GetTypeId(logical) {
	case bindings.TypeList:
		if child := newNullableCellWriter(bindings.ListTypeChildType(logical)); child.cell != nil {
			return &listCellWriter{child: child}
		}
	case bindings.TypeArray:
		if child := newNullableCellWriter(bindings.ArrayTypeChildType(logical)); child.cell != nil {
			return &arrayCellWriter{child: child, length: int(bindings.ArrayTypeArraySize(logical))}
		}
	case bindings.TypeMap:
		key, value := newNullableCellWriter(bindings.MapTypeKeyType(logical)), newNullableCellWriter(bindings.MapTypeValueType(logical))
		if key.cell != nil && value.cell != nil {
			return &mapCellWriter{key: key, value: value}
		}
	case bindings.TypeStruct:
		return newStructCellWriter(logical)
	case bindings.TypeUnion:
		return newUnionCellWriter(logical)
	default:
		return newScalarJSONWriter(logical)
	}
	return nil
}

// nullableCellWriter is a cell of a child vector, which may be null where its parent is
// not.
type nullableCellWriter struct {
	cell cellWriter
	vec  duckdbVector
}

// newNullableCellWriter takes the type over and destroys it.
func newNullableCellWriter(logical bindings.LogicalType) nullableCellWriter {
	defer bindings.DestroyLogicalType(&logical)
	return nullableCellWriter{cell: newJSONWriterForType(logical)}
}

func (c *nullableCellWriter) bindVector(v bindings.Vector) {
	c.vec = newVector(v)
	c.cell.bindVector(c.vec)
}

func (c *nullableCellWriter) appendCell(dst []byte, row int) []byte {
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

type listCellWriter struct {
	child nullableCellWriter
	data  unsafe.Pointer
}

func (c *listCellWriter) bindVector(vec duckdbVector) {
	c.data = vec.data
	c.child.bindVector(bindings.ListVectorGetChild(vec.handle))
}

func (c *listCellWriter) appendCell(dst []byte, row int) []byte {
	from, to := listBoundsAt(c.data, row)
	return appendJSONList(dst, &c.child, from, to)
}

func appendJSONList(dst []byte, child *nullableCellWriter, from, to int) []byte {
	dst = append(dst, '[')
	for i := from; i < to; i++ {
		if i > from {
			dst = append(dst, ',')
		}
		dst = child.appendCell(dst, i)
	}
	return append(dst, ']')
}

type arrayCellWriter struct {
	child  nullableCellWriter
	length int
}

func (c *arrayCellWriter) bindVector(vec duckdbVector) {
	c.child.bindVector(bindings.ArrayVectorGetChild(vec.handle))
}

func (c *arrayCellWriter) appendCell(dst []byte, row int) []byte {
	return appendJSONList(dst, &c.child, row*c.length, (row+1)*c.length)
}

// mapCellWriter writes an object. A key that is not a string is written as JSON and then
// taken as the text of the key.
type mapCellWriter struct {
	key, value nullableCellWriter
	data       unsafe.Pointer
	scratch    []byte
}

func (c *mapCellWriter) bindVector(vec duckdbVector) {
	c.data = vec.data
	entries := bindings.ListVectorGetChild(vec.handle)
	c.key.bindVector(bindings.StructVectorGetChild(entries, 0))
	c.value.bindVector(bindings.StructVectorGetChild(entries, 1))
}

func (c *mapCellWriter) appendCell(dst []byte, row int) []byte {
	from, to := listBoundsAt(c.data, row)
	dst = append(dst, '{')
	for i := from; i < to; i++ {
		if i > from {
			dst = append(dst, ',')
		}
		c.scratch = c.key.appendCell(c.scratch[:0], i)
		if c.scratch[0] == '"' {
			dst = append(dst, c.scratch...)
		} else {
			dst = jsontext.AppendString(dst, c.scratch)
		}
		dst = append(dst, ':')
		dst = c.value.appendCell(dst, i)
	}
	return append(dst, '}')
}

// structCellWriter writes an object, or a list when the fields have no names.
type structCellWriter struct {
	keys     []string
	children []nullableCellWriter
}

func newStructCellWriter(logical bindings.LogicalType) cellWriter {
	c := &structCellWriter{}
	for i := range bindings.StructTypeChildCount(logical) {
		child := newNullableCellWriter(bindings.StructTypeChildType(logical, i))
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

func (c *structCellWriter) bindVector(vec duckdbVector) {
	for i := range c.children {
		c.children[i].bindVector(bindings.StructVectorGetChild(vec.handle, bindings.IdxT(i)))
	}
}

func (c *structCellWriter) appendCell(dst []byte, row int) []byte {
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

// unionCellWriter writes an object of one member. DuckDB stores a union as a struct whose first child
// selects the member.
type unionCellWriter struct {
	keys    []string
	members []nullableCellWriter
	tags    unsafe.Pointer
}

func newUnionCellWriter(logical bindings.LogicalType) cellWriter {
	c := &unionCellWriter{}
	for i := range bindings.UnionTypeMemberCount(logical) {
		member := newNullableCellWriter(bindings.UnionTypeMemberType(logical, i))
		if member.cell == nil {
			return nil
		}
		c.members = append(c.members, member)
		c.keys = append(c.keys, string(append(jsontext.AppendString(nil, bindings.UnionTypeMemberName(logical, i)), ':')))
	}
	return c
}

func (c *unionCellWriter) bindVector(vec duckdbVector) {
	c.tags = bindings.VectorGetData(bindings.StructVectorGetChild(vec.handle, 0))
	for i := range c.members {
		c.members[i].bindVector(bindings.StructVectorGetChild(vec.handle, bindings.IdxT(i+1)))
	}
}

func (c *unionCellWriter) appendCell(dst []byte, row int) []byte {
	tag := *(*uint8)(unsafe.Add(c.tags, row))
	dst = append(dst, '{')
	dst = append(dst, c.keys[tag]...)
	dst = c.members[tag].appendCell(dst, row)
	return append(dst, '}')
}
