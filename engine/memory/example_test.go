package memory_test

import (
	"fmt"

	"github.com/semlayer/semlayer/engine/memory"
)

func Example() {
	budget := memory.NewBudget(memory.Settings{TotalBytes: 1 << 30, HeapBytes: 768 << 20}) // of Go 768 MiB
	results := budget.Part(memory.Results)
	first, err := results.Reserve(100 << 20)
	fmt.Println(first.Bytes()>>20, "MiB", err)
	_, err = results.Reserve(100 << 20)
	fmt.Println(err)
	first.Release()
	fmt.Println(results.Held(), "bytes")
	// Output:
	// 100 MiB <nil>
	// memory_limit: other requests hold the 144 MiB of memory for results; try again soon
	// 0 bytes
}
