package trino

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/executor/credential"
	"github.com/semlayer/semlayer/executor/internal/driver"
	"github.com/semlayer/semlayer/executor/internal/remote"
)

const (
	// maxQueryIDWait bounds the wait for the query ID of a canceled statement, which the
	// request to cancel needs.
	maxQueryIDWait = 300 * time.Millisecond
	maxPageBytes   = 512 << 20
)

// client makes the requests of one profile.
type client struct {
	options Options
	base    url.URL
	http    *http.Client
	session string // the properties of each statement, as their header has them
}

// resultPage is one response of the protocol.
type resultPage struct {
	NextURI string              `json:"nextUri"`
	Columns []columnSchema      `json:"columns"`
	Data    [][]json.RawMessage `json:"data"`
	Error   *queryError         `json:"error"`
}

type columnSchema struct {
	Name string        `json:"name"`
	Type typeSignature `json:"typeSignature"`
}

// postStatement starts a statement.
func (c *client) postStatement(ctx context.Context, sql string) (*resultPage, error) {
	tag := driver.NextStatementTag(ctx) // one, also when the request is repeated
	detached, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(maxQueryIDWait, cut) })
	defer stop()
	return c.requestPage(detached, func(ctx context.Context) (*http.Request, error) {
		r, err := c.newRequest(ctx, http.MethodPost, "/v1/statement", strings.NewReader(sql))
		if err == nil {
			// Types with their precision, as declared.
			r.Header.Set("X-Trino-Client-Capabilities", "PARAMETRIC_DATETIME")
			r.Header.Set("X-Trino-Time-Zone", "UTC")
			r.Header.Set("X-Trino-Source", "semlayer")
			// Functions that write names of days and months go by it.
			r.Header.Set("X-Trino-Language", "en-US")
			setHeaderIfGiven(r.Header, "X-Trino-Client-Tags", tag)
			setHeaderIfGiven(r.Header, "X-Trino-Catalog", c.options.Catalog)
			setHeaderIfGiven(r.Header, "X-Trino-Schema", c.options.Schema)
			setHeaderIfGiven(r.Header, "X-Trino-Session", c.session)
		}
		return r, err
	})
}

// formatSessionProperties writes the value of the header of session properties.
func formatSessionProperties(properties map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		out = append(out, name+"="+url.QueryEscape(properties[name]))
	}
	return strings.Join(out, ",")
}

func setHeaderIfGiven(h http.Header, key, value string) {
	if value != "" {
		h.Set(key, value)
	}
}

// fetchNextPage reads the next page.
func (c *client) fetchNextPage(ctx context.Context, next string) (*resultPage, error) {
	return c.requestPage(ctx, func(ctx context.Context) (*http.Request, error) {
		return c.newRequest(ctx, http.MethodGet, next, nil)
	})
}

// cancelStatement requests the statement to be ended. It gives up quietly: the coordinator
// abandons a statement whose client does not come back.
func (c *client) cancelStatement(ctx context.Context, next string) {
	response, err := remote.DoWithRetries(ctx, c.http, func(ctx context.Context) (*http.Request, error) {
		return c.newRequest(ctx, http.MethodDelete, next, nil)
	})
	if err == nil {
		_ = response.Body.Close()
	}
}

var errInvalidPageAddress = errors.New("the address of the next page is invalid")

// newRequest goes to the coordinator of the profile; the host in the address is ignored.
func (c *client) newRequest(ctx context.Context, method, address string, body io.Reader) (*http.Request, error) {
	to, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(to.Path, "/") {
		return nil, errInvalidPageAddress
	}
	to.Scheme, to.Host, to.User = c.base.Scheme, c.base.Host, nil
	r, err := http.NewRequestWithContext(ctx, method, to.String(), body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("X-Trino-User", c.options.User)
	r.Header.Set("User-Agent", "semlayer")
	password, err := credential.Current(ctx, c.options.PasswordSource, c.options.Password)
	if err != nil {
		return nil, err
	}
	if !password.IsZero() {
		r.SetBasicAuth(c.options.User, password.Reveal())
	}
	return r, nil
}

func (c *client) requestPage(ctx context.Context, build func(context.Context) (*http.Request, error)) (*resultPage, error) {
	response, err := remote.DoWithRetries(ctx, c.http, build)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	p := &resultPage{}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxPageBytes)).Decode(p); err != nil {
		return nil, err
	}
	return p, nil
}
