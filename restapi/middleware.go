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

// setResponseHeaders sets the headers that every answer has.
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

// requestID is the id that the answer carries: one that the client sent, if it
// is short and plain, else a random one.
func requestID(c *fiber.Ctx) string {
	if set := c.Response().Header.Peek(headerRequestID); len(set) > 0 {
		return string(set)
	}
	if sent := c.Request().Header.Peek(headerRequestID); isPlainID(sent) {
		return string(sent)
	}
	return strconv.FormatUint(rand.Uint64(), 16)
}

func isPlainID(id []byte) bool {
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

// authenticator compares bearer tokens in constant time: digests, so that the
// length tells nothing, and all of them, so that the position does not either.
type authenticator struct {
	digests     atomic.Pointer[[][sha256.Size]byte]
	publicPaths map[string]bool // paths that need no token
}

func newAuthenticator(tokens []string, table []route) *authenticator {
	a := &authenticator{publicPaths: map[string]bool{}}
	a.replace(tokens)
	for _, r := range table {
		if r.public {
			a.publicPaths[r.path] = true
		}
	}
	return a
}

// replace makes these the tokens that are accepted.
func (a *authenticator) replace(tokens []string) {
	digests := make([][sha256.Size]byte, len(tokens))
	for i, t := range tokens {
		digests[i] = sha256.Sum256([]byte(t))
	}
	a.digests.Store(&digests)
}

// authenticate refuses a request without a token, all with the same body.
// Whatever is not an open path needs one, known or not, so that no spelling of
// a path leads around it.
func (a *authenticator) authenticate(c *fiber.Ctx) error {
	if a.permits(c) {
		return c.Next()
	}
	return errUnauthorized
}

// permits reports whether a request may go on: no token is configured, or its
// path needs none, or it has one.
func (a *authenticator) permits(c *fiber.Ctx) bool {
	return a.publicPaths[c.Path()] || a.accepts(c.Get(fiber.HeaderAuthorization))
}

// accepts reports whether a header has a valid token, or none is needed.
func (a *authenticator) accepts(header string) bool {
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

// refuseEncodedBodies keeps compressed bodies out: what they expand to is not
// bounded by the limit on a body.
func refuseEncodedBodies(c *fiber.Ctx) error {
	if e := c.Get(fiber.HeaderContentEncoding); e != "" && !strings.EqualFold(e, "identity") {
		return badRequest("the content encoding " + truncate(strings.Clone(e)) + " is not accepted; send the body as it is")
	}
	return c.Next()
}

// truncate shortens a text of the caller's before a message repeats it, and takes
// out of it what is no UTF-8.
func truncate(s string) string {
	const most = 120
	r := []rune(strings.ToValidUTF8(s, "\uFFFD"))
	if len(r) <= most {
		return string(r)
	}
	return string(r[:most]) + "…"
}
