package pgwire

import (
	"fmt"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

const (
	flushThresholdBytes = 32 << 10 // from which on output is sent
	maxKeptOutputBytes  = 64 << 10
	shrunkOutputBytes   = 1 << 10
)

// messageWriter collects messages for the client and sends them.
type messageWriter struct {
	conn  net.Conn
	stall time.Duration // in which a client must take what is sent
	buf   []byte
	err   error // the first failure; nothing is sent after it
}

// queueMessage adds a message.
func (o *messageWriter) queueMessage(m pgproto3.BackendMessage) {
	if o.err != nil {
		return
	}
	buf, err := m.Encode(o.buf)
	if err != nil {
		o.err = err
		return
	}
	o.buf = buf
}

// flush sends what was added.
func (o *messageWriter) flush() error {
	if o.err != nil || len(o.buf) == 0 {
		return o.err
	}
	if err := o.conn.SetWriteDeadline(time.Now().Add(o.stall)); err != nil {
		o.err = fmt.Errorf("%w: %w", errClientGone, err)
		return o.err
	}
	if _, err := o.conn.Write(o.buf); err != nil {
		o.err = fmt.Errorf("%w: %w", errClientGone, err)
	}
	if cap(o.buf) > maxKeptOutputBytes {
		o.buf = make([]byte, 0, shrunkOutputBytes)
	}
	o.buf = o.buf[:0]
	return o.err
}

// flushWhenFull sends what was added once it is a good part of a buffer.
func (o *messageWriter) flushWhenFull() error {
	if len(o.buf) < flushThresholdBytes {
		return o.err
	}
	return o.flush()
}
