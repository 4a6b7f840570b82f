package postgres

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/semlayer/semlayer/executor"
)

const (
	textFormat   int16 = 0
	binaryFormat int16 = 1
)

// decoder appends one value that is not null to the builder of its column.
type decoder func(raw []byte) error

// columnType is how a type of the server travels.
type columnType struct {
	dt     arrow.DataType
	kind   executor.Kind
	format int16
	// decoder makes the decoder for the builder of dt.
	decoder func(b array.Builder) decoder
}

func (t columnType) field(name string) arrow.Field { return executor.Field(name, t.dt, t.kind) }

// typeFor chooses by the type's number; modifier is the declared precision of
// types that have one.
func typeFor(oid uint32, modifier int32) columnType {
	switch oid {
	case pgtype.NumericOID:
		return numericType(modifier)
	case pgtype.JSONOID:
		return jsonType(func(dst, raw []byte) ([]byte, error) { return append(dst, raw...), nil })
	case pgtype.JSONBOID:
		return jsonType(jsonbText)
	}
	if t, ok := fixedType(oid); ok {
		return t
	}
	if plainTextTypes[oid] {
		return serverText(binaryFormat)
	}
	if write, ok := textTypes[oid]; ok {
		return renderedType(executor.KindText, write)
	}
	if element, ok := arrayElements[oid]; ok {
		return jsonType(jsonArrayWriter(element))
	}
	// The server's own text, for enums, ranges, addresses and types of extensions.
	return serverText(textFormat)
}

// textOf returns the writer of a type that is text.
func textOf(oid uint32) textWriter {
	if plainTextTypes[oid] {
		return asText
	}
	return textTypes[oid]
}

// serverText is text as the server sends it.
func serverText(format int16) columnType {
	return columnType{arrow.BinaryTypes.String, executor.KindText, format, func(b array.Builder) decoder {
		texts := b.(*array.StringBuilder)
		return func(raw []byte) error {
			texts.BinaryBuilder.Append(raw)
			return nil
		}
	}}
}

func jsonType(write textWriter) columnType { return renderedType(executor.KindJSON, write) }

// textWriter appends the text of a value in binary format.
type textWriter func(dst, raw []byte) ([]byte, error)

// renderedType is text made from the binary format.
func renderedType(kind executor.Kind, write textWriter) columnType {
	return columnType{arrow.BinaryTypes.String, kind, binaryFormat, func(b array.Builder) decoder {
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

func asText(dst, raw []byte) ([]byte, error) { return append(dst, raw...), nil }

// plainTextTypes are the types whose binary format is their text.
var plainTextTypes = map[uint32]bool{
	pgtype.TextOID: true, pgtype.VarcharOID: true, pgtype.BPCharOID: true, pgtype.NameOID: true,
	pgtype.QCharOID: true, pgtype.UnknownOID: true, pgtype.XMLOID: true,
}

// textTypes are the types whose text is made from the binary format.
var textTypes = map[uint32]textWriter{
	pgtype.UUIDOID:   uuidText,
	pgtype.BitOID:    bitText,
	pgtype.VarbitOID: bitText,
	pgtype.TimetzOID: timeTZText,
}
