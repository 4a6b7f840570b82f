package identity_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/restapi/identity"
)

// provider is an issuer with a discovery document and a key set, both of which a test can change.
type provider struct {
	*httptest.Server
	mu         sync.Mutex
	keys       []byte
	status     int
	issuer     string // of the document; "" for its own
	jwksURI    string // of the document; "" for its own
	fetches    atomic.Int64
	discovered atomic.Int64
}

func startProvider(t *testing.T) *provider {
	p := &provider{keys: usualKeys(), status: http.StatusOK}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		p.discovered.Add(1)
		p.mu.Lock()
		defer p.mu.Unlock()
		issuer, uri := p.issuer, p.jwksURI
		if issuer == "" {
			issuer = p.URL
		}
		if uri == "" {
			uri = p.URL + "/keys"
		}
		_, _ = fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":%q}`, issuer, uri)
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, r *http.Request) {
		p.fetches.Add(1)
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.status == http.StatusFound {
			http.Redirect(w, r, "/elsewhere", p.status)
			return
		}
		w.WriteHeader(p.status)
		_, _ = w.Write(p.keys)
	})
	mux.HandleFunc("/elsewhere", func(w http.ResponseWriter, _ *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		_, _ = w.Write(p.keys)
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

func (p *provider) set(keys []byte, status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys, p.status = keys, status
}

// fakeClock is a clock that a test moves.
type fakeClock struct{ nanoseconds atomic.Int64 }

func newFakeClock() *fakeClock {
	c := &fakeClock{}
	c.nanoseconds.Store(begin.UnixNano())
	return c
}

func (c *fakeClock) now() time.Time           { return time.Unix(0, c.nanoseconds.Load()) }
func (c *fakeClock) advance(by time.Duration) { c.nanoseconds.Add(int64(by)) }

// discovering returns a directory whose issuer is the provider.
func discovering(t *testing.T, p *provider, clock *fakeClock, keys string) (*identity.Directory, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	d := identity.New(identity.Config{Now: clock.now, Logger: slog.New(slog.NewTextHandler(&log, nil)), Client: p.Client()})
	file, findings := access.Parse("p.yaml", []byte("version: 1\nissuers: [{issuer: \""+p.URL+"\", audience: [semlayer]"+keys+"}]"))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	if err := d.Replace(nil, file); err != nil {
		t.Fatal(err)
	}
	return d, &log
}

func (p *provider) token(clock *fakeClock, kid string) string {
	claims := with(with(usualClaims(), "iss", p.URL), "exp", clock.now().Unix()+600)
	return signParts(ecKey, with(usualHeader(), "kid", kid), claims)
}

func accepts(t *testing.T, d *identity.Directory, token string) bool {
	t.Helper()
	_, err := d.SignIn(t.Context(), token)
	return err == nil
}

func TestKeySet_DiscoveryAndAddress(t *testing.T) {
	for name, keys := range map[string]string{"discovery": "", "address": ", jwks_url: \"%s/keys\""} {
		t.Run(name, func(t *testing.T) {
			p, clock := startProvider(t), newFakeClock()
			d, _ := discovering(t, p, clock, strings.Replace(keys, "%s", p.URL, 1))
			d.RefreshKeys(t.Context())
			if !accepts(t, d, p.token(clock, "ec")) {
				t.Error("refused")
			}
			if want := map[string]int64{"discovery": 1, "address": 0}[name]; p.discovered.Load() != want || p.fetches.Load() != 1 {
				t.Errorf("%d documents, %d sets", p.discovered.Load(), p.fetches.Load())
			}
		})
	}
}

func TestKeySet_RefusesADiscoveryDocumentOfAnother(t *testing.T) {
	for _, tt := range []struct{ name, issuer, uri, reason string }{
		{"another issuer", "https://attacker.example", "", "names another issuer"},
		{"a slash more", "URL/", "", "names another issuer"},
		{"keys without TLS", "", "http://attacker.example/keys", "is not an address with https"},
		{"keys in a file", "", "file:///etc/passwd", "is not an address with https"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, clock := startProvider(t), newFakeClock()
			p.issuer, p.jwksURI = strings.Replace(tt.issuer, "URL", p.URL, 1), tt.uri
			d, log := discovering(t, p, clock, "")
			d.RefreshKeys(t.Context())
			if accepts(t, d, p.token(clock, "ec")) || p.fetches.Load() > 0 || !strings.Contains(log.String(), tt.reason) {
				t.Errorf("%d fetches\n%s", p.fetches.Load(), log)
			}
		})
	}
}

func TestKeySet_FetchesEveryFiveMinutes(t *testing.T) {
	p, clock := startProvider(t), newFakeClock()
	d, _ := discovering(t, p, clock, "")
	d.RefreshKeys(t.Context())
	clock.advance(5*time.Minute - time.Second)
	d.RefreshKeys(t.Context())
	if p.fetches.Load() != 1 {
		t.Errorf("%d fetches", p.fetches.Load())
	}
	clock.advance(time.Second)
	p.set(keySetText(jose.JSONWebKey{KeyID: "new", Key: ecKey.Public()}), http.StatusOK)
	d.RefreshKeys(t.Context())
	if p.fetches.Load() != 2 {
		t.Errorf("%d fetches", p.fetches.Load())
	}
	if accepts(t, d, p.token(clock, "ec")) {
		t.Error("a key that has left the set is accepted")
	}
	if !accepts(t, d, p.token(clock, "new")) {
		t.Error("the new key is refused")
	}
}

func TestKeySet_UnknownKidFetchesAtMostOnceInTenSeconds(t *testing.T) {
	p, clock := startProvider(t), newFakeClock()
	d, _ := discovering(t, p, clock, "")
	d.RefreshKeys(t.Context())
	p.set(keySetText(jose.JSONWebKey{KeyID: "new", Key: ecKey.Public()}), http.StatusOK)
	clock.advance(time.Second)
	if !accepts(t, d, p.token(clock, "new")) || p.fetches.Load() != 2 {
		t.Errorf("a rotated key is refused after %d fetches", p.fetches.Load())
	}
	for range 50 {
		if accepts(t, d, p.token(clock, "guess")) {
			t.Fatal("accepted")
		}
	}
	if p.fetches.Load() != 2 {
		t.Errorf("%d fetches within ten seconds", p.fetches.Load())
	}
	clock.advance(10 * time.Second)
	if accepts(t, d, p.token(clock, "guess")) || p.fetches.Load() != 3 {
		t.Errorf("%d fetches", p.fetches.Load())
	}
}

func TestKeySet_RotationUnderLoad(t *testing.T) {
	p, clock := startProvider(t), newFakeClock()
	d, _ := discovering(t, p, clock, "")
	d.RefreshKeys(t.Context())
	p.set(keySetText(jose.JSONWebKey{KeyID: "new", Key: ecKey.Public()}), http.StatusOK)
	token := p.token(clock, "new")
	var refused atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			if _, err := d.SignIn(t.Context(), token); err != nil {
				refused.Add(1)
			}
		})
	}
	all.Wait()
	if refused.Load() > 0 || p.fetches.Load() != 2 {
		t.Errorf("%d of 64 refused, %d fetches", refused.Load(), p.fetches.Load())
	}
}

func TestKeySet_KeepsTheLastSetForAnHour(t *testing.T) {
	for _, status := range []int{http.StatusInternalServerError, http.StatusFound, http.StatusOK} {
		p, clock := startProvider(t), newFakeClock()
		d, log := discovering(t, p, clock, "")
		d.RefreshKeys(t.Context())
		p.set([]byte(`{"keys":1}`+strings.Repeat(" ", 10)), status)
		for range 12 {
			clock.advance(5 * time.Minute)
			d.RefreshKeys(t.Context())
			if !accepts(t, d, p.token(clock, "ec")) {
				t.Fatalf("status %d: refused within the hour", status)
			}
		}
		clock.advance(time.Second)
		if accepts(t, d, p.token(clock, "ec")) {
			t.Errorf("status %d: accepted after an hour", status)
		}
		if got := strings.Count(log.String(), "cannot be read"); got != 1 {
			t.Errorf("status %d: the failure is logged %d times", status, got)
		}
		clock.advance(5 * time.Minute)
		p.set(usualKeys(), http.StatusOK)
		d.RefreshKeys(t.Context())
		if !accepts(t, d, p.token(clock, "ec")) {
			t.Errorf("status %d: refused after the set came back", status)
		}
	}
}

func TestKeySet_RefusesALargeDocument(t *testing.T) {
	p, clock := startProvider(t), newFakeClock()
	p.set(append(usualKeys(), bytes.Repeat([]byte(" "), 1<<20)...), http.StatusOK)
	d, log := discovering(t, p, clock, "")
	d.RefreshKeys(t.Context())
	if accepts(t, d, p.token(clock, "ec")) || !strings.Contains(log.String(), "has more than 1048576 bytes") {
		t.Error(log)
	}
}

func TestReplace_KeepsTheKeySetsOfIssuersThatStay(t *testing.T) {
	p, clock := startProvider(t), newFakeClock()
	d, _ := discovering(t, p, clock, "")
	d.RefreshKeys(t.Context())
	file, _ := access.Parse("p.yaml", []byte("version: 1\nissuers: [{issuer: \""+p.URL+"\", audience: [semlayer], name_claim: iss}]"))
	if err := d.Replace(nil, file); err != nil {
		t.Fatal(err)
	}
	if caller, err := d.SignIn(t.Context(), p.token(clock, "ec")); err != nil || caller.Identity.Name != p.URL || p.fetches.Load() != 1 {
		t.Errorf("%v, %d fetches", err, p.fetches.Load())
	}
}

func TestRenew_RefusesATokenWhoseKeyHasLeftTheSet(t *testing.T) {
	for name, change := range map[string]func(*provider, *fakeClock, *identity.Directory){
		"the set has another key": func(p *provider, clock *fakeClock, d *identity.Directory) {
			p.set(keySetText(jose.JSONWebKey{KeyID: "other", Key: otherKey.Public()}), http.StatusOK)
			clock.advance(5 * time.Minute)
			d.RefreshKeys(t.Context())
		},
		"the kid has another key": func(p *provider, clock *fakeClock, d *identity.Directory) {
			p.set(keySetText(jose.JSONWebKey{KeyID: "ec", Key: otherKey.Public()}), http.StatusOK)
			clock.advance(5 * time.Minute)
			d.RefreshKeys(t.Context())
		},
		"the set cannot be read for more than an hour": func(p *provider, clock *fakeClock, d *identity.Directory) {
			p.set(nil, http.StatusInternalServerError)
			clock.advance(time.Hour + time.Second)
			d.RefreshKeys(t.Context())
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, clock := startProvider(t), newFakeClock()
			d, _ := discovering(t, p, clock, "")
			d.RefreshKeys(t.Context())
			claims := with(with(usualClaims(), "iss", p.URL), "exp", clock.now().Unix()+7200)
			caller, err := d.SignIn(t.Context(), signParts(ecKey, usualHeader(), claims))
			if err != nil {
				t.Fatal(err)
			}
			if caller, err = d.Renew(t.Context(), caller); err != nil {
				t.Fatal(err)
			}
			p.set(append(usualKeys(), '\n'), http.StatusOK) // the same keys in another text
			clock.advance(5 * time.Minute)
			d.RefreshKeys(t.Context())
			if caller, err = d.Renew(t.Context(), caller); err != nil {
				t.Fatal(err)
			}
			change(p, clock, d)
			if _, err := d.Renew(t.Context(), caller); !errors.Is(err, identity.ErrUnauthorized) {
				t.Errorf("the session goes on: %v", err)
			}
		})
	}
}
