package duckdb

import (
	"slices"

	"golang.org/x/sys/unix"
)

// localFileSystemMagicNumbers are the file systems, by the magic numbers of statfs(2), that wait for no
// network.
var localFileSystemMagicNumbers = []int64{
	unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
	unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC, 0x2fc12fc1, // ZFS
}

func isOnLocalFileSystem(path string) bool {
	var s unix.Statfs_t
	return unix.Statfs(path, &s) == nil && slices.Contains(localFileSystemMagicNumbers, int64(s.Type)) //nolint:unconvert // its width is the machine's
}
