package postgres

import (
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

var errMalformedArray = errors.New("the array is malformed")

// elementTypeByArrayType maps array types to the types of their elements.
var elementTypeByArrayType = map[uint32]uint32{
	pgtype.BoolArrayOID: pgtype.BoolOID, pgtype.ByteaArrayOID: pgtype.ByteaOID,
	pgtype.Int2ArrayOID: pgtype.Int2OID, pgtype.Int4ArrayOID: pgtype.Int4OID, pgtype.Int8ArrayOID: pgtype.Int8OID,
	pgtype.OIDArrayOID:  pgtype.OIDOID,
	pgtype.TextArrayOID: pgtype.TextOID, pgtype.VarcharArrayOID: pgtype.VarcharOID, pgtype.BPCharArrayOID: pgtype.BPCharOID,
	pgtype.NameArrayOID: pgtype.NameOID, pgtype.UUIDArrayOID: pgtype.UUIDOID,
	pgtype.Float4ArrayOID: pgtype.Float4OID, pgtype.Float8ArrayOID: pgtype.Float8OID, pgtype.NumericArrayOID: pgtype.NumericOID,
	pgtype.DateArrayOID: pgtype.DateOID, pgtype.TimeArrayOID: pgtype.TimeOID, pgtype.TimetzArrayOID: pgtype.TimetzOID,
	pgtype.TimestampArrayOID: pgtype.TimestampOID, pgtype.TimestamptzArrayOID: pgtype.TimestamptzOID,
	pgtype.IntervalArrayOID: pgtype.IntervalOID,
	pgtype.BitArrayOID:      pgtype.BitOID, pgtype.VarbitArrayOID: pgtype.VarbitOID,
	pgtype.JSONArrayOID: pgtype.JSONOID, pgtype.JSONBArrayOID: pgtype.JSONBOID,
}

const (
	arrayHeaderSize    = 12
	arrayDimensionSize = 8
	maxArrayDimensions = 6
)

// newJSONArrayWriter returns the writer of arrays as JSON, one list inside the other for
// each dimension.
func newJSONArrayWriter(element uint32) binaryToTextFunc {
	write := newJSONElementWriter(element)
	return func(dst, raw []byte) ([]byte, error) {
		if len(raw) < arrayHeaderSize {
			return dst, errMalformedArray
		}
		dimensions := int(bigEndianInt32(raw))
		if dimensions == 0 {
			return append(dst, '[', ']'), nil
		}
		if dimensions < 0 || dimensions > maxArrayDimensions || len(raw) < arrayHeaderSize+dimensions*arrayDimensionSize {
			return dst, errMalformedArray
		}
		sizes := make([]int, dimensions)
		elements := 1
		for i := range sizes {
			sizes[i] = int(bigEndianInt32(raw[arrayHeaderSize+i*arrayDimensionSize:]))
			elements *= sizes[i]
			// Every element has a length of four bytes at least.
			if sizes[i] < 1 || elements > len(raw)/4 {
				return dst, errMalformedArray
			}
		}
		r := arrayJSONRenderer{raw: raw[arrayHeaderSize+dimensions*arrayDimensionSize:], write: write}
		dst, err := r.appendList(dst, sizes)
		if err == nil && len(r.raw) > 0 {
			err = errMalformedArray
		}
		return dst, err
	}
}

type arrayJSONRenderer struct {
	raw   []byte
	write binaryToTextFunc
}

func (r *arrayJSONRenderer) appendList(dst []byte, sizes []int) (_ []byte, err error) {
	dst = append(dst, '[')
	for i := range sizes[0] {
		if i > 0 {
			dst = append(dst, ',')
		}
		if len(sizes) > 1 {
			dst, err = r.appendList(dst, sizes[1:])
		} else {
			dst, err = r.appendElement(dst)
		}
		if err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func (r *arrayJSONRenderer) appendElement(dst []byte) ([]byte, error) {
	if len(r.raw) < 4 {
		return dst, errMalformedArray
	}
	n := int(bigEndianInt32(r.raw))
	r.raw = r.raw[4:]
	if n == -1 {
		return jsontext.AppendNull(dst), nil
	}
	if n < 0 || n > len(r.raw) {
		return dst, errMalformedArray
	}
	value := r.raw[:n]
	r.raw = r.raw[n:]
	return r.write(dst, value)
}

// newJSONElementWriter returns the writer of a value as JSON.
func newJSONElementWriter(oid uint32) binaryToTextFunc {
	switch oid {
	case pgtype.BoolOID:
		return newWidthCheckingWriter(1, func(dst, raw []byte) []byte { return jsontext.AppendBool(dst, raw[0] != 0) })
	case pgtype.Int2OID:
		return newWidthCheckingWriter(2, func(dst, raw []byte) []byte { return strconv.AppendInt(dst, int64(bigEndianInt16(raw)), 10) })
	case pgtype.Int4OID:
		return newWidthCheckingWriter(4, func(dst, raw []byte) []byte { return strconv.AppendInt(dst, int64(bigEndianInt32(raw)), 10) })
	case pgtype.Int8OID:
		return newWidthCheckingWriter(8, func(dst, raw []byte) []byte { return strconv.AppendInt(dst, bigEndianInt64(raw), 10) })
	case pgtype.OIDOID:
		return newWidthCheckingWriter(4, func(dst, raw []byte) []byte { return strconv.AppendUint(dst, uint64(uint32(bigEndianInt32(raw))), 10) })
	case pgtype.Float4OID:
		return newWidthCheckingWriter(4, func(dst, raw []byte) []byte { return jsontext.AppendFloat(dst, float64(bigEndianFloat32(raw)), 32) })
	case pgtype.Float8OID:
		return newWidthCheckingWriter(8, func(dst, raw []byte) []byte { return jsontext.AppendFloat(dst, bigEndianFloat64(raw), 64) })
	case pgtype.NumericOID:
		return func(dst, raw []byte) ([]byte, error) {
			text, err := appendNumericText(nil, raw)
			return jsontext.AppendNumberOrNull(dst, text), err
		}
	case pgtype.DateOID:
		return newWidthCheckingWriter(4, func(dst, raw []byte) []byte {
			days, ok, _ := decodeDate(raw)
			if !ok {
				return jsontext.AppendNull(dst)
			}
			return append(jsontext.AppendDate(append(dst, '"'), int64(days)), '"')
		})
	case pgtype.TimeOID:
		return newWidthCheckingWriter(8, func(dst, raw []byte) []byte {
			return append(jsontext.AppendTime(append(dst, '"'), bigEndianInt64(raw), 1_000_000), '"')
		})
	case pgtype.TimestampOID:
		return newTimestampElementWriter(false)
	case pgtype.TimestamptzOID:
		return newTimestampElementWriter(true)
	case pgtype.IntervalOID:
		return newWidthCheckingWriter(16, func(dst, raw []byte) []byte {
			months, days, micros, finite := decodeIntervalParts(raw)
			if !finite {
				return jsontext.AppendNull(dst)
			}
			return append(jsontext.AppendInterval(append(dst, '"'), int64(months), int64(days), micros, 1_000_000), '"')
		})
	case pgtype.ByteaOID:
		return func(dst, raw []byte) ([]byte, error) { return jsontext.AppendBase64(dst, raw), nil }
	case pgtype.JSONOID:
		return appendJSONOrString
	case pgtype.JSONBOID:
		return func(dst, raw []byte) ([]byte, error) {
			text, err := appendJSONBText(nil, raw)
			if err != nil {
				return dst, err
			}
			return appendJSONOrString(dst, text)
		}
	default:
		return newQuotedTextWriter(binaryToTextFuncForType(oid))
	}
}

func newTimestampElementWriter(utc bool) binaryToTextFunc {
	return func(dst, raw []byte) ([]byte, error) {
		if len(raw) != 8 {
			return dst, errUnexpectedLength
		}
		v, ok, err := decodeTimestamp(raw)
		if err != nil || !ok {
			return jsontext.AppendNull(dst), err
		}
		return append(jsontext.AppendTimestamp(append(dst, '"'), int64(v), 1_000_000, utc), '"'), nil
	}
}

func newWidthCheckingWriter(width int, write func(dst, raw []byte) []byte) binaryToTextFunc {
	return func(dst, raw []byte) ([]byte, error) {
		if len(raw) != width {
			return dst, errUnexpectedLength
		}
		return write(dst, raw), nil
	}
}

func newQuotedTextWriter(write binaryToTextFunc) binaryToTextFunc {
	return func(dst, raw []byte) ([]byte, error) {
		text, err := write(nil, raw)
		if err == nil && !utf8.Valid(text) {
			err = errInvalidUTF8
		}
		return jsontext.AppendString(dst, text), err
	}
}

// appendJSONOrString writes a JSON value inside another.
func appendJSONOrString(dst, text []byte) ([]byte, error) {
	if !utf8.Valid(text) {
		return dst, errInvalidUTF8
	}
	if !json.Valid(text) {
		return jsontext.AppendString(dst, text), nil
	}
	return append(dst, text...), nil
}
