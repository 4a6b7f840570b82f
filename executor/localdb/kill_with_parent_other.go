//go:build !linux

package localdb

import "syscall"

func killWhenParentDies(*syscall.SysProcAttr) {}
