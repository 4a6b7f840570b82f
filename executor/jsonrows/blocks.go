package jsonrows

const (
	smallestBlock = 4 << 10
	largestBlock  = 4 << 20
	// mostRows and stepSize bound what is written between two looks at the size.
	mostRows = 256
	stepSize = 64 << 10
)

// blocks is a text that grows without being copied: a full block is put aside and
// the next one begun. One slice that grew by appending would be copied five times
// over, and its old and its new form would both be in memory each time.
type blocks struct {
	full [][]byte
	last []byte
	// size counts the bytes of full, wide the bytes of the widest row so far, as
	// an average over the rows written together.
	size, wide int
	before     int
}

func newBlocks(start []byte) *blocks { return &blocks{last: start} }

// step is how many rows to write next.
func (b *blocks) step() int { return min(max(stepSize/max(b.wide, 1), 1), mostRows) }

// room returns the last block with space for that many rows, by an estimate: a block that is
// too small grows as slices do.
func (b *blocks) room(rows int) []byte {
	need := rows * b.wide
	if cap(b.last)-len(b.last) < need && len(b.last) > 0 {
		b.full = append(b.full, b.last)
		b.size += len(b.last)
		next := min(max(2*cap(b.last), smallestBlock), largestBlock)
		b.last = make([]byte, 0, max(next, need))
	}
	b.before = len(b.last)
	return b.last
}

// wrote notes that rows were appended to what room returned, and returns the
// length of the whole text.
func (b *blocks) wrote(rows int) int {
	b.wide = max(b.wide, (len(b.last)-b.before)/rows+1)
	return b.size + len(b.last)
}

// join returns the whole text with that much room behind it. A text of one block
// is returned as it is.
func (b *blocks) join(room int) []byte {
	if len(b.full) == 0 {
		return b.last
	}
	whole := make([]byte, 0, b.size+len(b.last)+room)
	for _, block := range b.full {
		whole = append(whole, block...)
	}
	return append(whole, b.last...)
}
