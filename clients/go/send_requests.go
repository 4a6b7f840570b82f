package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net/http"
	"net/url"
	"time"
)

// The media types of responses.
const (
	mediaTypeJSON  = "application/json"
	mediaTypeArrow = "application/vnd.apache.arrow.stream"
)

// ErrResponseTooLarge is returned for a response that is longer than
// WithMaxResponseBytes allows.
var ErrResponseTooLarge = errors.New("the response is longer than the client's limit")

// apiRequest is one call, as often as it has to be sent.
type apiRequest struct {
	method string
	path   string
	query  url.Values
	accept string
	body   []byte // nil without one
	// ofServer: the path belongs to the server, and not to the model of the base URL.
	ofServer bool
}

func (r apiRequest) String() string { return r.method + " " + r.path }

func newGetRequest(path string) apiRequest {
	return apiRequest{method: http.MethodGet, path: path, accept: mediaTypeJSON}
}

// newServerRootGetRequest is newGetRequest for a path that no model has below /m/NAME.
func newServerRootGetRequest(path string) apiRequest {
	r := newGetRequest(path)
	r.ofServer = true
	return r
}

func newPostRequest(path string, in any) (apiRequest, error) {
	body, err := encodeJSONRequiringUTF8(in)
	if err != nil {
		return apiRequest{}, fmt.Errorf("POST %s: %w", path, err)
	}
	return apiRequest{method: http.MethodPost, path: path, accept: mediaTypeJSON, body: body}, nil
}

// encodeJSONRequiringUTF8 rejects text that is not UTF-8: the JSON package would replace invalid bytes,
// and the server would receive another query.
func encodeJSONRequiringUTF8(in any) ([]byte, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	for rest := body; ; {
		i := bytes.Index(rest, []byte(`\ufffd`))
		if i < 0 {
			return body, nil
		}
		before := rest[:i]
		backslashes := len(before) - len(bytes.TrimRight(before, `\`))
		if backslashes%2 == 0 {
			return nil, errors.New("the request holds text that is not UTF-8")
		}
		rest = rest[i+1:]
	}
}

// sendWithRetries returns the response with any status; only 429 is an error, once no retry is
// left.
func (c *Client) sendWithRetries(ctx context.Context, r apiRequest) (*http.Response, error) {
	for left := c.maxRetries; ; left-- {
		res, err := c.sendRequestOnce(ctx, r)
		if err != nil || res.StatusCode != http.StatusTooManyRequests {
			return res, err
		}
		refused := readErrorResponse(res)
		if left == 0 || refused.RetryAfter > MaxRetryWait {
			return nil, refused
		}
		wait := addRetryJitter(refused.RetryAfter)
		if end, ok := ctx.Deadline(); ok && time.Until(end) < wait {
			return nil, refused
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, fmt.Errorf("%s: waiting to try again: %w (%w)", r, ctx.Err(), refused)
		}
	}
}

// addRetryJitter adds up to a quarter, so that clients that were rejected together do
// not come back together.
func addRetryJitter(d time.Duration) time.Duration {
	return d + time.Duration(rand.Int64N(int64(d)/4+1))
}

func (c *Client) sendRequestOnce(ctx context.Context, r apiRequest) (*http.Response, error) {
	base := c.base
	if r.ofServer {
		base = c.root
	}
	target := base.JoinPath(r.path)
	target.RawQuery = r.query.Encode()
	var body io.Reader
	if r.body != nil {
		body = bytes.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, target.String(), body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", r.accept)
	req.Header.Set("User-Agent", c.userAgent)
	if r.body != nil {
		req.Header.Set("Content-Type", mediaTypeJSON)
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	return c.http.Do(req)
}

// sendAndCheckResponse sends a request and expects a response of its media type.
func (c *Client) sendAndCheckResponse(ctx context.Context, r apiRequest) (*http.Response, error) {
	res, err := c.sendWithRetries(ctx, r)
	if err != nil {
		return nil, err
	}
	given, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode != http.StatusOK || given != r.accept {
		return nil, readErrorResponse(res)
	}
	return res, nil
}

// sendAndDecodeJSON sends a request and decodes the response.
func sendAndDecodeJSON[T any](ctx context.Context, c *Client, r apiRequest) (T, error) {
	var none, out T
	res, err := c.sendAndCheckResponse(ctx, r)
	if err != nil {
		return none, err
	}
	defer res.Body.Close()
	text, err := readLimitedBody(res.Body, c.maxResponseBytes)
	if err != nil {
		return none, fmt.Errorf("%s: reading the response: %w", r, err)
	}
	err = decodeSingleJSONValue(text, &out)
	if err == nil && string(bytes.TrimSpace(text)) == "null" {
		err = errors.New("null")
	}
	if err != nil {
		return none, fmt.Errorf("%s: the response does not match the interface: %w", r, err)
	}
	return out, nil
}

func readLimitedBody(body io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(body, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > most {
		return nil, fmt.Errorf("%w of %d bytes", ErrResponseTooLarge, most)
	}
	return text, nil
}

// decodeSingleJSONValue reads one JSON value with exact numbers.
func decodeSingleJSONValue(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	return checkNoTrailingData(d)
}

func checkNoTrailingData(d *json.Decoder) error {
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text after the JSON value")
	}
	return nil
}
