package executortest

import (
	"net"
	"sync"
	"testing"
	"time"
)

// FaultProxy forwards TCP connections to a server and causes faults on request.
type FaultProxy struct {
	// Port is where it listens on 127.0.0.1.
	Port int

	listener net.Listener
	target   string
	wait     sync.WaitGroup

	mu     sync.Mutex
	conns  map[net.Conn]bool
	resume chan struct{}
	fault  proxyFault
}

// proxyFault is how the proxy misbehaves now.
type proxyFault struct {
	stalled bool
	limited bool
	replies int64 // bytes of replies that still pass when limited
	drip    int   // bytes of replies that pass at a time; 0 is all
	every   time.Duration
}

// NewFaultProxy starts a proxy to the address. It ends with the test.
func NewFaultProxy(t testing.TB, target string) *FaultProxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &FaultProxy{Port: l.Addr().(*net.TCPAddr).Port, listener: l, target: target, conns: map[net.Conn]bool{}, resume: make(chan struct{})}
	p.wait.Go(p.acceptConnections)
	t.Cleanup(func() {
		l.Close()
		p.ClearFault()
		p.CutConnections()
		p.wait.Wait()
	})
	return p
}

// CutConnections breaks every connection there is. New ones are accepted.
func (p *FaultProxy) CutConnections() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
}

// CutConnectionsAtIntervals breaks every connection there is after that time, and again as often,
// until the returned function is called: one cut may come before there is anything to
// cut.
func (p *FaultProxy) CutConnectionsAtIntervals(every time.Duration) (stop func()) {
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				p.CutConnections()
			case <-done:
				return
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// CutAfterReplyBytes lets that many bytes of replies pass, counted over all connections, and then breaks
// each connection that would reply, new ones included.
func (p *FaultProxy) CutAfterReplyBytes(replies int64) {
	p.setFault(proxyFault{limited: true, replies: replies})
}

// SlowReplies lets replies pass only that many bytes at a time, with a pause between.
func (p *FaultProxy) SlowReplies(bytes int, every time.Duration) {
	p.setFault(proxyFault{drip: bytes, every: every})
}

// StallTraffic stops forwarding in both directions, and accepts connections it does
// not serve: a network that swallows everything.
func (p *FaultProxy) StallTraffic() { p.setFault(proxyFault{stalled: true}) }

// ClearFault ends Stall, CutAfterReplyBytes and Drip.
func (p *FaultProxy) ClearFault() { p.setFault(proxyFault{}) }

func (p *FaultProxy) setFault(f proxyFault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = f
	close(p.resume)
	p.resume = make(chan struct{})
}

func (p *FaultProxy) acceptConnections() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.wait.Go(func() { p.serveConnection(client) })
	}
}

func (p *FaultProxy) serveConnection(client net.Conn) {
	defer p.removeConn(client)
	p.addConn(client)
	p.waitWhileStalled()
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer p.removeConn(server)
	p.addConn(server)
	var both sync.WaitGroup
	both.Go(func() { p.forwardBytes(server, client, false) })
	both.Go(func() { p.forwardBytes(client, server, true) })
	both.Wait()
}

func (p *FaultProxy) addConn(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns[c] = true
}

func (p *FaultProxy) removeConn(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
	c.Close()
}

// waitWhileStalled waits while the proxy is stalled.
func (p *FaultProxy) waitWhileStalled() {
	for {
		p.mu.Lock()
		stalled, resume := p.fault.stalled, p.resume
		p.mu.Unlock()
		if !stalled {
			return
		}
		<-resume
	}
}

// takeReplyAllowance returns how many of n bytes of a reply may pass now, whether the connection breaks
// after them, and how long to wait before the next.
func (p *FaultProxy) takeReplyAllowance(n int) (now int, cut bool, pause time.Duration, resume <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch f := &p.fault; {
	case f.limited:
		now = int(min(int64(n), f.replies))
		f.replies -= int64(now)
		return now, now < n, 0, p.resume
	case f.drip > 0 && n > f.drip:
		return f.drip, false, f.every, p.resume
	default:
		return n, false, 0, p.resume
	}
}

func (p *FaultProxy) forwardBytes(to, from net.Conn, reply bool) {
	// The end of one direction ends the other.
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		for rest := buffer[:n]; len(rest) > 0; {
			p.waitWhileStalled()
			now, cut, pause, resume := len(rest), false, time.Duration(0), (<-chan struct{})(nil)
			if reply {
				now, cut, pause, resume = p.takeReplyAllowance(len(rest))
			}
			if _, werr := to.Write(rest[:now]); werr != nil || cut {
				return
			}
			rest = rest[now:]
			if pause > 0 {
				select {
				case <-time.After(pause):
				case <-resume:
				}
			}
		}
		if err != nil {
			return
		}
	}
}
