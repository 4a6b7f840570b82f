package executortest

import (
	"net"
	"sync"
	"testing"
)

// Proxy forwards TCP connections to a server and misbehaves when told to.
type Proxy struct {
	// Port is where it listens on 127.0.0.1.
	Port int

	listener net.Listener
	target   string
	wait     sync.WaitGroup

	mu      sync.Mutex
	conns   map[net.Conn]bool
	resume  chan struct{}
	stalled bool
}

// NewProxy starts a proxy to the address. It ends with the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{Port: l.Addr().(*net.TCPAddr).Port, listener: l, target: target, conns: map[net.Conn]bool{}, resume: make(chan struct{})}
	p.wait.Go(p.accept)
	t.Cleanup(func() {
		l.Close()
		p.Resume()
		p.Cut()
		p.wait.Wait()
	})
	return p
}

// Cut breaks every connection there is. New ones are accepted.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
}

// Stall stops forwarding in both directions, and accepts connections it does
// not serve: a network that swallows everything.
func (p *Proxy) Stall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stalled = true
}

// Resume ends Stall.
func (p *Proxy) Resume() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stalled {
		p.stalled = false
		close(p.resume)
		p.resume = make(chan struct{})
	}
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.wait.Go(func() { p.serve(client) })
	}
}

func (p *Proxy) serve(client net.Conn) {
	defer p.forget(client)
	p.remember(client)
	p.pass()
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer p.forget(server)
	p.remember(server)
	var both sync.WaitGroup
	both.Go(func() { p.forward(server, client) })
	both.Go(func() { p.forward(client, server) })
	both.Wait()
}

func (p *Proxy) remember(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns[c] = true
}

func (p *Proxy) forget(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
	c.Close()
}

// pass waits while the proxy is stalled.
func (p *Proxy) pass() {
	p.mu.Lock()
	stalled, resume := p.stalled, p.resume
	p.mu.Unlock()
	if stalled {
		<-resume
	}
}

func (p *Proxy) forward(to, from net.Conn) {
	// When one direction ends, so does the other.
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		p.pass()
		if n > 0 {
			if _, werr := to.Write(buffer[:n]); werr != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
