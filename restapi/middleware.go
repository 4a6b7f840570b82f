package restapi

import (
	"math/rand/v2"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
)

const headerRequestID = "X-Request-Id"

// recoverPanic turns a panic of a handler into an error of code internal.
func recoverPanic(c *fiber.Ctx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{value: p, stack: debug.Stack()}
		}
	}()
	return c.Next()
}

// setResponseHeaders sets the headers that every response has.
func setResponseHeaders(c *fiber.Ctx) error {
	setSecurityHeaders(c)
	return c.Next()
}

func setSecurityHeaders(c *fiber.Ctx) {
	h := &c.Response().Header
	h.Set(fiber.HeaderCacheControl, "no-store")
	h.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	h.Set(headerRequestID, requestID(c))
}

// requestID returns the id of the response: the one that the client sent, if it is short
// and plain, else a random one.
func requestID(c *fiber.Ctx) string {
	if set := c.Response().Header.Peek(headerRequestID); len(set) > 0 {
		return string(set)
	}
	if sent := c.Request().Header.Peek(headerRequestID); isPlainRequestID(sent) {
		return string(sent)
	}
	return strconv.FormatUint(rand.Uint64(), 16)
}

func isPlainRequestID(id []byte) bool {
	if len(id) == 0 || len(id) > 64 {
		return false
	}
	for _, c := range id {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

// refuseEncodedBodies rejects compressed bodies: the limit on a body does not bound their
// decompressed size.
func refuseEncodedBodies(c *fiber.Ctx) error {
	if e := c.Get(fiber.HeaderContentEncoding); e != "" && !strings.EqualFold(e, "identity") {
		return badRequestError("the content encoding " + truncateForMessage(strings.Clone(e)) + " is not accepted; send the body as it is")
	}
	return c.Next()
}

// truncateForMessage shortens a string of the caller before a message quotes it, and replaces invalid
// UTF-8.
func truncateForMessage(s string) string {
	const most = 120
	r := []rune(strings.ToValidUTF8(s, "\uFFFD"))
	if len(r) <= most {
		return string(r)
	}
	return string(r[:most]) + "…"
}
