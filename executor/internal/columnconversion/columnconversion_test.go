package columnconversion_test

import (
	"errors"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor/internal/columnconversion"
)

// daysWithNull returns the days 0, null and 19727 after a first one, which a slice cuts off.
func daysWithNull(t *testing.T) arrow.Array {
	b := array.NewDate32Builder(memory.DefaultAllocator)
	defer b.Release()
	b.AppendValues([]arrow.Date32{7, 0, 0, 19727}, []bool{true, true, false, true})
	whole := b.NewArray()
	defer whole.Release()
	days := array.NewSlice(whole, 1, 4)
	t.Cleanup(days.Release)
	return days
}

func TestFuncs_KeepNullsAndOffsets(t *testing.T) {
	seconds := &arrow.TimestampType{Unit: arrow.Second}
	for name, tt := range map[string]struct {
		convert columnconversion.Func
		want    string
	}{
		"SameLayout": {columnconversion.NewSameLayoutConversion(arrow.PrimitiveTypes.Int32), "[0 (null) 19727]"},
		"FixedWidth": {columnconversion.NewFixedWidthConversion(seconds, func(v arrow.Date32) arrow.Timestamp { return arrow.Timestamp(v) * 86400 }),
			"[0 (null) 1704412800]"},
		"ValueByValue": {columnconversion.NewValueByValueConversion(arrow.BinaryTypes.String, func(a arrow.Array) func(int) (string, error) {
			return func(row int) (string, error) { return a.ValueStr(row), nil }
		}), `["1970-01-01" (null) "2024-01-05"]`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tt.convert(daysWithNull(t))
			if err != nil {
				t.Fatal(err)
			}
			defer got.Release()
			if got.String() != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestValueByValue_FailsWithTheFirstValueThatHasNoCounterpart(t *testing.T) {
	none := errors.New("no counterpart")
	_, err := columnconversion.NewValueByValueConversion(arrow.BinaryTypes.String, func(arrow.Array) func(int) (string, error) {
		return func(int) (string, error) { return "", none }
	})(daysWithNull(t))
	if !errors.Is(err, none) {
		t.Errorf("error %v", err)
	}
}
