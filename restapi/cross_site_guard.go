package restapi

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// The headers of Fetch Metadata and their values.
const (
	headerFetchSite = "Sec-Fetch-Site"
	headerFetchMode = "Sec-Fetch-Mode"
	headerFetchDest = "Sec-Fetch-Dest"

	fetchSiteCrossSite  = "cross-site"
	fetchSiteSameSite   = "same-site"
	fetchSiteSameOrigin = "same-origin"
)

// healthProbePaths hold nothing that a page could learn, and are asked for by any name.
var healthProbePaths = []string{"/health", "/ready"}

// crossSiteGuard rejects requests of foreign web pages on a server without a token: the
// browser of a person who can reach the server would send them. The guard recognises them
// by the Origin header, by Fetch Metadata, and by the Host of a page whose own name
// resolves to the loopback address. A server with a token does not need this, because a
// browser does not add the token by itself; only /mcp always checks the origin.
type crossSiteGuard struct {
	tokenless bool
	origins   []string
	hosts     []string // of the origins
	isPublic  func(path string) bool
	embedded  bool // pages of other origins may have a frame with the explorer
}

func newCrossSiteGuard(c Config, publicPaths map[string]bool) *crossSiteGuard {
	f := &crossSiteGuard{tokenless: !c.secured(), origins: c.Origins, embedded: len(c.EmbedOrigins) > 0, isPublic: func(path string) bool { return publicPaths[path] }}
	for _, o := range c.Origins {
		f.hosts = append(f.hosts, hostOfOrigin(o))
	}
	return f
}

// rejectCrossSite ends a request that a page of another site may have sent.
func (f *crossSiteGuard) rejectCrossSite(c *fiber.Ctx) error {
	path := c.Path()
	message := strings.TrimRight(path, "/") == mcpPath // as the router reads it
	switch {
	case c.Method() == fiber.MethodOptions, slices.Contains(healthProbePaths, path):
	case f.tokenless && !message && f.isDNSRebound(c):
		return &Error{CodeForbidden, "a server without a token answers on the loopback address under the names localhost, 127.0.0.1 and [::1], not " +
			truncateForMessage(strings.Clone(string(c.Context().Host()))) + "; set a token, or name the origin of your page in --cors-origins"}
	case (f.tokenless || message) && f.isCrossSite(c):
		return &Error{CodeForbidden, "the request comes from a web page of another site" + f.originForMessage(c) + "; --cors-origins lists those that may call the server"}
	}
	return c.Next()
}

// isDNSRebound reports whether a request reached the loopback address under the name of
// another host, as the requests of a page do whose own name leads there.
func (f *crossSiteGuard) isDNSRebound(c *fiber.Ctx) bool {
	local, ok := c.Context().LocalAddr().(*net.TCPAddr)
	if !ok || !local.IP.IsLoopback() {
		return false
	}
	host := strings.ToLower(string(c.Context().Host()))
	return host != "" && !isLoopbackHost(host) && !slices.Contains(f.hosts, host)
}

// isCrossSite reports whether a page of another site sent a request. One that a person
// follows a link to is shown.
func (f *crossSiteGuard) isCrossSite(c *fiber.Ctx) bool {
	origin, site := c.Get(fiber.HeaderOrigin), c.Get(headerFetchSite)
	switch {
	case site == fetchSiteSameOrigin || slices.Contains(f.origins, origin):
		return false
	case origin != "":
		return !strings.EqualFold(hostOfOrigin(origin), string(c.Context().Host()))
	}
	return site == fetchSiteCrossSite && !(f.isPublic(c.Path()) && (isNavigation(c) || f.embedded && isNavigationOfFrame(c)))
}

func (f *crossSiteGuard) originForMessage(c *fiber.Ctx) string {
	if origin := c.Get(fiber.HeaderOrigin); origin != "" {
		return ", " + truncateForMessage(strings.Clone(origin))
	}
	return ""
}

// isNavigation reports whether a browser loads a page into a window for a person.
func isNavigation(c *fiber.Ctx) bool { return isNavigationTo(c, "document") }

// isNavigationOfFrame reports whether a browser loads a page into a frame of another one. It shows the page only if the policy of the
// page allows the origin of the other one.
func isNavigationOfFrame(c *fiber.Ctx) bool { return isNavigationTo(c, "iframe") }

func isNavigationTo(c *fiber.Ctx, destination string) bool {
	return (c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead) &&
		c.Get(headerFetchMode) == "navigate" && c.Get(headerFetchDest) == destination
}

// isFrameOf reports whether a page of one of the origins loads the explorer into a frame.
func isFrameOf(c *fiber.Ctx, origins []string) bool {
	page, err := url.Parse(c.Get(fiber.HeaderReferer))
	return err == nil && isNavigationOfFrame(c) && slices.Contains(origins, page.Scheme+"://"+page.Host)
}

// isNavigationFromOtherSite reports whether a page is opened by a link of another site.
func isNavigationFromOtherSite(c *fiber.Ctx) bool {
	site := c.Get(headerFetchSite)
	return site == fetchSiteCrossSite || site == fetchSiteSameSite
}

// isLoopbackHost reports whether a Host names the machine itself by a name or address
// that no DNS server can lead elsewhere.
func isLoopbackHost(host string) bool {
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
