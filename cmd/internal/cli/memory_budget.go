package cli

import (
	"math"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/cmd/internal/settings"
	"github.com/semlayer/semlayer/engine/memory"
)

const (
	memoryFlag       = "memory-mib"
	databaseMemory   = "db-memory-mib"
	spillFlag        = "spill-mib"
	heapLimitEnvName = "GOMEMLIMIT"
)

// addMemoryFlag adds the flag of a command with many callers.
func addMemoryFlag(cmd *cobra.Command) {
	settings.AddFlags(cmd.Flags(), memoryFlag, spillFlag)
}

// readSpillMiB reads the temporary space of a command that has the flag; 0 for any other, and where the free space is not known.
func (s settingsReader) readSpillMiB() (int, error) {
	if !s.commandDefinesFlag(spillFlag) {
		return 0, nil
	}
	given, err := s.readOptionalCount(spillFlag)
	if given > 0 || err != nil {
		return given, err
	}
	return int(memory.FreeDiskBytes(os.TempDir()) / 2 >> 20), nil
}

// readMemoryBudget reads the budget of a command that has the flag; nil for any other. A heap limit of the environment stays.
func (s settingsReader) readMemoryBudget() (*memory.Budget, error) {
	if !s.commandDefinesFlag(memoryFlag) {
		return nil, nil //nolint:nilnil // a nil budget accepts everything
	}
	total, err := s.readOptionalCount(memoryFlag)
	if err != nil {
		return nil, err
	}
	database, err := s.readOptionalCount(databaseMemory)
	if err != nil {
		return nil, nil //nolint:nilnil,nilerr // the reader of this setting reports it
	}
	settings := memory.Settings{TotalBytes: int64(total) << 20, DatabaseBytes: int64(database) << 20}
	if s.commandDefinesFlag(cacheFlag) {
		cache, err := s.readCount(cacheFlag)
		if err != nil {
			return nil, nil //nolint:nilnil,nilerr // the reader of this setting reports it
		}
		settings.CacheBytes = int64(cache) << 20
	}
	spill, err := s.readSpillMiB()
	if err != nil {
		return nil, nil //nolint:nilnil,nilerr // the reader of this setting reports it
	}
	settings.SpillBytes = int64(spill) << 20
	if total == 0 {
		settings.TotalBytes = memory.ProcessLimit()
	}
	if limit := debug.SetMemoryLimit(-1); heapLimitIsSet() && limit < math.MaxInt64 {
		settings.HeapBytes = limit
	}
	return memory.NewBudget(settings), nil
}

// heapLimitIsSet reports whether the environment has a limit of the Go heap, which may be "off".
func heapLimitIsSet() bool { return os.Getenv(heapLimitEnvName) != "" }

// limitHeap gives the Go heap its share, unless the environment limits it. The returned function restores the limit.
func limitHeap(b *memory.Budget) (restore func()) {
	if b == nil || heapLimitIsSet() {
		return func() {}
	}
	former := debug.SetMemoryLimit(b.Heap)
	return func() { debug.SetMemoryLimit(former) }
}
