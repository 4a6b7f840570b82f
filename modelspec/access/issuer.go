package access

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/document"
)

// Issuer is a provider of signed tokens that the service trusts.
type Issuer struct {
	Issuer   Text   // equals the claim iss
	Audience []Text // the claim aud holds one of them
	// JWKSFile or JWKSURL has the key set; without both, OpenID discovery finds it.
	JWKSFile, JWKSURL Text
	Algorithms        []string
	ClockSkewSeconds  int
	NameClaim         string // path of a claim, see ClaimAt
	Roles             []Text // of every caller
	RolesClaim        Text   // path of a claim; the zero Text without one
	RolesMap          []RolesOfClaim
	HasRolesMap       bool
	Attributes        []AttributeClaim
}

// RolesOfClaim is what a value of the claim of roles grants.
type RolesOfClaim struct {
	Value Text
	Roles []Text
}

// AttributeClaim is the path of the claim that holds an attribute.
type AttributeClaim struct{ Attribute, Claim Text }

// The defaults of an issuer.
const (
	defaultClockSkewSeconds = 60
	maxClockSkewSeconds     = 300
	defaultNameClaim        = "sub"
)

// Algorithms returns the algorithms that an issuer may allow; the first of each family are the default.
func Algorithms() []string {
	return []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
}

func defaultAlgorithms() []string { return []string{"RS256", "ES256", "EdDSA"} }

func (r *fileReader) readIssuers(o mappingReader, f *File) []Issuer {
	n := o.find("issuers")
	if n == nil {
		return nil
	}
	if n.Kind != document.SequenceNode {
		r.addInvalid(n, "issuers", "issuers must be a list of objects, is %s", n.Describe())
		return nil
	}
	var out []Issuer
	for i, item := range n.Content {
		issuer := r.readIssuer(item, locationOfItem("issuers", i), f)
		if issuer.Issuer.Value != "" && slices.ContainsFunc(out, func(x Issuer) bool { return x.Issuer.Value == issuer.Issuer.Value }) {
			r.addInvalid(item.FollowAlias(), locationOfItem("issuers", i), "a second issuer is %q", issuer.Issuer.Value)
		}
		out = append(out, issuer)
	}
	return out
}

func (r *fileReader) readIssuer(n *document.Node, location string, f *File) Issuer {
	out := Issuer{Algorithms: defaultAlgorithms(), ClockSkewSeconds: defaultClockSkewSeconds, NameClaim: defaultNameClaim}
	o, ok := r.openMapping(n, location, "an issuer", "issuer", "audience", "jwks_file", "jwks_url", "algorithms", "clock_skew_seconds",
		"name_claim", "roles", "roles_claim", "roles_map", "attributes")
	if !ok {
		return out
	}
	if o.findRequired("issuer", "the claim iss of its tokens") != nil {
		out.Issuer = o.readText("issuer")
	}
	if n := o.findRequired("audience", "a list of values of the claim aud"); n != nil {
		if out.Audience = o.readTexts("audience"); n.Kind == document.SequenceNode && len(n.Content) == 0 {
			r.addInvalid(n, o.MemberLocation("audience"), "audience is empty; no token could be accepted")
		}
	}
	r.readKeySetPlace(o, &out)
	r.readAlgorithms(o, &out)
	if seconds, ok := o.readInteger("clock_skew_seconds", 0, maxClockSkewSeconds); ok {
		out.ClockSkewSeconds = int(seconds)
	}
	if name := o.readText("name_claim"); name.Value != "" {
		out.NameClaim = name.Value
	}
	out.Roles, out.RolesClaim = o.readTexts("roles"), o.readText("roles_claim")
	r.readRolesMap(o, &out, f)
	if n := o.find("attributes"); n != nil {
		r.readAttributeClaims(n, o.MemberLocation("attributes"), &out, f)
	}
	return out
}

func (r *fileReader) readKeySetPlace(o mappingReader, out *Issuer) {
	out.JWKSFile, out.JWKSURL = o.readText("jwks_file"), o.readText("jwks_url")
	file, address := o.find("jwks_file"), o.find("jwks_url")
	switch {
	case file != nil && address != nil:
		r.addInvalid(address, o.MemberLocation("jwks_url"), "jwks_file and jwks_url are both given; give one of them")
	case out.JWKSURL.Value != "" && !IsServiceURL(out.JWKSURL.Value):
		r.addInvalid(address, o.MemberLocation("jwks_url"), "jwks_url must be an address with https, or with http on a loopback address")
	case file == nil && address == nil && out.Issuer.Value != "" && !isDiscoveryIssuer(out.Issuer.Value):
		r.addFinding(o.find("issuer"), CodeInvalidPolicy, o.MemberLocation("issuer"), "give jwks_file or jwks_url",
			"the key set of the issuer cannot be discovered: issuer must be an address with https, or with http on a loopback address")
	}
}

func isDiscoveryIssuer(issuer string) bool {
	return IsServiceURL(issuer) && !strings.ContainsAny(issuer, "?#")
}

// IsServiceURL reports whether a text is an absolute address that a key set may come from: https, or http on a loopback address.
func IsServiceURL(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Hostname() == "" || u.User != nil || u.Fragment != "" || u.Opaque != "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && isLoopbackHost(u.Hostname())
}

func isLoopbackHost(host string) bool {
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}

func (r *fileReader) readAlgorithms(o mappingReader, out *Issuer) {
	n := o.find("algorithms")
	if n == nil {
		return
	}
	out.Algorithms = nil
	location := o.MemberLocation("algorithms")
	for _, t := range o.readTexts("algorithms") {
		if !slices.Contains(Algorithms(), t.Value) {
			r.addFinding(nodeOf(t), CodeInvalidPolicy, location, "the algorithms are "+strings.Join(Algorithms(), ", "), "algorithms cannot hold %q", t.Value)
			continue
		}
		out.Algorithms = append(out.Algorithms, t.Value)
	}
	if n.Kind == document.SequenceNode && len(n.Content) == 0 {
		r.addInvalid(n, location, "algorithms is empty; no token could be accepted")
	}
}

func (r *fileReader) readRolesMap(o mappingReader, out *Issuer, f *File) {
	n := o.find("roles_map")
	if n == nil {
		return
	}
	out.HasRolesMap = true
	location := o.MemberLocation("roles_map")
	if o.find("roles_claim") == nil {
		r.addInvalid(n, location, "roles_map needs roles_claim, whose values it maps")
	}
	entries, ok := r.openMapping(n, location, "roles_map")
	if !ok {
		return
	}
	known := f.roleNames()
	entries.visitMembers(func(value Text, list *document.Node, location string) {
		roles := r.readTextList(list, location, "a value of roles_map", false)
		for _, role := range roles {
			if slices.Contains(known, role.Value) {
				continue
			}
			r.addFinding(nodeOf(role), CodeInvalidPolicy, location, r.meant(role.Value, known), "roles_map names the role %q, which no model has", role.Value)
		}
		out.RolesMap = append(out.RolesMap, RolesOfClaim{value, roles})
	})
}

// meant returns a hint with the nearest name, or "".
func (r *fileReader) meant(name string, known []string) string {
	if near := r.names.Nearest(name, func() []string { return known }, 1); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return ""
}

// roleNames returns the roles of all models.
func (f *File) roleNames() []string {
	var out []string
	for _, role := range f.Policies.Roles {
		out = append(out, role.Name.Value)
	}
	for _, m := range f.Models {
		for _, role := range m.Roles {
			out = append(out, role.Name.Value)
		}
	}
	return out
}

func (r *fileReader) readAttributeClaims(n *document.Node, location string, out *Issuer, f *File) {
	claims, ok := r.openMapping(n, location, "attributes")
	if !ok {
		return
	}
	var declared []string
	for _, a := range f.Attributes {
		declared = append(declared, a.Name.Value)
	}
	claims.visitMembers(func(name Text, value *document.Node, location string) {
		if !slices.Contains(declared, name.Value) {
			found := r.addFinding(nodeOf(name), CodeUnknownAttribute, location, "declare it below attributes at the top of the file", "the file does not declare the attribute %q", name.Value)
			found.Candidates = r.names.Nearest(name.Value, func() []string { return declared }, maxCandidates)
		}
		if path, ok := r.readString(value, location, "the path of a claim"); ok {
			out.Attributes = append(out.Attributes, AttributeClaim{name, path})
		}
	})
}

func (r *fileReader) readResource(o mappingReader, f *File) Text {
	n := o.find("resource")
	if n == nil {
		return Text{}
	}
	t := o.readText("resource")
	switch {
	case t.Value != "" && !isDiscoveryIssuer(t.Value):
		r.addInvalid(n, "resource", "resource must be the public address of the service, with https, or with http on a loopback address")
	case len(f.Issuers) == 0:
		r.addInvalid(n, "resource", "resource needs an issuer, which hands out the tokens")
	}
	t.Value = strings.TrimRight(t.Value, "/")
	return t
}

// ClaimAt returns the claim at a path: a name, or names of objects and a name in them, joined with dots. A claim whose own name has dots
// is preferred.
func ClaimAt(claims map[string]any, path string) (any, bool) {
	if v, ok := claims[path]; ok {
		return v, true
	}
	for end := strings.LastIndexByte(path, '.'); end > 0; end = strings.LastIndexByte(path[:end], '.') {
		if inner, ok := claims[path[:end]].(map[string]any); ok {
			if v, ok := ClaimAt(inner, path[end+1:]); ok {
				return v, true
			}
		}
	}
	return nil, false
}
