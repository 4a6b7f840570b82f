package oracle

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgproto3"
)

// Recorder is a proxy before the server that keeps the statements of clients.
type Recorder struct {
	target   string
	listener net.Listener

	mu         sync.Mutex
	statements []string
}

// StartRecorder listens for clients.
func (s *Server) StartRecorder(ctx context.Context) (*Recorder, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &Recorder{target: s.HostPort(), listener: l}
	go r.acceptClients(ctx)
	return r, nil
}

// HostPort returns the address that clients connect to.
func (r *Recorder) HostPort() string { return r.listener.Addr().String() }

// TakeStatements returns the statements since the last call, in their order.
func (r *Recorder) TakeStatements() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.statements
	r.statements = nil
	return out
}

// Stop ends the proxy.
func (r *Recorder) Stop() { _ = r.listener.Close() }

func (r *Recorder) acceptClients(ctx context.Context) {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		go r.forwardClient(ctx, client)
	}
}

func (r *Recorder) forwardClient(ctx context.Context, client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := (&net.Dialer{}).DialContext(ctx, "tcp", r.target)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	in, out := io.Pipe()
	go r.readMessages(in)
	go func() {
		_, _ = io.Copy(client, server)
		_ = client.Close()
	}()
	_, _ = io.Copy(io.MultiWriter(server, out), client)
	_ = out.Close()
}

// readMessages reads what a client sends and keeps the statements, with the values of their parameters.
func (r *Recorder) readMessages(in *io.PipeReader) {
	defer func() { _, _ = io.Copy(io.Discard, in) }()
	b := pgproto3.NewBackend(in, io.Discard)
	for {
		m, err := b.ReceiveStartupMessage()
		if err != nil {
			return
		}
		if _, ok := m.(*pgproto3.StartupMessage); ok {
			break
		}
	}
	_ = b.SetAuthType(pgproto3.AuthTypeSASL)
	prepared := map[string]string{}
	for {
		m, err := b.Receive()
		if err != nil {
			return
		}
		switch m := m.(type) {
		case *pgproto3.SASLInitialResponse:
			_ = b.SetAuthType(pgproto3.AuthTypeSASLContinue)
		case *pgproto3.Query:
			r.recordStatement(m.String)
		case *pgproto3.Parse:
			prepared[m.Name] = m.Query
			if !strings.Contains(m.Query, "$1") {
				r.recordStatement(m.Query)
			}
		case *pgproto3.Bind:
			if sql := prepared[m.PreparedStatement]; strings.Contains(sql, "$1") {
				r.recordStatement(InlineParameters(sql, m.Parameters))
			}
		}
	}
}

func (r *Recorder) recordStatement(sql string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statements = append(r.statements, sql)
}
