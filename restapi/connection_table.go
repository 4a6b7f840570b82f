package restapi

import (
	"cmp"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/semlayer/semlayer/engine/memory"
)

// connState is what a connection does, in the order in which connections are closed
// to make room.
type connState = int32

const (
	connWaitingForRequest connState = iota // for a request
	connReceivingRequest                   // a request
	connServingRequest                     // on a request, up to the end of its response
	connClosedToMakeRoom                   // to make room
)

// makeRoomFraction is the part of the connections that is closed at once where room is
// needed: looking for them takes longer than closing them.
const makeRoomFraction = 32

// connTable holds the open connections of clients and bounds them. When it is full it
// closes connections without a request: those that wait for one first, of the address
// that has most of them first, the longest waiting first. A connection whose request
// is being answered is never closed; where there are only such, the new one is.
type connTable struct {
	max        int
	perAddress int // 0: an address may have all
	messages   *memory.Part

	mu        sync.Mutex
	byAddress map[netip.Prefix]map[*clientConn]struct{}
	open      int

	closedWaiting, closedReceiving, refused, failedHandshakes atomic.Int64
}

// addConnection makes a connection one of the table. It returns false where there is no room
// for it.
func (t *connTable) addConnection(c *clientConn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byAddress == nil {
		t.byAddress = map[netip.Prefix]map[*clientConn]struct{}{}
	}
	if t.perAddress > 0 && len(t.byAddress[c.address]) >= t.perAddress && !t.closeFirstWithoutRequest(t.closableConnections(c.address), 1) ||
		t.open >= t.max && !t.closeFirstWithoutRequest(t.closableConnections(netip.Prefix{}), t.countOfConnectionsToClose()) {
		t.refused.Add(1)
		return false
	}
	peers := t.byAddress[c.address]
	if peers == nil {
		peers = map[*clientConn]struct{}{}
		t.byAddress[c.address] = peers
	}
	peers[c] = struct{}{}
	t.open++
	return true
}

// removeConnection forgets a connection that is closed.
func (t *connTable) removeConnection(c *clientConn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.deleteConnectionLocked(c)
}

// makeRoom closes some connections without a request, for a process that has run out
// of descriptors.
func (t *connTable) makeRoom() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closeFirstWithoutRequest(t.closableConnections(netip.Prefix{}), t.countOfConnectionsToClose())
}

// countOpen returns how many connections are open.
func (t *connTable) countOpen() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open
}

func (t *connTable) countOfConnectionsToClose() int { return max(1, t.max/makeRoomFraction) }

func (t *connTable) deleteConnectionLocked(c *clientConn) {
	peers := t.byAddress[c.address]
	if _, ok := peers[c]; !ok {
		return
	}
	delete(peers, c)
	t.open--
	if len(peers) == 0 {
		delete(t.byAddress, c.address)
	}
}

// closeCandidateConnection is a connection that may be closed to make room.
type closeCandidateConnection struct {
	conn  *clientConn
	state connState
	peers int   // connections of its address
	since int64 // it is in this state
}

// closableConnections lists the connections without a request, of one address or, for the zero
// prefix, of all.
func (t *connTable) closableConnections(address netip.Prefix) []closeCandidateConnection {
	var out []closeCandidateConnection
	for a, peers := range t.byAddress {
		if address.IsValid() && a != address {
			continue
		}
		for c := range peers {
			if state := c.state.Load(); state < connServingRequest {
				out = append(out, closeCandidateConnection{c, state, len(peers), c.since.Load()})
			}
		}
	}
	slices.SortFunc(out, func(a, b closeCandidateConnection) int {
		return cmp.Or(cmp.Compare(a.state, b.state), cmp.Compare(b.peers, a.peers), cmp.Compare(a.since, b.since))
	})
	return out
}

// closeFirstWithoutRequest closes the first n of these connections that still have no request, and
// reports whether there was one.
func (t *connTable) closeFirstWithoutRequest(these []closeCandidateConnection, n int) bool {
	closed := 0
	for _, v := range these {
		if closed == n {
			break
		}
		if !v.conn.state.CompareAndSwap(v.state, connClosedToMakeRoom) {
			continue
		}
		closed++
		t.deleteConnectionLocked(v.conn)
		_ = v.conn.below.Close() // TLS would wait until its end is sent
		if v.state == connWaitingForRequest {
			t.closedWaiting.Add(1)
		} else {
			t.closedReceiving.Add(1)
		}
	}
	return closed > 0
}

// connectionCountKey returns what connections are counted by: an address of IPv4, and the /64
// of an address of IPv6, which one host may have all of. Connections without an IP
// address share one place.
func connectionCountKey(a net.Addr) netip.Prefix {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.PrefixFrom(netip.IPv6Unspecified(), 0)
	}
	ip := tcp.AddrPort().Addr().Unmap().WithZone("")
	bits := ip.BitLen()
	if ip.Is6() {
		bits = 64
	}
	p, err := ip.Prefix(bits)
	if err != nil {
		return netip.PrefixFrom(netip.IPv6Unspecified(), 0)
	}
	return p
}

// monotonicNow returns a reading of the clock for comparisons.
func monotonicNow() int64 { return int64(time.Since(processStart)) }

var processStart = time.Now()
