package reload

import "golang.org/x/sys/unix"

const (
	presentThread = 0  // as sched_setattr(2) and setpriority(2) name it
	lowestNice    = 19 // the highest nice value
)

// lowerThreadPriority lets the present thread run only on a core that no other thread needs. A thread of the
// policy SCHED_IDLE gives its core to a waking thread at once; one of the lowest nice value keeps
// it for the rest of its slice, up to some milliseconds. Without both a load is as good, only less considerate, so that
// an error changes nothing.
func lowerThreadPriority() {
	if unix.SchedSetAttr(presentThread, &unix.SchedAttr{Policy: unix.SCHED_IDLE}, 0) != nil {
		_ = unix.Setpriority(unix.PRIO_PROCESS, presentThread, lowestNice)
	}
}
