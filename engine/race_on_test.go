//go:build race

package engine_test

// slowdown is how much longer a test may take under the race detector.
const slowdown = 8
