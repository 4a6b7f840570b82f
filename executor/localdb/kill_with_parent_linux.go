package localdb

import "syscall"

func killWhenParentDies(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
