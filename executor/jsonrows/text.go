package jsonrows

import (
	"encoding/json"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// texts encodes the three string layouts.
type texts struct {
	array array.StringLike
	write func(dst []byte, s string) []byte
}

func (e *texts) bind(a arrow.Array) { e.array = a.(array.StringLike) }

func (e *texts) append(dst []byte, row int) []byte { return e.write(dst, e.array.Value(row)) }

// appendJSON writes a JSON value unchanged. Text that is not valid JSON is written as a string:
// a stray byte must not break the document around it.
func appendJSON(dst []byte, s string) []byte {
	if !json.Valid(unsafe.Slice(unsafe.StringData(s), len(s))) {
		return jsontext.AppendString(dst, s)
	}
	return append(dst, s...)
}

type binaryLike interface {
	Value(row int) []byte
}

// binaryEncoder encodes the four binary layouts.
type binaryEncoder struct {
	array binaryLike
	write func(dst, b []byte) []byte
}

func (e *binaryEncoder) bind(a arrow.Array) { e.array = a.(binaryLike) }

func (e *binaryEncoder) append(dst []byte, row int) []byte { return e.write(dst, e.array.Value(row)) }
