//go:build !linux

package localdb

import "syscall"

func dieWithParent(*syscall.SysProcAttr) {}
