package naming

import (
	"testing"
)

// A key has the number in which it was added, among few keys and among many.
func TestKeyIndex_NumbersKeysInTheirOrder(t *testing.T) {
	x := NewNumbers[int](2)
	for i := range 3 * maxKeysSearchedLinearly {
		key := 1000 - i
		if id, known := x.Find(key); known {
			t.Fatalf("%d is there before it was added, as %d", key, id)
		}
		if id := x.AddNewKey(key); id != i {
			t.Fatalf("%d has the number %d, want %d", key, id, i)
		}
		for j := range i + 1 {
			if id, known := x.Find(1000 - j); !known || id != j {
				t.Fatalf("of %d keys, %d has the number %d (%t), want %d", i+1, 1000-j, id, known, j)
			}
		}
	}
}
