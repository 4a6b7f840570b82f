package duckdb

import (
	"context"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// LoadTable makes a table with the columns and rows of a result. A column of numbers that came as texts gets the narrowest type that holds all of
// them exactly: integers, decimals of one scale, else DOUBLE. The error has the code config for a column of a type that a table does not keep. See
// executor.TableLoader.
func (s *writeSession) LoadTable(ctx context.Context, schema, table string, rows executor.Rows) error {
	into := tableLoad{conn: s.conn, name: quoteIdentifier(schema) + "." + quoteIdentifier(table)}
	declared := make([]string, rows.Schema().NumFields())
	for i, f := range rows.Schema().Fields() {
		c, err := newLoadedColumn(f)
		if err != nil {
			return err
		}
		into.columns, declared[i] = append(into.columns, c), quoteIdentifier(f.Name)+" "+c.typ
	}
	if err := s.Exec(ctx, "CREATE TABLE "+into.name+" ("+strings.Join(declared, ", ")+")"); err != nil {
		return err
	}
	err := s.conn.runWithContext(ctx, func() error {
		if bindings.AppenderCreate(s.conn.handle, schema, table, &into.appender) != bindings.StateSuccess {
			return into.failure()
		}
		return nil
	})
	defer bindings.AppenderDestroy(&into.appender)
	if err != nil {
		return err
	}
	if err := executor.ReadBatches(ctx, rows, func(b arrow.RecordBatch) error {
		return s.conn.runWithContext(ctx, func() error { return into.appendBatch(b) })
	}); err != nil {
		return err
	}
	err = s.conn.runWithContext(ctx, func() error {
		if bindings.AppenderClose(into.appender) != bindings.StateSuccess {
			return into.failure()
		}
		return nil
	})
	for _, c := range into.columns {
		if err == nil && c.isNumber {
			err = s.narrowNumbers(ctx, into.name, quoteIdentifier(c.name))
		}
	}
	return err
}

// ColumnTypes lists the types of the columns of a table.
func (s *writeSession) ColumnTypes(ctx context.Context, schema, table string) ([]string, error) {
	rows, err := s.Query(ctx, "SELECT data_type FROM duckdb_columns() WHERE schema_name = "+quoteLiteral(schema)+" AND table_name = "+quoteLiteral(table)+
		" ORDER BY column_index")
	out := make([]string, len(rows))
	for i, row := range rows {
		out[i] = *row[0]
	}
	return out, err
}

// tableLoad is a table while rows are added to it.
type tableLoad struct {
	conn     *connection
	name     string // quoted
	columns  []loadedColumn
	appender bindings.Appender
}

// loadedColumn is a column of a table that is loaded. The appender reads values from texts, as a CAST does.
type loadedColumn struct {
	name, typ string
	isNumber  bool // the values are numbers as texts
	text      func(arrow.Array, int) string
}

func (t *tableLoad) failure() error {
	return driver.DriverFailureError("rows cannot be added to a DuckDB table: "+bindings.AppenderError(t.appender), nil)
}

// appendBatch adds rows, a chunk of the engine at a time.
func (t *tableLoad) appendBatch(b arrow.RecordBatch) error {
	text := bindings.CreateLogicalType(bindings.TypeVarchar)
	defer bindings.DestroyLogicalType(&text)
	types := make([]bindings.LogicalType, len(t.columns))
	for i := range types {
		types[i] = text
	}
	chunk := bindings.CreateDataChunk(types)
	defer bindings.DestroyDataChunk(&chunk)
	size := int(bindings.VectorSize())
	for start := 0; start < int(b.NumRows()); start += size {
		n := min(size, int(b.NumRows())-start)
		bindings.DataChunkReset(chunk)
		for i, c := range t.columns {
			vector := bindings.DataChunkGetVector(chunk, bindings.IdxT(i))
			c.writeTexts(vector, b.Column(i), start, n)
		}
		bindings.DataChunkSetSize(chunk, bindings.IdxT(n))
		if bindings.AppendDataChunk(t.appender, chunk) != bindings.StateSuccess {
			return t.failure()
		}
	}
	return nil
}

// writeTexts writes some values of a column to a vector.
func (c loadedColumn) writeTexts(to bindings.Vector, from arrow.Array, start, n int) {
	bindings.VectorEnsureValidityWritable(to)
	valid := bindings.VectorGetValidity(to)
	isNull := from.DataType().ID() == arrow.NULL // whose array marks no value as null
	for i := range n {
		if isNull || from.IsNull(start+i) {
			bindings.ValiditySetRowInvalid(valid, bindings.IdxT(i))
			continue
		}
		bindings.VectorAssignStringElement(to, bindings.IdxT(i), c.text(from, start+i))
	}
}

// newLoadedColumn returns the column that keeps the values of a field.
func newLoadedColumn(f arrow.Field) (loadedColumn, error) {
	c := loadedColumn{name: f.Name, text: arrow.Array.ValueStr}
	switch t := f.Type.(type) {
	case *arrow.NullType:
		c.typ = `"NULL"`
	case *arrow.BooleanType:
		c.typ = "BOOLEAN"
	case *arrow.Int8Type, *arrow.Int16Type, *arrow.Int32Type, *arrow.Int64Type, *arrow.Uint8Type, *arrow.Uint16Type, *arrow.Uint32Type, *arrow.Uint64Type:
		c.typ = integerTypeNames[f.Type.ID()]
	case *arrow.Float32Type:
		c.typ = "FLOAT"
	case *arrow.Float64Type:
		c.typ, c.text = "DOUBLE", func(a arrow.Array, i int) string {
			return strconv.FormatFloat(a.(*array.Float64).Value(i), 'g', -1, 64)
		}
	case arrow.DecimalType:
		c.typ = "DECIMAL(" + strconv.Itoa(int(min(t.GetPrecision(), maxDecimalDigits))) + ", " + strconv.Itoa(int(t.GetScale())) + ")"
		if t.GetScale() == 0 && t.GetPrecision() >= maxDecimalDigits {
			c.typ = hugeIntegerTypeName
		}
		c.text = func(a arrow.Array, i int) string { return decimalText(a, i, t.GetScale()) }
	case *arrow.Date32Type:
		c.typ = "DATE"
	case *arrow.TimestampType:
		c.typ = "TIMESTAMP"
		switch {
		case t.TimeZone != "":
			c.typ = "TIMESTAMP WITH TIME ZONE"
		case t.Unit == arrow.Nanosecond:
			c.typ = "TIMESTAMP_NS"
		}
		c.text = func(a arrow.Array, i int) string {
			text := a.(*array.Timestamp).Value(i).ToTime(t.Unit).UTC().Format("2006-01-02 15:04:05.999999999")
			if t.TimeZone != "" {
				text += "+00"
			}
			return text
		}
	case *arrow.Time32Type, *arrow.Time64Type:
		c.typ = "TIME"
	case *arrow.BinaryType, *arrow.LargeBinaryType:
		c.typ, c.text = "BLOB", blobText
	case *arrow.StringType, *arrow.LargeStringType:
		c.typ = varcharTypeName
		switch executor.TextKindOfField(f) {
		case executor.TextKindDecimal:
			c.isNumber = true
		case executor.TextKindJSON:
			return c, unsupportedColumnError(f)
		}
	default:
		return c, unsupportedColumnError(f)
	}
	return c, nil
}

const (
	maxDecimalDigits    = 38
	hugeIntegerTypeName = "HUGEINT"
)

var integerTypeNames = map[arrow.Type]string{
	arrow.INT8: "TINYINT", arrow.INT16: "SMALLINT", arrow.INT32: "INTEGER", arrow.INT64: "BIGINT",
	arrow.UINT8: "UTINYINT", arrow.UINT16: "USMALLINT", arrow.UINT32: "UINTEGER", arrow.UINT64: "UBIGINT",
}

// decimalText writes a decimal with all its digits.
func decimalText(a arrow.Array, i int, scale int32) string {
	switch a := a.(type) {
	case *array.Decimal128:
		return a.Value(i).ToString(scale)
	case *array.Decimal256:
		return a.Value(i).ToString(scale)
	}
	return a.ValueStr(i)
}

// blobText writes bytes as the text that a CAST to BLOB reads.
func blobText(a arrow.Array, i int) string {
	var value []byte
	switch a := a.(type) {
	case *array.Binary:
		value = a.Value(i)
	case *array.LargeBinary:
		value = a.Value(i)
	}
	digits := hex.EncodeToString(value)
	var out strings.Builder
	for at := 0; at < len(digits); at += 2 {
		out.WriteString(`\x`)
		out.WriteString(digits[at : at+2])
	}
	return out.String()
}

func unsupportedColumnError(f arrow.Field) error {
	return driver.ConfigError("a DuckDB table keeps no column "+strconv.Quote(f.Name)+" of type "+f.Type.String(), nil)
}

// narrowNumbers gives a column of numbers as texts the narrowest type that holds all of them exactly.
func (s *writeSession) narrowNumbers(ctx context.Context, table, column string) error {
	// The digits before the point, those behind it, and whether all are numbers in plain notation.
	rows, err := s.Query(ctx, "SELECT MAX(LENGTH(LTRIM(SPLIT_PART("+column+", '.', 1), '-'))), MAX(LENGTH(SPLIT_PART("+column+", '.', 2))), "+
		"BOOL_AND(REGEXP_FULL_MATCH("+column+", '-?[0-9]+([.][0-9]+)?')) FROM "+table)
	if err != nil {
		return err
	}
	typ := "DOUBLE"
	if before, behind, plain := rows[0][0], rows[0][1], rows[0][2]; plain == nil {
		typ = "DECIMAL(18, 0)" // without any value
	} else if *plain == "true" {
		whole, err := strconv.Atoi(*before)
		if err != nil {
			return err
		}
		scale, err := strconv.Atoi(*behind)
		switch {
		case err != nil:
			return err
		case scale == 0 && whole <= maxDecimalDigits:
			typ = hugeIntegerTypeName
		case whole+scale <= maxDecimalDigits:
			typ = "DECIMAL(38, " + strconv.Itoa(scale) + ")"
		}
	}
	return s.Exec(ctx, "ALTER TABLE "+table+" ALTER COLUMN "+column+" TYPE "+typ)
}
