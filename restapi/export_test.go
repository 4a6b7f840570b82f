package restapi

import (
	"net/http"

	"github.com/valyala/fasthttp"
)

// Do answers one request without a network.
func (s *Server) Do(r *http.Request) (*http.Response, error) {
	const never = -1
	return s.app.Test(r, never)
}

// Paths lists the routes as "METHOD path".
func Paths() []string {
	var out []string
	for _, r := range routes() {
		out = append(out, r.method+" "+r.path)
	}
	return out
}

// Handle answers one request in place, as the HTTP library calls it.
func (s *Server) Handle(c *fasthttp.RequestCtx) { s.app.Handler()(c) }
