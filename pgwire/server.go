package pgwire

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/semlayer/semlayer/pgwire/internal/scram"
)

// Server serves models over the protocol of PostgreSQL.
type Server struct {
	config       Config
	models       atomic.Pointer[Models]
	identities   Identities
	derivingKeys sync.Mutex
	keys         *scramTokenKeys // of the tokens that were accepted last; guarded by derivingKeys
	salt         scram.Salt
	pending      pendingConnectionList
	metrics      *Metrics
	memory       sessionMemory
	tracing      statementTracing

	draining atomic.Bool
	running  sync.WaitGroup // connections

	mu       sync.Mutex
	sessions map[uint32]*session // by process id
	lastID   uint32
}

// New returns a server of models.
func New(m Models, c Config) (*Server, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Server{config: c, salt: scram.NewSalt(), metrics: newMetrics(), tracing: newStatementTracing(c.Tracer), pending: pendingConnectionList{most: c.MaxPending}, sessions: map[uint32]*session{}}
	if s.memory, err = newSessionMemory(c.Memory, c.MaxSessions); err != nil {
		return nil, err
	}
	if err := s.ReplaceModels(m); err != nil {
		return nil, err
	}
	if s.identities = c.Identities; s.identities == nil {
		s.identities = newTokenList(c.Tokens)
	}
	if _, err := s.scramKeys(); err != nil {
		return nil, err
	}
	return s, nil
}

// ReplaceModels makes these the models of the server, from the next statement of each session on. A session whose model is
// not among them ends.
func (s *Server) ReplaceModels(m Models) error {
	if err := m.checkModels(); err != nil {
		return err
	}
	m.List = slices.Clone(m.List)
	s.models.Store(&m)
	return nil
}

// ReplaceTokens makes these the tokens, from the next statement of each session on. A server with tokens
// keeps at least one, and one without takes none. Config.Identities has its own way to replace them.
func (s *Server) ReplaceTokens(tokens []string) error {
	list, ok := s.identities.(*tokenList)
	if !ok || len(s.config.Tokens) == 0 || len(tokens) == 0 {
		return errors.New("tokens can only replace tokens")
	}
	if err := checkTokensNotEmpty(tokens); err != nil {
		return err
	}
	list.replace(tokens)
	_, err := s.scramKeys()
	return err
}

// Metrics returns the measurements of the server.
func (s *Server) Metrics() *Metrics { return s.metrics }

// acceptRetryDelay is how long the listener waits when it cannot accept, for want of descriptors above all.
const acceptRetryDelay = 50 * time.Millisecond

// Serve accepts sessions until ctx ends. Then idle sessions end at once, and running statements may finish
// within the time to drain. It returns nil when none was lost.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	go func() {
		<-ctx.Done()
		s.draining.Store(true)
		_ = ln.Close()
		s.wakeIdleSessions()
	}()
	for {
		conn, err := ln.Accept()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				_ = conn.Close()
			}
			return s.drain(stop)
		case errors.Is(err, net.ErrClosed):
			return err
		case err != nil:
			s.config.Logger.Warn("a connection of the PostgreSQL port was not accepted", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(acceptRetryDelay):
			}
			continue
		}
		s.running.Go(func() { s.serveConnection(work, conn) })
	}
}

// drain waits for running statements, and ends those that take too long.
func (s *Server) drain(stop context.CancelFunc) error {
	done := make(chan struct{})
	go func() {
		s.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-time.After(s.config.DrainTime):
	}
	stop()
	s.closeSessions()
	<-done
	return errors.New("statements of the PostgreSQL port were still running at the end of the time to drain")
}

// wakeIdleSessions ends the wait of sessions for their next message.
func (s *Server) wakeIdleSessions() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.sessions {
		one.interruptWait()
	}
}

func (s *Server) closeSessions() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.sessions {
		_ = one.conn.Close()
	}
}

// addSession lists a session under a new process id; false where the server has as many as it may.
func (s *Server) addSession(one *session) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.sessions) >= s.config.MaxSessions {
		return false
	}
	for {
		s.lastID = s.lastID%0x7FFFFFFF + 1
		if s.sessions[s.lastID] == nil {
			break
		}
	}
	one.processID = s.lastID
	s.sessions[one.processID] = one
	s.metrics.sessions.Add(1)
	return true
}

// SessionCount returns the number of open sessions.
func (s *Server) SessionCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sessions)
}

func (s *Server) removeSession(one *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, one.processID)
	s.metrics.sessions.Add(-1)
}

// cancelStatement ends the running statement of a session, if the secret is the session's.
func (s *Server) cancelStatement(processID uint32, secret []byte) {
	s.mu.Lock()
	one := s.sessions[processID]
	s.mu.Unlock()
	if one != nil && one.matchesSecret(secret) {
		one.cancelRunningStatement(errCanceled)
	}
}
