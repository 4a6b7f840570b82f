package sqlite

import (
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor"
)

// declaration is the class of values that a declared type suggests.
type declaration uint8

const (
	undeclared declaration = iota
	declaredBool
	declaredWhole
	declaredNumber
	declaredText
	declaredJSON
	declaredBlob
)

// readDeclaration follows the rules by which SQLite finds the affinity of a column, and
// recognises the names of three more types.
func readDeclaration(name string) declaration {
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
		return undeclared
	case has("BOOL"):
		return declaredBool
	case has("INT"):
		return declaredWhole
	case has("JSON"):
		return declaredJSON
	case has("CHAR", "CLOB", "TEXT", "DATE", "TIME"):
		return declaredText
	case has("BLOB"):
		return declaredBlob
	default:
		return declaredNumber
	}
}

// column is what is known of a result column while its type is sought.
type column struct {
	name     string
	declared declaration
	seen     [blob + 1]bool
	// inexact reports that an integer does not fit a double exactly.
	inexact bool
}

func (c *column) observe(v value) {
	c.seen[v.class] = true
	c.inexact = c.inexact || !v.exact()
}

// isUnknown reports whether nothing was seen but nulls, of a column that does not
// say by itself what it holds.
func (c *column) isUnknown() bool {
	return c.declared == undeclared && !c.seen[integer] && !c.seen[float] && !c.seen[text] && !c.seen[blob]
}

// chooseType chooses the type; complete reports that no more values follow.
func (c *column) chooseType(complete bool) columnType {
	switch {
	case c.seen[blob]:
		return binaryType
	case c.seen[text]:
		if c.declared == declaredJSON {
			return textType(executor.KindJSON, value.appendText)
		}
		return textType(executor.KindText, value.appendText)
	case c.seen[float] && c.inexact, c.declared == declaredNumber && c.inexact:
		return textType(executor.KindNumber, value.appendNumber)
	case c.seen[float], c.declared == declaredNumber:
		return floatType
	case c.declared == declaredBool:
		return boolType
	case c.seen[integer], c.declared == declaredWhole:
		return wholeType
	case c.declared == declaredJSON:
		return textType(executor.KindJSON, value.appendText)
	case c.declared == declaredText:
		return textType(executor.KindText, value.appendText)
	case c.declared == declaredBlob:
		return binaryType
	case complete:
		return nullType
	default:
		return textType(executor.KindJSON, value.appendJSON)
	}
}

// appender appends a value that is not null, and reports whether it fits.
type appender func(v value) bool

// columnType is how a column travels.
type columnType struct {
	dt   arrow.DataType
	kind executor.Kind
	// appender makes the appender for the builder of dt.
	appender func(b array.Builder) appender
}

func (t columnType) field(name string) arrow.Field { return executor.Field(name, t.dt, t.kind) }

var (
	nullType = columnType{arrow.Null, executor.KindText, func(array.Builder) appender {
		return func(value) bool { return false }
	}}
	wholeType = columnType{arrow.PrimitiveTypes.Int64, executor.KindText, func(b array.Builder) appender {
		return fixed(b.(*array.Int64Builder).Append, value.asWhole)
	}}
	floatType = columnType{arrow.PrimitiveTypes.Float64, executor.KindText, func(b array.Builder) appender {
		return fixed(b.(*array.Float64Builder).Append, value.asDouble)
	}}
	boolType = columnType{arrow.FixedWidthTypes.Boolean, executor.KindText, func(b array.Builder) appender {
		return fixed(b.(*array.BooleanBuilder).Append, func(v value) (bool, bool) {
			n, ok := v.asWhole()
			return n != 0, ok
		})
	}}
	binaryType = columnType{arrow.BinaryTypes.Binary, executor.KindText, func(b array.Builder) appender {
		blobs := b.(*array.BinaryBuilder)
		return func(v value) bool {
			if v.class == blob {
				blobs.Append(v.bytes)
				return true
			}
			raw, ok := v.appendText(nil)
			blobs.Append(raw)
			return ok
		}
	}}
)

func fixed[T any](add func(T), read func(value) (T, bool)) appender {
	return func(v value) bool {
		x, ok := read(v)
		if ok {
			add(x)
		}
		return ok
	}
}

func textType(kind executor.Kind, write func(v value, dst []byte) ([]byte, bool)) columnType {
	return columnType{arrow.BinaryTypes.String, kind, func(b array.Builder) appender {
		texts := b.(*array.StringBuilder)
		var scratch []byte
		return func(v value) (ok bool) {
			if scratch, ok = write(v, scratch[:0]); ok {
				texts.BinaryBuilder.Append(scratch)
			}
			return ok
		}
	}}
}
