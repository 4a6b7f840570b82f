package jsonrows

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// newNestedEncoder returns the encoder of a type that has others inside.
func newNestedEncoder(dt arrow.DataType) valueEncoder {
	switch dt := dt.(type) {
	case *arrow.DictionaryType:
		if enc := encoderForField(arrow.Field{Type: dt.ValueType}, HintNone); enc != nil {
			return &dictionaryEncoder{values: nullableEncoder{enc: enc}}
		}
	case *arrow.MapType:
		key, item := encoderForField(dt.KeyField(), HintNone), encoderForField(dt.ItemField(), HintNone)
		if key != nil && item != nil {
			return &mapEncoder{key: nullableEncoder{enc: key}, item: nullableEncoder{enc: item}}
		}
	case arrow.ListLikeType:
		if enc := encoderForField(dt.ElemField(), HintNone); enc != nil {
			return &listEncoder{items: nullableEncoder{enc: enc}}
		}
	case *arrow.StructType:
		return newStructEncoder(dt)
	case arrow.ExtensionType:
		if enc := encoderForField(arrow.Field{Type: dt.StorageType()}, HintNone); enc != nil {
			return &extensionEncoder{storage: nullableEncoder{enc: enc}}
		}
	}
	return nil
}

type dictionaryEncoder struct {
	array  *array.Dictionary
	values nullableEncoder
}

func (e *dictionaryEncoder) bindArray(a arrow.Array) {
	e.array = a.(*array.Dictionary)
	e.values.bindArray(e.array.Dictionary())
}

func (e *dictionaryEncoder) appendValue(dst []byte, row int) []byte {
	return e.values.appendValue(dst, e.array.GetValueIndex(row))
}

type listEncoder struct {
	array array.ListLike
	items nullableEncoder
}

func (e *listEncoder) bindArray(a arrow.Array) {
	e.array = a.(array.ListLike)
	e.items.bindArray(e.array.ListValues())
}

func (e *listEncoder) appendValue(dst []byte, row int) []byte {
	from, to := e.array.ValueOffsets(row)
	dst = append(dst, '[')
	for i := from; i < to; i++ {
		if i > from {
			dst = append(dst, ',')
		}
		dst = e.items.appendValue(dst, int(i))
	}
	return append(dst, ']')
}

type structEncoder struct {
	keys   [][]byte
	fields []nullableEncoder
}

func newStructEncoder(dt *arrow.StructType) valueEncoder {
	e := &structEncoder{}
	for i, f := range dt.Fields() {
		enc := encoderForField(f, HintNone)
		if enc == nil {
			return nil
		}
		opening := byte(',')
		if i == 0 {
			opening = '{'
		}
		e.keys = append(e.keys, append(jsontext.AppendString([]byte{opening}, f.Name), ':'))
		e.fields = append(e.fields, nullableEncoder{enc: enc})
	}
	return e
}

func (e *structEncoder) bindArray(a arrow.Array) {
	s := a.(*array.Struct)
	for i := range e.fields {
		e.fields[i].bindArray(s.Field(i))
	}
}

func (e *structEncoder) appendValue(dst []byte, row int) []byte {
	if len(e.fields) == 0 {
		return append(dst, '{', '}')
	}
	for i := range e.fields {
		dst = append(dst, e.keys[i]...)
		dst = e.fields[i].appendValue(dst, row)
	}
	return append(dst, '}')
}

// mapEncoder writes objects. A key that is not a string is written as JSON first, and that text
// becomes the key.
type mapEncoder struct {
	array     *array.Map
	key, item nullableEncoder
	scratch   []byte
}

func (e *mapEncoder) bindArray(a arrow.Array) {
	e.array = a.(*array.Map)
	e.key.bindArray(e.array.Keys())
	e.item.bindArray(e.array.Items())
}

func (e *mapEncoder) appendValue(dst []byte, row int) []byte {
	from, to := e.array.ValueOffsets(row)
	dst = append(dst, '{')
	for i := from; i < to; i++ {
		if i > from {
			dst = append(dst, ',')
		}
		e.scratch = e.key.appendValue(e.scratch[:0], int(i))
		dst = e.item.appendValue(jsontext.AppendKey(dst, e.scratch), int(i))
	}
	return append(dst, '}')
}

type extensionEncoder struct{ storage nullableEncoder }

func (e *extensionEncoder) bindArray(a arrow.Array) {
	e.storage.bindArray(a.(array.ExtensionArray).Storage())
}

func (e *extensionEncoder) appendValue(dst []byte, row int) []byte {
	return e.storage.appendValue(dst, row)
}
