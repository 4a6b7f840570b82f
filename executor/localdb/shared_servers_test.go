package localdb

import (
	"context"
	"fmt"
	"runtime"
	"testing"
)

// watcher is a test whose end is watched instead of had.
type watcher struct {
	testing.TB
	skipped, failed bool
}

func (w *watcher) Helper() {}

func (w *watcher) Skipf(string, ...any) {
	w.skipped = true
	runtime.Goexit()
}

func (w *watcher) Fatal(...any) {
	w.failed = true
	runtime.Goexit()
}

func TestShared_MissingSkipsOrFails(t *testing.T) {
	missing := func(context.Context, Engine) (*Server, error) { return nil, fmt.Errorf("%w: it", ErrNoServer) }
	broken := func(context.Context, Engine) (*Server, error) { return nil, context.DeadlineExceeded }
	tests := []struct {
		name, require   string
		start           func(context.Context, Engine) (*Server, error)
		skipped, failed bool
	}{
		{"missing", "", missing, true, false},
		{"missing and required", "1", missing, false, true},
		{"missing and required by name", "postgres,mysql", missing, false, true},
		{"missing and another required", "postgres,mariadb", missing, true, false},
		{"installed and broken", "", broken, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(RequireServersEnv, tt.require)
			w := &watcher{TB: t}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				var l lazilyStartedServer
				l.startOnce(w, MySQL, tt.start)
			}()
			<-ended
			if w.skipped != tt.skipped || w.failed != tt.failed {
				t.Errorf("skipped %v, failed %v", w.skipped, w.failed)
			}
		})
	}
}
