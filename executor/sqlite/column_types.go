package sqlite

import (
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor"
)

// declaredType is the class of values that a declared type suggests.
type declaredType uint8

const (
	declaredTypeNone declaredType = iota
	declaredTypeBool
	declaredTypeInteger
	declaredTypeNumber
	declaredTypeText
	declaredTypeJSON
	declaredTypeBlob
)

// classifyDeclaredType follows the rules by which SQLite finds the affinity of a column, and
// recognises the names of three more types.
func classifyDeclaredType(name string) declaredType {
	name = strings.ToUpper(name)
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(name, p) {
				return true
			}
		}
		return false
	}
	switch {
	case name == "":
		return declaredTypeNone
	case has("BOOL"):
		return declaredTypeBool
	case has("INT"):
		return declaredTypeInteger
	case has("JSON"):
		return declaredTypeJSON
	case has("CHAR", "CLOB", "TEXT", "DATE", "TIME"):
		return declaredTypeText
	case has("BLOB"):
		return declaredTypeBlob
	default:
		return declaredTypeNumber
	}
}

// columnTypeGuess is what is known of a result column while its type is sought.
type columnTypeGuess struct {
	name     string
	declared declaredType
	seen     [storageClassBlob + 1]bool
	// inexact reports that an integer does not fit a double exactly.
	inexact bool
}

func (c *columnTypeGuess) addValue(v cellValue) {
	c.seen[v.class] = true
	c.inexact = c.inexact || !v.isExactDouble()
}

// isUnknown reports whether nothing was seen but nulls, of a column that does not
// say by itself what it holds.
func (c *columnTypeGuess) isUnknown() bool {
	return c.declared == declaredTypeNone && !c.seen[storageClassInteger] && !c.seen[storageClassFloat] && !c.seen[storageClassText] && !c.seen[storageClassBlob]
}

// chooseColumnType chooses the type; complete reports that no more values follow.
func (c *columnTypeGuess) chooseColumnType(complete bool) columnType {
	switch {
	case c.seen[storageClassBlob]:
		return binaryColumnType
	case c.seen[storageClassText]:
		if c.declared == declaredTypeJSON {
			return newTextColumnType(executor.TextKindJSON, cellValue.appendText)
		}
		return newTextColumnType(executor.TextKindPlain, cellValue.appendText)
	case c.seen[storageClassFloat] && c.inexact, c.declared == declaredTypeNumber && c.inexact:
		return newTextColumnType(executor.TextKindDecimal, cellValue.appendPlainNumberText)
	case c.seen[storageClassFloat], c.declared == declaredTypeNumber:
		return floatColumnType
	case c.declared == declaredTypeBool:
		return boolColumnType
	case c.seen[storageClassInteger], c.declared == declaredTypeInteger:
		return integerColumnType
	case c.declared == declaredTypeJSON:
		return newTextColumnType(executor.TextKindJSON, cellValue.appendText)
	case c.declared == declaredTypeText:
		return newTextColumnType(executor.TextKindPlain, cellValue.appendText)
	case c.declared == declaredTypeBlob:
		return binaryColumnType
	case complete:
		return nullColumnType
	default:
		return newTextColumnType(executor.TextKindJSON, cellValue.appendJSON)
	}
}

// cellAppender appends a value that is not null, and reports whether it fits.
type cellAppender func(v cellValue) bool

// columnType is how a column travels.
type columnType struct {
	dt   arrow.DataType
	kind executor.TextKind
	// appender makes the appender for the builder of dt.
	appender func(b array.Builder) cellAppender
}

func (t columnType) arrowField(name string) arrow.Field { return executor.NewField(name, t.dt, t.kind) }

var (
	nullColumnType = columnType{arrow.Null, executor.TextKindPlain, func(array.Builder) cellAppender {
		return func(cellValue) bool { return false }
	}}
	integerColumnType = columnType{arrow.PrimitiveTypes.Int64, executor.TextKindPlain, func(b array.Builder) cellAppender {
		return newFixedWidthAppender(b.(*array.Int64Builder).Append, cellValue.asIntegerIfWhole)
	}}
	floatColumnType = columnType{arrow.PrimitiveTypes.Float64, executor.TextKindPlain, func(b array.Builder) cellAppender {
		return newFixedWidthAppender(b.(*array.Float64Builder).Append, cellValue.toExactDouble)
	}}
	boolColumnType = columnType{arrow.FixedWidthTypes.Boolean, executor.TextKindPlain, func(b array.Builder) cellAppender {
		return newFixedWidthAppender(b.(*array.BooleanBuilder).Append, func(v cellValue) (bool, bool) {
			n, ok := v.asIntegerIfWhole()
			return n != 0, ok
		})
	}}
	binaryColumnType = columnType{arrow.BinaryTypes.Binary, executor.TextKindPlain, func(b array.Builder) cellAppender {
		blobs := b.(*array.BinaryBuilder)
		return func(v cellValue) bool {
			if v.class == storageClassBlob {
				blobs.Append(v.bytes)
				return true
			}
			raw, ok := v.appendText(nil)
			blobs.Append(raw)
			return ok
		}
	}}
)

func newFixedWidthAppender[T any](add func(T), read func(cellValue) (T, bool)) cellAppender {
	return func(v cellValue) bool {
		x, ok := read(v)
		if ok {
			add(x)
		}
		return ok
	}
}

func newTextColumnType(kind executor.TextKind, write func(v cellValue, dst []byte) ([]byte, bool)) columnType {
	return columnType{arrow.BinaryTypes.String, kind, func(b array.Builder) cellAppender {
		texts := b.(*array.StringBuilder)
		var scratch []byte
		return func(v cellValue) (ok bool) {
			if scratch, ok = write(v, scratch[:0]); ok {
				texts.BinaryBuilder.Append(scratch)
			}
			return ok
		}
	}}
}
