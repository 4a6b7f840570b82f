package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// The defaults and bounds of a Client.
const (
	DefaultMaxRetries       = 3
	DefaultMaxResponseBytes = 64 << 20
	// MaxRetryWait is the longest Retry-After that is waited for.
	MaxRetryWait = 30 * time.Second

	defaultUserAgent = "semlayer-client-go"
)

// Client calls one server. It is safe for concurrent use.
type Client struct {
	base             *url.URL
	root             *url.URL // base without the /m/NAME of a model
	http             *http.Client
	token            string
	userAgent        string
	maxRetries       int
	maxResponseBytes int64
}

// Option changes how a Client calls.
type Option func(*Client) error

// New returns a client of the server at baseURL, such as http://127.0.0.1:8081; a
// path in it is put before the paths of the endpoints. For one model of a server of
// several it ends in /m/NAME, as ModelEntry.Path does. New sends no request. It
// returns an error for an invalid URL or option.
func New(baseURL string, opts ...Option) (*Client, error) {
	base, err := url.Parse(baseURL)
	if err != nil {
		// A *url.Error repeats the URL, and with it a password.
		var inner *url.Error
		if errors.As(err, &inner) {
			err = inner.Err
		}
		return nil, fmt.Errorf("the base URL does not parse: %w", err)
	}
	switch {
	case base.Scheme != "http" && base.Scheme != "https" || base.Host == "":
		return nil, errors.New("the base URL must be absolute, http://… or https://…")
	case base.User != nil:
		return nil, errors.New("the base URL must hold no credentials; see WithToken")
	case base.RawQuery != "" || base.Fragment != "":
		return nil, errors.New("the base URL must have no query and no fragment")
	}
	c := &Client{
		base:             base,
		root:             serverRootURL(base),
		http:             &http.Client{},
		userAgent:        defaultUserAgent,
		maxRetries:       DefaultMaxRetries,
		maxResponseBytes: DefaultMaxResponseBytes,
	}
	for _, o := range opts {
		if err := o(c); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// modelPathSuffixPattern is the end of a base URL that names a model of a server of several.
var modelPathSuffixPattern = regexp.MustCompile(`/m/[A-Za-z0-9_-]+/*$`)

// serverRootURL returns the base URL of the server.
func serverRootURL(base *url.URL) *url.URL {
	root := *base
	root.Path, root.RawPath = modelPathSuffixPattern.ReplaceAllString(base.Path, ""), ""
	return &root
}

// WithToken sends the bearer token with every request; "" sends none.
func WithToken(token string) Option {
	return func(c *Client) error {
		if strings.ContainsFunc(token, unicode.IsControl) || strings.TrimSpace(token) != token {
			return errors.New("the token must be one line without space around it")
		}
		c.token = token
		return nil
	}
}

// WithHTTPClient sends requests through h. Its Timeout, if set, also ends Arrow
// streams that take longer; contexts bound a call without that.
func WithHTTPClient(h *http.Client) Option {
	return func(c *Client) error {
		if h == nil {
			return errors.New("the HTTP client is nil")
		}
		c.http = h
		return nil
	}
}

// WithUserAgent names the program in the User-Agent header.
func WithUserAgent(name string) Option {
	return func(c *Client) error {
		if name == "" || strings.ContainsAny(name, "\r\n\x00") {
			return errors.New("the user agent must be one line of text")
		}
		c.userAgent = name
		return nil
	}
}

// WithMaxRetries bounds how often a request that was answered 429 is sent
// again; 0 never does.
func WithMaxRetries(n int) Option {
	return func(c *Client) error {
		if n < 0 {
			return errors.New("the number of retries must not be negative")
		}
		c.maxRetries = n
		return nil
	}
}

// WithMaxResponseBytes bounds the responses that are read into memory: all except
// Arrow streams. A longer response results in ErrResponseTooLarge.
func WithMaxResponseBytes(n int64) Option {
	return func(c *Client) error {
		if n <= 0 {
			return errors.New("the limit on answers must be positive")
		}
		c.maxResponseBytes = n
		return nil
	}
}
