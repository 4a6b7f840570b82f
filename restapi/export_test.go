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

// Handle answers one request in place, as the HTTP library calls it.
func (s *Server) Handle(c *fasthttp.RequestCtx) { s.app.Server().Handler(c) }
