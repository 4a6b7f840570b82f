// Package arrowcast converts the record batches of warehouses that send Arrow
// to the record batches of this module: the same columns, with the types that all
// engines have in common.
//
//	batch of the warehouse ─► Convert ─► timestamps with a zone in UTC
//	                                     lists, structs, maps as text of kind JSON
//	                                     the rest as it is, not copied
package arrowcast

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/batchbuilder"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// ConvertedField returns the field that a column of the warehouse becomes.
func ConvertedField(f arrow.Field) arrow.Field {
	switch dt := f.Type.(type) {
	case *arrow.TimestampType:
		if dt.TimeZone != "" {
			return executor.NewField(f.Name, &arrow.TimestampType{Unit: dt.Unit, TimeZone: "UTC"}, executor.TextKindPlain)
		}
	case arrow.NestedType:
		return executor.NewField(f.Name, arrow.BinaryTypes.String, executor.TextKindJSON)
	}
	return executor.NewField(f.Name, f.Type, executor.TextKindOfField(f))
}

// ConvertedSchema returns the schema that batches of the warehouse become.
func ConvertedSchema(from *arrow.Schema) *arrow.Schema {
	fields := make([]arrow.Field, from.NumFields())
	for i, f := range from.Fields() {
		fields[i] = ConvertedField(f)
	}
	return arrow.NewSchema(fields, nil)
}

// ConvertBatch returns a batch of the schema Schema(batch.Schema()). The caller releases
// it; batch stays theirs as well.
func ConvertBatch(batch arrow.RecordBatch) (arrow.RecordBatch, error) {
	if err := batchbuilder.CheckUTF8(batch); err != nil {
		return nil, err
	}
	columns := make([]arrow.Array, batch.NumCols())
	defer func() {
		for _, c := range columns {
			if c != nil {
				c.Release()
			}
		}
	}()
	for i, c := range batch.Columns() {
		var err error
		if columns[i], err = convertColumn(batch.Schema().Field(i), c); err != nil {
			return nil, err
		}
	}
	return array.NewRecordBatch(ConvertedSchema(batch.Schema()), columns, batch.NumRows()), nil
}

func convertColumn(f arrow.Field, a arrow.Array) (arrow.Array, error) {
	to := ConvertedField(f)
	if _, nested := f.Type.(arrow.NestedType); nested {
		return convertColumnToText(f, a)
	}
	if !arrow.TypeEqual(f.Type, to.Type) {
		data := array.NewData(to.Type, a.Len(), a.Data().Buffers(), nil, a.NullN(), a.Data().Offset())
		defer data.Release()
		return array.MakeFromData(data), nil
	}
	a.Retain()
	return a, nil
}

func convertColumnToText(f arrow.Field, a arrow.Array) (arrow.Array, error) {
	column, err := jsonrows.NewColumnEncoder(f, jsonrows.HintNone)
	if err != nil {
		return nil, err
	}
	column.BindArray(a)
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	b.Reserve(a.Len())
	var scratch []byte
	for row := range a.Len() {
		if a.IsNull(row) {
			b.AppendNull()
			continue
		}
		scratch = column.AppendValue(scratch[:0], row)
		b.BinaryBuilder.Append(scratch)
	}
	return b.NewArray(), nil
}
