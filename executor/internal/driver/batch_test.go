package driver_test

import (
	"errors"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

// counter appends 0, 1, … up to a limit; each row claims to have size bytes.
func counter(b *driver.BatchBuilder, limit, size int) func() (int, bool, error) {
	i := 0
	return func() (int, bool, error) {
		if i == limit {
			return 0, false, nil
		}
		b.FieldBuilder(0).(*array.Int64Builder).Append(int64(i))
		i++
		return size, true, nil
	}
}

func sizes(t *testing.T, limit, size int) (list []int64) {
	t.Helper()
	b := driver.NewBatchBuilder(arrow.NewSchema([]arrow.Field{{Name: "i", Type: arrow.PrimitiveTypes.Int64}}, nil))
	defer b.Release()
	next := counter(b, limit, size)
	for row := int64(0); ; {
		batch, err := b.BuildNextBatch(next)
		if err != nil {
			t.Fatal(err)
		}
		if batch == nil {
			return list
		}
		for _, v := range batch.Column(0).(*array.Int64).Int64Values() {
			if v != row {
				t.Fatalf("row %d holds %d", row, v)
			}
			row++
		}
		list = append(list, batch.NumRows())
		batch.Release()
	}
}

func TestBatches_Grow(t *testing.T) {
	if diff := cmp.Diff([]int64{1024, 4096, 4880}, sizes(t, 10000, 8)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int64(nil), sizes(t, 0, 8)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int64{3}, sizes(t, 3, 8)); diff != "" {
		t.Error(diff)
	}
}

func TestBatches_HeavyRowsMakeSmallOnes(t *testing.T) {
	if diff := cmp.Diff([]int64{4, 4, 4, 1}, sizes(t, 13, 1<<20)); diff != "" {
		t.Error(diff)
	}
}

func TestBatches_ErrorEndsFilling(t *testing.T) {
	b := driver.NewBatchBuilder(arrow.NewSchema(nil, nil))
	defer b.Release()
	broken := errors.New("broken")
	if batch, err := b.BuildNextBatch(func() (int, bool, error) { return 0, false, broken }); batch != nil || !errors.Is(err, broken) {
		t.Fatalf("got %v, %v", batch, err)
	}
}
