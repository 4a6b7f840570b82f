package testwait_test

import (
	"fmt"
	"testing"

	"github.com/semlayer/semlayer/executor/testwait"
)

func ExampleUntil() {
	t := &testing.T{} // the parameter of the test
	degrees := 0
	testwait.Until(t, "the kiln is hot", func() bool {
		degrees += 400
		return degrees >= 1200
	})
	fmt.Println(degrees)
	// Output: 1200
}

func ExampleReceive() {
	t := &testing.T{} // the parameter of the test
	pots := make(chan string, 1)
	go func() { pots <- "a bowl" }()
	fmt.Println(testwait.Receive(t, "the next pot", pots))
	// Output: a bowl
}

func ExampleLog() {
	var log testwait.Log
	fmt.Fprintln(&log, "a bowl is fired")
	fmt.Print(log.String())
	// Output: a bowl is fired
}
