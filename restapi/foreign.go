package restapi

import (
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// What a browser says of a request beside its Origin (Fetch Metadata).
const (
	headerFetchSite = "Sec-Fetch-Site"
	headerFetchMode = "Sec-Fetch-Mode"
	headerFetchDest = "Sec-Fetch-Dest"

	siteCross = "cross-site"
	siteSame  = "same-site"
	siteOwn   = "same-origin"
)

// probePaths hold nothing that a page could learn, and are asked for by any name.
var probePaths = []string{"/health", "/ready"}

// foreign keeps web pages out of a server that asks for no token: the browser of a
// person who can reach the server would send their requests. What distinguishes them
// from a program is the Origin header, Fetch Metadata, and the Host of a page that has
// given a name of its own to the loopback address. With a token none of this is needed,
// because a browser does not add it by itself; only /mcp always checks the origin.
type foreign struct {
	tokenless bool
	origins   []string
	hosts     []string // of the origins
	open      func(path string) bool
}

func newForeign(c Config, auth *authenticator) *foreign {
	f := &foreign{tokenless: len(c.Tokens) == 0, origins: c.Origins, open: func(path string) bool { return auth.open[path] }}
	for _, o := range c.Origins {
		f.hosts = append(f.hosts, hostOf(o))
	}
	return f
}

// refuse ends a request that a page of another site may have sent.
func (f *foreign) refuse(c *fiber.Ctx) error {
	path := c.Path()
	message := strings.TrimRight(path, "/") == mcpPath // as the router reads it
	switch {
	case c.Method() == fiber.MethodOptions, slices.Contains(probePaths, path):
	case f.tokenless && !message && f.rebound(c):
		return &Error{CodeForbidden, "a server without a token answers on the loopback address under the names localhost, 127.0.0.1 and [::1], not " +
			clip(strings.Clone(string(c.Context().Host()))) + "; set a token, or name the origin of your page in --cors-origins"}
	case (f.tokenless || message) && f.sent(c):
		return &Error{CodeForbidden, "the request comes from a web page of another site" + f.named(c) + "; --cors-origins lists those that may call the server"}
	}
	return c.Next()
}

// rebound reports whether a request reached the loopback address under the name of
// another host, as the requests of a page do whose own name leads there.
func (f *foreign) rebound(c *fiber.Ctx) bool {
	local, ok := c.Context().LocalAddr().(*net.TCPAddr)
	if !ok || !local.IP.IsLoopback() {
		return false
	}
	host := strings.ToLower(string(c.Context().Host()))
	return host != "" && !loopbackHost(host) && !slices.Contains(f.hosts, host)
}

// sent reports whether a page of another site sent a request. One that a person
// follows a link to is shown.
func (f *foreign) sent(c *fiber.Ctx) bool {
	origin, site := c.Get(fiber.HeaderOrigin), c.Get(headerFetchSite)
	switch {
	case site == siteOwn || slices.Contains(f.origins, origin):
		return false
	case origin != "":
		return !strings.EqualFold(hostOf(origin), string(c.Context().Host()))
	}
	return site == siteCross && !(f.open(c.Path()) && navigates(c))
}

func (f *foreign) named(c *fiber.Ctx) string {
	if origin := c.Get(fiber.HeaderOrigin); origin != "" {
		return ", " + clip(strings.Clone(origin))
	}
	return ""
}

// navigates reports whether a browser loads a page into a window for a person.
func navigates(c *fiber.Ctx) bool {
	return (c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead) &&
		c.Get(headerFetchMode) == "navigate" && c.Get(headerFetchDest) == "document"
}

// openedElsewhere reports whether a page is opened by a link of another site.
func openedElsewhere(c *fiber.Ctx) bool {
	site := c.Get(headerFetchSite)
	return site == siteCross || site == siteSame
}

// loopbackHost reports whether a Host names the machine itself by a name or address
// that no DNS server can lead elsewhere.
func loopbackHost(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	if name == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}
