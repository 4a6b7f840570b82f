package localdb

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// ErrNoServer reports that a server is neither named nor installed.
var ErrNoServer = errors.New("no database server")

// ListenHost is where every server listens.
const ListenHost = "127.0.0.1"

const startPollInterval = 20 * time.Millisecond

// Server is a running server and the way in.
type Server struct {
	Address

	stop     func()
	dir      string
	process  *os.Process
	launched launchCommand
	exited   chan struct{}
	log      *serverLog
	stopOnce sync.Once
}

// NewExternalServer returns a server that another program runs. Its Stop calls stop, which is nil for a
// server that must keep running.
func NewExternalServer(at Address, stop func()) *Server {
	if stop == nil {
		stop = func() {}
	}
	return &Server{Address: at, stop: stop}
}

// Stop ends the server at once and removes its data; one that the environment
// names it leaves alone. It may be called more than once.
func (s *Server) Stop() { s.stopOnce.Do(s.stop) }

func (s *Server) stopProcess() {
	if s.process != nil {
		// Quit is PostgreSQL's immediate shutdown; it ends the child processes too. A server
		// that ignores it is killed.
		_ = s.process.Signal(syscall.SIGQUIT)
		select {
		case <-s.exited:
		case <-time.After(2 * time.Second):
			_ = s.process.Kill()
			<-s.exited
		}
	}
	_ = os.RemoveAll(s.dir)
}

// startServer makes a data directory that the account can use, picks a port and runs the server. It
// tries other ports if the port is taken meanwhile.
func startServer(ctx context.Context, kind Engine, as *systemAccount, run func(*Server) error) (*Server, error) {
	return startOnFreePort(func() (*Server, error) {
		s, err := prepareServer(ctx, kind, as)
		if err != nil {
			return nil, err
		}
		if err := run(s); err != nil {
			s.Stop()
			return nil, err
		}
		return s, nil
	})
}

// prepareServer makes a data directory that the account can use and picks a port.
func prepareServer(ctx context.Context, kind Engine, as *systemAccount) (*Server, error) {
	dir, err := os.MkdirTemp("", "semlayer-"+string(kind)+"-")
	if err != nil {
		return nil, err
	}
	s := &Server{Address: Address{Engine: kind, Host: ListenHost, User: "semlayer", Password: rand.Text(), Database: "semlayer"}, dir: dir, log: &serverLog{}}
	s.stop = s.stopProcess
	if s.Port, err = findFreePort(ctx); err != nil {
		s.Stop()
		return nil, err
	}
	if as != nil {
		if err := os.Chown(dir, int(as.uid), int(as.gid)); err != nil {
			s.Stop()
			return nil, err
		}
	}
	return s, nil
}

// writeFile puts a file beside the data that the account can read.
func (s *Server) writeFile(name, text string, as *systemAccount) (string, error) {
	path := filepath.Join(s.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", err
	}
	if as == nil {
		return path, nil
	}
	return path, os.Chown(path, int(as.uid), int(as.gid))
}

// runSetupProgram runs a program to its end.
func (s *Server) runSetupProgram(ctx context.Context, as *systemAccount, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = s.dir
	cmd.SysProcAttr = as.processAttributes()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, out)
	}
	return nil
}

// launchAndAwaitReady starts the server process and waits until ready returns true. The error wraps
// errPortTaken if another program listens on the port.
func (s *Server) launchAndAwaitReady(ctx context.Context, as *systemAccount, ready func(context.Context) bool, name string, args ...string) error {
	s.launched = launchCommand{as, ready, name, args}
	// The server outlives the context of its start; Stop ends it.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), name, args...)
	cmd.Dir = s.dir
	cmd.Stdout, cmd.Stderr = s.log, s.log
	cmd.SysProcAttr = as.processAttributes()
	killWhenParentDies(cmd.SysProcAttr)
	started := make(chan error)
	s.exited = make(chan struct{})
	go func() {
		// The kernel ties a child to the thread that started it: the thread
		// must live as long as the server.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
			close(s.exited)
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	s.process = cmd.Process
	poll := time.NewTicker(startPollInterval)
	defer poll.Stop()
	for !ready(ctx) {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is not ready: %w\n%s", filepath.Base(name), ctx.Err(), s.log)
		case <-s.exited:
			return fmt.Errorf("%s ended: %w\n%s", filepath.Base(name), portTakenOrServerEndedError(s.log.String()), s.log)
		case <-poll.C:
		}
	}
	return nil
}

// systemAccount is the user that a server runs as when root starts it: servers reject
// to run as root.
type systemAccount struct{ uid, gid uint32 }

func findSystemAccount(name string) (*systemAccount, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup(name)
	if err != nil {
		return nil, fmt.Errorf("%w: no user %s", ErrNoServer, name)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &systemAccount{uint32(uid), uint32(gid)}, nil
}

func (a *systemAccount) processAttributes() *syscall.SysProcAttr {
	if a == nil {
		return &syscall.SysProcAttr{}
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: a.uid, Gid: a.gid}}
}

// findProgram returns the first program that exists, by name on the path or by
// pattern; of several versions the highest.
func findProgram(patterns ...string) (string, error) {
	for _, p := range patterns {
		if path, err := exec.LookPath(p); err == nil {
			return path, nil
		}
		if matches, err := filepath.Glob(p); err == nil && len(matches) > 0 {
			return matches[len(matches)-1], nil
		}
	}
	return "", fmt.Errorf("%w: %s", ErrNoServer, filepath.Base(patterns[0]))
}

// serverLog keeps the output of a server, for the error when it does not start.
type serverLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *serverLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *serverLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
