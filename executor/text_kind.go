package executor

import "github.com/apache/arrow-go/v18/arrow"

// TextKindMetadataKey is the key in a text field's metadata that names the meaning of the text. A reader
// that ignores the key still reads correct text.
const TextKindMetadataKey = "semlayer.kind"

// TextKind is the meaning of a text column.
type TextKind string

// The kinds.
const (
	// TextKindPlain is plain text, and what a field without TextKindMetadataKey has.
	TextKindPlain TextKind = ""
	// TextKindDecimal is an exact decimal number in plain notation (no exponent),
	// or NaN, Infinity, -Infinity. It carries decimals that fit no Arrow
	// decimal type, or whose scale is not known before the rows.
	TextKindDecimal TextKind = "number"
	// TextKindJSON is one JSON value: a nested value, or a column of JSON type.
	TextKindJSON TextKind = "json"
	// TextKindEnum is a value of an enumeration, which the warehouse orders by the places of its values and not by their texts.
	TextKindEnum TextKind = "enum"
)

// NewField describes one nullable column. Kind is ignored unless the type is text.
func NewField(name string, dt arrow.DataType, kind TextKind) arrow.Field {
	f := arrow.Field{Name: name, Type: dt, Nullable: true}
	if kind != TextKindPlain {
		f.Metadata = arrow.NewMetadata([]string{TextKindMetadataKey}, []string{string(kind)})
	}
	return f
}

// TextKindOfField reads the kind of a field.
func TextKindOfField(f arrow.Field) TextKind {
	if i := f.Metadata.FindKey(TextKindMetadataKey); i >= 0 {
		return TextKind(f.Metadata.Values()[i])
	}
	return TextKindPlain
}
