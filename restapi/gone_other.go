//go:build !unix

package restapi

import "net"

// hungUp does not know: a request works until its budget is spent.
func hungUp(net.Conn) bool { return false }
