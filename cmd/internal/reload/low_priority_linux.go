package reload

import "syscall"

const (
	priorityOfThread = 0  // PRIO_PROCESS of setpriority(2), which means one thread on Linux
	lowestPriority   = 19 // the highest nice value
)

// lowerThreadPriority gives the present thread the lowest priority. Without it a load is as good, only less
// considerate, so that an error changes nothing.
func lowerThreadPriority() {
	_ = syscall.Setpriority(priorityOfThread, syscall.Gettid(), lowestPriority)
}
