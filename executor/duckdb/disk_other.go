//go:build !linux

package duckdb

// onLocalDisk knows nothing of other systems.
func onLocalDisk(string) bool { return false }
