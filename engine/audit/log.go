package audit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Lines chooses the requests that have a line.
type Lines string

// The choices.
const (
	AllLines   Lines = "all"
	ErrorLines Lines = "errors"
	SlowLines  Lines = "slow" // errors, and requests that took Config.Slow
)

// Stdout is the path that means Config.Stdout.
const Stdout = "-"

// fileMode is that of a new log: names of persons and of what they asked are for the operator alone.
const fileMode = 0o600

// Config holds the settings of a Log.
type Config struct {
	Path string
	// Stdout takes the lines where Path is "-". Lost returns how many of them it has lost since it took them; nil means none.
	Stdout io.Writer
	Lost   func() uint64
	// Literals adds bodies, SQL and the words of warehouses.
	Literals bool
	Only     Lines // "" means all
	Slow     time.Duration
	// Logger receives why lines could not be written; nil means slog.Default.
	Logger *slog.Logger
}

// Log writes entries to a file. It is safe for concurrent use. A nil Log writes nothing.
type Log struct {
	config   Config
	failures atomic.Uint64

	mu     sync.Mutex
	to     io.Writer
	file   *os.File    // nil for standard output
	opened fs.FileInfo // of file
	torn   bool        // the last line lacks its end
	reason string      // the failure that was logged last, "" after a success
	lost   uint64      // by Config.Stdout, that was logged
}

// Open opens the file for appending, or makes it.
func Open(c Config) (*Log, error) {
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Lost == nil {
		c.Lost = func() uint64 { return 0 }
	}
	l := &Log{config: c, to: c.Stdout}
	if c.Path == Stdout {
		return l, nil
	}
	return l, l.openFile()
}

// openFile opens the file that the path names now, in place of the one that is open.
func (l *Log) openFile() error {
	if about, err := os.Stat(l.config.Path); err == nil && about.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 {
		return fmt.Errorf("%s is a pipe, whose reader could hold up every request; give - and pipe the standard output", l.config.Path)
	}
	file, err := os.OpenFile(l.config.Path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, fileMode)
	if err != nil {
		return err
	}
	opened, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	if l.file != nil {
		_ = l.file.Close() // every line was written by then
	}
	l.file, l.opened, l.to, l.torn = file, opened, file, false
	return nil
}

// HasLiterals reports whether lines have bodies, SQL and the words of warehouses.
func (l *Log) HasLiterals() bool { return l != nil && l.config.Literals }

// NewRecord returns the record of a request; nil for a nil Log.
func (l *Log) NewRecord() *Record {
	if l == nil {
		return nil
	}
	return &Record{literals: l.config.Literals}
}

// Failures returns how many lines could not be written.
func (l *Log) Failures() uint64 {
	if l == nil {
		return 0
	}
	return l.failures.Load() + l.config.Lost()
}

// Reopen opens the file again, as a program that rotates logs asks by SIGHUP.
func (l *Log) Reopen() {
	if l == nil || l.config.Path == Stdout {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.openFile(); err != nil {
		l.logFailure(err)
	}
}

// Close closes the file.
func (l *Log) Close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// Write writes the line of an entry, by one write. A line that cannot be written is counted and logged: the request is answered.
func (l *Log) Write(e Entry) {
	if l == nil || !l.wants(&e) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var start []byte
	if l.torn {
		start = []byte{'\n'} // the rest of the line before must not swallow this one
	}
	text, err := e.appendLine(start, l.config.Literals)
	followed := l.followName()
	if err == nil {
		var n int
		n, err = l.to.Write(text)
		if n > 0 {
			l.torn = n < len(text)
		}
	}
	if err != nil {
		l.failures.Add(1)
		l.logFailure(err)
		return
	}
	if followed {
		l.reason = ""
	}
	if lost := l.config.Lost(); lost > l.lost {
		l.lost = lost
		l.logFailure(errors.New("standard output does not take the lines"))
	}
}

// wants reports whether the entry has a line.
func (l *Log) wants(e *Entry) bool {
	if l.config.Only == AllLines || l.config.Only == "" {
		return true
	}
	code, _ := e.outcome()
	return code != OutcomeOK || l.config.Only == SlowLines && e.Duration >= l.config.Slow
}

// followName opens the file again where its name is another file, or none: the log was rotated. Where that fails the open file stays, and
// followName returns false.
func (l *Log) followName() bool {
	if l.file == nil {
		return true
	}
	if now, err := os.Stat(l.config.Path); err == nil && os.SameFile(now, l.opened) {
		return true
	}
	err := l.openFile()
	if err != nil {
		l.logFailure(err)
	}
	return err == nil
}

// logFailure logs why lines are lost, once for each reason in a row.
func (l *Log) logFailure(err error) {
	if l.reason == err.Error() {
		return
	}
	l.reason = err.Error()
	l.config.Logger.Error("a line of the audit log could not be written", "file", l.config.Path, "error", err)
}
