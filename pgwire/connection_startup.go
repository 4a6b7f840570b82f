package pgwire

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/pgwire/internal/scram"
)

// The codes of start-up packets.
const (
	cancelRequestCode    = 80877102
	tlsRequestCode       = 80877103
	gssRequestCode       = 80877104
	protocolMajorVersion = 3
	cancelSecretBytes    = 4
)

// pendingConnection is a client before its session begins.
type pendingConnection struct {
	server   *Server
	accepted net.Conn // below TLS
	evicted  atomic.Bool
	conn     net.Conn
	in       *messageReader
	out      messageWriter
	tls      bool
	binding  []byte // of the certificate, for SCRAM
	caller   Caller // once its token is verified
}

// serveConnection answers one client until it leaves. A panic ends its session alone.
func (s *Server) serveConnection(ctx context.Context, conn net.Conn) {
	c := &pendingConnection{server: s, accepted: conn, conn: conn}
	defer func() { _ = c.conn.Close() }()
	defer func() {
		if p := recover(); p != nil {
			s.config.Logger.Error("a defect in a session of the PostgreSQL port", "stack", string(debug.Stack()))
			c.refuse(ctx, newFatalSessionError(sqlstateInternalError, "the session failed; open another one"))
		}
	}()
	c.setConnReaderWriter(conn)
	if err := c.conn.SetDeadline(time.Now().Add(s.config.AuthenticationTimeout)); err != nil {
		return
	}
	session, err := c.startUpWhilePending(ctx)
	if err != nil || session == nil {
		c.sendStartUpError(ctx, err)
		return
	}
	defer s.removeSession(session)
	defer session.closeAllPortals()
	session.answerMessagesUntilEnd(ctx)
}

func (c *pendingConnection) setConnReaderWriter(conn net.Conn) {
	c.conn, c.in = conn, newMessageReader(conn, c.server.config.MessageTimeout)
	c.out = messageWriter{conn: conn, stall: c.server.config.StallTimeout}
}

// reject sends an error that ends the connection.
func (c *pendingConnection) refuse(ctx context.Context, err error) {
	c.out.err = nil
	c.out.queueMessage(errorResponse(ctx, err))
	_ = c.out.flush() // the client may have gone
}

// sendStartUpError sends a client the reason why it gets no session, unless it has gone.
func (c *pendingConnection) sendStartUpError(ctx context.Context, err error) {
	var (
		own       *sessionError
		malformed *protocolError
	)
	switch {
	case err == nil, errors.Is(err, io.EOF):
	case errors.As(err, &own):
		c.server.config.Logger.Info("a session of the PostgreSQL port was rejected", "sqlstate", own.state)
		c.writeRefusedSignIn(own)
		c.refuse(ctx, own)
	case errors.As(err, &malformed):
		c.refuse(ctx, newFatalSessionError(sqlstateProtocolViolation, malformed.message))
	case isTimeout(err) && c.evicted.Load():
		_ = c.conn.SetWriteDeadline(time.Now().Add(time.Second))
		c.refuse(ctx, newFatalSessionError(sqlstateTooManyConnections, "too many connections have no session yet; raise --pg-max-pending"))
	case isTimeout(err):
		_ = c.conn.SetWriteDeadline(time.Now().Add(time.Second))
		c.refuse(ctx, newFatalSessionError(sqlstateProtocolViolation, "the session was not authenticated in time"))
	}
}

// startUpWhilePending starts a session while the connection counts among those without one.
func (c *pendingConnection) startUpWhilePending(ctx context.Context) (*session, error) {
	c.server.pending.addEvictingOldest(c)
	defer c.server.pending.remove(c)
	return c.startUp(ctx)
}

// startUp reads packets until one starts a session. The session is nil where none begins: for a cancel request.
func (c *pendingConnection) startUp(ctx context.Context) (*session, error) {
	askedTLS, askedGSS := false, false
	for {
		code, rest, err := c.in.readStartupPacket()
		if err != nil {
			return nil, err
		}
		switch {
		case code == cancelRequestCode:
			if len(rest) >= 4 {
				c.server.cancelStatement(binary.BigEndian.Uint32(rest), rest[4:])
			}
			return nil, nil
		case code == tlsRequestCode && !askedTLS && !c.tls:
			askedTLS = true
			if err := c.answerTLSRequest(ctx); err != nil {
				return nil, err
			}
		case code == gssRequestCode && !askedGSS:
			askedGSS = true
			if _, err := c.conn.Write([]byte{'N'}); err != nil {
				return nil, err
			}
		case code>>16 == protocolMajorVersion:
			return c.startSession(ctx, code, rest)
		default:
			return nil, newFatalSessionError("0A000", "the server supports version 3 of the protocol")
		}
	}
}

// answerTLSRequest starts TLS, or reports that the server has no certificate.
func (c *pendingConnection) answerTLSRequest(ctx context.Context) error {
	certify := c.server.config.TLS
	if certify == nil {
		_, err := c.conn.Write([]byte{'N'})
		return err
	}
	if c.in.br.Buffered() > 0 { // text that a third party has put in front of the handshake
		return newFatalSessionError(sqlstateProtocolViolation, "the client sent data before the TLS handshake")
	}
	certificate, err := certify()
	if err != nil {
		c.server.config.Logger.Warn("the certificate of the PostgreSQL port cannot be read", "error", err)
		_, err := c.conn.Write([]byte{'N'})
		return err
	}
	if _, err := c.conn.Write([]byte{'S'}); err != nil {
		return err
	}
	secured := tls.Server(c.conn, &tls.Config{Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS12, NextProtos: []string{"postgresql"}})
	if err := secured.HandshakeContext(ctx); err != nil {
		return io.EOF // a client that does not trust the certificate reads no error
	}
	c.setConnReaderWriter(secured)
	c.tls = true
	if certificate.Leaf != nil {
		c.binding = scram.ServerEndPointBinding(certificate.Leaf)
	}
	return nil
}

// startSession authenticates a client and opens its session.
func (c *pendingConnection) startSession(ctx context.Context, version uint32, rest []byte) (*session, error) {
	parameters, err := readStartupParameters(rest)
	if err != nil {
		return nil, err
	}
	c.negotiateProtocolVersion(version, parameters)
	if c.server.config.RequireTLS && !c.tls && !isUnixSocket(c.accepted) {
		return nil, newFatalSessionError(sqlstateInvalidAuthorization, "a session needs TLS: connect with sslmode=require")
	}
	user := parameters["user"]
	if user == "" {
		return nil, newFatalSessionError(sqlstateInvalidAuthorization, "the start-up packet names no user")
	}
	caller, err := c.authenticate(ctx, user)
	if err != nil {
		return nil, err
	}
	if c.server.draining.Load() {
		return nil, newFatalSessionError(sqlstateAdminShutdown, "the server is stopping")
	}
	model, err := c.server.modelForSession(parameters["database"], user, caller)
	if err != nil {
		return nil, err
	}
	if model.Service, err = engine.AsCaller(caller.context(ctx), model.Service); err != nil {
		return nil, newFatalSessionError(sqlstateInvalidAuthorization, "the identity has no rights: "+err.Error())
	}
	s := newSession(c, user, model, caller)
	if err := s.applyStartupVariables(parameters); err != nil {
		return nil, err
	}
	if !c.server.addSession(s) {
		return nil, newFatalSessionError(sqlstateTooManyConnections, "all sessions are in use; close one, or raise --pg-max-sessions")
	}
	s.sendSessionStart(ctx)
	return s, nil
}

// isUnixSocket reports whether a connection stays on the machine: libpq never starts TLS on such a one.
func isUnixSocket(c net.Conn) bool { return c.LocalAddr().Network() == "unix" }

// negotiateProtocolVersion answers a minor version and options of the protocol that the server does not have.
func (c *pendingConnection) negotiateProtocolVersion(version uint32, parameters map[string]string) {
	var unknown []string
	for name := range parameters {
		if strings.HasPrefix(name, "_pq_.") {
			unknown = append(unknown, name)
		}
	}
	if version == pgproto3.ProtocolVersion30 && len(unknown) == 0 {
		return
	}
	c.out.queueMessage(&pgproto3.NegotiateProtocolVersion{NewestMinorProtocol: pgproto3.ProtocolVersion30, UnrecognizedOptions: unknown})
}

// readStartupParameters reads pairs of names and values that end with NUL bytes.
func readStartupParameters(b []byte) (map[string]string, error) {
	out := map[string]string{}
	for len(b) > 0 && b[0] != 0 {
		name, rest, ok := bytes.Cut(b, []byte{0})
		value, rest, ok2 := bytes.Cut(rest, []byte{0})
		if !ok || !ok2 {
			return nil, &protocolError{"the start-up packet ends within a parameter"}
		}
		out[string(name)] = string(value)
		b = rest
	}
	if len(b) != 1 {
		return nil, &protocolError{"the start-up packet has no end"}
	}
	return out, nil
}

// modelForSession returns the model of a session: of the database that it names, else of its user's name, else the default.
func (s *Server) modelForSession(database, user string, caller Caller) (Model, error) {
	models := s.models.Load()
	if err := models.checkCaller(caller); err != nil {
		return Model{}, err
	}
	names := []string{database}
	if database == "" {
		names = []string{user, models.Default}
	}
	for _, name := range names {
		if m, ok := models.findModel(name); ok && name != "" && caller.reaches(name) {
			return m, nil
		}
	}
	name := database
	if name == "" {
		name = user
	}
	return Model{}, newFatalSessionError(sqlstateUnknownDatabase, "there is no database "+clipText(name))
}

func clipText(text string) string {
	const most = 80
	text = strings.ToValidUTF8(text, "�")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

func newCancelSecret() []byte {
	secret := make([]byte, cancelSecretBytes)
	_, _ = rand.Read(secret) // which never fails
	return secret
}
