package catalogue

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/engine/memory"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/pgwire/internal/value"
)

// The memory of the parts of a row.
const (
	rowHeaderBytes  = 24
	cellHeaderBytes = 16
)

// convertRowsToPostgres reads all rows as values of PostgreSQL's types, within the bounds of a result.
func convertRowsToPostgres(ctx context.Context, rows executor.Rows, set *tableSet, s session, columns []*scopeColumn, held *memory.Reservation) ([][]any, error) {
	out, bytes := [][]any{}, 0
	err := executor.ReadBatches(ctx, rows, func(batch arrow.RecordBatch) (err error) {
		first := len(out)
		for range batch.NumRows() {
			out = append(out, make([]any, len(columns)))
		}
		for j, c := range columns {
			cells := batch.Column(j)
			for i := range int(batch.NumRows()) {
				if out[first+i][j], err = convertCellToPostgres(cells, i, c.value, set, s); err != nil {
					return err
				}
			}
		}
		for _, row := range out[first:] {
			bytes += rowHeaderBytes
			for _, v := range row {
				bytes += cellHeaderBytes + variableBytes(v)
			}
		}
		switch {
		case len(out) > maxResultRows:
			return newStatementError(nil, sqlstateProgramLimitExceeded, "the statement gives more than "+strconv.Itoa(maxResultRows)+" rows")
		case bytes > maxResultBytes:
			return resultTooLargeError()
		}
		return held.Resize(int64(bytes))
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func resultTooLargeError() error {
	return newStatementError(nil, sqlstateProgramLimitExceeded, "the rows of the statement take more than "+strconv.Itoa(maxResultBytes>>20)+" MiB")
}

// variableBytes returns the memory that a value has beside its header.
func variableBytes(v any) int {
	switch v := v.(type) {
	case string:
		return cellHeaderBytes + len(v)
	case []any:
		n := rowHeaderBytes
		for _, item := range v {
			n += cellHeaderBytes + variableBytes(item)
		}
		return n
	case int64, float64:
		return 8
	}
	return 0
}

// convertCellToPostgres reads one value.
func convertCellToPostgres(cells arrow.Array, i int, of typedExpr, set *tableSet, s session) (any, error) {
	typ := of.typ
	if cells.IsNull(i) {
		return nil, nil
	}
	if elementTypeOf(typ) != 0 {
		return convertArrayCellToPostgres(cells.ValueStr(i), typ, set, s)
	}
	switch a := cells.(type) {
	case *array.Boolean:
		return a.Value(i), nil
	case *array.Float32:
		return float64(a.Value(i)), nil
	case *array.Float64:
		return float8OrNumericTextValue(a.Value(i), typ), nil
	case *array.Decimal128:
		if isIntegerType(typ) { // a sum of integers
			break
		}
		return decimalText(a.Value(i).BigInt(), int(a.DataType().(*arrow.Decimal128Type).Scale), of.scale), nil
	case *array.MonthDayNanoInterval:
		v := a.Value(i)
		return value.IntervalText(int64(v.Months), int64(v.Days), v.Nanoseconds/1_000), nil
	case *array.Timestamp:
		return timestampText(a.Value(i).ToTime(a.DataType().(*arrow.TimestampType).Unit).Format("2006-01-02 15:04:05.999999"), typ), nil
	}
	text := cells.ValueStr(i)
	if isIntegerType(typ) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, err
		}
		return set.integerOrNameOfOIDValue(n, typ, s), nil
	}
	return text, nil
}

func timestampText(text string, typ uint32) string {
	if typ == timestamptzTypeOID {
		return text + "+00"
	}
	return text
}

// float8OrNumericTextValue returns a number as its type travels: a float8, or the text of a numeric.
func float8OrNumericTextValue(f float64, typ uint32) any {
	if isFloatType(typ) {
		return f
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// integerOrNameOfOIDValue returns an integer, or the name of the object that an OID is.
func (s *tableSet) integerOrNameOfOIDValue(n int64, typ uint32, of session) any {
	switch {
	case typ == xidTypeOID || typ == cidTypeOID:
		return strconv.FormatInt(n, 10)
	case !isRegType(typ):
		return n
	case n == 0:
		return "-"
	}
	if typ == regroleTypeOID && uint32(n) == of.userOID() {
		return quoteName(of.user)
	}
	if name, ok := s.names.byOID[regObjectKind(typ)][uint32(n)]; ok {
		return name
	}
	return strconv.FormatInt(n, 10)
}

// convertArrayCellToPostgres reads a list from its JSON. A vector is shown as its numbers with blanks between them.
func convertArrayCellToPostgres(text string, typ uint32, set *tableSet, s session) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var items []any
	if err := d.Decode(&items); err != nil {
		return nil, err
	}
	element := elementTypeOf(typ)
	parts := make([]string, len(items))
	for i, item := range items {
		number, ok := item.(json.Number)
		if !ok {
			continue
		}
		parts[i] = number.String()
		n, err := number.Int64()
		switch {
		case err == nil && isIntegerType(element):
			items[i] = set.integerOrNameOfOIDValue(n, element, s)
		case isFloatType(element):
			items[i], _ = number.Float64()
		default:
			items[i] = number.String()
		}
	}
	if isVectorType(typ) {
		return strings.Join(parts, " "), nil
	}
	return items, nil
}
