package restapi

import (
	"bytes"
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/semlayer/semlayer/restapi/internal/static"
)

// The sizes in bytes between which a response is compressed for a client that takes
// that. A shorter one gains nothing; a longer one would take seconds, and is better
// requested as Arrow.
const (
	minCompressibleBytes = 1 << 10
	maxCompressibleBytes = 64 << 20
)

// compressResponse compresses a response for a client that accepts gzip. It does not change streams
// and responses that are compressed already.
func compressResponse(c *fasthttp.RequestCtx) {
	h := &c.Response.Header
	if c.Response.IsBodyStream() || len(h.ContentEncoding()) > 0 || len(h.Peek(fiber.HeaderETag)) > 0 {
		return
	}
	body := c.Response.Body()
	if !isCompressible(body) {
		return
	}
	addVary(h, fiber.HeaderAcceptEncoding)
	if !acceptsGzip(&c.Request.Header) {
		return
	}
	h.SetContentEncoding("gzip")
	c.Response.SetBodyRaw(fasthttp.AppendGzipBytesLevel(nil, body, fasthttp.CompressBestSpeed))
}

// isCompressible reports whether a response is compressed for a client that takes that.
func isCompressible(body []byte) bool {
	return len(body) >= minCompressibleBytes && len(body) <= maxCompressibleBytes
}

// addVary adds a header to those that the response depends on.
func addVary(h *fasthttp.ResponseHeader, name string) {
	if held := h.Peek(fiber.HeaderVary); len(held) > 0 {
		name = string(held) + ", " + name
	}
	h.Set(fiber.HeaderVary, name)
}

// acceptsGzip reports whether a client accepts gzip.
func acceptsGzip(h *fasthttp.RequestHeader) bool {
	for _, line := range h.PeekAll(fiber.HeaderAcceptEncoding) {
		for part := range strings.SplitSeq(string(line), ",") {
			coding, parameters, _ := strings.Cut(part, ";")
			if strings.EqualFold(strings.TrimSpace(coding), "gzip") && parseQuality(parameters) > 0 {
				return true
			}
		}
	}
	return false
}

// sendFileOrNotModified sends a text in the form that the client takes, or 304 where the client has
// that form already.
func sendFileOrNotModified(c *fiber.Ctx, f static.File) error {
	h := &c.Response().Header
	etag, packed := f.ETag, false
	if f.HasGzippedBytes() {
		c.Vary(fiber.HeaderAcceptEncoding)
		if packed = acceptsGzip(&c.Request().Header); packed {
			etag = f.PackedETag
		}
	}
	if respondIfNotModified(c, etag) {
		return nil
	}
	h.SetContentType(f.ContentType)
	if packed {
		h.SetContentEncoding("gzip")
		c.Response().SetBodyRaw(f.GzippedBytes())
		return nil
	}
	content, err := f.UncompressedBytes()
	if err != nil {
		return err
	}
	c.Response().SetBodyRaw(content)
	return nil
}

// sendJSONWithETag is sendWithETag for JSON.
func (s *Server) sendJSONWithETag(c *fiber.Ctx, r route, what func(context.Context) ([]byte, error)) error {
	return s.sendWithETag(c, r, fiber.MIMEApplicationJSON, what)
}

// sendWithETag sends a description of the model with a validator, made of its bytes, so
// that a client that has it is spared the rest.
func (s *Server) sendWithETag(c *fiber.Ctx, r route, contentType string, what func(context.Context) ([]byte, error)) error {
	ctx := requestRecordOf(c.Context()).ctx
	body, err := s.runWithinRouteTimeBudget(ctx, c, r, what)
	if err == nil {
		err = s.reserveResponse(ctx, len(body))
	}
	if err != nil {
		return err
	}
	return sendFileOrNotModified(c, s.cachedResponseFile(c, r, contentType, body))
}

// cachedResponseFile returns a text as a file. That of a route without parameters is kept, because
// its bytes are mostly the same the next time, and with it its compressed form.
func (s *Server) cachedResponseFile(c *fiber.Ctx, r route, contentType string, body []byte) static.File {
	if c.Context().QueryArgs().Len() > 0 {
		return static.NewFile(r.path, contentType, body)
	}
	lists := &s.lists
	if !r.process {
		lists = modelOfRequest(c).lists
	}
	if f, ok := lists.loadIfCached(r.path); ok {
		if plain, err := f.UncompressedBytes(); err == nil && bytes.Equal(plain, body) {
			return f
		}
	}
	f := static.NewFile(r.path, contentType, body)
	lists.store(r.path, f)
	return f
}

// respondIfNotModified sets the ETag of a response, and responds 304 if the client already
// has it.
func respondIfNotModified(c *fiber.Ctx, etag string) bool {
	c.Set(fiber.HeaderETag, etag)
	for held := range strings.SplitSeq(c.Get(fiber.HeaderIfNoneMatch), ",") {
		held = strings.TrimSpace(held)
		if held == "*" || strings.TrimPrefix(held, "W/") == etag {
			c.Status(fiber.StatusNotModified)
			return true
		}
	}
	return false
}
