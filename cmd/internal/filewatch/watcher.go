package filewatch

import (
	"context"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// The rhythm of a Watcher.
const (
	SignalQuietPeriod = 200 * time.Millisecond // since the last event, before a signal
	MaxSignalDelay    = 2 * time.Second        // since the first event: files that change all the time give signals, too
	PollInterval      = 5 * time.Second        // between two looks at files whose changes give no event
)

// Watcher watches the folders of files.
type Watcher struct {
	paths   func() []string
	matters func(name string) bool // of the names in a folder that is itself a path
	log     *slog.Logger
	system  *fsnotify.Watcher // nil where the system gives no events
	watched map[string]os.FileInfo
	names   map[string]WatchedNames // by watched folder
	warned  bool
	states  []fileStat
	changes chan struct{}
}

// New returns a Watcher of the paths, which are requested again after each change. In a path that is a folder, a change of a
// file gives a signal if its name matters. Run starts the Watcher.
func New(paths func() []string, matters func(name string) bool, log *slog.Logger) *Watcher {
	return &Watcher{paths: paths, matters: matters, log: log, watched: map[string]os.FileInfo{}, changes: make(chan struct{}, 1)}
}

// Changes gets a signal when the files may have changed, and one when Run has begun. The channel holds at
// most one signal.
func (w *Watcher) Changes() <-chan struct{} { return w.changes }

// Run watches until ctx ends.
func (w *Watcher) Run(ctx context.Context) {
	var events <-chan fsnotify.Event
	var failures <-chan error
	system, err := fsnotify.NewWatcher()
	if err != nil {
		w.warnUnwatchableFolderOnce("", err)
	} else {
		w.system = system
		events, failures = system.Events, system.Errors
		defer func() { _ = system.Close() }()
	}
	w.refreshWatches()
	w.signalChange()
	look := time.NewTicker(PollInterval)
	defer look.Stop()
	quiet := time.NewTimer(time.Hour)
	quiet.Stop()
	defer quiet.Stop()
	var first time.Time // of the events that have had no signal yet
	note := func() {
		now := time.Now()
		if first.IsZero() {
			first = now
		}
		quiet.Reset(max(0, min(SignalQuietPeriod, MaxSignalDelay-now.Sub(first))))
	}
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-events:
			if w.isRelevant(e.Name) {
				note()
			}
		case err := <-failures: // events were lost
			w.log.Debug("watching files", "err", err)
			note()
		case <-quiet.C:
			first = time.Time{}
			w.refreshWatches()
			w.signalChange()
		case <-look.C:
			if w.refreshWatches() {
				w.signalChange()
			}
		}
	}
}

// isRelevant reports whether a change at a path can change what the watched paths hold.
func (w *Watcher) isRelevant(path string) bool {
	if _, isWatched := w.names[path]; isWatched {
		return true
	}
	folder, name := filepath.Split(path)
	in := w.names[filepath.Clean(folder)]
	if _, named := slices.BinarySearch(in.Names, name); named {
		return true
	}
	return in.Any && (w.matters(name) || isFolder(path))
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func (w *Watcher) signalChange() {
	select {
	case w.changes <- struct{}{}:
	default:
	}
}

// refreshWatches watches the folders that the paths lead through now, and reports whether the files look other than
// the last time. The folders come first: what changes after them gives an event.
func (w *Watcher) refreshWatches() (changed bool) {
	paths := w.paths()
	if w.system != nil {
		w.watchFolders(FoldersToWatch(paths))
	}
	now := make([]fileStat, 0, len(paths))
	for _, p := range paths {
		now = append(now, statFile(p))
	}
	changed = !slices.Equal(now, w.states)
	w.states = now
	return changed
}

func (w *Watcher) watchFolders(folders map[string]WatchedNames) {
	w.names = folders
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		info, err := os.Stat(folder)
		if err != nil {
			continue
		}
		if held, ok := w.watched[folder]; ok {
			if os.SameFile(held, info) {
				continue
			}
			_ = w.system.Remove(folder) // the watch of another folder that had the name
		}
		if err := w.system.Add(folder); err != nil {
			w.warnUnwatchableFolderOnce(folder, err)
			continue
		}
		w.watched[folder] = info
	}
	for folder := range w.watched {
		if _, ok := folders[folder]; !ok {
			_ = w.system.Remove(folder)
			delete(w.watched, folder)
		}
	}
}

// warnUnwatchableFolderOnce logs, once, that a change may be seen late.
func (w *Watcher) warnUnwatchableFolderOnce(folder string, err error) {
	if !w.warned {
		w.warned = true
		w.log.Warn("a folder cannot be watched: it is checked every "+PollInterval.String(), "folder", folder, "error", err)
	}
}

// fileStat is what a file looks like without being read. The zero value is that of no file.
type fileStat struct {
	path    string
	size    int64
	changed int64
	mode    os.FileMode
}

func statFile(path string) fileStat {
	info, err := os.Stat(path)
	if err != nil {
		return fileStat{path: path}
	}
	return fileStat{path, info.Size(), info.ModTime().UnixNano(), info.Mode()}
}
