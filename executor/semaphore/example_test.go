package semaphore_test

import (
	"fmt"

	"github.com/semlayer/semlayer/executor/semaphore"
)

func ExampleNonBlockingSemaphore() {
	slots := semaphore.NewNonBlockingSemaphore(1)
	release, ok := slots.TryAcquire()
	fmt.Println(ok, slots.TakenCount())
	_, ok = slots.TryAcquire() // nothing waits: the second one is rejected
	fmt.Println(ok, slots.RefusedAcquireCount())
	release()
	fmt.Println(slots.TakenCount())
	// Output:
	// true 1
	// false 1
	// 0
}
