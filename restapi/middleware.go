package restapi

import (
	"crypto/sha256"
	"crypto/subtle"
	"math/rand/v2"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"

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

// authenticator compares bearer tokens in constant time: it compares digests, so that the
// time does not depend on the length, and all of them, so that it does not depend on the
// position.
type authenticator struct {
	digests     atomic.Pointer[[][sha256.Size]byte]
	publicPaths map[string]bool // paths that need no token
}

func newAuthenticator(tokens []string, table []route) *authenticator {
	a := &authenticator{publicPaths: map[string]bool{}}
	a.replaceTokens(tokens)
	for _, r := range table {
		if r.public {
			a.publicPaths[r.path] = true
		}
	}
	return a
}

// replaceTokens sets the accepted tokens.
func (a *authenticator) replaceTokens(tokens []string) {
	digests := make([][sha256.Size]byte, len(tokens))
	for i, t := range tokens {
		digests[i] = sha256.Sum256([]byte(t))
	}
	a.digests.Store(&digests)
}

// authenticate rejects a request without a valid token, always with the same body. Every
// path that is not public needs a token, also an unknown one, so that no spelling of a path
// bypasses the check.
func (a *authenticator) authenticate(c *fiber.Ctx) error {
	if a.permitsRequest(c) {
		return c.Next()
	}
	return errUnauthorized
}

// permitsRequest reports whether a request may continue: no token is configured, or its
// path needs none, or it has one.
func (a *authenticator) permitsRequest(c *fiber.Ctx) bool {
	return a.publicPaths[c.Path()] || a.acceptsAuthorizationHeader(c.Get(fiber.HeaderAuthorization))
}

// acceptsAuthorizationHeader reports whether a header has a valid token, or none is needed.
func (a *authenticator) acceptsAuthorizationHeader(header string) bool {
	digests := *a.digests.Load()
	if len(digests) == 0 {
		return true
	}
	scheme, token, _ := strings.Cut(header, " ")
	digest := sha256.Sum256([]byte(strings.TrimSpace(token)))
	found := 0
	for i := range digests {
		found |= subtle.ConstantTimeCompare(digests[i][:], digest[:])
	}
	return found == 1 && strings.EqualFold(scheme, "Bearer")
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
