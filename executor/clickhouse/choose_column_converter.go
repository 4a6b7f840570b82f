package clickhouse

import (
	"errors"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/columnconversion"
)

var (
	errUnknownType  = errors.New("this program does not know its type")
	errUnmarkedUUID = errors.New("the server's Arrow writer does not mark a UUID as one; cast it to String")
)

// columnConverter describes how a column of the result is converted.
type columnConverter struct {
	dt   arrow.DataType
	kind executor.TextKind
	// convert makes the array that is handed out. The caller releases it.
	convert columnconversion.Func
}

func retainUnconvertedArray(a arrow.Array) (arrow.Array, error) {
	a.Retain()
	return a, nil
}

// extensionTypeName returns the name of the extension type that a field carries in its metadata.
func extensionTypeName(f arrow.Field) string {
	if i := f.Metadata.FindKey("ARROW:extension:name"); i >= 0 {
		return f.Metadata.Values()[i]
	}
	return ""
}

// hasAmbiguousArrowType reports whether the Arrow types leave open what a column is.
func hasAmbiguousArrowType(fields []arrow.Field) bool {
	for _, f := range fields {
		if isAmbiguousArrowType(f) {
			return true
		}
	}
	return false
}

func isAmbiguousArrowType(f arrow.Field) bool {
	switch f.Type.ID() {
	case arrow.INT8, arrow.INT16, arrow.UINT16, arrow.UINT32:
		return true // Enum8, Enum16, Date of older servers, DateTime or IPv4
	case arrow.FIXED_SIZE_BINARY:
		return extensionTypeName(f) == ""
	default:
		return false
	}
}

// chooseColumnConverter chooses by the Arrow type and, where that is ambiguous, by the name of
// ClickHouse's own.
func chooseColumnConverter(f arrow.Field, name string) (columnConverter, error) {
	base, args := unwrapAndSplitTypeName(name)
	switch dt := f.Type.(type) {
	case *arrow.StringType:
		if extensionTypeName(f) == "arrow.json" {
			return columnConverter{dt, executor.TextKindJSON, retainUnconvertedArray}, nil
		}
	case *arrow.Int8Type:
		if base == "Enum8" {
			return newEnumToTextConverter[int8](args)
		}
	case *arrow.Int16Type:
		if base == "Enum16" {
			return newEnumToTextConverter[int16](args)
		}
	case *arrow.Uint16Type:
		if base == "Date" {
			return newConverterWithPlainTextKind(arrow.FixedWidthTypes.Date32, columnconversion.NewFixedWidthConversion(arrow.FixedWidthTypes.Date32, func(v uint16) arrow.Date32 { return arrow.Date32(v) })), nil
		}
	case *arrow.Uint32Type:
		switch base {
		case "DateTime":
			dt := &arrow.TimestampType{Unit: arrow.Second, TimeZone: arrowZoneOfDateTimeArgs(args)}
			return newConverterWithPlainTextKind(dt, columnconversion.NewFixedWidthConversion(dt, func(v uint32) arrow.Timestamp { return arrow.Timestamp(v) })), nil
		case "IPv4":
			return newConverterToText(executor.TextKindPlain, fixedWidthToText(formatIPv4)), nil
		}
	case *arrow.TimestampType:
		if to := arrowZoneEmptyForUTC(dt.TimeZone); to != dt.TimeZone {
			return newSameLayoutConverter(&arrow.TimestampType{Unit: dt.Unit, TimeZone: to}), nil
		}
	case *arrow.FixedSizeBinaryType:
		return newFixedBinaryConverter(f, base)
	case arrow.ExtensionType:
		// Only a program that registers extensions gets here.
		inner, err := chooseColumnConverter(arrow.Field{Name: f.Name, Type: dt.StorageType(), Metadata: extensionNameMetadata(dt)}, name)
		convert := inner.convert
		inner.convert = func(a arrow.Array) (arrow.Array, error) { return convert(a.(array.ExtensionArray).Storage()) }
		return inner, err
	case arrow.NestedType:
		return newNestedToJSONConverter(f)
	case *arrow.DictionaryType:
		return columnConverter{}, errUnknownType
	}
	return columnConverter{f.Type, executor.TextKindPlain, retainUnconvertedArray}, nil
}

func extensionNameMetadata(dt arrow.ExtensionType) arrow.Metadata {
	return arrow.NewMetadata([]string{"ARROW:extension:name"}, []string{dt.ExtensionName()})
}

// newFixedBinaryConverter returns a column of values of one length.
func newFixedBinaryConverter(f arrow.Field, base string) (columnConverter, error) {
	switch {
	case extensionTypeName(f) == "arrow.uuid":
		return newConverterToText(executor.TextKindPlain, fixedBinaryToText(formatUUID)), nil
	case base == "UUID":
		return columnConverter{}, errUnmarkedUUID
	case base == "IPv6":
		return newConverterToText(executor.TextKindPlain, fixedBinaryToText(formatIPv6)), nil
	case base == "FixedString":
		return newConverterToText(executor.TextKindPlain, fixedBinaryToText(trimZeroBytes)), nil
	case base == "Int128":
		return newSameLayoutConverter(&arrow.Decimal128Type{Precision: 38}), nil
	case base == "UInt128":
		return newUint128Converter(), nil
	case base == "Int256":
		return newSameLayoutConverter(&arrow.Decimal256Type{Precision: 76}), nil
	case base == "UInt256":
		return newConverterToText(executor.TextKindDecimal, fixedBinaryToText(formatUint256)), nil
	default:
		return columnConverter{}, errUnknownType
	}
}

// unwrapAndSplitTypeName takes the name and the arguments from a type such as
// LowCardinality(Nullable(FixedString(3))), without what makes no difference.
func unwrapAndSplitTypeName(text string) (name, args string) {
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

// arrowZoneOfDateTimeArgs returns the zone of DateTime('…').
func arrowZoneOfDateTimeArgs(args string) string {
	return arrowZoneEmptyForUTC(strings.Trim(args, " '\\"))
}

// arrowZoneEmptyForUTC keeps apart the timestamps that are wall clocks in UTC and those of another
// zone, whose values are instants.
func arrowZoneEmptyForUTC(name string) string {
	switch name {
	case "", "UTC", "Etc/UTC":
		return ""
	default:
		return "UTC"
	}
}
