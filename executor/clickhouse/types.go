package clickhouse

import (
	"errors"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor"
)

var (
	errType = errors.New("this program does not know its type")
	errUUID = errors.New("the server's Arrow writer does not mark a UUID as one; cast it to String")
)

// column describes how a column of the result is converted.
type column struct {
	dt   arrow.DataType
	kind executor.Kind
	// convert makes the array that is handed out. The caller releases it.
	convert func(arrow.Array) (arrow.Array, error)
}

func retainUnchanged(a arrow.Array) (arrow.Array, error) {
	a.Retain()
	return a, nil
}

// extensionName is the name of the extension type that a field carries in its metadata.
func extensionName(f arrow.Field) string {
	if i := f.Metadata.FindKey("ARROW:extension:name"); i >= 0 {
		return f.Metadata.Values()[i]
	}
	return ""
}

// hasAmbiguousType reports whether the Arrow types leave open what a column is.
func hasAmbiguousType(fields []arrow.Field) bool {
	for _, f := range fields {
		if isAmbiguousType(f) {
			return true
		}
	}
	return false
}

func isAmbiguousType(f arrow.Field) bool {
	switch f.Type.ID() {
	case arrow.INT8, arrow.INT16, arrow.UINT16, arrow.UINT32:
		return true // Enum8, Enum16, Date of older servers, DateTime or IPv4
	case arrow.FIXED_SIZE_BINARY:
		return extensionName(f) == ""
	default:
		return false
	}
}

// columnFor chooses by the Arrow type and, where that is ambiguous, by the name of
// ClickHouse's own.
func columnFor(f arrow.Field, name string) (column, error) {
	base, args := readType(name)
	switch dt := f.Type.(type) {
	case *arrow.StringType:
		if extensionName(f) == "arrow.json" {
			return column{dt, executor.KindJSON, retainUnchanged}, nil
		}
	case *arrow.Int8Type:
		if base == "Enum8" {
			return enumColumn[int8](args)
		}
	case *arrow.Int16Type:
		if base == "Enum16" {
			return enumColumn[int16](args)
		}
	case *arrow.Uint16Type:
		if base == "Date" {
			return fixedWidthTextColumn(arrow.FixedWidthTypes.Date32, func(v uint16) arrow.Date32 { return arrow.Date32(v) }), nil
		}
	case *arrow.Uint32Type:
		switch base {
		case "DateTime":
			dt := &arrow.TimestampType{Unit: arrow.Second, TimeZone: zoneOf(args)}
			return fixedWidthTextColumn(dt, func(v uint32) arrow.Timestamp { return arrow.Timestamp(v) }), nil
		case "IPv4":
			return textColumn(executor.KindText, fixedWidthText(ipv4)), nil
		}
	case *arrow.TimestampType:
		if to := zone(dt.TimeZone); to != dt.TimeZone {
			return retypedColumn(&arrow.TimestampType{Unit: dt.Unit, TimeZone: to}), nil
		}
	case *arrow.FixedSizeBinaryType:
		return binaryColumn(f, base)
	case arrow.ExtensionType:
		// Only a program that registers extensions gets here.
		inner, err := columnFor(arrow.Field{Name: f.Name, Type: dt.StorageType(), Metadata: extensionMetadata(dt)}, name)
		convert := inner.convert
		inner.convert = func(a arrow.Array) (arrow.Array, error) { return convert(a.(array.ExtensionArray).Storage()) }
		return inner, err
	case arrow.NestedType:
		return nestedColumn(f)
	case *arrow.DictionaryType:
		return column{}, errType
	}
	return column{f.Type, executor.KindText, retainUnchanged}, nil
}

func extensionMetadata(dt arrow.ExtensionType) arrow.Metadata {
	return arrow.NewMetadata([]string{"ARROW:extension:name"}, []string{dt.ExtensionName()})
}

// binaryColumn is a column of values of one length.
func binaryColumn(f arrow.Field, base string) (column, error) {
	switch {
	case extensionName(f) == "arrow.uuid":
		return textColumn(executor.KindText, fixedBinaryText(uuid)), nil
	case base == "UUID":
		return column{}, errUUID
	case base == "IPv6":
		return textColumn(executor.KindText, fixedBinaryText(ipv6)), nil
	case base == "FixedString":
		return textColumn(executor.KindText, fixedBinaryText(trimZeroBytes)), nil
	case base == "Int128":
		return retypedColumn(&arrow.Decimal128Type{Precision: 38}), nil
	case base == "UInt128":
		return uint128Column(), nil
	case base == "Int256":
		return retypedColumn(&arrow.Decimal256Type{Precision: 76}), nil
	case base == "UInt256":
		return textColumn(executor.KindNumber, fixedBinaryText(formatUint256)), nil
	default:
		return column{}, errType
	}
}

// readType takes the name and the arguments from a type such as
// LowCardinality(Nullable(FixedString(3))), without what makes no difference.
func readType(text string) (name, args string) {
	for {
		name, args, _ = strings.Cut(strings.TrimSpace(text), "(")
		args = strings.TrimSuffix(args, ")")
		switch name {
		case "Nullable", "LowCardinality":
			text = args
		case "SimpleAggregateFunction":
			_, text, _ = strings.Cut(args, ",")
		default:
			return name, args
		}
	}
}

// zoneOf is the zone of DateTime('…').
func zoneOf(args string) string { return zone(strings.Trim(args, " '\\")) }

// zone keeps apart the timestamps that are wall clocks in UTC and those of another
// zone, whose values are instants.
func zone(name string) string {
	switch name {
	case "", "UTC", "Etc/UTC":
		return ""
	default:
		return "UTC"
	}
}
