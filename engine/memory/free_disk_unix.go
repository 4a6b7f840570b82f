//go:build linux || darwin

package memory

import "syscall"

// FreeDiskBytes returns the free space of the file system of a folder; 0 where it is not known.
func FreeDiskBytes(folder string) int64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0
	}
	return int64(s.Bavail) * int64(s.Bsize) //nolint:unconvert // the types differ between systems
}
