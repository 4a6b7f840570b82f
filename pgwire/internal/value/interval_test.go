package value

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The bytes are those that PostgreSQL 15 sends for the text: microseconds, days and months.
func TestAppendAny_IntervalsAndBitsHaveBinaryForms(t *testing.T) {
	for _, test := range []struct {
		oid  uint32
		text string
		want []byte
	}{
		{IntervalOID, "1 day", []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}},
		{IntervalOID, "1 year 2 mons 3 days 30:00:01.5", []byte{0, 0, 0, 0x19, 0x25, 0x64, 0x1b, 0x60, 0, 0, 0, 3, 0, 0, 0, 14}},
		{IntervalOID, "-1 days -00:00:00.000001", []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}},
		{BitOID, "0100", []byte{0, 0, 0, 4, 0x40}},
		{VarbitOID, "1111111101", []byte{0, 0, 0, 10, 0xff, 0x40}},
	} {
		got, err := AppendAnyNonNull(nil, test.oid, BinaryFormat, test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.text, diff)
		}
	}
	for _, text := range []string{"1 week", "1 day x", "1:2:3:4", "day 1", "1 day 00:00:00 2"} {
		if _, err := AppendAnyNonNull(nil, IntervalOID, BinaryFormat, text); err == nil {
			t.Errorf("%s has a binary form", text)
		}
	}
}
