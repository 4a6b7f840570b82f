package pgwire

import (
	"slices"
	"sync"
	"time"
)

// pendingConnectionList are the connections that have no session yet, those that wait longest first. A further connection ends the
// first one, so that clients that send nothing do not keep others out.
type pendingConnectionList struct {
	most int

	mu   sync.Mutex
	list []*pendingConnection
}

// addEvictingOldest lists a connection, and ends the one that waits longest where there are too many.
func (p *pendingConnectionList) addEvictingOldest(c *pendingConnection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = append(p.list, c)
	if len(p.list) <= p.most {
		return
	}
	first := p.list[0]
	p.list = slices.Delete(p.list, 0, 1)
	first.evicted.Store(true)
	_ = first.accepted.SetReadDeadline(time.Unix(1, 0)) // ends its wait
}

func (p *pendingConnectionList) remove(c *pendingConnection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.list, c); i >= 0 {
		p.list = slices.Delete(p.list, i, i+1)
	}
}
