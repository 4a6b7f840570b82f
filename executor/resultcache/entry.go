package resultcache

import (
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor"
)

// entry is a complete result. Its values do not change; the rest is guarded by the mutex of the cache.
type entry struct {
	key, scope string
	schema     *arrow.Schema
	batches    []arrow.RecordBatch
	bytes      int64
	began      time.Time
	beginning  Beginning

	kept         bool
	pins         int // readers
	uses         int
	milliseconds float64 // that the statement took
	priority     float64
	place        int // in the heap
	tags         map[string]string
}

// victimHeap has the entry with the least priority first.
type victimHeap []*entry

func (h victimHeap) Len() int           { return len(h) }
func (h victimHeap) Less(i, j int) bool { return h[i].priority < h[j].priority }

func (h victimHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}

// Push is called by package heap.
func (h *victimHeap) Push(x any) {
	e, _ := x.(*entry)
	e.place = len(*h)
	*h = append(*h, e)
}

// Pop is called by package heap.
func (h *victimHeap) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return e
}

// heldBytes returns the memory of a batch, with that of its dictionaries.
func heldBytes(batch arrow.RecordBatch) int64 {
	n := executor.BatchBytes(batch)
	for _, column := range batch.Columns() {
		n += dictionaryBytes(column.Data())
	}
	return n
}

func dictionaryBytes(data arrow.ArrayData) (n int64) {
	if data.DataType().ID() == arrow.DICTIONARY {
		for _, b := range data.Dictionary().Buffers() {
			if b != nil {
				n += int64(b.Cap())
			}
		}
	}
	for _, child := range data.Children() {
		n += dictionaryBytes(child)
	}
	return n
}
