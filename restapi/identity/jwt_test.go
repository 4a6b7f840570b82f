package identity_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/restapi/identity"
)

// begin is the time of the fake clock.
var begin = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

const issuerName = "https://id.example.com"

// The keys of the tests, by kid.
var (
	rsaKey          = must(rsa.GenerateKey(rand.Reader, 2048))
	ecKey           = must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	otherKey        = must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	edPublic, edKey = mustPair(ed25519.GenerateKey(rand.Reader))
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func mustPair[A, B any](a A, b B, err error) (A, B) {
	if err != nil {
		panic(err)
	}
	return a, b
}

func keySetText(keys ...jose.JSONWebKey) []byte {
	return must(json.Marshal(jose.JSONWebKeySet{Keys: keys}))
}

// usualKeys is the set that most tests use: the kid is the name of the key's kind.
func usualKeys() []byte {
	return keySetText(
		jose.JSONWebKey{KeyID: "rsa", Key: rsaKey.Public(), Use: "sig", Algorithm: "RS256"},
		jose.JSONWebKey{KeyID: "ec", Key: ecKey.Public()},
		jose.JSONWebKey{KeyID: "ed", Key: edPublic, Use: "sig"},
		jose.JSONWebKey{KeyID: "encryption", Key: otherKey.Public(), Use: "enc"},
		jose.JSONWebKey{KeyID: "other-algorithm", Key: otherKey.Public(), Algorithm: "ES384"},
	)
}

func base64url(v any) string {
	text, ok := v.(string)
	if !ok {
		text = string(must(json.Marshal(v)))
	}
	return base64.RawURLEncoding.EncodeToString([]byte(text))
}

// signParts signs a header and a payload, each a map or the text of JSON, by ES256 with the key. It shares no code with the verifier.
func signParts(key *ecdsa.PrivateKey, header, payload any) string {
	input := base64url(header) + "." + base64url(payload)
	digest := sha256.Sum256([]byte(input))
	r, s := mustPair(ecdsa.Sign(rand.Reader, key, digest[:]))
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return input + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func usualHeader() map[string]any { return map[string]any{"alg": "ES256", "kid": "ec"} }

func usualClaims() map[string]any {
	return map[string]any{"iss": issuerName, "aud": "semlayer", "sub": "ana", "exp": begin.Unix() + 600}
}

func with(m map[string]any, key string, value any) map[string]any {
	m = maps.Clone(m)
	m[key] = value
	return m
}

func without(m map[string]any, key string) map[string]any {
	m = maps.Clone(m)
	delete(m, key)
	return m
}

const usualPolicies = `
version: 1
attributes: {tenant: {type: int}, regions: {type: string, list: true}}
issuers:
  - issuer: ` + issuerName + `
    audience: [semlayer, other]
    jwks_file: keys.json
    roles_claim: org.groups
    attributes: {tenant: org.tenant, regions: "https://example.com/regions"}
`

// opened returns a directory whose one issuer has the key set.
func opened(t testing.TB, policies string, keys []byte, clock func() time.Time, log *slog.Logger) *identity.Directory {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "keys.json"), keys, 0o600); err != nil {
		t.Fatal(err)
	}
	file, findings := access.Parse(filepath.Join(folder, "policies.yaml"), []byte(policies))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	d := identity.New(identity.Config{Now: clock, Logger: log})
	if err := d.Replace(nil, file); err != nil {
		t.Fatal(err)
	}
	d.RefreshKeys(t.Context())
	return d
}

func usual(t testing.TB) *identity.Directory {
	return opened(t, usualPolicies, usualKeys(), func() time.Time { return begin }, slog.New(slog.DiscardHandler))
}

func TestSignIn_ReadsTheClaims(t *testing.T) {
	claims := with(usualClaims(), "org", map[string]any{"groups": []string{"a", "b"}, "tenant": 7})
	claims["https://example.com/regions"] = []string{"north"}
	caller, err := usual(t).SignIn(t.Context(), signParts(ecKey, usualHeader(), claims))
	if err != nil {
		t.Fatal(err)
	}
	id := caller.Identity
	if id.Name != "ana" || id.Issuer != issuerName || !caller.Named || !caller.Expires.Equal(begin.Add(660*time.Second)) {
		t.Errorf("%+v", caller)
	}
	if d := cmp.Diff([]string{"a", "b"}, id.Roles); d != "" {
		t.Error(d)
	}
	if id.Attributes["tenant"].Items[0] != "7" || id.Attributes["regions"].Items[0] != "north" {
		t.Errorf("%+v", id.Attributes)
	}
}

// A token of each algorithm is accepted where the issuer allows it, and refused, with its key in the set, where it allows another.
func TestSignIn_OfEachAlgorithm(t *testing.T) {
	p384, p521 := must(ecdsa.GenerateKey(elliptic.P384(), rand.Reader)), must(ecdsa.GenerateKey(elliptic.P521(), rand.Reader))
	keys := map[string]crypto.Signer{
		"RS256": rsaKey, "RS384": rsaKey, "RS512": rsaKey, "PS256": rsaKey, "PS384": rsaKey, "PS512": rsaKey,
		"ES256": ecKey, "ES384": p384, "ES512": p521, "EdDSA": edKey,
	}
	var set []jose.JSONWebKey
	for alg, key := range keys {
		set = append(set, jose.JSONWebKey{KeyID: alg, Key: key.Public()})
	}
	allowing := func(algorithms ...string) *identity.Directory {
		policies := strings.Replace(usualPolicies, "audience:", "algorithms: ["+strings.Join(algorithms, ", ")+"]\n    audience:", 1)
		return opened(t, policies, keySetText(set...), func() time.Time { return begin }, slog.New(slog.DiscardHandler))
	}
	all := allowing(access.Algorithms()...)
	for i, alg := range access.Algorithms() {
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.SignatureAlgorithm(alg), Key: keys[alg]}, (&jose.SignerOptions{}).WithType("JWT").WithHeader("kid", alg))
		if err != nil {
			t.Fatal(err)
		}
		signed := must(signer.Sign(must(json.Marshal(usualClaims()))))
		token := must(signed.CompactSerialize())
		if _, err := all.SignIn(t.Context(), token); err != nil {
			t.Errorf("%s: %v", alg, err)
		}
		others := slices.Delete(access.Algorithms(), i, i+1)
		if _, err := allowing(others...).SignIn(t.Context(), token); err == nil {
			t.Errorf("%s is accepted where only %v are allowed", alg, others)
		}
	}
}

func TestSignIn_AcceptsWhatTheRulesAllow(t *testing.T) {
	second := begin.Unix()
	attacker := jose.JSONWebKey{Key: otherKey.Public(), KeyID: "attacker"}
	for _, tt := range []struct {
		name           string
		header, claims any
	}{
		{"a list of audiences", usualHeader(), with(usualClaims(), "aud", []string{"x", "other"})},
		{"typ JWT", with(usualHeader(), "typ", "JWT"), usualClaims()},
		{"typ at+jwt", with(usualHeader(), "typ", "at+jwt"), usualClaims()},
		{"expired within the skew", usualHeader(), with(usualClaims(), "exp", second-59)},
		{"not before, within the skew", usualHeader(), with(usualClaims(), "nbf", second+60)},
		{"issued in the future, within the skew", usualHeader(), with(usualClaims(), "iat", second+60)},
		{"times with fractions", usualHeader(), with(usualClaims(), "exp", float64(second)+0.5)},
		{"a time that never comes", usualHeader(), with(usualClaims(), "exp", json.Number("1e300"))},
		{"keys in the header, which are not read", with(with(with(usualHeader(), "jku", "https://attacker.example"), "x5u", "https://attacker.example"), "jwk", attacker), usualClaims()},
		{"another claim", usualHeader(), with(usualClaims(), "scope", "x")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := usual(t).SignIn(t.Context(), signParts(ecKey, tt.header, tt.claims)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSignIn_RefusesEachForgery(t *testing.T) {
	second := begin.Unix()
	valid := signParts(ecKey, usualHeader(), usualClaims())
	parts := strings.Split(valid, ".")
	hmacWithPublicKey := func() string {
		input := base64url(map[string]any{"alg": "HS256", "kid": "rsa"}) + "." + base64url(usualClaims())
		der := must(x509.MarshalPKIXPublicKey(rsaKey.Public()))
		mac := hmac.New(sha256.New, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
		mac.Write([]byte(input))
		return input + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	encrypted := func() string {
		e := must(jose.NewEncrypter(jose.A128GCM, jose.Recipient{Algorithm: jose.ECDH_ES, Key: ecKey.Public()}, nil))
		return must(must(e.Encrypt(must(json.Marshal(usualClaims())))).CompactSerialize())
	}
	payloadText := func(text string) string { return signParts(ecKey, usualHeader(), text) }
	for _, tt := range []struct{ name, token, reason string }{
		{"no token", "", "compact form"},
		{"a text", "secret", "compact form"},
		{"two parts", parts[0] + "." + parts[1], "compact form"},
		{"four parts", valid + ".x", "compact form"},
		{"an encrypted token", encrypted(), "compact form"},
		{"JSON serialisation", `{"payload":"` + parts[1] + `","protected":"` + parts[0] + `","signature":"` + parts[2] + `"}`, "compact form"},
		{"a long token", signParts(ecKey, usualHeader(), with(usualClaims(), "pad", strings.Repeat("x", 12<<10))), "longer than"},
		{"no signature", parts[0] + "." + parts[1] + ".", "signature"},
		{"another payload", parts[0] + "." + base64url(with(usualClaims(), "sub", "root")) + "." + parts[2], "signature"},
		{"the key of another", signParts(otherKey, usualHeader(), usualClaims()), "signature"},
		{"padding", parts[0] + "=." + parts[1] + "." + parts[2], "base64url"},
		{"a line break in a part", parts[0][:4] + "\n" + parts[0][4:] + "." + parts[1] + "." + parts[2], "base64url"},
		{"alg none", base64url(map[string]any{"alg": "none"}) + "." + parts[1] + ".", "algorithm"},
		{"alg None", base64url(map[string]any{"alg": "None", "kid": "ec"}) + "." + parts[1] + "." + parts[2], "algorithm"},
		{"no alg", signParts(ecKey, without(usualHeader(), "alg"), usualClaims()), "algorithm"},
		{"alg that is not a string", signParts(ecKey, with(usualHeader(), "alg", []string{"ES256"}), usualClaims()), "algorithm"},
		{"a secret from the public key", hmacWithPublicKey(), "algorithm"},
		{"an algorithm that the issuer does not allow", signParts(ecKey, with(usualHeader(), "alg", "ES384"), usualClaims()), "algorithm"},
		{"a key of another kind", signParts(ecKey, with(usualHeader(), "kid", "rsa"), usualClaims()), "does not fit"},
		{"a key for encryption", signParts(otherKey, with(usualHeader(), "kid", "encryption"), usualClaims()), "does not fit"},
		{"a key of another algorithm", signParts(otherKey, with(usualHeader(), "kid", "other-algorithm"), usualClaims()), "does not fit"},
		{"an unknown kid", signParts(ecKey, with(usualHeader(), "kid", "x"), usualClaims()), "kid of the token is unknown"},
		{"a kid that is a path", signParts(ecKey, with(usualHeader(), "kid", "../../dev/null"), usualClaims()), "kid of the token is unknown"},
		{"a kid that is not a string", signParts(ecKey, with(usualHeader(), "kid", 1), usualClaims()), "kid is not a string"},
		{"the attacker's key in the header", signParts(otherKey, with(with(usualHeader(), "kid", "x"), "jwk", jose.JSONWebKey{Key: otherKey.Public(), KeyID: "x"}), usualClaims()), "kid of the token is unknown"},
		{"crit", signParts(ecKey, with(with(usualHeader(), "crit", []string{"exp"}), "exp", 1), usualClaims()), "crit"},
		{"an empty crit", signParts(ecKey, with(usualHeader(), "crit", []string{}), usualClaims()), "crit"},
		{"an unencoded payload", signParts(ecKey, with(usualHeader(), "b64", false), usualClaims()), "not encoded"},
		{"another typ", signParts(ecKey, with(usualHeader(), "typ", "dpop+jwt"), usualClaims()), "typ"},
		{"an id token's logout", signParts(ecKey, with(usualHeader(), "typ", "logout+jwt"), usualClaims()), "typ"},
		{"no exp", signParts(ecKey, usualHeader(), without(usualClaims(), "exp")), "exp is missing"},
		{"exp in quotes", signParts(ecKey, usualHeader(), with(usualClaims(), "exp", "99999999999")), "exp is not a number"},
		{"exp null", signParts(ecKey, usualHeader(), with(usualClaims(), "exp", nil)), "exp is not a number"},
		{"exp beyond numbers", payloadText(`{"iss":"` + issuerName + `","aud":"semlayer","sub":"ana","exp":1e999}`), "exp is not a number"},
		{"exp at the end of the skew", signParts(ecKey, usualHeader(), with(usualClaims(), "exp", second-60)), "expired"},
		{"nbf beyond the skew", signParts(ecKey, usualHeader(), with(usualClaims(), "nbf", second+61)), "nbf is in the future"},
		{"iat beyond the skew", signParts(ecKey, usualHeader(), with(usualClaims(), "iat", second+61)), "iat is in the future"},
		{"another issuer", signParts(ecKey, usualHeader(), with(usualClaims(), "iss", issuerName+"/")), "issuer"},
		{"an issuer in another case", signParts(ecKey, usualHeader(), with(usualClaims(), "iss", strings.ToUpper(issuerName))), "issuer"},
		{"no issuer", signParts(ecKey, usualHeader(), without(usualClaims(), "iss")), "issuer"},
		{"a list of issuers", signParts(ecKey, usualHeader(), with(usualClaims(), "iss", []string{issuerName})), "issuer"},
		{"another audience", signParts(ecKey, usualHeader(), with(usualClaims(), "aud", "semlayer2")), "audience"},
		{"no audience", signParts(ecKey, usualHeader(), without(usualClaims(), "aud")), "audience"},
		{"an audience beside a number", signParts(ecKey, usualHeader(), with(usualClaims(), "aud", []any{"semlayer", 1})), "audience"},
		{"no name", signParts(ecKey, usualHeader(), without(usualClaims(), "sub")), "name"},
		{"a blank name", signParts(ecKey, usualHeader(), with(usualClaims(), "sub", " ")), "name"},
		{"a name that is a number", signParts(ecKey, usualHeader(), with(usualClaims(), "sub", 5)), "name"},
		{"a claim twice", payloadText(`{"iss":"` + issuerName + `","aud":"semlayer","sub":"ana","sub":"root","exp":9999999999}`), "twice"},
		{"a claim twice by an escape", payloadText(`{"iss":"` + issuerName + `","aud":"semlayer","sub":"ana","\u0073ub":"root","exp":9999999999}`), "twice"},
		{"a claim twice inside", payloadText(`{"iss":"` + issuerName + `","aud":"semlayer","sub":"ana","org":{"a":1,"a":2},"exp":9999999999}`), "twice"},
		{"a header member twice", signParts(ecKey, `{"alg":"ES256","kid":"x","kid":"ec"}`, usualClaims()), "twice"},
		{"a payload that is a list", payloadText(`[]`), "not a JSON object"},
		{"a payload with text behind it", payloadText(`{"exp":1} {}`), "not a JSON object"},
		{"a payload that is not UTF-8", payloadText("{\"iss\":\"\xff\"}"), "UTF-8"},
		{"a payload that is deep", payloadText(`{"a":` + strings.Repeat("[", 3000) + strings.Repeat("]", 3000) + `}`), "twice"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var log bytes.Buffer
			d := opened(t, usualPolicies, usualKeys(), func() time.Time { return begin }, slog.New(slog.NewTextHandler(&log, nil)))
			if caller, err := d.SignIn(t.Context(), tt.token); !errors.Is(err, identity.ErrUnauthorized) {
				t.Fatalf("accepted: %+v %v", caller, err)
			}
			if !strings.Contains(log.String(), tt.reason) || !strings.Contains(log.String(), "level=INFO msg=\"a bearer token was refused\"") {
				t.Errorf("log %s", log.String())
			}
			for _, part := range strings.Split(tt.token, ".") {
				if len(part) > 8 && strings.Contains(log.String(), part) {
					t.Error("the log holds a part of the token")
				}
			}
		})
	}
}

func TestSignIn_NeedsOneFittingKeyWithoutKid(t *testing.T) {
	token := signParts(ecKey, without(usualHeader(), "kid"), usualClaims())
	for _, tt := range []struct {
		name string
		keys []byte
		ok   bool
	}{
		{"one key fits", usualKeys(), true},
		{"two keys fit", keySetText(jose.JSONWebKey{KeyID: "a", Key: ecKey.Public()}, jose.JSONWebKey{KeyID: "b", Key: otherKey.Public()}), false},
		{"no key fits", keySetText(jose.JSONWebKey{KeyID: "rsa", Key: rsaKey.Public()}), false},
		{"an empty set", keySetText(), false},
	} {
		d := opened(t, usualPolicies, tt.keys, func() time.Time { return begin }, slog.New(slog.DiscardHandler))
		if _, err := d.SignIn(t.Context(), token); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestKeySet_SkipsKeysThatCannotBeUsed(t *testing.T) {
	small := must(rsa.GenerateKey(rand.Reader, 1024))
	set := `{"keys":[{"kty":"unknown"},5,{"kty":"EC","crv":"P-256","x":"AA","y":"AA","kid":"ec"},` +
		string(must(json.Marshal(jose.JSONWebKey{Key: []byte("shared secret"), KeyID: "ec"}))) + "," +
		string(must(json.Marshal(jose.JSONWebKey{Key: small.Public(), KeyID: "small"}))) + "," +
		string(must(json.Marshal(jose.JSONWebKey{Key: otherKey, KeyID: "private"}))) + "," +
		string(must(json.Marshal(jose.JSONWebKey{Key: ecKey.Public(), KeyID: "ec"}))) + `]}`
	var log bytes.Buffer
	d := opened(t, usualPolicies, []byte(set), func() time.Time { return begin }, slog.New(slog.NewTextHandler(&log, nil)))
	if _, err := d.SignIn(t.Context(), signParts(ecKey, usualHeader(), usualClaims())); err != nil {
		t.Errorf("%v\n%s", err, log.String())
	}
	if got := strings.Count(log.String(), "a key of an issuer was skipped"); got != 6 || !strings.Contains(log.String(), "fewer than 2048 bits") {
		t.Errorf("%d skipped\n%s", got, log.String())
	}
	signer := must(jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: small, KeyID: "small"}}, nil))
	if _, err := d.SignIn(t.Context(), must(must(signer.Sign(must(json.Marshal(usualClaims())))).CompactSerialize())); err == nil {
		t.Error("a small key is accepted")
	}
	if _, err := d.SignIn(t.Context(), signParts(otherKey, with(usualHeader(), "kid", "private"), usualClaims())); err == nil {
		t.Error("a private key of a set is accepted")
	}
}

func TestSignIn_Roles(t *testing.T) {
	for _, tt := range []struct {
		name, keys string
		claim      any
		want       []string
	}{
		{"fixed roles and those of the claim add up", "roles: [r]\n    roles_claim: groups", []string{"w"}, []string{"r", "w"}},
		{"a claim with one string", "roles_claim: groups", "w", []string{"w"}},
		{"a claim of another type", "roles_claim: groups", map[string]any{"w": true}, nil},
		{"a list with a number", "roles_claim: groups", []any{"w", 1}, nil},
		{"a map", "roles_claim: groups\n    roles_map: {g1: [r, w], g2: [w]}", []string{"g1", "w", "other"}, []string{"r", "w"}},
		{"no claim", "roles_claim: groups", nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			policies := strings.Replace(usualPolicies, "roles_claim: org.groups", tt.keys, 1) + "roles: {r: {all: true}, w: {all: true}}\n"
			d := opened(t, policies, usualKeys(), func() time.Time { return begin }, slog.New(slog.DiscardHandler))
			claims := usualClaims()
			if tt.claim != nil {
				claims["groups"] = tt.claim
			}
			caller, err := d.SignIn(t.Context(), signParts(ecKey, usualHeader(), claims))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, caller.Identity.Roles); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// BenchmarkSignIn_ES256 verifies a token, as each request does.
func BenchmarkSignIn_ES256(b *testing.B) {
	d, token := usual(b), signParts(ecKey, usualHeader(), usualClaims())
	for b.Loop() {
		if _, err := d.SignIn(b.Context(), token); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzSignIn(f *testing.F) {
	valid := signParts(ecKey, usualHeader(), usualClaims())
	for _, seed := range []string{valid, "..", "a.b.c", base64url(`{"alg":"none"}`) + "." + base64url(usualClaims()) + ".", "\x00", strings.Repeat(".", 10)} {
		f.Add(seed)
	}
	folder := f.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "keys.json"), usualKeys(), 0o600); err != nil {
		f.Fatal(err)
	}
	file, findings := access.Parse(filepath.Join(folder, "policies.yaml"), []byte(usualPolicies))
	if len(findings) > 0 {
		f.Fatal(findings)
	}
	d := identity.New(identity.Config{Now: func() time.Time { return begin }, Logger: slog.New(slog.DiscardHandler)})
	if err := d.Replace(nil, file); err != nil {
		f.Fatal(err)
	}
	d.RefreshKeys(context.Background())
	f.Fuzz(func(t *testing.T, bearer string) {
		caller, err := d.SignIn(context.Background(), bearer)
		if err == nil && (bearer != valid || caller.Identity.Name != "ana") {
			t.Fatalf("accepted: %q", bearer)
		}
	})
}
