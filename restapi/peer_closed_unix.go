//go:build unix && !linux

package restapi

import (
	"errors"
	"net"
	"syscall"
)

// hasPeerClosed reports whether the peer has closed a connection, and consumes none of the
// bytes that it may have sent. It does not see the end behind bytes that wait.
func hasPeerClosed(c net.Conn) bool {
	source, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := source.SyscallConn()
	if err != nil {
		return false
	}
	closed := false
	err = raw.Control(func(fd uintptr) {
		var one [1]byte
		n, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK)
		closed = err == nil && n == 0 || errors.Is(err, syscall.ECONNRESET)
	})
	return err == nil && closed
}
