//go:build !linux

package duckdb

// isOnLocalDisk returns false on other systems, where it cannot check.
func isOnLocalDisk(string) bool { return false }
