//go:build !unix

package restapi

import "net"

// peerClosed does not know: a request works until its budget is spent.
func peerClosed(net.Conn) bool { return false }
