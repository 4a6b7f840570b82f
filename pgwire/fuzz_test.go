package pgwire

import (
	"io"
	"net"
	"testing"
	"time"
)

// bytesConn gives bytes and takes none.
type bytesConn struct {
	net.Conn
	b []byte
}

func (c *bytesConn) Read(p []byte) (int, error) {
	if len(c.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.b)
	c.b = c.b[n:]
	return n, nil
}

func (c *bytesConn) SetReadDeadline(time.Time) error { return nil }

func FuzzMessageReader(f *testing.F) {
	for _, text := range []string{"Q\x00\x00\x00\x0dSELECT 1\x00", "S\x00\x00\x00\x04", "B\x00\x00\x00\x0c\x00\x00\x00\x00\x00\x00\x00\x00", "P\x00\x00\x00\x08\x00\x00\x00\x00", "\x00\x00\x00\x09\x00\x03\x00\x00\x00"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := newMessageReader(&bytesConn{b: b}, time.Second)
		for range 10 {
			if _, err := r.readMessage(); err != nil {
				break
			}
		}
		if cap(r.body) > 4*maxStartupBytes {
			t.Errorf("%d bytes are held for %d", cap(r.body), len(b))
		}
		if code, rest, err := newMessageReader(&bytesConn{b: b}, time.Second).readStartupPacket(); err == nil && code>>16 == protocolMajorVersion {
			_, _ = readStartupParameters(rest)
		}
	})
}
