package restapi_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/restapi"
)

func TestEmbedding_IsForListedOriginsAlone(t *testing.T) {
	const listed = "https://portal.example.com"
	frame := func(site, referrer string) []string {
		return []string{"Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe", "Referer", referrer}
	}
	link := []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document", "Referer", listed + "/"}
	for name, c := range map[string]struct {
		embeds    []string
		header    []string
		status    int
		ancestors string
		origins   bool // stand in the page
		held      bool // the page asks before it sends its query
	}{
		"no origin, and a window":             {nil, nil, 200, "'none'", false, false},
		"no origin, and a frame":              {nil, frame("cross-site", listed+"/"), 403, "", false, false},
		"a window":                            {[]string{listed}, nil, 200, listed, true, false},
		"a window that a link has opened":     {[]string{listed}, link, 200, listed, true, true},
		"a frame of the origin":               {[]string{"http://localhost:3000", listed}, frame("cross-site", listed+"/page"), 200, "http://localhost:3000 " + listed, true, false},
		"a frame of the same site":            {[]string{listed}, frame("same-site", listed+"/page"), 200, listed, true, false},
		"a frame of another origin":           {[]string{listed}, frame("cross-site", "https://other.example.com/"), 200, listed, true, true}, // the browser does not show it
		"a frame without a referrer":          {[]string{listed}, frame("cross-site", ""), 200, listed, true, true},
		"a frame of an origin that begins so": {[]string{listed}, frame("cross-site", listed+".evil.example/"), 200, listed, true, true},
	} {
		s := shop(t, "orders", restapi.Config{EmbedOrigins: c.embeds})
		got := do(t, s, request("GET", "/?bare=1", "", c.header...))
		if got.status != c.status {
			t.Errorf("%s: %d, want %d", name, got.status, c.status)
		}
		if c.status != 200 {
			continue
		}
		if policy := got.header.Get("Content-Security-Policy"); !strings.HasSuffix(policy, "frame-ancestors "+c.ancestors) {
			t.Errorf("%s: %s", name, policy)
		}
		if has := strings.Contains(got.body, `data-embed-origins="`+strings.Join(c.embeds, " ")+`"`); has != c.origins {
			t.Errorf("%s: the page has the origins: %v", name, has)
		}
		if held := strings.Contains(got.body, `data-opened="elsewhere"`); held != c.held {
			t.Errorf("%s: the page waits: %v, want %v", name, held, c.held)
		}
		// The rows of the frame come from its own origin; another page has none.
		rows := do(t, s, request("POST", "/v1/query/execute", aQuery, "Origin", listed, "Sec-Fetch-Site", "cross-site"))
		if rows.status != 403 {
			t.Errorf("%s: another page reads rows: %d", name, rows.status)
		}
		if docs := do(t, s, request("GET", "/docs", "")); !strings.HasSuffix(docs.header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s: the page of the interface is shown in frames", name)
		}
	}
}
