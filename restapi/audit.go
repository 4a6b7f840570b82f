package restapi

import (
	"bytes"
	"net/http"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/semlayer/semlayer/engine/audit"
)

// auditedRoute is what of a route has entries in the audit log.
type auditedRoute uint8

const (
	notAudited    auditedRoute = iota
	auditedAlways              // the interface
	auditedTools               // messages of MCP: calls of tools, and what is refused before
)

func auditedRouteOf(path []byte) auditedRoute {
	switch {
	case bytes.HasPrefix(path, []byte("/v1/")):
		return auditedAlways
	case string(path) == mcpPath:
		return auditedTools
	}
	return notAudited
}

// startAudit makes the record that the layers below fill.
func (x *requestRecord) startAudit(c *fasthttp.RequestCtx) {
	if x.audit = x.server.config.Audit.NewRecord(); x.audit == nil {
		return
	}
	x.ctx = audit.WithRecord(x.ctx, x.audit)
	if x.remote = c.RemoteIP().String(); c.RemoteAddr().Network() == "unix" {
		x.remote = "unix" // which has no address
	}
}

// countBody counts the bytes of a response that is complete.
func (x *requestRecord) countBody(r *fasthttp.Response) {
	if x.audit != nil && !r.IsBodyStream() {
		x.bytes.Store(int64(len(r.Body())))
	}
}

// writeAudit writes the entry of the request to the audit log.
func (x *requestRecord) writeAudit(id string, status int, took time.Duration) {
	if x.audit == nil || x.audited == notAudited {
		return
	}
	e := audit.Entry{
		Facts: x.audit.Facts(), Time: x.startTime, QueryID: x.queryID, RequestID: id, Remote: x.remote, Surface: audit.SurfaceREST,
		Route: x.route, Bytes: x.bytes.Load(), Duration: took, Outcome: x.code, Status: status, Message: x.message,
	}
	if x.audited == auditedTools {
		e.Surface = audit.SurfaceMCP
		if e.Tool == "" && status != http.StatusUnauthorized && status != http.StatusForbidden && status != http.StatusTooManyRequests {
			return // no tool was called
		}
	}
	if x.caller.Known {
		e.Identity, e.Issuer, e.Roles = x.caller.Identity.Name, x.caller.Identity.Issuer, x.caller.Identity.Roles
	}
	if file := x.caller.Policies; file != nil {
		e.Policy = audit.PolicyOf(file.Hash)
	}
	if m := x.choice.model; m != nil && m.label != "" {
		e.Model = m.Name
	}
	x.server.config.Audit.Write(e)
}
