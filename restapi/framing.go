package restapi

import (
	"bytes"

	"github.com/valyala/fasthttp"
)

// misframed says what is wrong with the head of a request, "" when nothing is. The
// library takes the last of several lengths and asks for no host; whatever stands in
// front of the server may read such a request otherwise, and so take the rest of one
// for the next (RFC 9112, 3.2 and 6.3).
func misframed(h *fasthttp.RequestHeader) string {
	lengths, hosts, codings := 0, 0, 0
	for line := range bytes.Lines(h.RawHeaders()) {
		name, _, ok := bytes.Cut(line, []byte(":"))
		switch {
		case !ok:
		case bytes.EqualFold(name, []byte(fasthttp.HeaderContentLength)):
			lengths++
		case bytes.EqualFold(name, []byte(fasthttp.HeaderHost)):
			hosts++
		case bytes.EqualFold(name, []byte(fasthttp.HeaderTransferEncoding)):
			codings++
		}
	}
	switch {
	case lengths+codings > 1:
		return "the request says more than once how long its body is"
	case hosts > 1:
		return "the request names several hosts"
	case hosts == 0 && h.IsHTTP11():
		return "the request names no host"
	}
	return ""
}
