package injection_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
)

// reader takes the next message of a client; opening is true for the first one.
type reader func(r *bufio.Reader, opening bool) (message, error)

// message is one message of a client: its bytes, and the statement in it, "" when it
// carries none.
type message struct {
	bytes     []byte
	statement string
}

// tap forwards connections to a server and keeps the text of every statement that a
// client sends, as it is on the wire.
type tap struct {
	port   int
	target string
	read   reader

	listener net.Listener
	wait     sync.WaitGroup
	mu       sync.Mutex
	conns    []net.Conn
	seen     []string
}

func newTap(t *testing.T, target string, read reader) *tap {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &tap{port: l.Addr().(*net.TCPAddr).Port, target: target, read: read, listener: l}
	p.wait.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

func (p *tap) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.mu.Unlock()
	p.wait.Wait()
}

func (p *tap) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.wait.Go(func() { p.serve(client) })
	}
}

func (p *tap) serve(client net.Conn) {
	defer client.Close()
	server, err := new(net.Dialer).DialContext(context.Background(), "tcp", p.target)
	if err != nil {
		return
	}
	defer server.Close()
	p.mu.Lock()
	p.conns = append(p.conns, client, server)
	p.mu.Unlock()
	p.wait.Go(func() {
		defer client.Close()
		_, _ = io.Copy(client, server)
	})
	r := bufio.NewReaderSize(client, 1<<16)
	for opening := true; ; opening = false {
		m, err := p.read(r, opening)
		if err != nil {
			return
		}
		// Before the server has it, and so before it is answered.
		if m.statement != "" {
			p.keep(m.statement)
		}
		if _, err := server.Write(m.bytes); err != nil {
			return
		}
	}
}

func (p *tap) keep(statement string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen = append(p.seen, statement)
}

// take gives what was kept since the last time.
func (p *tap) take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.seen
	p.seen = nil
	return out
}

// readPostgres parses the frontend messages of PostgreSQL. All of those that make a
// server do something are kept, by their text where they have one.
func readPostgres(r *bufio.Reader, opening bool) (message, error) {
	header := 5
	if opening {
		header = 4 // the first message has no type
	}
	head, err := r.Peek(header)
	if err != nil {
		return message{}, err
	}
	size := header - 4 + int(binary.BigEndian.Uint32(head[header-4:]))
	m := message{bytes: make([]byte, size)}
	if _, err := io.ReadFull(r, m.bytes); err != nil || opening {
		return m, err
	}
	body := m.bytes[5:]
	switch kind := m.bytes[0]; kind {
	case 'Q':
		m.statement = cString(body)
	case 'P':
		_, rest, _ := bytes.Cut(body, []byte{0}) // the statement's name
		m.statement = cString(rest)
	case 'B', 'C', 'D', 'E', 'H', 'S', 'X', 'p':
	default:
		m.statement = fmt.Sprintf("a message %q", kind)
	}
	return m, nil
}

func cString(b []byte) string {
	s, _, _ := bytes.Cut(b, []byte{0})
	return string(s)
}

// readMySQL parses the commands of MySQL. A command begins with packet 0.
func readMySQL(r *bufio.Reader, _ bool) (message, error) {
	head, err := r.Peek(4)
	if err != nil {
		return message{}, err
	}
	m := message{bytes: make([]byte, 4+int(head[0])+int(head[1])<<8+int(head[2])<<16)}
	number := head[3]
	if _, err := io.ReadFull(r, m.bytes); err != nil || number != 0 || len(m.bytes) < 5 {
		return m, err
	}
	switch command := m.bytes[4]; command {
	case 0x03, 0x16: // a query, a statement to prepare
		m.statement = string(m.bytes[5:])
	case 0x01, 0x0e: // a farewell, a ping
	default:
		m.statement = fmt.Sprintf("a command %#x", command)
	}
	return m, nil
}

func TestTap_RecordsEveryStatement(t *testing.T) {
	pg := func(kind byte, body string) []byte {
		return append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(4+len(body))), body...)
	}
	my := func(number byte, body string) []byte {
		return append([]byte{byte(len(body)), 0, 0, number}, body...)
	}
	for name, tt := range map[string]struct {
		read reader
		sent [][]byte
		want []string
	}{
		"postgres": {readPostgres, [][]byte{
			{0, 0, 0, 8, 0, 3, 0, 0}, pg('p', "secret\x00"), pg('Q', "SELECT 1; SELECT 2\x00"), pg('P', "s\x00SELECT 3\x00\x00\x00"),
			pg('B', "\x00s\x00"), pg('E', "\x00\x00\x00\x00\x00"), pg('S', ""), pg('F', "call"), pg('X', ""),
		}, []string{"SELECT 1; SELECT 2", "SELECT 3", "a message 'F'"}},
		"mariadb": {readMySQL, [][]byte{
			my(1, "login"), my(0, "\x03SELECT 1; SELECT 2"), my(0, "\x16SELECT ?"), my(0, "\x17"), my(0, "\x0e"), my(0, "\x01"),
		}, []string{"SELECT 1; SELECT 2", "SELECT ?", "a command 0x17"}},
	} {
		sink, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		p := newTap(t, sink.Addr().String(), tt.read)
		client, err := new(net.Dialer).DialContext(t.Context(), "tcp", p.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		server, err := sink.Accept()
		if err != nil {
			t.Fatal(err)
		}
		all := bytes.Join(tt.sent, nil)
		if _, err := client.Write(all); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(all))
		if _, err := io.ReadFull(server, got); err != nil || !bytes.Equal(got, all) {
			t.Errorf("%s: %q passed, %v", name, got, err)
		}
		if seen := p.take(); strings.Join(seen, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s: kept %q, want %q", name, seen, tt.want)
		}
		_, _, _ = client.Close(), server.Close(), sink.Close()
	}
}
