package coerce

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/columnconversion"
	"github.com/semlayer/semlayer/executor/jsonrows"
)

// CoerceRows returns rows whose columns have the types of the hints. It takes rows
// over: closing the result closes them.
func CoerceRows(inner executor.Rows, hints jsonrows.TypeHints) executor.Rows {
	return convertColumns(inner, func(f arrow.Field) (arrow.Field, columnconversion.Func) {
		dt, convert := conversionForHint(f.Type, hints[f.Name])
		return arrow.Field{Name: f.Name, Type: dt, Nullable: true}, convert
	})
}

// TypeNulls returns rows whose columns of the Arrow type null have the types of fields by name, as far as there are such fields. It takes rows over.
func TypeNulls(inner executor.Rows, fields map[string]arrow.Field) executor.Rows {
	return convertColumns(inner, func(f arrow.Field) (arrow.Field, columnconversion.Func) {
		typed, ok := fields[f.Name]
		if !ok || f.Type.ID() != arrow.NULL {
			return f, nil
		}
		return typed, func(a arrow.Array) (arrow.Array, error) {
			return array.MakeArrayOfNull(memory.DefaultAllocator, typed.Type, a.Len()), nil
		}
	})
}

// convertColumns returns rows with other columns in the place of those for which choose returns a conversion.
func convertColumns(inner executor.Rows, choose func(arrow.Field) (arrow.Field, columnconversion.Func)) executor.Rows {
	before := inner.Schema()
	fields := before.Fields()
	conversions := make([]columnconversion.Func, len(fields))
	changed := false
	for i, f := range fields {
		converted, convert := choose(f)
		if convert == nil {
			continue
		}
		fields[i], conversions[i], changed = converted, convert, true
	}
	if !changed {
		return inner
	}
	metadata := before.Metadata()
	return &convertedRows{Rows: inner, schema: arrow.NewSchema(fields, &metadata), conversions: conversions}
}

type convertedRows struct {
	executor.Rows
	schema      *arrow.Schema
	conversions []columnconversion.Func
	err         error
}

func (r *convertedRows) Schema() *arrow.Schema { return r.schema }

func (r *convertedRows) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if r.err != nil {
		return nil, r.err
	}
	batch, err := r.Rows.Next(ctx)
	if err != nil {
		return nil, err
	}
	defer batch.Release()
	converted, err := r.convertBatch(batch)
	if err != nil {
		r.err = err
		_ = r.Close() // the failure that counts is the other one
		return nil, err
	}
	return converted, nil
}

func (r *convertedRows) convertBatch(batch arrow.RecordBatch) (arrow.RecordBatch, error) {
	columns := make([]arrow.Array, 0, len(r.conversions))
	defer func() {
		for _, c := range columns {
			c.Release()
		}
	}()
	for i, convert := range r.conversions {
		column := batch.Column(i)
		if convert == nil {
			column.Retain()
			columns = append(columns, column)
			continue
		}
		converted, err := convert(column)
		if err != nil {
			return nil, &executor.Error{
				Code:    executor.CodeDriver,
				Message: "column " + r.schema.Field(i).Name + " cannot be carried: " + err.Error(),
				Hint:    "declare the datatype that the values really have, or cast the column in the model's expression",
				Err:     err,
			}
		}
		columns = append(columns, converted)
	}
	return array.NewRecordBatch(r.schema, columns, batch.NumRows()), nil
}
