package browser_test

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// idle is the limit of a time that is stated for an idle machine: others get five times as much.
func idle(limit time.Duration) time.Duration {
	const patience = 5
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return patience * limit
	}
	load, err := strconv.ParseFloat(strings.Fields(string(text))[0], 64)
	if err != nil || load > float64(runtime.NumCPU())/2 {
		return patience * limit
	}
	return limit
}
