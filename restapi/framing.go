package restapi

import (
	"bytes"

	"github.com/valyala/fasthttp"
)

// describeFramingError describes the framing error in the head of a request; "" if there is none.
// The library uses the last of several lengths, treats any transfer coding as chunked, and
// requires no host. A proxy in front of the server may read such a request differently and
// take the rest of one request for the next (RFC 9112, 2.2, 3.2, 5.1, 6.1 and 6.3).
func describeFramingError(h *fasthttp.RequestHeader) string {
	lengths, hosts, codings := 0, 0, 0
	var coding []byte
	for line := range bytes.Lines(h.RawHeaders()) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if len(line) == 0 {
			continue
		}
		name, value, ok := bytes.Cut(line, []byte(":"))
		switch {
		case bytes.ContainsAny(line, "\x00\r"):
			return "a header of the request holds a NUL or a carriage return"
		case !ok || !isHeaderName(name):
			return "a header of the request is not a name, a colon and a value"
		case bytes.EqualFold(name, []byte(fasthttp.HeaderContentLength)):
			lengths++
		case bytes.EqualFold(name, []byte(fasthttp.HeaderHost)):
			hosts++
		case bytes.EqualFold(name, []byte(fasthttp.HeaderTransferEncoding)):
			codings++
			coding = bytes.Trim(value, " \t")
		}
	}
	switch {
	case lengths+codings > 1:
		return "the request declares the length of its body more than once"
	case codings > 0 && !h.IsHTTP11():
		return "a request of HTTP/1.0 cannot have a transfer coding"
	case codings > 0 && !bytes.EqualFold(coding, []byte("chunked")):
		return "the transfer coding of a request is chunked and no other"
	case hosts > 1:
		return "the request names several hosts"
	case hosts == 0 && h.IsHTTP11():
		return "the request names no host"
	}
	return ""
}

// isHeaderName reports whether a string is a valid header name (RFC 9110, 5.6.2). A reader that
// trims would take a name with a blank before the colon for another one.
func isHeaderName(name []byte) bool {
	for _, c := range name {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && !bytes.ContainsRune([]byte("!#$%&'*+-.^_`|~"), rune(c)) {
			return false
		}
	}
	return len(name) > 0
}
