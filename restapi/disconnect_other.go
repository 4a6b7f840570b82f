//go:build !unix

package restapi

import "net"

// peerClosed always returns false on this system: a request runs until its budget is spent.
func peerClosed(net.Conn) bool { return false }
