package restapi

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// hasPeerClosed reports whether the peer has closed a connection, also where bytes wait before its end: a client sends the end of TLS first.
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
		one := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
		n, err := unix.Poll(one, 0)
		closed = err == nil && n == 1 && one[0].Revents&(unix.POLLRDHUP|unix.POLLHUP|unix.POLLERR) != 0
	})
	return err == nil && closed
}
