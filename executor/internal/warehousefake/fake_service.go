package warehousefake

import (
	"crypto/rand"
	"crypto/rsa"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/semlayer/semlayer/executor"
)

// FakeSecret is the token or the password that every fake requests.
const FakeSecret = "c4n4ry-s3cr3t"

// FakeService is a fake without its protocol: the server, and the statements it was given.
type FakeService struct {
	*httptest.Server
	// Path is how the path of the request that begins a statement ends.
	Path string
	// Secure selects TLS.
	Secure bool
	// Open opens the warehouse with a pool of that many connections. Its caller closes it.
	Open func(t testing.TB, connections int) executor.Executor
	// Misbehave may answer a request itself; nil does not.
	Misbehave RequestFault

	protocol http.Handler

	mu         sync.Mutex
	statements map[string]runningStatement
	running    int
	cancelled  int
}

type runningStatement struct {
	sql  string
	stop chan struct{} // closed and nil when it has ended
}

// Start begins to serve, by the fake's protocol, until the end of the test.
func (s *FakeService) Start(t testing.TB, protocol http.Handler) {
	s.protocol, s.statements = protocol, map[string]runningStatement{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.serveRequest))
	if s.Secure {
		s.StartTLS()
	} else {
		s.Server.Start()
	}
	t.Cleanup(s.Close)
}

func (s *FakeService) serveRequest(w http.ResponseWriter, r *http.Request) {
	if s.Misbehave == nil || !s.Misbehave(s, w, r) {
		s.protocol.ServeHTTP(w, r)
	}
}

// openExecutor opens the warehouse with one connection until the end of the test.
func (s *FakeService) openExecutor(t testing.TB) executor.Executor {
	t.Helper()
	e := s.Open(t, 1)
	closeExecutorAtTestEnd(t, e)
	return e
}

func closeExecutorAtTestEnd(t testing.TB, e executor.Executor) {
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
}

// isStartRequest reports whether the request begins a statement.
func (s *FakeService) isStartRequest(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, s.Path)
}

// AddRunningStatement records a statement. It returns false if the name is in use.
func (s *FakeService) AddRunningStatement(name, sql string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.statements[name]; again {
		return false
	}
	s.statements[name] = runningStatement{sql, make(chan struct{})}
	s.running++
	return true
}

// FindStatement returns the text of a statement, empty when there is none of that name, and a
// channel that is closed when it ends, nil when it has.
func (s *FakeService) FindStatement(name string) (sql string, stop <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.statements[name]
	return found.sql, found.stop
}

// EndStatement ends a statement, if it still runs.
func (s *FakeService) EndStatement(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.statements[name]; found.stop != nil {
		close(found.stop)
		s.statements[name] = runningStatement{sql: found.sql}
		s.running--
	}
}

// CancelStatement ends a statement because the client requests it.
func (s *FakeService) CancelStatement(name string) {
	s.EndStatement(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancelled++
}

// StatementCount returns the number of statements there were.
func (s *FakeService) StatementCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.statements)
}

// RunningAndCancelledCounts returns the number of statements that still run, and the number that the client
// cancelled.
func (s *FakeService) RunningAndCancelledCounts() (running, cancelled int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running, s.cancelled
}

// FakePrivateKey is the private key of every fake's user.
var FakePrivateKey = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

// WriteTestFile writes a file that goes with the test.
func WriteTestFile(t testing.TB, content []byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
