package jsonrows

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// nestedFor returns the encoder of a type that has others inside.
func nestedFor(dt arrow.DataType) encoder {
	switch dt := dt.(type) {
	case *arrow.DictionaryType:
		if enc := encoderFor(arrow.Field{Type: dt.ValueType}, None); enc != nil {
			return &dictionaries{values: column{enc: enc}}
		}
	case *arrow.MapType:
		key, item := encoderFor(dt.KeyField(), None), encoderFor(dt.ItemField(), None)
		if key != nil && item != nil {
			return &maps{key: column{enc: key}, item: column{enc: item}}
		}
	case arrow.ListLikeType:
		if enc := encoderFor(dt.ElemField(), None); enc != nil {
			return &lists{items: column{enc: enc}}
		}
	case *arrow.StructType:
		return structsFor(dt)
	case arrow.ExtensionType:
		if enc := encoderFor(arrow.Field{Type: dt.StorageType()}, None); enc != nil {
			return &extensions{storage: column{enc: enc}}
		}
	}
	return nil
}

type dictionaries struct {
	array  *array.Dictionary
	values column
}

func (e *dictionaries) bind(a arrow.Array) {
	e.array = a.(*array.Dictionary)
	e.values.bind(e.array.Dictionary())
}

func (e *dictionaries) append(dst []byte, row int) []byte {
	return e.values.append(dst, e.array.GetValueIndex(row))
}

type lists struct {
	array array.ListLike
	items column
}

func (e *lists) bind(a arrow.Array) {
	e.array = a.(array.ListLike)
	e.items.bind(e.array.ListValues())
}

func (e *lists) append(dst []byte, row int) []byte {
	from, to := e.array.ValueOffsets(row)
	dst = append(dst, '[')
	for i := from; i < to; i++ {
		if i > from {
			dst = append(dst, ',')
		}
		dst = e.items.append(dst, int(i))
	}
	return append(dst, ']')
}

type structs struct {
	keys   [][]byte
	fields []column
}

func structsFor(dt *arrow.StructType) encoder {
	e := &structs{}
	for i, f := range dt.Fields() {
		enc := encoderFor(f, None)
		if enc == nil {
			return nil
		}
		opening := byte(',')
		if i == 0 {
			opening = '{'
		}
		e.keys = append(e.keys, append(jsontext.AppendString([]byte{opening}, f.Name), ':'))
		e.fields = append(e.fields, column{enc: enc})
	}
	return e
}

func (e *structs) bind(a arrow.Array) {
	s := a.(*array.Struct)
	for i := range e.fields {
		e.fields[i].bind(s.Field(i))
	}
}

func (e *structs) append(dst []byte, row int) []byte {
	if len(e.fields) == 0 {
		return append(dst, '{', '}')
	}
	for i := range e.fields {
		dst = append(dst, e.keys[i]...)
		dst = e.fields[i].append(dst, row)
	}
	return append(dst, '}')
}

// maps writes objects. A key that is not a string is written as JSON first, and that text
// becomes the key.
type maps struct {
	array     *array.Map
	key, item column
	scratch   []byte
}

func (e *maps) bind(a arrow.Array) {
	e.array = a.(*array.Map)
	e.key.bind(e.array.Keys())
	e.item.bind(e.array.Items())
}

func (e *maps) append(dst []byte, row int) []byte {
	from, to := e.array.ValueOffsets(row)
	dst = append(dst, '{')
	for i := from; i < to; i++ {
		if i > from {
			dst = append(dst, ',')
		}
		e.scratch = e.key.append(e.scratch[:0], int(i))
		if e.scratch[0] == '"' {
			dst = append(dst, e.scratch...)
		} else {
			dst = jsontext.AppendString(dst, e.scratch)
		}
		dst = append(dst, ':')
		dst = e.item.append(dst, int(i))
	}
	return append(dst, '}')
}

type extensions struct{ storage column }

func (e *extensions) bind(a arrow.Array) { e.storage.bind(a.(array.ExtensionArray).Storage()) }

func (e *extensions) append(dst []byte, row int) []byte { return e.storage.append(dst, row) }
