package textdecode

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// What can be wrong with a text.
var (
	ErrFormat   = errors.New("the value has an unexpected form")
	ErrRange    = errors.New("the value exceeds the range of its Arrow type")
	ErrEncoding = errors.New("its text is not valid UTF-8")
)

// AppendText adds one value that is not null to a builder.
type AppendText func(text []byte) error

// Type is how values of a type travel.
type Type struct {
	// Arrow is the type of the column.
	Arrow arrow.DataType
	// Kind is what the text of a text column means.
	Kind executor.Kind
	// Bind makes the Append for a builder of that Arrow type.
	Bind func(array.Builder) AppendText
	// JSON appends the value as JSON, as the rows of a response show it.
	JSON func(dst, text []byte) ([]byte, error)
}

// Field describes a column of the type.
func (t Type) Field(name string) arrow.Field { return executor.Field(name, t.Arrow, t.Kind) }

// appender is a builder of fixed-width values.
type appender[T any] interface{ Append(v T) }

// valueType is a type whose Arrow value is read from the text and written as JSON.
func valueType[T any](dt arrow.DataType, read func([]byte) (T, error), write func(dst []byte, v T) []byte) Type {
	return Type{
		Arrow: dt,
		Bind: func(b array.Builder) AppendText {
			values := b.(appender[T])
			return func(text []byte) error {
				v, err := read(text)
				if err == nil {
					values.Append(v)
				}
				return err
			}
		},
		JSON: func(dst, text []byte) ([]byte, error) {
			v, err := read(text)
			if err != nil {
				return dst, err
			}
			return write(dst, v), nil
		},
	}
}

// BoolType reads true and false.
func BoolType() Type {
	return valueType(arrow.FixedWidthTypes.Boolean, func(text []byte) (bool, error) {
		switch string(text) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		default:
			return false, ErrFormat
		}
	}, jsontext.AppendBool)
}

// IntType reads an integer that fits into T.
func IntType[T int8 | int16 | int32 | int64]() Type {
	dt := arrow.GetDataType[T]()
	bits := dt.(arrow.FixedWidthDataType).BitWidth()
	return valueType(dt, func(text []byte) (T, error) {
		v, err := strconv.ParseInt(string(text), 10, bits)
		return T(v), numeric(err)
	}, func(dst []byte, v T) []byte { return strconv.AppendInt(dst, int64(v), 10) })
}

// Float32Type reads a number, NaN, Infinity or -Infinity.
func Float32Type() Type {
	return valueType(arrow.PrimitiveTypes.Float32, func(text []byte) (float32, error) {
		v, err := strconv.ParseFloat(string(text), 32)
		return float32(v), numeric(err)
	}, func(dst []byte, v float32) []byte { return jsontext.AppendFloat(dst, float64(v), 32) })
}

// Float64Type reads a number, NaN, Infinity or -Infinity.
func Float64Type() Type {
	return valueType(arrow.PrimitiveTypes.Float64, func(text []byte) (float64, error) {
		v, err := strconv.ParseFloat(string(text), 64)
		return v, numeric(err)
	}, func(dst []byte, v float64) []byte { return jsontext.AppendFloat(dst, v, 64) })
}

func numeric(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, strconv.ErrRange):
		return ErrRange
	default:
		return ErrFormat
	}
}

// TextType keeps text unchanged.
func TextType() Type {
	return RewrittenTextType(func(dst, text []byte) ([]byte, error) { return append(dst, text...), nil })
}

// RewrittenTextType is text made from what the warehouse sent.
func RewrittenTextType(write func(dst, text []byte) ([]byte, error)) Type {
	var scratch []byte
	return Type{
		Arrow: arrow.BinaryTypes.String,
		Kind:  executor.KindText,
		Bind:  func(b array.Builder) AppendText { return appendText(b, write) },
		JSON: func(dst, text []byte) (_ []byte, err error) {
			if scratch, err = write(scratch[:0], text); err != nil {
				return dst, err
			}
			if !utf8.Valid(scratch) {
				return dst, ErrEncoding
			}
			return jsontext.AppendString(dst, scratch), nil
		},
	}
}

func appendText(b array.Builder, write func(dst, text []byte) ([]byte, error)) AppendText {
	texts := b.(*array.StringBuilder)
	var scratch []byte
	return func(text []byte) (err error) {
		scratch, err = write(scratch[:0], text)
		if err == nil {
			texts.BinaryBuilder.Append(scratch)
		}
		return err
	}
}

// NumberType is a number in plain notation of no fixed scale.
func NumberType() Type {
	t := Type{Arrow: arrow.BinaryTypes.String, Kind: executor.KindNumber}
	t.Bind = func(b array.Builder) AppendText {
		return appendText(b, func(dst, text []byte) ([]byte, error) { return append(dst, text...), nil })
	}
	t.JSON = func(dst, text []byte) ([]byte, error) { return jsontext.AppendNumber(dst, text), nil }
	return t
}

// JSONType is one JSON value, made from what the warehouse sent.
func JSONType(write func(dst, text []byte) ([]byte, error)) Type {
	return Type{
		Arrow: arrow.BinaryTypes.String,
		Kind:  executor.KindJSON,
		Bind:  func(b array.Builder) AppendText { return appendText(b, write) },
		JSON:  write,
	}
}

// Base64Type is binary data in standard base64.
func Base64Type() Type { return binaryType(base64.StdEncoding.AppendDecode) }

func binaryType(read func(dst, text []byte) ([]byte, error)) Type {
	var scratch []byte
	decode := func(text []byte) (err error) {
		if scratch, err = read(scratch[:0], text); err != nil {
			return ErrFormat
		}
		return nil
	}
	return Type{
		Arrow: arrow.BinaryTypes.Binary,
		Bind: func(b array.Builder) AppendText {
			values := b.(*array.BinaryBuilder)
			return func(text []byte) error {
				if err := decode(text); err != nil {
					return err
				}
				values.Append(scratch)
				return nil
			}
		},
		JSON: func(dst, text []byte) ([]byte, error) {
			if err := decode(text); err != nil {
				return dst, err
			}
			return jsontext.AppendBase64(dst, scratch), nil
		},
	}
}

// HexType is binary data in hexadecimal digits.
func HexType() Type { return binaryType(hex.AppendDecode) }
