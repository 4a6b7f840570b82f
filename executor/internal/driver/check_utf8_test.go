package driver_test

import (
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

func TestCheckText_RefusesWhatIsNotUTF8(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts []string
		valid bool
	}{
		{"no rows", nil, true},
		{"empty texts", []string{"", ""}, true},
		{"ASCII", []string{"a", "b"}, true},
		{"any characters", []string{"Zoë", "żółw 🐢", "", "\x00", "\uFFFD"}, true},
		{"a byte of LATIN1", []string{"Zo\xeb"}, false},
		{"a character cut short at the end", []string{"a", "Zo\xc3"}, false},
		{"halves of a character in two texts", []string{"Zo\xc3", "\xab"}, false},
		{"halves around an empty text", []string{"Zo\xc3", "", "\xab"}, false},
		{"a surrogate", []string{"\xed\xa0\x80"}, false},
		{"a character written too long", []string{"\xc0\x80"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			schema := arrow.NewSchema([]arrow.Field{{Name: "n", Type: arrow.PrimitiveTypes.Int64}, {Name: "city", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
			b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
			defer b.Release()
			b.Field(0).AppendNull()
			b.Field(1).AppendNull()
			for _, text := range c.texts {
				b.Field(0).AppendNull()
				b.Field(1).(*array.StringBuilder).Append(text)
			}
			batch := b.NewRecordBatch()
			defer batch.Release()
			rest := batch.NewSlice(1, batch.NumRows())
			defer rest.Release()
			for _, part := range []arrow.RecordBatch{batch, rest} {
				err := driver.CheckUTF8(part)
				if (err == nil) != c.valid {
					t.Fatalf("got %v", err)
				}
				if err != nil && !strings.Contains(err.Error(), "column city") {
					t.Errorf("the error does not name the column: %v", err)
				}
			}
		})
	}
}
