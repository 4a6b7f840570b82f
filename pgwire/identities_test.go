package pgwire_test

import (
	"context"
	"crypto/tls"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/pgwire"
)

// fakeIdentities are callers by password; a test changes them while sessions run.
type fakeIdentities struct {
	mu      sync.Mutex
	file    *access.File
	tokens  []access.Token
	bearers map[string]access.Claims
	counted int // statements over the model
}

var errNobody = errors.New("the password is nobody's")

func newFakeIdentities(t *testing.T, policies, tokens string) *fakeIdentities {
	t.Helper()
	file, findings := access.Parse("policies.yaml", []byte(policies))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	list, _, err := access.ParseTokens(tokens)
	if err != nil {
		t.Fatal(err)
	}
	return &fakeIdentities{file: file, tokens: list, bearers: map[string]access.Claims{}}
}

func (f *fakeIdentities) IsOpen() bool           { return false }
func (f *fakeIdentities) TakesBearer() bool      { return true }
func (f *fakeIdentities) Tokens() []access.Token { f.mu.Lock(); defer f.mu.Unlock(); return f.tokens }

func (f *fakeIdentities) SignInToken(t access.Token) (pgwire.Caller, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, held := range f.tokens {
		if held.Digest == t.Digest {
			return f.caller(held.Claims, func(context.Context) (pgwire.Caller, error) { return f.SignInToken(t) }), nil
		}
	}
	return pgwire.Caller{}, errNobody
}

func (f *fakeIdentities) SignIn(_ context.Context, password string) (pgwire.Caller, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	claims, ok := f.bearers[password]
	if !ok {
		return pgwire.Caller{}, errNobody
	}
	return f.caller(claims, func(ctx context.Context) (pgwire.Caller, error) { return f.SignIn(ctx, password) }), nil
}

func (f *fakeIdentities) caller(c access.Claims, renew func(context.Context) (pgwire.Caller, error)) pgwire.Caller {
	return pgwire.Caller{Key: c.Name, Named: c.Name != "", Identity: f.file.NewIdentity(c), Policies: f.file, Renew: renew, Admit: func(string) (access.Quota, error) {
		f.change(func() { f.counted++ })
		return access.Quota{}, nil
	}}
}

func (f *fakeIdentities) change(how func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	how()
}

const portPolicies = `
version: 1
attributes: {regions: {type: string, list: true}}
roles:
  regional: {datasets: {orders: {rows: "status IN (:user.regions)", fields: all}}}
  admin: {all: true}
`

const portTokens = `plain
{"name": "dash", "token": "dash-token", "roles": ["regional"], "attributes": {"regions": ["north"]}}
{"name": "half", "token": "half-token", "roles": ["regional"]}
`

func (p *port) urlOf(user, password string) string {
	return strings.Replace(p.url(password), "://me", "://"+user, 1)
}

func TestIdentities_UserIsTheIdentityOrTheService(t *testing.T) {
	f := newFakeIdentities(t, portPolicies, portTokens)
	p := startPort(t, func(c *pgwire.Config) { c.Identities = f })
	for _, tt := range []struct{ user, password, state string }{
		{"dash", "dash-token", ""},
		{"semlayer", "dash-token", ""},
		{"me", "dash-token", "28000"},
		{"Dash", "dash-token", "28000"},
		{"half", "dash-token", "28000"},
		{"dash", "wrong", "28P01"},
		{"half", "half-token", "28000"},
		{"semlayer", "plain", "28000"},
	} {
		conn, err := pgconn.Connect(t.Context(), p.urlOf(tt.user, tt.password))
		if stateOf(err) != tt.state {
			t.Errorf("%s with %s: %v", tt.user, tt.password, err)
		}
		if err == nil {
			_ = conn.Close(t.Context())
		}
	}
	free := newFakeIdentities(t, "version: 1", portTokens)
	connect(t, startPort(t, func(c *pgwire.Config) { c.Identities = free }).urlOf("anyone", "dash-token"))
}

func TestIdentities_BearerNeedsTLSAndTheUserJWT(t *testing.T) {
	f := newFakeIdentities(t, portPolicies, portTokens)
	bearer := strings.Repeat("b", 12<<10)
	f.bearers[bearer] = access.Claims{Name: "ana", Issuer: "https://id.example.com", Roles: []string{"admin"}}
	own := certificate(t)
	p := startPort(t, func(c *pgwire.Config) {
		c.Identities = f
		c.TLS = func() (*tls.Certificate, error) { return own, nil }
	})
	secure := func(user, password string) string {
		return strings.Replace(p.urlOf(user, password), "sslmode=disable", "sslmode=require", 1)
	}
	c := connect(t, secure("jwt", bearer)).PgConn()
	if _, err := run(c, "SELECT MEASURE(revenue) FROM orders"); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct{ url, state string }{
		{p.urlOf("jwt", bearer), "28000"},
		{secure("jwt", "forged"), "28P01"},
		{secure("jwt", "dash-token"), "28P01"},
		{secure("ana", bearer[:9000]), "28P01"},
	} {
		if _, err := pgconn.Connect(t.Context(), tt.url); stateOf(err) != tt.state {
			t.Errorf("%.40s: %v", tt.url, err)
		}
	}
	// The server closes before it has read the message, and the client may find the connection closed.
	if _, err := pgconn.Connect(t.Context(), secure("jwt", strings.Repeat("b", 20<<10))); err == nil {
		t.Error("a long bearer value is accepted")
	}
	f.change(func() { delete(f.bearers, bearer) })
	if _, err := run(c, "SHOW TimeZone"); stateOf(err) != "28000" {
		t.Errorf("a bearer value that has ended: %v", err)
	}
}

func TestIdentities_AreJudgedBeforeEveryStatement(t *testing.T) {
	f := newFakeIdentities(t, portPolicies, portTokens)
	p := startPort(t, func(c *pgwire.Config) { c.Identities = f })
	first, second := connect(t, p.urlOf("dash", "dash-token")).PgConn(), connect(t, p.urlOf("dash", "dash-token")).PgConn()
	if _, err := run(first, "SHOW TimeZone"); err != nil {
		t.Fatal(err)
	}
	f.change(func() { f.tokens[1].Claims.Attributes = nil })
	if _, err := run(first, "SHOW TimeZone"); stateOf(err) != "28000" || !strings.Contains(err.Error(), "the attribute regions of the identity is missing") {
		t.Errorf("an identity that is incomplete: %v", err)
	}
	f.change(func() { f.tokens = f.tokens[:1] })
	if _, err := run(second, "SHOW TimeZone"); stateOf(err) != "28000" {
		t.Errorf("a removed token: %v", err)
	}
}

func TestIdentities_ModelsThatTheyDoNotReachDoNotExist(t *testing.T) {
	policies := "version: 1\nmodels: {other: {roles: {a: {all: true}}}, shop: {roles: {b: {all: true}}}}"
	f := newFakeIdentities(t, policies, `{"name":"dash","token":"dash-token","roles":["b"]}`+"\n"+`{"name":"odd","token":"odd-token","roles":["a"]}`)
	p := startPort(t, func(c *pgwire.Config) { c.Identities = f })
	connect(t, p.urlOf("dash", "dash-token"))
	if _, err := pgconn.Connect(t.Context(), p.urlOf("odd", "odd-token")); stateOf(err) != "28000" {
		t.Errorf("an identity that is complete in no model: %v", err)
	}
	if err := p.server.ReplaceModels(pgwire.Models{List: []pgwire.Model{{Name: "shop", Service: p.engine}, {Name: "other", Service: p.engine}}, Default: "shop"}); err != nil {
		t.Fatal(err)
	}
	absent := strings.Replace(p.urlOf("odd", "odd-token"), "/shop?", "/absent?", 1)
	_, hidden := pgconn.Connect(t.Context(), p.urlOf("odd", "odd-token"))
	_, none := pgconn.Connect(t.Context(), absent)
	if stateOf(hidden) != "3D000" || stateOf(none) != "3D000" {
		t.Errorf("%v\n%v", hidden, none)
	}
	connect(t, strings.Replace(p.urlOf("odd", "odd-token"), "/shop?", "/other?", 1))
}

func TestIdentities_EveryStatementCountsOnce(t *testing.T) {
	f := newFakeIdentities(t, portPolicies, `{"name":"root","token":"root-token","roles":["admin"]}`)
	p := startPort(t, func(c *pgwire.Config) { c.Identities = f })
	c := connect(t, p.urlOf("root", "root-token")).PgConn()
	const query = "SELECT MEASURE(revenue) FROM orders"
	simple := func(text string) func() error {
		return func() error { _, err := run(c, text); return err }
	}
	prepare := func(name, text string) func() error {
		return func() error { _, err := c.Prepare(t.Context(), name, text, nil); return err }
	}
	execute := func(name string, params ...[]byte) func() error {
		return func() error { return c.ExecPrepared(t.Context(), name, params, nil, nil).Read().Err }
	}
	const conditioned = query + " WHERE status = $1"
	for _, tt := range []struct {
		does string
		do   func() error
		want int
	}{
		{"a simple query", simple(query), 1},
		{"two of them in a message", simple(query + ";" + query), 2},
		{"EXPLAIN", simple("EXPLAIN " + query), 1},
		{"COPY", simple("COPY (" + query + ") TO STDOUT"), 1},
		{"a cursor", simple("BEGIN; DECLARE held CURSOR FOR " + query + "; FETCH 1 FROM held; FETCH 1 FROM held; COMMIT"), 1},
		{"PREPARE", simple("PREPARE kept AS " + query), 1},
		{"its first EXECUTE", simple("EXECUTE kept"), 0},
		{"its second EXECUTE", simple("EXECUTE kept"), 1},
		{"Parse and Describe", prepare("named", query), 1},
		{"the first Execute", execute("named"), 0},
		{"the second Execute", execute("named"), 1},
		{"Parse and Describe with a parameter", prepare("conditioned", conditioned), 1},
		{"the first Execute with a parameter", execute("conditioned", []byte("completed")), 0},
		{"the second Execute with a parameter", execute("conditioned", []byte("completed")), 1},
		{"Parse and Describe of EXPLAIN", prepare("explained", "EXPLAIN "+query), 1},
		{"the first Execute of EXPLAIN", execute("explained"), 0},
		{"the second Execute of EXPLAIN", execute("explained"), 1},
		{"an unnamed statement", func() error { return c.ExecParams(t.Context(), query, nil, nil, nil, nil).Read().Err }, 1},
		{"an unnamed statement with a parameter", func() error {
			return c.ExecParams(t.Context(), conditioned, [][]byte{[]byte("completed")}, nil, nil, nil).Read().Err
		}, 1},
		{"SHOW", simple("SHOW TimeZone"), 0},
	} {
		f.change(func() { f.counted = 0 })
		err := tt.do()
		var got int
		f.change(func() { got = f.counted })
		if got != tt.want || err != nil {
			t.Errorf("%s counts %d times, not %d: %v", tt.does, got, tt.want, err)
		}
	}
}

// A session that waits ends when its token is removed, and gives back what its cursor holds. Another one goes on, over TLS too.
func TestIdentities_IdleSessionsEndWithTheirTokens(t *testing.T) {
	t.Parallel()
	f := newFakeIdentities(t, portPolicies, portTokens+`{"name": "boss", "token": "boss-token", "roles": ["admin"]}`+"\n")
	own := certificate(t)
	p := startPort(t, func(c *pgwire.Config) {
		c.Identities = f
		c.TLS = func() (*tls.Certificate, error) { return own, nil }
	})
	url := p.urlOf("dash", "dash-token")
	stays, encrypted := connect(t, url).PgConn(), connect(t, strings.Replace(url, "sslmode=disable", "sslmode=require", 1)).PgConn()
	leaves := connect(t, p.urlOf("boss", "boss-token")).PgConn()
	if _, err := run(leaves, "BEGIN; DECLARE c CURSOR FOR SELECT n FROM numbers; FETCH 1 FROM c"); err != nil {
		t.Fatal(err)
	}
	if !p.isBusy() {
		t.Fatal("the cursor is not open")
	}
	f.change(func() {
		f.tokens = slices.DeleteFunc(f.tokens, func(k access.Token) bool { return k.Claims.Name == "boss" })
	})
	within, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := leaves.WaitForNotification(within); stateOf(err) != "28000" {
		t.Errorf("a session that waits: %v", err)
	}
	testwait.Until(t, "the cursor to end", func() bool { return !p.isBusy() })
	for _, c := range []*pgconn.PgConn{stays, encrypted} {
		if _, err := run(c, "SHOW TimeZone"); err != nil {
			t.Errorf("a session whose token stays: %v", err)
		}
	}
}
