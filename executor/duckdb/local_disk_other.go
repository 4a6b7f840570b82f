//go:build !linux

package duckdb

// onLocalDisk returns false on other systems, where it cannot check.
func onLocalDisk(string) bool { return false }
