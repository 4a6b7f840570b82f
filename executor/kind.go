package executor

import "github.com/apache/arrow-go/v18/arrow"

// KindKey is the key in a text field's metadata that names the meaning of the text. A reader
// that ignores the key still reads correct text.
const KindKey = "semlayer.kind"

// Kind is the meaning of a text column.
type Kind string

// The kinds.
const (
	// KindText is plain text, and what a field without KindKey has.
	KindText Kind = ""
	// KindNumber is an exact decimal number in plain notation (no exponent),
	// or NaN, Infinity, -Infinity. It carries decimals that fit no Arrow
	// decimal type, or whose scale is not known before the rows.
	KindNumber Kind = "number"
	// KindJSON is one JSON value: a nested value, or a column of JSON type.
	KindJSON Kind = "json"
)

// Field describes one nullable column. Kind is ignored unless the type is text.
func Field(name string, dt arrow.DataType, kind Kind) arrow.Field {
	f := arrow.Field{Name: name, Type: dt, Nullable: true}
	if kind != KindText {
		f.Metadata = arrow.NewMetadata([]string{KindKey}, []string{string(kind)})
	}
	return f
}

// FieldKind reads the kind of a field.
func FieldKind(f arrow.Field) Kind {
	if i := f.Metadata.FindKey(KindKey); i >= 0 {
		return Kind(f.Metadata.Values()[i])
	}
	return KindText
}
