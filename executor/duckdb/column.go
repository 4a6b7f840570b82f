package duckdb

import (
	"strconv"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor"
)

// column gathers one column of a batch in Go memory.
type column interface {
	// append copies the first n rows of the vector. expect is a guess at the
	// rows of the whole batch.
	append(vec vector, n, expect int) error
	// size is the number of bytes gathered since the last finish.
	size() int
	// finish returns the gathered rows and starts an empty column.
	finish() arrow.Array
}

// vector is the memory of a DuckDB vector: cells, and a bit per cell that is
// set when the cell is not null. No mask means no nulls. It lives as long as
// its chunk.
type vector struct {
	handle bindings.Vector
	data   unsafe.Pointer
	mask   unsafe.Pointer
}

func newVector(v bindings.Vector) vector {
	return vector{v, bindings.VectorGetData(v), bindings.VectorGetValidity(v)}
}

func (v vector) isValid(row int) bool {
	return v.mask == nil || *(*uint64)(unsafe.Add(v.mask, row/64*8))>>(row%64)&1 == 1
}

// describe reads the columns of a result.
func describe(result *bindings.Result) (*arrow.Schema, []column, error) {
	count := int(bindings.ColumnCount(result))
	fields := make([]arrow.Field, count)
	columns := make([]column, count)
	for i := range count {
		name := bindings.ColumnName(result, bindings.IdxT(i))
		logical := bindings.ColumnLogicalType(result, bindings.IdxT(i))
		col, dt, kind := columnFor(logical)
		bindings.DestroyLogicalType(&logical)
		if col == nil {
			return nil, nil, &executor.Error{
				Code:    executor.CodeSQLRejected,
				Message: "the warehouse rejected the SQL: column " + strconv.Quote(name) + " has a type that cannot be carried",
				Hint:    "cast the column to VARCHAR or JSON in the model's expression",
			}
		}
		fields[i] = executor.Field(name, dt, kind)
		columns[i] = col
	}
	return arrow.NewSchema(fields, nil), columns, nil
}

// columnFor chooses how a type travels; the column is nil when it cannot.
func columnFor(logical bindings.LogicalType) (column, arrow.DataType, executor.Kind) {
	id := bindings.GetTypeId(logical)
	if col, dt := fixedColumnFor(id, logical); col != nil {
		return col, dt, executor.KindText
	}
	str := arrow.BinaryTypes.String
	switch id {
	case bindings.TypeVarchar:
		if isJSON(logical) {
			return newBytesColumn(str), str, executor.KindJSON
		}
		return newBytesColumn(str), str, executor.KindText
	case bindings.TypeBlob, bindings.TypeGeometry:
		return newBytesColumn(arrow.BinaryTypes.Binary), arrow.BinaryTypes.Binary, executor.KindText
	case bindings.TypeSQLNull:
		return &nullColumn{}, arrow.Null, executor.KindText
	case bindings.TypeBigNum:
		return newRenderedColumn(textCell(bigNumText, stringCell)), str, executor.KindNumber
	case bindings.TypeUUID:
		return newRenderedColumn(textCell(uuidText, 16)), str, executor.KindText
	case bindings.TypeBit:
		return newRenderedColumn(textCell(bitText, stringCell)), str, executor.KindText
	case bindings.TypeTimeTZ:
		return newRenderedColumn(textCell(timeTZText, 8)), str, executor.KindText
	case bindings.TypeEnum:
		words, width := enumLabels(logical)
		return newRenderedColumn(&enumCell{words: words, width: width}), str, executor.KindText
	case bindings.TypeList, bindings.TypeArray, bindings.TypeStruct, bindings.TypeMap, bindings.TypeUnion:
		if cell := jsonCellFor(logical); cell != nil {
			return newRenderedColumn(cell), str, executor.KindJSON
		}
	}
	return nil, nil, executor.KindText
}

func isJSON(logical bindings.LogicalType) bool {
	return bindings.LogicalTypeGetAlias(logical) == "JSON"
}
