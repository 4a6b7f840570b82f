package jsonrows

import (
	"encoding/json"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// textEncoder encodes the three string layouts.
type textEncoder struct {
	array array.StringLike
	write func(dst []byte, s string) []byte
}

func (e *textEncoder) bindArray(a arrow.Array) { e.array = a.(array.StringLike) }

func (e *textEncoder) appendValue(dst []byte, row int) []byte {
	return e.write(dst, e.array.Value(row))
}

// appendJSONOrString writes a JSON value unchanged. Text that is not valid JSON is written as a string:
// a stray byte must not break the document around it.
func appendJSONOrString(dst []byte, s string) []byte {
	if !json.Valid(unsafe.Slice(unsafe.StringData(s), len(s))) {
		return jsontext.AppendString(dst, s)
	}
	return append(dst, s...)
}

type byteSliceArray interface {
	Value(row int) []byte
}

// binaryEncoder encodes the four binary layouts.
type binaryEncoder struct {
	array byteSliceArray
	write func(dst, b []byte) []byte
}

func (e *binaryEncoder) bindArray(a arrow.Array) { e.array = a.(byteSliceArray) }

func (e *binaryEncoder) appendValue(dst []byte, row int) []byte {
	return e.write(dst, e.array.Value(row))
}
