package memory

import "math"

// PartName names a part of the Go heap.
type PartName string

// The parts of the Go heap.
const (
	Plans     PartName = "plans"     // plans of queries and their SQL, while they are made
	Results   PartName = "results"   // rows and responses that are complete before they are sent
	Sessions  PartName = "sessions"  // statements, portals and variables that sessions of the PostgreSQL port keep
	Catalogue PartName = "catalogue" // rows of catalogue statements
	Messages  PartName = "messages"  // bodies of requests, and messages of the Model Context Protocol
	Log       PartName = "log"       // log lines that wait for their reader
)

// partShares lists the parts with their share of the Go heap in 32nds. Together they are one half.
var partShares = []struct {
	name   PartName
	shares int64
	what   string // in messages
}{
	{Plans, 4, "plans of queries"},
	{Results, 6, "results"},
	{Sessions, 2, "statements and variables of sessions"},
	{Catalogue, 2, "rows of the catalogue"},
	{Messages, 1, "messages of clients"},
	{Log, 1, "log lines"},
}

const (
	heapShareUnits = 32
	// heapFractionOfParts: the parts divide an eighth of the least memory at least.
	heapFractionOfParts = 8

	programBytes      = 64 << 20 // code, stacks and libraries
	minCatalogueBytes = 32 << 20
	maxCatalogueBytes = 384 << 20
	minDatabaseBytes  = 32 << 20

	catalogueSpillFraction = 8
	maxCatalogueSpillBytes = 256 << 20

	// CatalogueBytes is what the catalogue of one model needs: generators of code join six views in one statement.
	CatalogueBytes = 96 << 20

	// MinTotalBytes is the least memory that a budget divides.
	MinTotalBytes = 256 << 20
)

// Settings choose the shares of a budget.
type Settings struct {
	// TotalBytes is the memory of the process.
	TotalBytes int64
	// HeapBytes is the Go heap where the environment sets it; 0 chooses one half of the total.
	HeapBytes int64
	// CacheBytes is the part of the Go heap for results that are kept, which no other part has.
	CacheBytes int64
	// SpillBytes is the temporary space of all DuckDB databases; 0 where it has no bound.
	SpillBytes int64
	// DatabaseBytes is the memory of the embedded DuckDB where a setting names it; 0 chooses the remainder.
	DatabaseBytes int64
}

// Budget holds the shares of the memory of the process. It is immutable; the parts count.
type Budget struct {
	Total     int64 // bytes of the process
	Heap      int64 // the limit of the Go heap
	Cache     int64 // the part of the Go heap for results that are kept
	Database  int64 // the limit of the embedded DuckDB
	Catalogue int64 // the limit of the DuckDB of the catalogue
	// DatabaseSpill and CatalogueSpill divide the temporary space; DatabaseSpill is 0 where it has no bound.
	DatabaseSpill, CatalogueSpill int64
	parts                         []*Part
}

// NewBudget divides memory into shares. Results that are kept have what the settings name. The Go heap has one half of the rest beside them, or
// the size that the settings name, with them. The program has
// 64 MiB, the catalogue a quarter of the memory beside the heap within 32 and 384 MiB, the embedded DuckDB the remainder. Where a
// quarter is less than one catalogue needs, the catalogue has as much as the embedded DuckDB, up to that. The
// catalogue has an eighth of the temporary space, 256 MiB at most.
// A total below MinTotalBytes counts as that.
func NewBudget(s Settings) *Budget {
	b := &Budget{Total: max(s.TotalBytes, MinTotalBytes), Cache: s.CacheBytes}
	b.Heap = (b.Total-b.Cache)/2 + b.Cache
	if s.HeapBytes > 0 {
		b.Heap = s.HeapBytes
	}
	rest := b.Total - b.Heap
	b.Catalogue = min(max(rest/4, min(CatalogueBytes, (rest-programBytes)/2), minCatalogueBytes), maxCatalogueBytes)
	b.Database = max(rest-b.Catalogue-programBytes, minDatabaseBytes)
	if s.DatabaseBytes > 0 {
		b.Database = s.DatabaseBytes
	}
	b.CatalogueSpill = maxCatalogueSpillBytes
	if s.SpillBytes > 0 {
		b.CatalogueSpill = min(s.SpillBytes/catalogueSpillFraction, maxCatalogueSpillBytes)
		b.DatabaseSpill = s.SpillBytes - b.CatalogueSpill
	}
	divided := max(b.Heap-b.Cache, MinTotalBytes/heapFractionOfParts)
	for _, p := range partShares {
		b.parts = append(b.parts, &Part{name: p.name, what: p.what, capacity: min(divided, math.MaxInt64/heapShareUnits) * p.shares / heapShareUnits})
	}
	return b
}

// Part returns a part of the Go heap; nil, which accepts everything, without a budget.
func (b *Budget) Part(name PartName) *Part {
	if b == nil {
		return nil
	}
	for _, p := range b.parts {
		if p.name == name {
			return p
		}
	}
	return nil
}

// Use returns what each part holds, in the order of the documentation.
func (b *Budget) Use() []PartUse {
	if b == nil {
		return nil
	}
	out := make([]PartUse, len(b.parts))
	for i, p := range b.parts {
		out[i] = PartUse{Name: p.name, Held: p.held.Load(), Capacity: p.capacity, Refused: p.refused.Load()}
	}
	return out
}

// PartUse is what a part holds.
type PartUse struct {
	Name     PartName
	Held     int64 // bytes
	Capacity int64 // bytes
	Refused  int64 // reservations that failed
}
