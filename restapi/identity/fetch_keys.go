package identity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/access"
)

// The bounds of a fetch.
const (
	fetchTimeout     = 5 * time.Second
	maxDocumentBytes = 1 << 20
)

// newKeyClient returns a client that follows no redirects: they could lead to an address that the policies file does not name.
func newKeyClient(base *http.Client) *http.Client {
	out := &http.Client{}
	if base != nil {
		*out = *base
	}
	out.Timeout = fetchTimeout
	out.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return out
}

// fetchKeys reads the text of a key set: from its file, from its address, or from the address that OpenID discovery names.
func (d *Directory) fetchKeys(ctx context.Context, place keyPlace) ([]byte, error) {
	switch {
	case place.file != "":
		return readDocumentFile(place.file)
	case place.url != "":
		return d.fetchDocument(ctx, place.url)
	}
	text, err := d.fetchDocument(ctx, strings.TrimSuffix(place.issuer, "/")+"/.well-known/openid-configuration")
	if err != nil {
		return nil, fmt.Errorf("the discovery document: %w", err)
	}
	var found struct {
		Issuer  string `json:"issuer"`
		JWKSURI string `json:"jwks_uri"`
	}
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, errors.New("the discovery document is not a JSON object")
	}
	switch {
	case found.Issuer != place.issuer:
		return nil, errors.New("the discovery document names another issuer")
	case !access.IsServiceURL(found.JWKSURI):
		return nil, errors.New("the jwks_uri of the discovery document is not an address with https, or with http on a loopback address")
	}
	return d.fetchDocument(ctx, found.JWKSURI)
}

func readDocumentFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // which was only read
	return readDocument(file)
}

func readDocument(from io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(from, maxDocumentBytes+1))
	if err == nil && len(text) > maxDocumentBytes {
		return nil, fmt.Errorf("the document has more than %d bytes", maxDocumentBytes)
	}
	return text, err
}

func (d *Directory) fetchDocument(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/json")
	response, err := d.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }() // which was only read
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered with status %d", address, response.StatusCode)
	}
	return readDocument(response.Body)
}

// runInterval is the time between two looks at what is due.
const runInterval = 5 * time.Second

// Run keeps the key sets fresh until ctx ends.
func (d *Directory) Run(ctx context.Context) {
	tick := time.NewTicker(runInterval)
	defer tick.Stop()
	for {
		d.RefreshKeys(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// RefreshKeys fetches the key sets that are due, all at the same time, and waits for them.
func (d *Directory) RefreshKeys(ctx context.Context) {
	done := make(chan struct{})
	due := 0
	for _, v := range d.revision.Load().verifiers {
		if v.keys.isDue() {
			due++
			go func() {
				v.keys.refresh(ctx)
				done <- struct{}{}
			}()
		}
	}
	for range due {
		<-done
	}
}
