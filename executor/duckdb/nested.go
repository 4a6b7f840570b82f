package duckdb

import (
	"unsafe"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// jsonCellFor returns the cell that writes a type as JSON, or nil when some
// part of the type cannot be carried. Only cells that a row refers to are ever
// read: what lies between them in the library's memory may be anything.
func jsonCellFor(logical bindings.LogicalType) cell {
	switch bindings.GetTypeId(logical) {
	case bindings.TypeList:
		if child := childCell(bindings.ListTypeChildType(logical)); child.cell != nil {
			return &listCell{child: child}
		}
	case bindings.TypeArray:
		if child := childCell(bindings.ArrayTypeChildType(logical)); child.cell != nil {
			return &arrayCell{child: child, length: int(bindings.ArrayTypeArraySize(logical))}
		}
	case bindings.TypeMap:
		key, value := childCell(bindings.MapTypeKeyType(logical)), childCell(bindings.MapTypeValueType(logical))
		if key.cell != nil && value.cell != nil {
			return &mapCell{key: key, value: value}
		}
	case bindings.TypeStruct:
		return structCellFor(logical)
	case bindings.TypeUnion:
		return unionCellFor(logical)
	default:
		return leafCellFor(logical)
	}
	return nil
}

// nullable is a cell of a child vector, which may be null where its parent is
// not.
type nullable struct {
	cell cell
	vec  vector
}

// childCell takes the type over and destroys it.
func childCell(logical bindings.LogicalType) nullable {
	defer bindings.DestroyLogicalType(&logical)
	return nullable{cell: jsonCellFor(logical)}
}

func (c *nullable) bind(v bindings.Vector) {
	c.vec = newVector(v)
	c.cell.bind(c.vec)
}

func (c *nullable) write(dst []byte, row int) []byte {
	if !c.vec.isValid(row) {
		return jsontext.AppendNull(dst)
	}
	return c.cell.write(dst, row)
}

type listEntry struct{ offset, length uint64 }

func entryAt(data unsafe.Pointer, row int) (from, to int) {
	e := (*listEntry)(unsafe.Add(data, row*int(unsafe.Sizeof(listEntry{}))))
	return int(e.offset), int(e.offset + e.length)
}

type listCell struct {
	child nullable
	data  unsafe.Pointer
}

func (c *listCell) bind(vec vector) {
	c.data = vec.data
	c.child.bind(bindings.ListVectorGetChild(vec.handle))
}

func (c *listCell) write(dst []byte, row int) []byte {
	from, to := entryAt(c.data, row)
	return writeList(dst, &c.child, from, to)
}

func writeList(dst []byte, child *nullable, from, to int) []byte {
	dst = append(dst, '[')
	for i := from; i < to; i++ {
		if i > from {
			dst = append(dst, ',')
		}
		dst = child.write(dst, i)
	}
	return append(dst, ']')
}

type arrayCell struct {
	child  nullable
	length int
}

func (c *arrayCell) bind(vec vector) { c.child.bind(bindings.ArrayVectorGetChild(vec.handle)) }

func (c *arrayCell) write(dst []byte, row int) []byte {
	return writeList(dst, &c.child, row*c.length, (row+1)*c.length)
}

// mapCell writes an object. A key that is not a string is written as JSON and then
// taken as the text of the key.
type mapCell struct {
	key, value nullable
	data       unsafe.Pointer
	scratch    []byte
}

func (c *mapCell) bind(vec vector) {
	c.data = vec.data
	entries := bindings.ListVectorGetChild(vec.handle)
	c.key.bind(bindings.StructVectorGetChild(entries, 0))
	c.value.bind(bindings.StructVectorGetChild(entries, 1))
}

func (c *mapCell) write(dst []byte, row int) []byte {
	from, to := entryAt(c.data, row)
	dst = append(dst, '{')
	for i := from; i < to; i++ {
		if i > from {
			dst = append(dst, ',')
		}
		c.scratch = c.key.write(c.scratch[:0], i)
		if c.scratch[0] == '"' {
			dst = append(dst, c.scratch...)
		} else {
			dst = jsontext.AppendString(dst, c.scratch)
		}
		dst = append(dst, ':')
		dst = c.value.write(dst, i)
	}
	return append(dst, '}')
}

// structCell writes an object, or a list when the fields have no names.
type structCell struct {
	keys     []string
	children []nullable
}

func structCellFor(logical bindings.LogicalType) cell {
	c := &structCell{}
	for i := range bindings.StructTypeChildCount(logical) {
		child := childCell(bindings.StructTypeChildType(logical, i))
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

func (c *structCell) bind(vec vector) {
	for i := range c.children {
		c.children[i].bind(bindings.StructVectorGetChild(vec.handle, bindings.IdxT(i)))
	}
}

func (c *structCell) write(dst []byte, row int) []byte {
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
		dst = c.children[i].write(dst, row)
	}
	return append(dst, closing)
}

// unionCell writes an object of one member. DuckDB stores a union as a struct whose first child
// selects the member.
type unionCell struct {
	keys    []string
	members []nullable
	tags    unsafe.Pointer
}

func unionCellFor(logical bindings.LogicalType) cell {
	c := &unionCell{}
	for i := range bindings.UnionTypeMemberCount(logical) {
		member := childCell(bindings.UnionTypeMemberType(logical, i))
		if member.cell == nil {
			return nil
		}
		c.members = append(c.members, member)
		c.keys = append(c.keys, string(append(jsontext.AppendString(nil, bindings.UnionTypeMemberName(logical, i)), ':')))
	}
	return c
}

func (c *unionCell) bind(vec vector) {
	c.tags = bindings.VectorGetData(bindings.StructVectorGetChild(vec.handle, 0))
	for i := range c.members {
		c.members[i].bind(bindings.StructVectorGetChild(vec.handle, bindings.IdxT(i+1)))
	}
}

func (c *unionCell) write(dst []byte, row int) []byte {
	tag := *(*uint8)(unsafe.Add(c.tags, row))
	dst = append(dst, '{')
	dst = append(dst, c.keys[tag]...)
	dst = c.members[tag].write(dst, row)
	return append(dst, '}')
}
