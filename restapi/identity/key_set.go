package identity

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/semlayer/semlayer/modelspec/access"
)

// The times of key sets.
const (
	keySetInterval    = 5 * time.Minute  // between two fetches
	unknownKeyPause   = 10 * time.Second // between two fetches for an unknown key, or after a failed one
	keySetLifetime    = time.Hour        // of a set whose fetches fail
	minRSAModulusBits = 2048
)

// keyPlace is where a key set comes from.
type keyPlace struct {
	issuer    string
	file, url string // without both, discovery finds the address
}

// newKeyPlace returns the place of an issuer's keys. A relative path begins at the folder of the policies file.
func newKeyPlace(issuer access.Issuer, policiesPath string) keyPlace {
	p := keyPlace{issuer: issuer.Issuer.Value, file: issuer.JWKSFile.Value, url: issuer.JWKSURL.Value}
	if p.file != "" && !filepath.IsAbs(p.file) {
		p.file = filepath.Join(filepath.Dir(policiesPath), p.file)
	}
	return p
}

// KeySet holds the public keys of one issuer.
type KeySet struct {
	place keyPlace
	log   *slog.Logger
	now   func() time.Time
	fetch func(context.Context, keyPlace) ([]byte, error)

	mu          sync.Mutex
	fetching    chan struct{} // closed at the end of the fetch that is under way; nil for none
	keys        []jose.JSONWebKey
	text        [sha256.Size]byte // the digest of what the keys were read from
	fetched     time.Time         // the last success; zero for none
	tried       time.Time         // the last attempt
	unknownTime time.Time         // the last attempt for an unknown key
	failed      bool              // the last attempt
}

func (d *Directory) newKeySet(place keyPlace) *KeySet {
	return &KeySet{place: place, log: d.log, now: d.now, fetch: d.fetchKeys}
}

// find returns the key of a token. For an unknown kid it waits for the fetch that is under way, and then fetches the set again, at
// most once in ten seconds.
func (s *KeySet) find(ctx context.Context, h header) (jose.JSONWebKey, error) {
	key, err := s.findHeld(h)
	if !errors.Is(err, errUnknownKey) || s.place.file != "" {
		return key, err
	}
	if done := s.fetchUnderWay(); done != nil {
		waitFor(ctx, done)
		if key, err = s.findHeld(h); !errors.Is(err, errUnknownKey) {
			return key, err
		}
	}
	if done := s.beginFetchForUnknownKey(ctx); done != nil {
		waitFor(ctx, done)
	}
	return s.findHeld(h)
}

func waitFor(ctx context.Context, done <-chan struct{}) {
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// The reasons why a set has no key for a token.
var (
	errUnknownKey = errors.New("the kid of the token is unknown")
	errNoKeySet   = errors.New("the key set of the issuer is not there, or has become too old")
)

func (s *KeySet) findHeld(h header) (jose.JSONWebKey, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isFresh() {
		if s.fetched.IsZero() {
			return jose.JSONWebKey{}, errUnknownKey // the first fetch may be under way
		}
		return jose.JSONWebKey{}, errNoKeySet
	}
	var fitting []jose.JSONWebKey
	known := false
	for _, key := range s.keys {
		if h.hasKid && key.KeyID != h.kid {
			continue
		}
		known = true
		if keyFits(key, h.alg) {
			fitting = append(fitting, key)
		}
	}
	switch {
	case len(fitting) == 1:
		return fitting[0], nil
	case h.hasKid && !known:
		return jose.JSONWebKey{}, errUnknownKey
	case h.hasKid && len(fitting) == 0:
		return jose.JSONWebKey{}, errors.New("the key of the token does not fit its algorithm")
	case h.hasKid:
		return jose.JSONWebKey{}, errors.New("the set has several keys with the kid of the token")
	}
	return jose.JSONWebKey{}, errors.New("the token has no kid, and not exactly one key fits its algorithm")
}

// isFresh reports whether the set is there and not too old. The caller holds the lock.
func (s *KeySet) isFresh() bool {
	return !s.fetched.IsZero() && s.now().Sub(s.fetched) <= keySetLifetime
}

// digest returns the digest of the text of the set.
func (s *KeySet) digest() [sha256.Size]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text
}

// isStill reports whether the set may be used, and has the text that had this digest.
func (s *KeySet) isStill(digest [sha256.Size]byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isFresh() && s.text == digest
}

// keyFits reports whether a key is of the kind that an algorithm needs, and is declared neither for another algorithm nor for another use.
func keyFits(key jose.JSONWebKey, alg string) bool {
	if key.Algorithm != "" && key.Algorithm != alg || key.Use != "" && key.Use != "sig" {
		return false
	}
	switch public := key.Key.(type) {
	case *rsa.PublicKey:
		return strings.HasPrefix(alg, "RS") || strings.HasPrefix(alg, "PS")
	case *ecdsa.PublicKey:
		curve := map[string]string{"ES256": "P-256", "ES384": "P-384", "ES512": "P-521"}[alg]
		return curve != "" && public.Curve.Params().Name == curve
	case ed25519.PublicKey:
		return alg == "EdDSA"
	}
	return false
}

func (s *KeySet) fetchUnderWay() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fetching
}

// beginFetchForUnknownKey begins a fetch, unless the last one for an unknown key is not long enough ago. It returns nil where
// nothing is to be waited for.
func (s *KeySet) beginFetchForUnknownKey(ctx context.Context) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if s.fetching == nil && !s.unknownTime.IsZero() && now.Sub(s.unknownTime) < unknownKeyPause {
		return nil
	}
	if s.fetching == nil {
		s.unknownTime = now
	}
	return s.beginFetch(ctx)
}

// beginFetch begins a fetch, or joins the one that is under way. The caller holds the lock.
func (s *KeySet) beginFetch(ctx context.Context) <-chan struct{} {
	if s.fetching != nil {
		return s.fetching
	}
	done := make(chan struct{})
	s.fetching, s.tried = done, s.now()
	go func() {
		text, err := s.fetch(context.WithoutCancel(ctx), s.place) // a client that leaves must not spoil the set of the others
		s.keep(text, err)
		close(done)
	}()
	return done
}

// isDue reports whether the set is to be fetched: at the start, then every five minutes, after a failure sooner. A file is always read
// again.
func (s *KeySet) isDue() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	since := s.now().Sub(s.tried)
	return s.place.file != "" || s.tried.IsZero() || since >= keySetInterval || s.fetched.IsZero() && since >= unknownKeyPause
}

// refresh fetches the set, and waits for it.
func (s *KeySet) refresh(ctx context.Context) {
	s.mu.Lock()
	done := s.beginFetch(ctx)
	s.mu.Unlock()
	waitFor(ctx, done)
}

// keep ends a fetch: it keeps its keys, or the ones before.
func (s *KeySet) keep(text []byte, err error) {
	var keys []jose.JSONWebKey
	var skipped []string
	if err == nil {
		keys, skipped, err = parseKeySet(text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fetching = nil
	if err != nil {
		if !s.failed {
			s.log.Error("the key set of an issuer cannot be read; the last one stays for an hour", "issuer", s.place.issuer, "error", err)
		}
		s.failed = true
		return
	}
	if s.fetched.IsZero() || s.failed {
		s.log.Info("the key set of an issuer was read", "issuer", s.place.issuer, "keys", len(keys))
	}
	for _, reason := range skipped {
		if s.place.file == "" || s.fetched.IsZero() { // a file is read every few seconds
			s.log.Warn("a key of an issuer was skipped", "issuer", s.place.issuer, "reason", reason)
		}
	}
	s.keys, s.text, s.fetched, s.failed = keys, sha256.Sum256(text), s.now(), false
}

// ageSeconds returns the time since the set was last read; false where it never was.
func (s *KeySet) ageSeconds() (float64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now().Sub(s.fetched).Seconds(), !s.fetched.IsZero()
}

// parseKeySet reads a JSON Web Key Set. A key that cannot be used is skipped, with the reason.
func parseKeySet(text []byte) (keys []jose.JSONWebKey, skipped []string, err error) {
	var set struct {
		Keys *[]json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(text, &set); err != nil || set.Keys == nil {
		return nil, nil, errors.New("the text is not a JSON Web Key Set")
	}
	for _, text := range *set.Keys {
		var key jose.JSONWebKey
		if err := key.UnmarshalJSON(text); err != nil {
			skipped = append(skipped, "the key cannot be read")
			continue
		}
		if reason := unusableKeyReason(key); reason != "" {
			skipped = append(skipped, reason)
			continue
		}
		keys = append(keys, key)
	}
	return keys, skipped, nil
}

func unusableKeyReason(key jose.JSONWebKey) string {
	switch public := key.Key.(type) {
	case *rsa.PublicKey:
		if public.N.BitLen() < minRSAModulusBits {
			return "the RSA key has fewer than 2048 bits"
		}
		return ""
	case *ecdsa.PublicKey, ed25519.PublicKey:
		return ""
	case []byte:
		return "the key is a shared secret"
	}
	return "the key is not a public key for signatures"
}
