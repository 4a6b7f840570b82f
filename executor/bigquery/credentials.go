package bigquery

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/semlayer/semlayer/executor/internal/driver"
)

const (
	oauthScope = "https://www.googleapis.com/auth/bigquery"
	// tokenTimeout bounds one request for a token.
	tokenTimeout = 15 * time.Second
)

// newTokenSource requests tokens by the transport.
func newTokenSource(transport http.RoundTripper) *tokenSource {
	client := &http.Client{Transport: transport, Timeout: tokenTimeout}
	return &tokenSource{background: context.WithValue(context.Background(), oauth2.HTTPClient, client)}
}

// tokenSource gives the token of each request. It requests one by the executor's own
// connections.
type tokenSource struct {
	// background outlives the call that makes the source, and carries the client.
	background context.Context

	mu     sync.Mutex
	source oauth2.TokenSource // nil: not looked for yet
}

// readCredentialsFile reads the credentials of a service account or a user. An error about the file quotes
// none of its content.
func (t *tokenSource) readCredentialsFile(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return driver.ConfigError("the file of the credentials cannot be read", err)
	}
	var f struct {
		Type google.CredentialsType `json:"type"`
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return driver.ConfigError("the file of the credentials is not JSON", nil)
	}
	if f.Type != google.ServiceAccount && f.Type != google.AuthorizedUser {
		return driver.ConfigError("the credentials are neither those of a service account nor those of a user", nil)
	}
	credentials, err := google.CredentialsFromJSONWithType(t.background, text, f.Type, oauthScope)
	if err != nil {
		return driver.ConfigError("the file of the credentials is invalid", nil)
	}
	t.source = credentials.TokenSource
	return nil
}

// validToken returns a valid token, or an error when ctx ends first. A request for a token has a
// time limit and does not use the context of a caller, because all callers share its token.
func (t *tokenSource) validToken(ctx context.Context) (*oauth2.Token, error) {
	type answer struct {
		token *oauth2.Token
		err   error
	}
	got := make(chan answer, 1)
	go func() {
		token, err := t.fetchToken()
		got <- answer{token, err}
	}()
	select {
	case a := <-got:
		return a.token, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// fetchToken returns a token and waits without a limit. It searches for a source once, unless that
// failed.
func (t *tokenSource) fetchToken() (*oauth2.Token, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.source == nil {
		credentials, err := google.FindDefaultCredentials(t.background, oauthScope)
		if err != nil {
			return nil, driver.ConfigError("the environment has no credentials for Google, and credentials_path is not set", err)
		}
		t.source = credentials.TokenSource
	}
	return t.source.Token()
}
