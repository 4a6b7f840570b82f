package duckdb

import (
	"strconv"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor"
)

// columnBuilder gathers one column of a batch in Go memory.
type columnBuilder interface {
	// appendVector copies the first n rows of the vector. expect is a guess at the
	// rows of the whole batch.
	appendVector(vec duckdbVector, n, expect int) error
	// sizeInBytes returns the number of bytes that were added since the last buildArray.
	sizeInBytes() int
	// buildArray returns the added rows and starts an empty column.
	buildArray() arrow.Array
}

// duckdbVector is the memory of a DuckDB vector: cells, and a bit per cell that is
// set when the cell is not null. No mask means no nulls. It lives as long as
// its chunk.
type duckdbVector struct {
	handle bindings.Vector
	data   unsafe.Pointer
	mask   unsafe.Pointer
}

func newVector(v bindings.Vector) duckdbVector {
	return duckdbVector{v, bindings.VectorGetData(v), bindings.VectorGetValidity(v)}
}

func (v duckdbVector) isValid(row int) bool {
	return v.mask == nil || *(*uint64)(unsafe.Add(v.mask, row/64*8))>>(row%64)&1 == 1
}

// newColumnBuildersForResult reads the columns of a result.
func newColumnBuildersForResult(result *bindings.Result) (*arrow.Schema, []columnBuilder, error) {
	count := int(bindings.ColumnCount(result))
	fields := make([]arrow.Field, count)
	columns := make([]columnBuilder, count)
	for i := range count {
		name := bindings.ColumnName(result, bindings.IdxT(i))
		logical := bindings.ColumnLogicalType(result, bindings.IdxT(i))
		col, dt, kind := newColumnBuilderForType(logical)
		bindings.DestroyLogicalType(&logical)
		if col == nil {
			return nil, nil, &executor.Error{
				Code:    executor.CodeSQLRejected,
				Message: "the warehouse rejected the SQL: column " + strconv.Quote(name) + " has a type that is not supported",
				Hint:    "cast the column to VARCHAR or JSON in the model's expression",
			}
		}
		fields[i] = executor.NewField(name, dt, kind)
		columns[i] = col
	}
	return arrow.NewSchema(fields, nil), columns, nil
}

// newColumnBuilderForType chooses how a type travels; the column is nil when it cannot.
func newColumnBuilderForType(logical bindings.LogicalType) (columnBuilder, arrow.DataType, executor.TextKind) {
	id := bindings.GetTypeId(logical)
	if col, dt := newFixedWidthBuilderForType(id, logical); col != nil {
		return col, dt, executor.TextKindPlain
	}
	str := arrow.BinaryTypes.String
	switch id {
	case bindings.TypeVarchar:
		if isJSONType(logical) {
			return newBytesColumnBuilder(str), str, executor.TextKindJSON
		}
		return newBytesColumnBuilder(str), str, executor.TextKindPlain
	case bindings.TypeBlob, bindings.TypeGeometry:
		return newBytesColumnBuilder(arrow.BinaryTypes.Binary), arrow.BinaryTypes.Binary, executor.TextKindPlain
	case bindings.TypeSQLNull:
		return &nullColumnBuilder{}, arrow.Null, executor.TextKindPlain
	case bindings.TypeBigNum:
		return newTextColumnBuilder(newFixedWidthCellTextWriter(appendBigNumText, stringCellSize)), str, executor.TextKindDecimal
	case bindings.TypeUUID:
		return newTextColumnBuilder(newFixedWidthCellTextWriter(appendUUIDText, 16)), str, executor.TextKindPlain
	case bindings.TypeBit:
		return newTextColumnBuilder(newFixedWidthCellTextWriter(appendBitText, stringCellSize)), str, executor.TextKindPlain
	case bindings.TypeTimeTZ:
		return newTextColumnBuilder(newFixedWidthCellTextWriter(appendTimeTZText, 8)), str, executor.TextKindPlain
	case bindings.TypeEnum:
		words, width := enumLabelsAndWidth(logical)
		return newTextColumnBuilder(&enumCellTextWriter{words: words, width: width}), str, executor.TextKindEnum
	case bindings.TypeList, bindings.TypeArray, bindings.TypeStruct, bindings.TypeMap, bindings.TypeUnion:
		if cell := newJSONWriterForType(logical); cell != nil {
			return newTextColumnBuilder(cell), str, executor.TextKindJSON
		}
	}
	return nil, nil, executor.TextKindPlain
}

func isJSONType(logical bindings.LogicalType) bool {
	return bindings.LogicalTypeGetAlias(logical) == "JSON"
}
