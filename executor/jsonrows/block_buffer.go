package jsonrows

const (
	minBlockBytes = 4 << 10
	maxBlockBytes = 4 << 20
	// maxRowsBetweenSizeChecks and maxBytesBetweenSizeChecks bound what is written between two looks at the size.
	maxRowsBetweenSizeChecks  = 256
	maxBytesBetweenSizeChecks = 64 << 10
)

// blockBuffer is a text that grows without being copied: a full block is put aside and
// the next one begun. One slice that grew by appending would be copied five times
// over, and its old and its new form would both be in memory each time.
type blockBuffer struct {
	full [][]byte
	last []byte
	// size counts the bytes of full, wide the bytes of the widest row so far, as
	// an average over the rows written together.
	size, wide int
	before     int
	counted    int // bytes that were passed to a function which counts them
}

func newBlockBuffer(start []byte) *blockBuffer { return &blockBuffer{last: start} }

// rowsUntilSizeCheck returns the number of rows to write next.
func (b *blockBuffer) rowsUntilSizeCheck() int {
	return min(max(maxBytesBetweenSizeChecks/max(b.wide, 1), 1), maxRowsBetweenSizeChecks)
}

// reserveRows returns the last block with space for that many rows, by an estimate: a block that is
// too small grows as slices do.
func (b *blockBuffer) reserveRows(rows int) []byte {
	need := rows * b.wide
	if cap(b.last)-len(b.last) < need && len(b.last) > 0 {
		b.full = append(b.full, b.last)
		b.size += len(b.last)
		next := min(max(2*cap(b.last), minBlockBytes), maxBlockBytes)
		b.last = make([]byte, 0, max(next, need))
	}
	b.before = len(b.last)
	return b.last
}

// recordAppendedRows notes that rows were appended to what room returned, and returns the
// length of the whole text.
func (b *blockBuffer) recordAppendedRows(rows int) int {
	b.wide = max(b.wide, (len(b.last)-b.before)/rows+1)
	return b.size + len(b.last)
}

// countGrowth passes the bytes that the text takes now, beyond those of the call before, to grow. Until the text is
// joined it takes its length twice.
func (b *blockBuffer) countGrowth(grow func(int) error) error {
	need := b.size + cap(b.last)
	if len(b.full) > 0 {
		need += b.size + len(b.last)
	}
	if grow == nil || need <= b.counted {
		return nil
	}
	more := need - b.counted
	b.counted = need
	return grow(more)
}

// joinBlocks returns the whole text with that much room after it. A text of one block
// is returned as it is.
func (b *blockBuffer) joinBlocks(room int) []byte {
	if len(b.full) == 0 {
		return b.last
	}
	whole := make([]byte, 0, b.size+len(b.last)+room)
	for _, block := range b.full {
		whole = append(whole, block...)
	}
	return append(whole, b.last...)
}
