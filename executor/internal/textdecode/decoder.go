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
	ErrFormat      = errors.New("the value has an unexpected form")
	ErrRange       = errors.New("the value exceeds the range of its Arrow type")
	ErrInvalidUTF8 = errors.New("its text is not valid UTF-8")
)

// AppendTextFunc adds one value that is not null to a builder.
type AppendTextFunc func(text []byte) error

// Decoder reads the values of a type from the text that a warehouse sends.
type Decoder struct {
	// Arrow is the type of the column.
	Arrow arrow.DataType
	// Kind is what the text of a text column means.
	Kind executor.TextKind
	// Bind makes the AppendTextFunc for a builder of that Arrow type.
	Bind func(array.Builder) AppendTextFunc
	// JSON appends the value as JSON, as the rows of a response show it.
	JSON func(dst, text []byte) ([]byte, error)
}

// ArrowField describes a column of the type.
func (t Decoder) ArrowField(name string) arrow.Field { return executor.NewField(name, t.Arrow, t.Kind) }

// fixedWidthBuilder is a builder of fixed-width values.
type fixedWidthBuilder[T any] interface{ Append(v T) }

// fixedWidthDecoder returns the decoder of a type whose Arrow value is read from the text and written as JSON.
func fixedWidthDecoder[T any](dt arrow.DataType, read func([]byte) (T, error), write func(dst []byte, v T) []byte) Decoder {
	return Decoder{
		Arrow: dt,
		Bind: func(b array.Builder) AppendTextFunc {
			values := b.(fixedWidthBuilder[T])
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

// BoolDecoder reads true and false.
func BoolDecoder() Decoder {
	return fixedWidthDecoder(arrow.FixedWidthTypes.Boolean, func(text []byte) (bool, error) {
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

// IntDecoder reads an integer that fits into T.
func IntDecoder[T int8 | int16 | int32 | int64]() Decoder {
	dt := arrow.GetDataType[T]()
	bits := dt.(arrow.FixedWidthDataType).BitWidth()
	return fixedWidthDecoder(dt, func(text []byte) (T, error) {
		v, err := strconv.ParseInt(string(text), 10, bits)
		return T(v), toRangeOrFormatError(err)
	}, func(dst []byte, v T) []byte { return strconv.AppendInt(dst, int64(v), 10) })
}

// Float32Decoder reads a number, NaN, Infinity or -Infinity.
func Float32Decoder() Decoder {
	return fixedWidthDecoder(arrow.PrimitiveTypes.Float32, func(text []byte) (float32, error) {
		v, err := strconv.ParseFloat(string(text), 32)
		return float32(v), toRangeOrFormatError(err)
	}, func(dst []byte, v float32) []byte { return jsontext.AppendFloat(dst, float64(v), 32) })
}

// Float64Decoder reads a number, NaN, Infinity or -Infinity.
func Float64Decoder() Decoder {
	return fixedWidthDecoder(arrow.PrimitiveTypes.Float64, func(text []byte) (float64, error) {
		v, err := strconv.ParseFloat(string(text), 64)
		return v, toRangeOrFormatError(err)
	}, func(dst []byte, v float64) []byte { return jsontext.AppendFloat(dst, v, 64) })
}

func toRangeOrFormatError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, strconv.ErrRange):
		return ErrRange
	default:
		return ErrFormat
	}
}

// TextDecoder keeps text unchanged.
func TextDecoder() Decoder {
	return ConvertedTextDecoder(func(dst, text []byte) ([]byte, error) { return append(dst, text...), nil })
}

// ConvertedTextDecoder returns the decoder of text made from what the warehouse sent.
func ConvertedTextDecoder(write func(dst, text []byte) ([]byte, error)) Decoder {
	var scratch []byte
	return Decoder{
		Arrow: arrow.BinaryTypes.String,
		Kind:  executor.TextKindPlain,
		Bind:  func(b array.Builder) AppendTextFunc { return newRewritingAppender(b, write) },
		JSON: func(dst, text []byte) (_ []byte, err error) {
			if scratch, err = write(scratch[:0], text); err != nil {
				return dst, err
			}
			if !utf8.Valid(scratch) {
				return dst, ErrInvalidUTF8
			}
			return jsontext.AppendString(dst, scratch), nil
		},
	}
}

func newRewritingAppender(b array.Builder, write func(dst, text []byte) ([]byte, error)) AppendTextFunc {
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

// NumberAsPlainTextDecoder keeps a number in plain notation of no fixed scale.
func NumberAsPlainTextDecoder() Decoder {
	t := Decoder{Arrow: arrow.BinaryTypes.String, Kind: executor.TextKindDecimal}
	t.Bind = func(b array.Builder) AppendTextFunc {
		return newRewritingAppender(b, func(dst, text []byte) ([]byte, error) { return append(dst, text...), nil })
	}
	t.JSON = func(dst, text []byte) ([]byte, error) { return jsontext.AppendNumberOrNull(dst, text), nil }
	return t
}

// JSONDecoder returns the decoder of one JSON value, made from what the warehouse sent.
func JSONDecoder(write func(dst, text []byte) ([]byte, error)) Decoder {
	return Decoder{
		Arrow: arrow.BinaryTypes.String,
		Kind:  executor.TextKindJSON,
		Bind:  func(b array.Builder) AppendTextFunc { return newRewritingAppender(b, write) },
		JSON:  write,
	}
}

// Base64Decoder reads binary data in standard base64.
func Base64Decoder() Decoder { return binaryDecoder(base64.StdEncoding.AppendDecode) }

func binaryDecoder(read func(dst, text []byte) ([]byte, error)) Decoder {
	var scratch []byte
	decode := func(text []byte) (err error) {
		if scratch, err = read(scratch[:0], text); err != nil {
			return ErrFormat
		}
		return nil
	}
	return Decoder{
		Arrow: arrow.BinaryTypes.Binary,
		Bind: func(b array.Builder) AppendTextFunc {
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

// HexDecoder reads binary data in hexadecimal digits.
func HexDecoder() Decoder { return binaryDecoder(hex.AppendDecode) }
