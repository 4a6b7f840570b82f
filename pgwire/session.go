package pgwire

import (
	"context"
	"crypto/subtle"
	"errors"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/memory"
)

// session is one client that has a model.
type session struct {
	server *Server
	conn   net.Conn
	in     *messageReader
	out    *messageWriter
	user   string
	caller Caller // the zero Caller where no password was requested
	// callerKey is that of the identity that began the session: another session may compare it.
	callerKey string

	terminated atomic.Bool // by another session
	processID  uint32
	secret     []byte
	model      Model

	variables *sessionVariables
	sent      map[string]string // values that the client has
	// startupNotices are the errors of variables of the start-up packet that the session goes on without.
	startupNotices []*sessionError
	statements     map[string]*preparedStatement
	portals        map[string]*portal
	portalID       int // of the last portal, which counts up
	tx             transaction
	// severalStatements: the message has other statements than the running one.
	severalStatements bool
	skipping          bool // to the next Sync, after an error
	// kindOfFailure is the kind of the statement that the message is about.
	kindOfFailure statementKind

	kept      *memory.Reservation // of the bytes beyond those that each session has
	keptBytes int64               // that were counted

	mu      sync.Mutex
	cancel  context.CancelCauseFunc // of the running statement; nil when idle
	waiting bool                    // for a message
}

func newSession(c *pendingConnection, user string, model Model, caller Caller) *session {
	s := &session{
		server: c.server, conn: c.conn, in: c.in, out: &c.out, user: user, caller: caller, callerKey: caller.Key, secret: newCancelSecret(), model: model,
		variables: newSessionVariables(), statements: map[string]*preparedStatement{}, portals: map[string]*portal{},
	}
	s.in.most = c.server.config.MaxMessageBytes
	s.in.held, _ = c.server.memory.messages.Reserve(0)
	s.kept, _ = c.server.memory.kept.Reserve(0)
	s.variables.grow = s.growKept
	s.variables.defaults["session_authorization"] = user
	s.variables.defaults[timeZoneVariableName] = model.Service.DefaultTimeZone()
	s.variables.defaults["max_connections"] = strconv.Itoa(c.server.config.MaxSessions)
	if c.tls {
		s.variables.defaults["ssl"] = "on"
	}
	return s
}

// applyStartupVariables sets the variables that the start-up packet names, also as options=-c name=value.
func (s *session) applyStartupVariables(parameters map[string]string) error {
	set := func(name, value string) error {
		if err := s.variables.Set(name, value, false); err != nil {
			var e *sessionError
			if errors.As(err, &e) && e.code == "unknown_time_zone" {
				s.startupNotices = append(s.startupNotices, e)
				return nil
			}
			if errors.As(err, &e) {
				return newFatalSessionError(e.state, e.message)
			}
			return err
		}
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		switch {
		case name == "user", name == "database", name == "replication", strings.HasPrefix(name, "_pq_."):
		case name == "options":
			for _, option := range parseStartupOptions(parameters[name]) {
				if err := set(option[0], option[1]); err != nil {
					return err
				}
			}
		default:
			if err := set(name, parameters[name]); err != nil {
				return err
			}
		}
	}
	maps.Copy(s.variables.defaults, s.variables.session)
	clear(s.variables.session)
	s.tx.before = s.variables.snapshot()
	return nil
}

// parseStartupOptions reads -c name=value and --name=value; a backslash takes the next character along.
func parseStartupOptions(text string) [][2]string {
	var words []string
	word, open := "", false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			word, open = word+text[i:i+1], true
		case c == ' ' || c == '\t':
			if open {
				words = append(words, word)
			}
			word, open = "", false
		default:
			word, open = word+text[i:i+1], true
		}
	}
	if open {
		words = append(words, word)
	}
	var out [][2]string
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "-c" && i+1 < len(words):
			i++
			w = words[i]
		case strings.HasPrefix(w, "-c"), strings.HasPrefix(w, "--"):
			w = w[2:]
		default:
			continue
		}
		if name, value, ok := strings.Cut(w, "="); ok {
			out = append(out, [2]string{strings.ReplaceAll(name, "-", "_"), value})
		}
	}
	return out
}

// sendSessionStart sends what a client reads when its session has begun.
func (s *session) sendSessionStart(ctx context.Context) {
	s.sendChangedVariables()
	for _, e := range s.startupNotices {
		notice := pgproto3.NoticeResponse(*errorResponse(ctx, e))
		notice.Severity, notice.SeverityUnlocalized = "NOTICE", "NOTICE"
		s.out.queueMessage(&notice)
	}
	s.startupNotices = nil
	s.out.queueMessage(&pgproto3.BackendKeyData{ProcessID: s.processID, SecretKey: s.secret})
	s.sendReadyForQuery()
}

// sendChangedVariables sends the client the variables whose values have changed.
func (s *session) sendChangedVariables() {
	now := s.variables.parameterStatusValues()
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if sent, ok := s.sent[name]; !ok || sent != now[name] {
			s.out.queueMessage(&pgproto3.ParameterStatus{Name: name, Value: now[name]})
		}
	}
	s.sent = now
}

// sendReadyForQuery ends the responses to a message.
func (s *session) sendReadyForQuery() {
	s.recountKept()
	s.out.queueMessage(&pgproto3.ReadyForQuery{TxStatus: s.tx.statusByte()})
	_ = s.out.flush() // the next message shows a failure
}

// matchesSecret compares the secret of a cancel request.
func (s *session) matchesSecret(secret []byte) bool {
	return subtle.ConstantTimeCompare(s.secret, secret) == 1
}

// cancelRunningStatement ends the running statement, if there is one.
func (s *session) cancelRunningStatement(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel(why)
	}
}

// interruptWait ends the wait for a message.
func (s *session) interruptWait() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting {
		_ = s.conn.SetReadDeadline(time.Unix(1, 0))
	}
}

// callerCheckInterval is the time after which the caller of an idle session is judged again, so that one without rights keeps neither the
// session nor the execution of an open cursor.
const callerCheckInterval = 5 * time.Second

// lostRightsError is why an idle session may not go on.
type lostRightsError struct{ error }

// waitForMessage waits for a message within the time that an idle session has.
func (s *session) waitForMessage(ctx context.Context) error {
	if s.in.br.Buffered() > 0 {
		return nil
	}
	begun := time.Now()
	for {
		wait, isLast := callerCheckInterval, false
		if idle := s.server.config.IdleTimeout; idle > 0 {
			if left := idle - time.Since(begun); left <= wait {
				wait, isLast = left, true
			}
		}
		err := s.waitUntil(time.Now().Add(wait))
		if isLast || !isTimeout(err) || s.server.draining.Load() || s.terminated.Load() {
			return err
		}
		if err := s.revalidateCallerAndModel(ctx); err != nil {
			return lostRightsError{err}
		}
	}
}

// waitUntil waits for a message until a time.
func (s *session) waitUntil(deadline time.Time) error {
	s.mu.Lock()
	err := s.conn.SetReadDeadline(deadline)
	s.waiting = true
	s.mu.Unlock()
	if s.server.draining.Load() || s.terminated.Load() { // before or after the wait of sessions was interrupted
		s.interruptWait()
	}
	if err == nil {
		_, err = s.in.br.Peek(1)
	}
	s.mu.Lock()
	s.waiting = false
	s.mu.Unlock()
	return err
}

// answerMessagesUntilEnd answers messages until the session ends.
func (s *session) answerMessagesUntilEnd(ctx context.Context) {
	for {
		if err := s.waitForMessage(ctx); err != nil {
			s.sendMessageWaitError(ctx, err)
			return
		}
		m, err := s.in.readMessage()
		if err != nil {
			s.sendMessageReadError(ctx, err)
			return
		}
		if m == messageTypeTerminate {
			return
		}
		if err := s.revalidateCallerAndModel(ctx); err != nil {
			s.sendFatalError(ctx, err)
			return
		}
		if err := s.answerMessage(s.caller.context(ctx), m); err != nil {
			s.sendFatalError(ctx, err)
			return
		}
		if s.out.err != nil {
			return
		}
	}
}

// sendFatalError sends an error that ends the session.
func (s *session) sendFatalError(ctx context.Context, err error) {
	s.out.queueMessage(errorResponse(ctx, err))
	_ = s.out.flush() // the client may have gone
}

// sendMessageWaitError ends a session whose wait for a message has ended.
func (s *session) sendMessageWaitError(ctx context.Context, err error) {
	var lost lostRightsError
	switch {
	case errors.As(err, &lost):
		s.sendFatalError(ctx, lost.error)
	case !isTimeout(err):
	case s.terminated.Load():
		s.sendFatalError(ctx, errTerminated)
	case s.server.draining.Load():
		s.sendFatalError(ctx, newFatalSessionError(sqlstateAdminShutdown, "the server is stopping"))
	default:
		s.sendFatalError(ctx, newFatalSessionError(sqlstateIdleSessionTimeout, "the session was idle for too long"))
	}
}

// sendMessageReadError ends a session whose message does not read.
func (s *session) sendMessageReadError(ctx context.Context, err error) {
	var malformed *protocolError
	switch {
	case errors.As(err, &malformed):
		s.sendFatalError(ctx, newFatalSessionError(sqlstateProtocolViolation, malformed.message))
	case isTimeout(err):
		s.sendFatalError(ctx, newFatalSessionError(sqlstateProtocolViolation, "a message did not arrive in time"))
	}
}

// Signal ends the running statement of a session of the same identity, or the session with terminate.
func (s *session) Signal(processID uint32, terminate bool) bool {
	s.server.mu.Lock()
	one := s.server.sessions[processID]
	s.server.mu.Unlock()
	if one == nil || one.callerKey != s.callerKey {
		return false
	}
	if terminate {
		one.terminated.Store(true)
	}
	one.cancelRunningStatement(errCanceled)
	if terminate {
		one.interruptWait()
	}
	return true
}

// revalidateCallerAndModel finds out whether the session may go on: its caller may, and its model is served still.
func (s *session) revalidateCallerAndModel(ctx context.Context) (err error) {
	if s.terminated.Load() {
		return errTerminated
	}
	models := s.server.models.Load()
	if s.caller.Renew != nil {
		renewed, err := s.caller.Renew(ctx)
		if err != nil {
			return newFatalSessionError(sqlstateInvalidAuthorization, "the token of the session was removed, or has expired")
		}
		if err := models.checkCaller(renewed); err != nil {
			return err
		}
		s.caller = renewed
	}
	model, ok := models.findModel(s.model.Name)
	if !ok || !s.caller.reaches(s.model.Name) {
		return newFatalSessionError(sqlstateAdminShutdown, "the database "+clipText(s.model.Name)+" was removed")
	}
	if model.Service, err = engine.AsCaller(s.caller.context(ctx), model.Service); err != nil {
		return newFatalSessionError(sqlstateInvalidAuthorization, "the identity of the session has no rights any more")
	}
	s.model = model
	return nil
}

// answerMessage answers one message. An error ends the session.
func (s *session) answerMessage(ctx context.Context, m any) error {
	if s.skipping && m != messageTypeSync {
		return nil
	}
	switch m := m.(type) {
	case *pgproto3.Query:
		s.answerSimpleQuery(ctx, m.String)
	case *pgproto3.Parse:
		s.runExtendedMessageOrSkipToSync(ctx, func(ctx context.Context) error { return s.answerParse(ctx, m) })
	case *pgproto3.Bind:
		s.runExtendedMessageOrSkipToSync(ctx, func(ctx context.Context) error { return s.answerBind(ctx, m) })
	case *pgproto3.Describe:
		s.runExtendedMessageOrSkipToSync(ctx, func(ctx context.Context) error { return s.answerDescribe(ctx, m) })
	case *pgproto3.Execute:
		s.runExtendedMessageOrSkipToSync(ctx, func(ctx context.Context) error { return s.answerExecute(ctx, m) })
	case *pgproto3.Close:
		s.runExtendedMessageOrSkipToSync(ctx, func(context.Context) error { return s.answerClose(m) })
	case refusedMessage:
		s.answerRefusedMessage(ctx, m)
	case bodylessMessage:
		return s.answerBodylessMessage(ctx, m)
	}
	return nil
}

func (s *session) answerBodylessMessage(ctx context.Context, m bodylessMessage) error {
	switch m {
	case messageTypeSync:
		s.skipping = false
		s.endImplicitTransaction()
		s.sendReadyForQuery()
	case messageTypeFlush:
		return s.out.flush()
	case messageTypeFunctionCall:
		s.out.queueMessage(errorResponse(ctx, newSessionError(sqlstateFeatureNotSupported, "a call of a function by its number is not supported")))
		s.failTransaction()
		s.endImplicitTransaction()
		s.sendReadyForQuery()
	}
	return nil
}

// errTerminated ends a session that another one has terminated.
var errTerminated = newFatalSessionError(sqlstateAdminShutdown, "the session was terminated by another session")

// closeAllPortals gives back what the session holds.
func (s *session) closeAllPortals() {
	for _, p := range s.portals {
		p.close()
	}
	s.kept.Release()
	s.in.held.Release()
}

// catalogueSession returns the state of the session that statements about the catalogue read.
func (s *session) catalogueSession() CatalogueSession {
	out := CatalogueSession{
		Model: s.model.Service, Database: s.model.Name, User: s.user, ProcessID: s.processID, Version: s.server.config.Version,
		Variables: s.variables, Sessions: s, Server: tcpAddressOf(s.conn.LocalAddr()), Client: tcpAddressOf(s.conn.RemoteAddr()),
	}
	for _, m := range s.server.models.Load().List {
		if !s.caller.reaches(m.Name) {
			continue
		}
		out.Databases = append(out.Databases, ModelDatabase{Name: m.Name, Description: m.Service.Model().Description})
	}
	return out
}

func tcpAddressOf(a net.Addr) netip.AddrPort {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.AddrPort()
	}
	return netip.AddrPort{}
}
