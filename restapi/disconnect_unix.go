//go:build unix

package restapi

import (
	"errors"
	"net"
	"syscall"
)

// peerClosed looks whether the other side of a connection has closed it, and takes
// nothing of what it may have sent.
func peerClosed(c net.Conn) bool {
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
