package reload

import "runtime"

// runAtLowPriority calls run on a separate thread, to which the operating system gives a core only when no request
// needs it. It returns when run does, and panics with what run panics with. Systems without priorities of
// threads run it as any other.
func runAtLowPriority(run func()) {
	panics := make(chan any, 1)
	go func() {
		// The thread ends with its goroutine, because a process may not raise a priority again.
		runtime.LockOSThread()
		defer func() { panics <- recover() }()
		lowerThreadPriority()
		run()
	}()
	if p := <-panics; p != nil {
		panic(p)
	}
}
