package databricks

import (
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/semlayer/semlayer/executor/jsonrows"
)

func TestCast_ToModuleTypes(t *testing.T) {
	t.Run("batches are converted to the column types of this module", func(t *testing.T) {
		from := arrow.NewSchema([]arrow.Field{
			{Name: "n", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
			{Name: "at", Type: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "Etc/UTC"}, Nullable: true},
			{Name: "wall", Type: &arrow.TimestampType{Unit: arrow.Microsecond}, Nullable: true},
			{Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Float64), Nullable: true},
			{Name: "row", Type: arrow.StructOf(arrow.Field{Name: "d", Type: arrow.FixedWidthTypes.Date32, Nullable: true}), Nullable: true},
		}, nil)
		batch, _, err := array.RecordFromJSON(memory.DefaultAllocator, from, strings.NewReader(`[
		{"n": 1, "at": "2024-01-05T10:00:00Z", "wall": "2024-01-05 10:00:00", "list": [1.5, null], "row": {"d": "2024-01-05"}},
		{"n": null, "at": null, "wall": null, "list": null, "row": null},
		{"n": 3, "at": "2024-01-05T11:00:00Z", "wall": null, "list": [], "row": {"d": null}}]`))
		if err != nil {
			t.Fatal(err)
		}
		defer batch.Release()
		part := batch.NewSlice(1, 3)
		defer part.Release()
		for _, tt := range []struct {
			batch arrow.RecordBatch
			want  string
		}{
			{batch, `{"n":1,"at":"2024-01-05T10:00:00Z","wall":"2024-01-05T10:00:00","list":[1.5,null],"row":{"d":"2024-01-05"}},` +
				`{"n":null,"at":null,"wall":null,"list":null,"row":null},{"n":3,"at":"2024-01-05T11:00:00Z","wall":null,"list":[],"row":{"d":null}}`},
			{part, `{"n":null,"at":null,"wall":null,"list":null,"row":null},{"n":3,"at":"2024-01-05T11:00:00Z","wall":null,"list":[],"row":{"d":null}}`},
		} {
			got, err := convertBatch(tt.batch)
			if err != nil {
				t.Fatal(err)
			}
			want := "int32 timestamp[us, tz=UTC] timestamp[us] utf8 utf8"
			var types []string
			for _, f := range got.Schema().Fields() {
				types = append(types, f.Type.String())
			}
			if s := strings.Join(types, " "); s != want {
				t.Errorf("types %s, want %s", s, want)
			}
			w, err := jsonrows.NewRowWriter(got.Schema(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if rows := string(w.AppendBatch(nil, got)); rows != tt.want {
				t.Errorf("got  %s\nwant %s", rows, tt.want)
			}
			got.Release()
		}
	})
}
