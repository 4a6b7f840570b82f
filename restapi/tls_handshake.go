package restapi

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strconv"
	"time"
)

// plainHTTPResponse is the whole response to a client that speaks HTTP without TLS to a listener with TLS.
var plainHTTPResponse = func() string {
	const body = `{"error":{"code":"bad_request","message":"this address needs TLS: begin its URL with https://"}}`
	return "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}()

// withoutTLS returns the connection below TLS, or the connection itself.
func withoutTLS(c net.Conn) net.Conn {
	if secured, ok := c.(*tls.Conn); ok {
		return secured.NetConn()
	}
	return c
}

// completeHandshake starts TLS before the first byte is read. The deadline of reading the head of a request bounds it, and the connection
// counts as one that waits for a request. A failed handshake is the end of the connection, which nothing is answered on.
func (c *clientConn) completeHandshake() error {
	if c.handshake == nil {
		return nil
	}
	err := c.below.SetWriteDeadline(time.Now().Add(DefaultHeadTimeout))
	if err == nil {
		err = c.handshake.HandshakeContext(context.Background())
	}
	if err == nil {
		err = c.below.SetWriteDeadline(time.Time{})
	}
	if err == nil {
		c.handshake = nil
		return nil
	}
	var header tls.RecordHeaderError
	if errors.As(err, &header) && header.Conn != nil && beginsHTTP(header.RecordHeader) {
		_, _ = io.WriteString(c.below, plainHTTPResponse)
		c.Conn = c.below // its end is a plain one
		enableLingeringClose(c)
	}
	c.table.failedHandshakes.Add(1)
	return io.EOF
}

// beginsHTTP reports whether the first bytes are those of a request.
func beginsHTTP(b [5]byte) bool {
	switch string(b[:]) {
	case "GET /", "HEAD ", "POST ", "PUT /", "OPTIO", "DELET", "PATCH":
		return true
	}
	return false
}
