//go:build linux

package memorybudget

import (
	"context"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// slowdown measures how much longer work takes than the processor time that it needs, on a machine with other work.
type slowdown struct {
	mu        sync.Mutex
	wall, cpu time.Duration // of all work so far
}

// measure runs short pieces of work until ctx ends.
func (s *slowdown) measure(ctx context.Context) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	sample(ctx, 20*time.Millisecond, func() {
		begun, used := time.Now(), threadCPU()
		for threadCPU()-used < 2*time.Millisecond {
		}
		s.mu.Lock()
		s.wall, s.cpu = s.wall+time.Since(begun), s.cpu+threadCPU()-used
		s.mu.Unlock()
	})
}

// allow returns a time limit for this machine.
func (s *slowdown) allow(limit time.Duration) time.Duration {
	return time.Duration(float64(limit) * s.factor())
}

// factor returns 1 on an idle machine.
func (s *slowdown) factor() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cpu == 0 {
		return 1
	}
	return max(1, float64(s.wall)/float64(s.cpu))
}

func threadCPU() time.Duration {
	var u syscall.Rusage
	const rusageThread = 1
	if err := syscall.Getrusage(rusageThread, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
