package snowflake

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/credential"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

const (
	// tokenLifetime is how long a signed token is good for; Snowflake allows an hour.
	tokenLifetime      = 50 * time.Minute
	tokenRenewalMargin = 5 * time.Minute
)

// tokenOrKeyCredentials set the headers by which a request shows who it is.
type tokenOrKeyCredentials struct {
	token  executor.Secret   // a programmatic access token; empty with a key or a source
	source credential.Source // of the token; nil for none

	key     *rsa.PrivateKey
	subject string // ACCOUNT.USER

	mu     sync.Mutex
	signed string
	until  time.Time
}

func newTokenOrKeyCredentials(o Options) (*tokenOrKeyCredentials, error) {
	switch {
	case (o.Token.IsZero() && o.Source == nil) == (o.PrivateKeyFile == ""):
		return nil, driver.ConfigError("one of the token and the private key is needed", nil)
	case o.PrivateKeyFile == "":
		return &tokenOrKeyCredentials{token: o.Token, source: o.Source}, nil
	}
	key, err := readPrivateKeyFile(o.PrivateKeyFile)
	if err != nil {
		return nil, err
	}
	return &tokenOrKeyCredentials{key: key, subject: tokenAccountName(o.Account) + "." + strings.ToUpper(o.User)}, nil
}

// readPrivateKeyFile reads the key file. Its error describes the fault and quotes none of the content.
func readPrivateKeyFile(path string) (*rsa.PrivateKey, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, driver.ConfigError("the file of the private key cannot be read", err)
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, driver.ConfigError("the file of the private key is not in PEM form", nil)
	}
	if strings.Contains(block.Type, "ENCRYPTED") || block.Headers["DEK-Info"] != "" {
		return nil, driver.ConfigError("the private key is encrypted, and there is no key for its passphrase", nil)
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	key, ok := parsed.(*rsa.PrivateKey)
	if err != nil || !ok {
		return nil, driver.ConfigError("the file holds no private RSA key", nil)
	}
	return key, nil
}

func (c *tokenOrKeyCredentials) setHeaders(r *http.Request) error {
	secret, err := credential.Current(r.Context(), c.source, c.token)
	token, kind := secret.Reveal(), "PROGRAMMATIC_ACCESS_TOKEN"
	if c.key != nil {
		token, err = c.signedToken(time.Now())
		kind = "KEYPAIR_JWT"
	}
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("X-Snowflake-Authorization-Token-Type", kind)
	return nil
}

// signedToken returns a token signed with the key: the last one while it is valid, else a new one.
func (c *tokenOrKeyCredentials) signedToken(now time.Time) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Before(c.until) {
		return c.signed, nil
	}
	public, err := x509.MarshalPKIXPublicKey(&c.key.PublicKey)
	if err != nil {
		return "", err
	}
	fingerprint := sha256.Sum256(public)
	claims, err := json.Marshal(map[string]any{
		"iss": c.subject + ".SHA256:" + base64.StdEncoding.EncodeToString(fingerprint[:]),
		"sub": c.subject, "iat": now.Unix(), "exp": now.Add(tokenLifetime).Unix(),
	})
	if err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"RS256","typ":"JWT"}`)) + "." + base64.RawURLEncoding.EncodeToString(claims)
	digest := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, c.key, crypto.SHA256, digest[:])
	if err != nil {
		return "", err
	}
	c.signed, c.until = text+"."+base64.RawURLEncoding.EncodeToString(signature), now.Add(tokenLifetime-tokenRenewalMargin)
	return c.signed, nil
}
