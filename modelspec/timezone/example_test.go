package timezone_test

import (
	"fmt"
	"time"

	"github.com/semlayer/semlayer/modelspec/timezone"
)

// A time that spring leaves out means the first instant after the gap.
func ExampleZone_InstantOfLocalTime() {
	berlin, ok := timezone.Load("Europe/Berlin")
	fmt.Println(ok)
	fmt.Println(berlin.InstantOfLocalTime(time.Date(2024, 3, 31, 2, 30, 0, 0, time.UTC)))
	// Output:
	// true
	// 2024-03-31 01:00:00 +0000 UTC
}
