package identity

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/semlayer/semlayer/modelspec/access"
)

// maxTokenBytes is the length of the longest JSON Web Token.
const maxTokenBytes = 12 << 10

// verifier verifies the tokens of one issuer.
type verifier struct {
	issuer     access.Issuer
	algorithms []jose.SignatureAlgorithm
	keys       *KeySet
}

func (d *Directory) newVerifier(issuer access.Issuer, file *access.File, known []*verifier) *verifier {
	v := &verifier{issuer: issuer}
	for _, name := range issuer.Algorithms {
		v.algorithms = append(v.algorithms, jose.SignatureAlgorithm(name))
	}
	place := newKeyPlace(issuer, file.Name)
	for _, before := range known {
		if before.keys.place == place {
			v.keys = before.keys
		}
	}
	if v.keys == nil {
		v.keys = d.newKeySet(place)
	}
	return v
}

// header is what is read of the header of a token. Members that name keys (jku, x5u, x5c, jwk) are not among it.
type header struct {
	alg, kid string
	hasKid   bool
}

// verifyJWT verifies a compact JWS and returns its caller. The error is the reason for the log.
func (d *Directory) verifyJWT(ctx context.Context, r *revision, token string) (Caller, error) {
	if len(token) > maxTokenBytes {
		return Caller{}, fmt.Errorf("the token is longer than %d bytes", maxTokenBytes)
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return Caller{}, errors.New("the token is not a signed JSON Web Token in the compact form")
	}
	h, err := readHeader(parts[0])
	if err != nil {
		return Caller{}, err
	}
	claims, err := decodePart(parts[1], "the payload")
	if err != nil {
		return Caller{}, err
	}
	v, err := r.verifierOf(claims)
	if err != nil {
		return Caller{}, err
	}
	if !slices.Contains(v.algorithms, jose.SignatureAlgorithm(h.alg)) {
		return Caller{}, errors.New("the algorithm of the token is not one of the issuer's")
	}
	keysText := v.keys.digest()
	key, err := v.keys.find(ctx, h)
	if err != nil {
		return Caller{}, err
	}
	signed, err := jose.ParseSignedCompact(token, v.algorithms)
	if err != nil {
		return Caller{}, errors.New("the token is not a signed JSON Web Token in the compact form")
	}
	if _, err := signed.Verify(key); err != nil {
		return Caller{}, errors.New("the signature is wrong")
	}
	caller, err := v.newCaller(r, claims, d.now())
	caller.bearer, caller.keys, caller.keysText = token, v.keys, keysText
	return caller, err
}

// decodePart decodes a part of a token: base64url without padding, of a JSON object in which no key repeats.
func decodePart(part, what string) (map[string]any, error) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(part)
	if err != nil || strings.ContainsAny(part, "\r\n") { // which the decoder skips
		return nil, fmt.Errorf("%s is not base64url", what)
	}
	if trimmed := bytes.TrimSpace(text); len(trimmed) == 0 || trimmed[0] != '{' || !json.Valid(text) {
		return nil, fmt.Errorf("%s is not a JSON object", what)
	}
	if err := access.DistinctKeys(text); err != nil {
		return nil, fmt.Errorf("%s has a claim twice, or is not UTF-8", what)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var out map[string]any
	if err := decoder.Decode(&out); err != nil {
		return nil, fmt.Errorf("%s is not a JSON object", what)
	}
	return out, nil
}

func readHeader(part string) (header, error) {
	members, err := decodePart(part, "the header")
	if err != nil {
		return header{}, err
	}
	var h header
	if _, critical := members["crit"]; critical {
		return h, errors.New("the header has crit")
	}
	if encoded, ok := members["b64"]; ok && encoded != any(true) {
		return h, errors.New("the payload is not encoded")
	}
	if typ, ok := members["typ"]; ok && typ != "JWT" && typ != "at+jwt" {
		return h, errors.New("the typ of the token is neither JWT nor at+jwt")
	}
	h.alg, _ = members["alg"].(string)
	if kid, ok := members["kid"]; ok {
		if h.kid, h.hasKid = kid.(string); !h.hasKid {
			return h, errors.New("kid is not a string")
		}
	}
	return h, nil
}

// verifierOf returns the verifier of the issuer that the claims name. They are not verified yet.
func (r *revision) verifierOf(claims map[string]any) (*verifier, error) {
	iss, ok := claims["iss"].(string)
	for _, v := range r.verifiers {
		if ok && v.issuer.Issuer.Value == iss {
			return v, nil
		}
	}
	return nil, errors.New("the issuer of the token is not one of the policies file")
}

// newCaller checks the claims of a token whose signature is right.
func (v *verifier) newCaller(r *revision, claims map[string]any, now time.Time) (Caller, error) {
	expires, err := v.checkTimes(claims, now)
	if err != nil {
		return Caller{}, err
	}
	if !v.acceptsAudience(claims["aud"]) {
		return Caller{}, errors.New("the audience of the token is not one of the issuer's")
	}
	name, _ := access.ClaimAt(claims, v.issuer.NameClaim)
	text, ok := name.(string)
	if !ok || strings.TrimSpace(text) == "" {
		return Caller{}, errors.New("the claim of the name is missing or is not a string")
	}
	out := access.Claims{Name: text, Issuer: v.issuer.Issuer.Value, Roles: v.rolesOf(claims), Attributes: map[string]any{}}
	for _, a := range v.issuer.Attributes {
		if value, ok := access.ClaimAt(claims, a.Claim.Value); ok {
			out.Attributes[a.Attribute.Value] = value
		}
	}
	return r.newCaller(Caller{Named: true, claims: out, Expires: expires}), nil
}

// checkTimes checks exp, which must be there, nbf and iat. It returns when the token ends.
func (v *verifier) checkTimes(claims map[string]any, now time.Time) (time.Time, error) {
	skew := float64(v.issuer.ClockSkewSeconds)
	seconds := float64(now.UnixNano()) / float64(time.Second)
	end, ok, err := numericDate(claims, "exp")
	switch {
	case err != nil:
		return time.Time{}, err
	case !ok:
		return time.Time{}, errors.New("exp is missing")
	case seconds >= end+skew:
		return time.Time{}, errors.New("the token has expired")
	}
	for _, name := range []string{"nbf", "iat"} {
		begin, ok, err := numericDate(claims, name)
		if err != nil {
			return time.Time{}, err
		}
		if ok && begin > seconds+skew {
			return time.Time{}, fmt.Errorf("%s is in the future", name)
		}
	}
	const latest = 1 << 40 // seconds, which time.Time can hold
	return time.Unix(int64(min(end+skew, latest)), 0), nil
}

// numericDate returns the seconds of a claim; ok is false where it is absent.
func numericDate(claims map[string]any, name string) (seconds float64, ok bool, err error) {
	value, ok := claims[name]
	if !ok {
		return 0, false, nil
	}
	number, isNumber := value.(json.Number)
	if isNumber {
		seconds, err = number.Float64()
	}
	if !isNumber || err != nil || math.IsInf(seconds, 0) {
		return 0, false, fmt.Errorf("%s is not a number", name)
	}
	return seconds, true, nil
}

// acceptsAudience reports whether the claim aud, a string or a list of strings, holds an audience of the issuer.
func (v *verifier) acceptsAudience(aud any) bool {
	names, ok := stringOrStrings(aud)
	return ok && slices.ContainsFunc(v.issuer.Audience, func(a access.Text) bool { return slices.Contains(names, a.Value) })
}

// stringOrStrings reads a string or a list of strings.
func stringOrStrings(value any) ([]string, bool) {
	switch value := value.(type) {
	case string:
		return []string{value}, true
	case []any:
		out := make([]string, len(value))
		for i, item := range value {
			text, ok := item.(string)
			if !ok {
				return nil, false
			}
			out[i] = text
		}
		return out, true
	}
	return nil, false
}

// rolesOf returns the roles of every caller of the issuer and those of the claim, through the map where there is one.
func (v *verifier) rolesOf(claims map[string]any) []string {
	var out []string
	for _, role := range v.issuer.Roles {
		out = append(out, role.Value)
	}
	if v.issuer.RolesClaim.Value == "" {
		return out
	}
	value, _ := access.ClaimAt(claims, v.issuer.RolesClaim.Value)
	names, _ := stringOrStrings(value)
	if !v.issuer.HasRolesMap {
		return append(out, names...)
	}
	for _, entry := range v.issuer.RolesMap {
		if !slices.Contains(names, entry.Value.Value) {
			continue
		}
		for _, role := range entry.Roles {
			out = append(out, role.Value)
		}
	}
	return out
}
