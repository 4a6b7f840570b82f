package databricks

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/columnconversion"
	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// convertedField returns the field that a column of the warehouse becomes.
func convertedField(f arrow.Field) arrow.Field {
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

// convertedSchema returns the schema that batches of the warehouse become.
func convertedSchema(from *arrow.Schema) *arrow.Schema {
	fields := make([]arrow.Field, from.NumFields())
	for i, f := range from.Fields() {
		fields[i] = convertedField(f)
	}
	return arrow.NewSchema(fields, nil)
}

// convertBatch returns a batch of the schema convertedSchema(batch.Schema()), whose columns have the types that all engines have in
// common: lists, structs and maps are text of the kind JSON. The caller releases it; batch stays theirs as well.
func convertBatch(batch arrow.RecordBatch) (arrow.RecordBatch, error) {
	if err := driver.CheckUTF8(batch); err != nil {
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
	return array.NewRecordBatch(convertedSchema(batch.Schema()), columns, batch.NumRows()), nil
}

func convertColumn(f arrow.Field, a arrow.Array) (arrow.Array, error) {
	to := convertedField(f)
	if _, nested := f.Type.(arrow.NestedType); nested {
		return convertColumnToText(f, a)
	}
	if !arrow.TypeEqual(f.Type, to.Type) {
		return columnconversion.NewSameLayoutConversion(to.Type)(a)
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
