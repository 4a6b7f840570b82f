package pgwire

import (
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
)

const (
	flushBytes  = 32 << 10 // from which on output is sent
	keptOutput  = 64 << 10
	smallOutput = 1 << 10
)

// output collects messages for the client and sends them.
type output struct {
	conn  net.Conn
	stall time.Duration // in which a client must take what is sent
	buf   []byte
	err   error // the first failure; nothing is sent after it
}

// send adds a message.
func (o *output) send(m pgproto3.BackendMessage) {
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
func (o *output) flush() error {
	if o.err != nil || len(o.buf) == 0 {
		return o.err
	}
	if err := o.conn.SetWriteDeadline(time.Now().Add(o.stall)); err != nil {
		o.err = err
		return err
	}
	_, o.err = o.conn.Write(o.buf)
	if cap(o.buf) > keptOutput {
		o.buf = make([]byte, 0, smallOutput)
	}
	o.buf = o.buf[:0]
	return o.err
}

// flushWhenFull sends what was added once it is a good part of a buffer.
func (o *output) flushWhenFull() error {
	if len(o.buf) < flushBytes {
		return o.err
	}
	return o.flush()
}
