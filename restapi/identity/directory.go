package identity

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"github.com/semlayer/semlayer/modelspec/access"
)

// ErrUnauthorized is the error of every refused token.
var ErrUnauthorized = errors.New("a valid bearer token is needed")

// Caller is the identity behind a token.
type Caller struct {
	// Known reports whether a token, or the program, vouched for the caller; false where the service is open.
	Known bool
	// Named reports whether the token belongs to an identity; a plain token opens the service without one.
	Named    bool
	Identity access.Identity
	// Policies is the revision of the policies file that the identity was typed by; nil without a file.
	Policies *access.File
	// Expires is when the token ends, with the skew of its issuer; the zero time for a static token.
	Expires time.Time

	claims   access.Claims
	digest   [sha256.Size]byte // of a static token
	bearer   string            // "" for a static token
	keys     *KeySet           // that verified the bearer value; nil for a static token
	keysText [sha256.Size]byte // the digest of the key set then
	revision *revision
}

// Config holds the settings of a Directory.
type Config struct {
	Logger *slog.Logger     // nil means slog.Default
	Now    func() time.Time // nil means time.Now
	Client *http.Client     // of key sets, for tests; its redirects and timeouts are set here
}

// Directory finds the callers of tokens. Its methods may be called at the same time.
type Directory struct {
	log      *slog.Logger
	now      func() time.Time
	client   *http.Client
	revision atomic.Pointer[revision]

	mu    sync.Mutex // of Replace
	stale atomic.Bool

	queueMS     atomic.Int64
	buckets     *lru.Cache[string, *rate.Limiter]
	rateLimited atomic.Int64
}

// revision is what a request sees from its start to its end.
type revision struct {
	tokens    []access.Token
	file      *access.File // nil without a policies file
	verifiers []*verifier
}

// New returns a Directory without tokens and policies.
func New(c Config) *Directory {
	d := &Directory{log: c.Logger, now: c.Now, buckets: newBuckets()}
	if d.log == nil {
		d.log = slog.Default()
	}
	if d.now == nil {
		d.now = time.Now
	}
	d.client = newKeyClient(c.Client)
	d.revision.Store(&revision{})
	return d
}

// Replace makes these the tokens and the policies, from the next request on; nil stands for the lack of a policies file. Key sets of issuers that stay
// are kept.
func (d *Directory) Replace(tokens []access.Token, file *access.File) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := &revision{tokens: slices.Clone(tokens), file: file}
	if err := checkDistinctTokens(tokens); err != nil {
		return err
	}
	if file != nil {
		known := d.revision.Load().verifiers
		for _, issuer := range file.Issuers {
			r.verifiers = append(r.verifiers, d.newVerifier(issuer, file, known))
		}
	}
	if before := d.revision.Load(); !before.isOpen() && r.isOpen() {
		return errors.New("a service that needs tokens keeps at least one token or issuer")
	}
	d.revision.Store(r)
	return nil
}

// ReplaceTokens is Replace with the policies that are there.
func (d *Directory) ReplaceTokens(tokens []access.Token) error {
	return d.Replace(tokens, d.Policies())
}

// checkDistinctTokens rejects one token for two identities, of which it could only name one.
func checkDistinctTokens(tokens []access.Token) error {
	named := map[[sha256.Size]byte]bool{}
	for _, t := range tokens {
		before, twice := named[t.Digest]
		if twice && (before || t.Named) {
			return errors.New("two tokens are equal, and one of them belongs to an identity")
		}
		named[t.Digest] = t.Named
	}
	return nil
}

// Policies returns the revision of the policies file, nil without one.
func (d *Directory) Policies() *access.File { return d.revision.Load().file }

// IsOpen reports whether no caller needs a token: there is neither a token nor an issuer, and no role.
func (d *Directory) IsOpen() bool { return d.revision.Load().isOpen() }

func (r *revision) isOpen() bool {
	return len(r.tokens) == 0 && len(r.verifiers) == 0 && (r.file == nil || !r.file.HasRoles())
}

// Tokens returns the static tokens whose secret is known.
func (d *Directory) Tokens() []access.Token {
	return slices.DeleteFunc(slices.Clone(d.revision.Load().tokens), func(t access.Token) bool { return t.Secret == "" })
}

// TakesBearer reports whether there are callers that only their bearer value identifies: those of issuers, and those of tokens whose
// digest alone is known.
func (d *Directory) TakesBearer() bool {
	r := d.revision.Load()
	return len(r.verifiers) > 0 || slices.ContainsFunc(r.tokens, func(t access.Token) bool { return t.Secret == "" })
}

// SetStale notes whether the last revision is kept because a file is invalid or missing.
func (d *Directory) SetStale(stale bool) { d.stale.Store(stale) }

// SignIn finds the caller of a bearer value; any value where the service is open. The error is ErrUnauthorized.
func (d *Directory) SignIn(ctx context.Context, bearer string) (Caller, error) {
	r := d.revision.Load()
	if r.isOpen() {
		return Caller{Policies: r.file, revision: r}, nil
	}
	if caller, ok := r.findStatic(sha256.Sum256([]byte(bearer))); ok {
		return caller, nil
	}
	if len(r.verifiers) == 0 {
		return Caller{}, ErrUnauthorized
	}
	caller, err := d.verifyJWT(ctx, r, bearer)
	if err != nil {
		d.log.InfoContext(ctx, "a bearer token was refused", "reason", err.Error())
		return Caller{}, ErrUnauthorized
	}
	return caller, nil
}

// Key returns a key that is different for callers of different identities, and the same for the tokens of one.
func (c Caller) Key() string {
	if !c.Named {
		return string(c.digest[:])
	}
	return c.Identity.Issuer + "\x00" + c.Identity.Name
}

// findStatic compares a digest with those of all tokens: the time depends neither on the length nor on the position of the one
// that is equal.
func (r *revision) findStatic(digest [sha256.Size]byte) (Caller, bool) {
	found := -1
	for i := range r.tokens {
		equal := subtle.ConstantTimeCompare(r.tokens[i].Digest[:], digest[:])
		found = subtle.ConstantTimeSelect(equal, i, found)
	}
	if found < 0 {
		return Caller{}, false
	}
	return r.newCaller(Caller{Named: r.tokens[found].Named, claims: r.tokens[found].Claims, digest: digest}), true
}

// newCaller gives the claims of a caller the types of the revision.
func (r *revision) newCaller(c Caller) Caller {
	c.Known, c.Policies, c.revision = true, r.file, r
	if r.file != nil {
		c.Identity = r.file.NewIdentity(c.claims)
	} else {
		c.Identity = access.Identity{Name: c.claims.Name, Issuer: c.claims.Issuer, Roles: c.claims.Roles}
	}
	return c
}

// CallerOf returns the caller of claims that a program vouches for itself.
func (d *Directory) CallerOf(c access.Claims) Caller {
	return d.revision.Load().newCaller(Caller{Named: true, claims: c})
}

// CallerOfToken returns the caller of a static token that a client has proved to know otherwise.
func (d *Directory) CallerOfToken(t access.Token) (Caller, error) {
	if caller, ok := d.revision.Load().findStatic(t.Digest); ok {
		return caller, nil
	}
	return Caller{}, ErrUnauthorized
}

// Renew judges a caller again, for a session that goes on: by the newest tokens, policies and key sets, and by the clock. The error is
// ErrUnauthorized.
func (d *Directory) Renew(ctx context.Context, c Caller) (Caller, error) {
	r := d.revision.Load()
	switch {
	case c.bearer != "" && (r != c.revision || !d.now().Before(c.Expires) || !c.keys.isStill(c.keysText)):
		return d.SignIn(ctx, c.bearer)
	case c.bearer == "" && r != c.revision:
		if renewed, ok := r.findStatic(c.digest); ok {
			return renewed, nil
		}
		return Caller{}, ErrUnauthorized
	}
	return c, nil
}

var (
	staleDescription       = prometheus.NewDesc("semlayer_policies_stale", "1 while an invalid or missing policies file or token file leaves its last valid revision in force.", nil, nil)
	rateLimitedDescription = prometheus.NewDesc("semlayer_rate_limited_total", "Requests that were rejected because their caller had sent too many.", nil, nil)
	keyAgeDescription      = prometheus.NewDesc("semlayer_jwks_age_seconds", "Time since the key set of an issuer was read.", []string{"issuer"}, nil)
)

// Describe sends the descriptions of the measurements.
func (d *Directory) Describe(to chan<- *prometheus.Desc) {
	to <- staleDescription
	to <- rateLimitedDescription
	to <- keyAgeDescription
}

// Collect sends the measurements.
func (d *Directory) Collect(to chan<- prometheus.Metric) {
	r := d.revision.Load()
	if r.file == nil {
		return
	}
	stale := 0.0
	if d.stale.Load() {
		stale = 1
	}
	to <- prometheus.MustNewConstMetric(staleDescription, prometheus.GaugeValue, stale)
	to <- prometheus.MustNewConstMetric(rateLimitedDescription, prometheus.CounterValue, float64(d.rateLimited.Load()))
	for _, v := range r.verifiers {
		if age, ok := v.keys.ageSeconds(); ok {
			to <- prometheus.MustNewConstMetric(keyAgeDescription, prometheus.GaugeValue, age, v.issuer.Issuer.Value)
		}
	}
}
