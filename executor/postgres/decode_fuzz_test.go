package postgres

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/semlayer/semlayer/executor"
)

// FuzzDecoders passes every decoder bytes that a server should never send. A decoder may reject
// them and must not panic; text that it accepts as JSON must be valid JSON.
func FuzzDecoders(f *testing.F) {
	oids := slices.Sorted(maps.Keys(elementTypeByArrayType))
	oids = append(oids, slices.Sorted(maps.Values(elementTypeByArrayType))...)
	f.Add(uint16(0), int32(-1), []byte{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1})
	f.Add(uint16(len(oids)-1), int32(655366), []byte{0, 2, 0, 0, 0, 0, 0, 2, 0, 12, 19, 136})
	f.Add(uint16(10), int32(10), []byte{0xff})
	f.Fuzz(func(t *testing.T, which uint16, modifier int32, raw []byte) {
		typ := decodingForType(oids[int(which)%len(oids)], modifier)
		b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{typ.arrowField("v")}, nil))
		defer b.Release()
		if typ.decoder(b.Field(0))(raw) != nil {
			return
		}
		column := b.Field(0).NewArray()
		defer column.Release()
		if column.Len() != 1 {
			t.Fatalf("one value became %d", column.Len())
		}
		if _, isArray := elementTypeByArrayType[oids[int(which)%len(oids)]]; isArray && typ.kind == executor.TextKindJSON {
			if text := column.(*array.String).Value(0); !json.Valid([]byte(text)) {
				t.Fatalf("no JSON: %s", text)
			}
		}
	})
}

// FuzzNumeric holds that the two ways of reading a number agree.
func FuzzNumeric(f *testing.F) {
	f.Add([]byte{0, 2, 0, 0, 0, 0, 0, 2, 0, 12, 19, 136})
	f.Add([]byte{0, 0, 0, 0, 0xC0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, raw []byte) {
		text, err := appendNumericText(nil, raw)
		if err != nil {
			return
		}
		var n pgtype.Numeric
		plan := pgtype.NewMap().PlanScan(pgtype.NumericOID, wireFormatBinary, &n)
		if plan.Scan(raw, &n) != nil || !n.Valid || n.NaN || n.InfinityModifier != 0 {
			return
		}
		want, err := n.Value()
		if err != nil {
			return
		}
		if !sameNumber(string(text), want.(string), int(bigEndianInt16(raw[6:]))) {
			t.Fatalf("got %s, want %s", text, want)
		}
	})
}

// sameNumber compares values. The server sends the number of digits to show, and a message may
// hold more digits: the decoder cuts these, the reference keeps them.
func sameNumber(got, want string, scale int) bool {
	g, ok := new(big.Rat).SetString(got)
	if !ok {
		return false
	}
	w, ok := new(big.Rat).SetString(want)
	if !ok {
		return false
	}
	unit := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
	difference := new(big.Rat).Sub(g, w)
	return difference.Abs(difference).Cmp(unit) < 0
}
