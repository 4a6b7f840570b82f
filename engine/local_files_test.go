package engine

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
)

// Files that requests need stay open, one for each connection, however often each is asked for; others give way.
func TestLocalFiles_AreOpenOnceWhileRequestsNeedThem(t *testing.T) {
	dir := t.TempDir()
	path := func(i int) string { return filepath.Join(dir, strconv.Itoa(i)) }
	for name, c := range map[string]struct {
		needed                 time.Duration
		wantOpen, wantReplaced int
	}{
		"needed":     {time.Hour, maxLocalFiles + 2, 0},
		"not needed": {-time.Hour, maxLocalFiles, -1},
	} {
		all := newLocalFiles(Config{})
		all.open = func(context.Context, string) (executor.Executor, error) { return nil, errors.New("not opened") }
		for i := range 10 * (maxLocalFiles + 2) {
			all.file(path(i%(maxLocalFiles+2)), time.Now().Add(c.needed))
		}
		all.mutex.Lock()
		if got := len(all.current); got != c.wantOpen {
			t.Errorf("%s: %d files are open, want %d", name, got, c.wantOpen)
		}
		if got := len(all.replaced); c.wantReplaced >= 0 && got != c.wantReplaced {
			t.Errorf("%s: %d files wait for their end, want %d", name, got, c.wantReplaced)
		}
		all.mutex.Unlock()
		if err := all.close(); err != nil {
			t.Error(err)
		}
	}
}
