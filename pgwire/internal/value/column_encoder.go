package value

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// ColumnEncoder writes the values of one column of the record batches of a result. One goroutine uses it at a time.
type ColumnEncoder struct {
	oid    uint32
	format int16
	enc    encoder
	array  arrow.Array
	nulls  bool
}

// encoder appends the values of one column that are not null, after bind.
type encoder interface {
	bind(a arrow.Array)
	appendValue(dst []byte, row int) ([]byte, error)
}

// NewColumnEncoder prepares a column whose values are announced as a type in a format. The text of an instant is as the clock
// shows it; nil is UTC.
func NewColumnEncoder(f arrow.Field, oid uint32, format int16, clock Clock) (*ColumnEncoder, error) {
	if oid != TimestampTZOID || format != TextFormat {
		clock = nil
	}
	enc := newEncoderWithoutConversion(f, oid, format, clock)
	if enc == nil {
		read, err := newTextFormatter(f)
		if err != nil {
			return nil, err
		}
		enc = &textConvertingEncoder{read: read, oid: oid, format: format, clock: clock}
	}
	return &ColumnEncoder{oid: oid, format: format, enc: enc}, nil
}

// BindArray makes the column read an array, until the next Bind.
func (c *ColumnEncoder) BindArray(a arrow.Array) {
	c.array, c.nulls = a, a.NullN() > 0 || a.DataType().ID() == arrow.NULL
	c.enc.bind(a)
}

// AppendWithLength appends the length and the value of a row; the length of NULL is -1.
func (c *ColumnEncoder) AppendWithLength(dst []byte, row int) ([]byte, error) {
	if c.nulls && c.array.IsNull(row) {
		return append(dst, 0xFF, 0xFF, 0xFF, 0xFF), nil
	}
	start := len(dst)
	dst, err := c.enc.appendValue(append(dst, 0, 0, 0, 0), row)
	if err != nil {
		return dst, err
	}
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst, nil
}

// IsNull reports whether the value of a row is NULL.
func (c *ColumnEncoder) IsNull(row int) bool { return c.nulls && c.array.IsNull(row) }

// AppendValue appends the value of a row, which is not null, without its length.
func (c *ColumnEncoder) AppendValue(dst []byte, row int) ([]byte, error) {
	return c.enc.appendValue(dst, row)
}

// fixedWidthColumnEncoder reads values of fixed width from their buffer.
type fixedWidthColumnEncoder[T arrow.FixedWidthType] struct {
	cells []T
	write func(dst []byte, v T) ([]byte, error)
}

func (e *fixedWidthColumnEncoder[T]) bind(a arrow.Array) { e.cells = arrow.GetValues[T](a.Data(), 1) }

func (e *fixedWidthColumnEncoder[T]) appendValue(dst []byte, row int) ([]byte, error) {
	return e.write(dst, e.cells[row])
}

func newIntegerEncoder[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32](oid uint32, format int16) encoder {
	return &fixedWidthColumnEncoder[T]{write: func(dst []byte, v T) ([]byte, error) { return appendInt(dst, oid, format, int64(v)) }}
}

// newEncoderWithoutConversion returns the encoder of a column whose values have the announced type already; nil for any other.
func newEncoderWithoutConversion(f arrow.Field, oid uint32, format int16, clock Clock) encoder {
	switch oid {
	case Int4OID, Int8OID:
		return newIntegerEncoderForArrowType(f.Type, oid, format)
	case Float8OID:
		if f.Type.ID() == arrow.FLOAT64 {
			return &fixedWidthColumnEncoder[float64]{write: func(dst []byte, v float64) ([]byte, error) { return appendFloat4Or8(dst, oid, format, v), nil }}
		}
	case BoolOID:
		if f.Type.ID() == arrow.BOOL {
			return &boolEncoder{format: format}
		}
	case NumericOID:
		if d, ok := f.Type.(*arrow.Decimal128Type); ok && format == TextFormat {
			scale := int(d.Scale)
			return &fixedWidthColumnEncoder[decimal.Decimal128]{write: func(dst []byte, v decimal.Decimal128) ([]byte, error) {
				return appendDecimal(dst, v.HighBits(), v.LowBits(), scale), nil
			}}
		}
	case TextOID:
		if isArrowStringField(f) {
			return &textEncoder{}
		}
	case DateOID:
		if f.Type.ID() == arrow.DATE32 {
			return &fixedWidthColumnEncoder[arrow.Date32]{write: func(dst []byte, v arrow.Date32) ([]byte, error) { return appendDateInFormat(dst, format, int64(v)) }}
		}
	case TimestampOID, TimestampTZOID:
		if t, ok := f.Type.(*arrow.TimestampType); ok {
			toMicros := newMicrosecondConverter(t.Unit)
			return &fixedWidthColumnEncoder[arrow.Timestamp]{write: func(dst []byte, v arrow.Timestamp) ([]byte, error) {
				micros, err := toMicros(int64(v))
				if err != nil {
					return dst, err
				}
				if clock != nil {
					return appendInstantText(dst, micros, clock)
				}
				return appendTimestampInFormat(dst, oid, format, micros)
			}}
		}
	}
	return nil
}

func newIntegerEncoderForArrowType(dt arrow.DataType, oid uint32, format int16) encoder {
	switch dt.ID() {
	case arrow.INT8:
		return newIntegerEncoder[int8](oid, format)
	case arrow.INT16:
		return newIntegerEncoder[int16](oid, format)
	case arrow.INT32:
		return newIntegerEncoder[int32](oid, format)
	case arrow.INT64:
		return newIntegerEncoder[int64](oid, format)
	case arrow.UINT8:
		return newIntegerEncoder[uint8](oid, format)
	case arrow.UINT16:
		return newIntegerEncoder[uint16](oid, format)
	case arrow.UINT32:
		return newIntegerEncoder[uint32](oid, format)
	}
	return nil
}

// newMicrosecondConverter converts counts of a unit to microseconds. It rounds nanoseconds down, towards the past.
func newMicrosecondConverter(u arrow.TimeUnit) func(int64) (int64, error) {
	scale := func(by int64) func(int64) (int64, error) {
		return func(v int64) (int64, error) {
			if v > math.MaxInt64/by || v < math.MinInt64/by {
				return 0, timeOutOfRangeError()
			}
			return v * by, nil
		}
	}
	switch u {
	case arrow.Second:
		return scale(1_000_000)
	case arrow.Millisecond:
		return scale(1_000)
	case arrow.Microsecond:
		return func(v int64) (int64, error) { return v, nil }
	}
	return func(v int64) (int64, error) { return floorDiv(v, 1_000), nil }
}

type boolEncoder struct {
	array  *array.Boolean
	format int16
}

func (e *boolEncoder) bind(a arrow.Array) { e.array = a.(*array.Boolean) }

func (e *boolEncoder) appendValue(dst []byte, row int) ([]byte, error) {
	return appendBool(dst, e.format, e.array.Value(row)), nil
}

func isArrowStringField(f arrow.Field) bool {
	switch f.Type.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return true
	}
	return false
}

type textEncoder struct{ array array.StringLike }

func (e *textEncoder) bind(a arrow.Array) { e.array = a.(array.StringLike) }

func (e *textEncoder) appendValue(dst []byte, row int) ([]byte, error) {
	return appendTextRejectingNUL(dst, e.array.Value(row))
}

// textFormatter appends values as the text that PostgreSQL has for them.
type textFormatter interface {
	bind(a arrow.Array)
	appendText(dst []byte, row int) ([]byte, error)
}

// textConvertingEncoder writes values through their texts.
type textConvertingEncoder struct {
	read   textFormatter
	oid    uint32
	format int16
	clock  Clock
	buffer []byte
}

func (e *textConvertingEncoder) bind(a arrow.Array) { e.read.bind(a) }

func (e *textConvertingEncoder) appendValue(dst []byte, row int) ([]byte, error) {
	var err error
	if e.buffer, err = e.read.appendText(e.buffer[:0], row); err != nil {
		return dst, err
	}
	text := string(e.buffer)
	if e.clock != nil {
		return append(dst, InstantTextOnClock(text, e.clock)...), nil
	}
	return appendTextAsType(dst, e.oid, e.format, text)
}

// jsonTextFormatter reads values as the rows of a response show them: exact numbers, and texts without their quotes.
type jsonTextFormatter struct {
	column *jsonrows.ColumnEncoder
	buffer []byte
}

func newTextFormatter(f arrow.Field) (textFormatter, error) {
	switch dt := f.Type.(type) {
	case *arrow.Float32Type:
		return &floatTextFormatter{size: 32}, nil
	case *arrow.Float64Type:
		return &floatTextFormatter{size: 64}, nil
	case *arrow.TimestampType:
		offset := ""
		if dt.TimeZone != "" {
			offset = utcOffsetText
		}
		return &timestampTextFormatter{toMicros: newMicrosecondConverter(dt.Unit), offset: offset}, nil
	case *arrow.MonthDayNanoIntervalType, *arrow.MonthIntervalType, *arrow.DayTimeIntervalType, *arrow.DurationType:
		return &intervalTextFormatter{}, nil
	}
	column, err := jsonrows.NewColumnEncoder(f, jsonrows.HintNone)
	if err != nil {
		return nil, err
	}
	return &jsonTextFormatter{column: column}, nil
}

func (r *jsonTextFormatter) bind(a arrow.Array) { r.column.BindArray(a) }

func (r *jsonTextFormatter) appendText(dst []byte, row int) ([]byte, error) {
	r.buffer = r.column.AppendValue(r.buffer[:0], row)
	if len(r.buffer) == 0 || r.buffer[0] != '"' {
		return append(dst, r.buffer...), nil
	}
	var text string
	if err := json.Unmarshal(r.buffer, &text); err != nil {
		return dst, &executor.Error{Code: executor.CodeDriver, Message: "a value has no text form", Err: err}
	}
	return append(dst, text...), nil
}

// floatTextFormatter reads floats, whose infinities JSON does not have.
type floatTextFormatter struct {
	size  int
	array arrow.Array
}

func (r *floatTextFormatter) bind(a arrow.Array) { r.array = a }

func (r *floatTextFormatter) appendText(dst []byte, row int) ([]byte, error) {
	switch a := r.array.(type) {
	case *array.Float32:
		return appendFloatText(dst, float64(a.Value(row)), 32, maxPlainFloat32Digits), nil
	case *array.Float64:
		return appendFloatText(dst, a.Value(row), 64, maxPlainFloat64Digits), nil
	}
	return dst, typeMismatchError(Float8OID)
}

type timestampTextFormatter struct {
	array    *array.Timestamp
	toMicros func(int64) (int64, error)
	offset   string
}

func (r *timestampTextFormatter) bind(a arrow.Array) { r.array = a.(*array.Timestamp) }

func (r *timestampTextFormatter) appendText(dst []byte, row int) ([]byte, error) {
	micros, err := r.toMicros(int64(r.array.Value(row)))
	if err != nil {
		return dst, err
	}
	return appendTimestampText(dst, micros, r.offset)
}

// intervalTextFormatter reads intervals in the style of PostgreSQL.
type intervalTextFormatter struct{ array arrow.Array }

func (r *intervalTextFormatter) bind(a arrow.Array) { r.array = a }

func (r *intervalTextFormatter) appendText(dst []byte, row int) ([]byte, error) {
	var s interval
	switch a := r.array.(type) {
	case *array.MonthDayNanoInterval:
		v := a.Value(row)
		s = interval{int64(v.Months), int64(v.Days), v.Nanoseconds / 1_000}
	case *array.MonthInterval:
		s = interval{months: int64(a.Value(row))}
	case *array.DayTimeInterval:
		v := a.Value(row)
		s = interval{days: int64(v.Days), micros: int64(v.Milliseconds) * 1_000}
	case *array.Duration:
		micros, err := newMicrosecondConverter(a.DataType().(*arrow.DurationType).Unit)(int64(a.Value(row)))
		if err != nil {
			return dst, err
		}
		s = interval{micros: micros}
	default:
		return strconv.AppendInt(dst, int64(row), 10), typeMismatchError(IntervalOID)
	}
	return appendInterval(dst, s), nil
}
