package postgres

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/semlayer/semlayer/executor"
)

const (
	wireFormatText   int16 = 0
	wireFormatBinary int16 = 1
)

// valueDecoder appends one value that is not null to the builder of its column.
type valueDecoder func(raw []byte) error

// columnDecoding is how a type of the server travels.
type columnDecoding struct {
	dt     arrow.DataType
	kind   executor.TextKind
	format int16
	// decoder makes the decoder for the builder of dt.
	decoder func(b array.Builder) valueDecoder
}

func (t columnDecoding) arrowField(name string) arrow.Field {
	return executor.NewField(name, t.dt, t.kind)
}

// decodingForType chooses by the type's number; modifier is the declared precision of
// types that have one.
func decodingForType(oid uint32, modifier int32) columnDecoding {
	switch oid {
	case pgtype.NumericOID:
		return newNumericDecoding(modifier)
	case pgtype.JSONOID:
		return newJSONDecoding(func(dst, raw []byte) ([]byte, error) { return append(dst, raw...), nil })
	case pgtype.JSONBOID:
		return newJSONDecoding(appendJSONBText)
	}
	if t, ok := fixedWidthDecodingForType(oid); ok {
		return t
	}
	if plainTextTypes[oid] {
		return newServerTextDecoding(wireFormatBinary)
	}
	if write, ok := binaryToTextFuncsByOID[oid]; ok {
		return newRenderedTextDecoding(executor.TextKindPlain, write)
	}
	if element, ok := elementTypeByArrayType[oid]; ok {
		return newJSONDecoding(newJSONArrayWriter(element))
	}
	// The server's own text, for enums, ranges, addresses and types of extensions.
	return newServerTextDecoding(wireFormatText)
}

// binaryToTextFuncForType returns the writer of a type that is text.
func binaryToTextFuncForType(oid uint32) binaryToTextFunc {
	if plainTextTypes[oid] {
		return appendRawText
	}
	return binaryToTextFuncsByOID[oid]
}

// newServerTextDecoding returns text as the server sends it.
func newServerTextDecoding(format int16) columnDecoding {
	return columnDecoding{arrow.BinaryTypes.String, executor.TextKindPlain, format, func(b array.Builder) valueDecoder {
		texts := b.(*array.StringBuilder)
		return func(raw []byte) error {
			texts.BinaryBuilder.Append(raw)
			return nil
		}
	}}
}

func newJSONDecoding(write binaryToTextFunc) columnDecoding {
	return newRenderedTextDecoding(executor.TextKindJSON, write)
}

// binaryToTextFunc appends the text of a value in binary format.
type binaryToTextFunc func(dst, raw []byte) ([]byte, error)

// newRenderedTextDecoding returns text made from the binary format.
func newRenderedTextDecoding(kind executor.TextKind, write binaryToTextFunc) columnDecoding {
	return columnDecoding{arrow.BinaryTypes.String, kind, wireFormatBinary, func(b array.Builder) valueDecoder {
		texts := b.(*array.StringBuilder)
		var scratch []byte
		return func(raw []byte) (err error) {
			scratch, err = write(scratch[:0], raw)
			if err == nil {
				texts.BinaryBuilder.Append(scratch)
			}
			return err
		}
	}}
}

func appendRawText(dst, raw []byte) ([]byte, error) { return append(dst, raw...), nil }

// plainTextTypes are the types whose binary format is their text.
var plainTextTypes = map[uint32]bool{
	pgtype.TextOID: true, pgtype.VarcharOID: true, pgtype.BPCharOID: true, pgtype.NameOID: true,
	pgtype.QCharOID: true, pgtype.UnknownOID: true, pgtype.XMLOID: true,
}

// binaryToTextFuncsByOID are the types whose text is made from the binary format.
var binaryToTextFuncsByOID = map[uint32]binaryToTextFunc{
	pgtype.UUIDOID:   appendUUIDText,
	pgtype.BitOID:    appendBitText,
	pgtype.VarbitOID: appendBitText,
	pgtype.TimetzOID: appendTimeTZText,
}
