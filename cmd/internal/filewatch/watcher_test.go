package filewatch_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/filewatch"
	"github.com/semlayer/semlayer/executor/testwait"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

func TestFolders_AreThoseWhereAPathCanChange(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	at := func(names ...string) string { return filepath.Join(append([]string{root}, names...)...) }
	write(t, at("plain", "m.yaml"), "x")
	write(t, at("volume", "..2026_1", "m.yaml"), "x")
	must(t, os.Symlink("..2026_1", at("volume", "..data")))
	must(t, os.Symlink("..data/m.yaml", at("volume", "m.yaml")))
	write(t, at("releases", "1", "m.yaml"), "x")
	must(t, os.Symlink(at("releases", "1"), at("current")))
	must(t, os.Symlink("loop", at("loop")))
	type folders = map[string]filewatch.WatchedNames
	only := func(names ...string) filewatch.WatchedNames { return filewatch.WatchedNames{Names: names} }
	for _, c := range []struct {
		path string
		want folders
	}{
		{at("plain", "m.yaml"), folders{at("plain"): only("m.yaml")}},
		{at("plain"), folders{root: only("plain"), at("plain"): {Any: true}}},
		{at("volume", "m.yaml"), folders{at("volume"): only("..data", "m.yaml"), at("volume", "..2026_1"): only("m.yaml")}},
		{at("current", "m.yaml"), folders{root: only("current"), at("releases", "1"): only("m.yaml")}},
		{at("plain", "..", "plain", "m.yaml"), folders{at("plain"): only("m.yaml")}},
		{at("plain", "none.yaml"), folders{at("plain"): only("none.yaml")}},
		{at("none", "none.yaml"), folders{root: only("none")}},
		{at("plain", "m.yaml", "below"), folders{at("plain"): only("m.yaml")}},
		{at("loop"), folders{root: only("loop")}},
	} {
		if d := cmp.Diff(c.want, filewatch.FoldersToWatch([]string{c.path})); d != "" {
			t.Errorf("%s: %s", c.path, d)
		}
	}
	if d := cmp.Diff(folders{root: only("plain"), at("plain"): {Names: []string{"m.yaml"}, Any: true}}, filewatch.FoldersToWatch([]string{at("plain", "m.yaml"), at("plain")})); d != "" {
		t.Error(d)
	}
}

// isData reports whether a name in a watched folder matters.
func isData(name string) bool { return filepath.Ext(name) == ".csv" }

// watch runs a Watcher and returns what waits for its next signal.
func watch(t *testing.T, paths ...string) (next func(what string)) {
	t.Helper()
	w := filewatch.New(func() []string { return paths }, isData, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { w.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done })
	next = func(what string) {
		t.Helper()
		testwait.Receive(t, "a signal after "+what, w.Changes())
	}
	next("the start")
	return next
}

func TestWatcher_SeesEachWayToChangeAFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "m.yaml")
	write(t, path, "1")
	next := watch(t, path)
	write(t, path, "2")
	next("a write")
	write(t, path+".new", "3")
	must(t, os.Rename(path+".new", path))
	next("a replaced file")
	must(t, os.Remove(path))
	next("a removed file")
	write(t, path, "4")
	next("a created file")
	must(t, os.Chmod(path, 0))
	next("a lost permission")
}

func TestWatcher_SeesTheLinkOfAVolumeSwapped(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "..1", "m.yaml"), "1")
	must(t, os.Symlink("..1", filepath.Join(folder, "..data")))
	must(t, os.Symlink("..data/m.yaml", filepath.Join(folder, "m.yaml")))
	next := watch(t, filepath.Join(folder, "m.yaml"))
	for _, name := range []string{"..2", "..3"} {
		write(t, filepath.Join(folder, name, "m.yaml"), name)
		must(t, os.Symlink(name, filepath.Join(folder, "..data_tmp")))
		must(t, os.Rename(filepath.Join(folder, "..data_tmp"), filepath.Join(folder, "..data")))
		next("the swap to " + name)
	}
}

func TestWatcher_SeesAFolderThatIsReplaced(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "models", "m.yaml")
	write(t, path, "1")
	next := watch(t, path)
	must(t, os.RemoveAll(filepath.Dir(path)))
	next("a removed folder")
	write(t, path, "2")
	next("a created folder")
	write(t, path, "3")
	next("a write in the new folder")
}

func TestWatcher_GivesSignalsWhileFilesNeverRest(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "m.yaml")
	write(t, path, "1")
	next := watch(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		pace := time.NewTicker(filewatch.SignalQuietPeriod / 10)
		defer pace.Stop()
		for ctx.Err() == nil {
			_ = os.WriteFile(path, nil, 0o600)
			<-pace.C
		}
	}()
	next("two seconds of noise")
	cancel()
	<-done
}
