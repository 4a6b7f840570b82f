package access

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
)

// Claims are the facts of a token about a caller, before a policies file gives the attributes their types.
type Claims struct {
	Name   string // "" is a caller without a name
	Issuer string // "" for a token of a file
	Roles  []string
	// Attributes has the values as encoding/json decodes them with UseNumber.
	Attributes map[string]any
}

// Identity is a caller: what rules, quotas and the audit log know of it.
type Identity struct {
	Name, Issuer string
	Roles        []string
	// Attributes are the declared ones that have a value of their type. Name and Roles are not among them.
	Attributes map[string]Value
	// problems has why a declared attribute has no value, by its name.
	problems map[string]string
}

// NewIdentity gives claims the types that the file declares. Attributes that are not declared are dropped. A value of another type
// is absent, so that Check refuses an identity whose roles need it.
func (f *File) NewIdentity(c Claims) Identity {
	id := Identity{Name: c.Name, Issuer: c.Issuer, Roles: slices.Clone(c.Roles), Attributes: map[string]Value{}, problems: map[string]string{}}
	for _, a := range f.Attributes {
		name := a.Name.Value
		given, ok := c.Attributes[name]
		if !ok {
			continue
		}
		if v, problem := a.typeValue(given); problem == "" {
			id.Attributes[name] = v
		} else {
			id.problems[name] = problem
		}
	}
	return id
}

// KnownRoles returns the roles of the identity that the policies have, sorted, each once.
func (id Identity) KnownRoles(p *Policies) []string {
	var out []string
	for _, name := range id.Roles {
		if p.RoleNamed(name) != nil {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Attribute returns the value of :user.NAME for the policies of a model. Its roles are those that the policies know.
func (id Identity) Attribute(p *Policies, name string) (Value, bool) {
	switch name {
	case AttributeName:
		_, ok := AttributeString.canonicalItem(id.Name)
		return Value{Type: AttributeString, Items: []string{id.Name}}, ok && id.Name != ""
	case AttributeRoles:
		return Value{Type: AttributeString, List: true, Items: id.KnownRoles(p)}, true
	}
	v, ok := id.Attributes[name]
	return v, ok
}

// ForbiddenError is why an identity may see nothing.
type ForbiddenError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// Error returns the message.
func (e *ForbiddenError) Error() string { return e.Message }

// ErrorCode returns the stable code.
func (e *ForbiddenError) ErrorCode() string { return e.Code }

// Check returns a *ForbiddenError for an identity that none of the known roles belongs to, or that lacks an attribute which the rules and
// masks of its roles name.
func (id Identity) Check(p *Policies) error {
	known := id.KnownRoles(p)
	if len(known) == 0 {
		if len(id.Roles) == 0 {
			return &ForbiddenError{CodeForbidden, "the identity has no role", "the operator of the service grants roles to tokens"}
		}
		return &ForbiddenError{CodeForbidden, "none of the roles of the identity is known: " + listedRoles(id.Roles), "the operator of the service declares roles in the policies file"}
	}
	for _, name := range p.NeededAttributes(known) {
		if _, ok := id.Attribute(p, name); ok {
			continue
		}
		problem := id.problems[name]
		if problem == "" {
			problem = "is missing"
		}
		return &ForbiddenError{CodeForbidden, "the attribute " + name + " of the identity " + problem, "the roles of the identity need the attribute " + name}
	}
	return nil
}

// listedRoles names a few roles: a token may hold thousands.
func listedRoles(roles []string) string {
	const most = 5
	var b strings.Builder
	for i, name := range roles {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(roles)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.100q", name)
	}
	return b.String()
}

// ParseIdentity reads an identity from JSON: {"name": "…", "roles": […], "attributes": {…}}; roles and attributes may be left out.
func ParseIdentity(text []byte) (Claims, error) {
	members, err := decodeObject(text, "an identity", []string{"name", "roles", "attributes"})
	if err != nil {
		return Claims{}, err
	}
	return claimsOf(members)
}

// decodeObject decodes one JSON object whose keys are known; each may occur once.
func decodeObject(text []byte, what string, known []string) (map[string]any, error) {
	members, err := decodeAnyObject(text)
	if err != nil {
		return nil, fmt.Errorf("%s must be a JSON object", what)
	}
	if err := DistinctKeys(text); err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(known, key) {
			return nil, fmt.Errorf("%s has no key %.100q; the keys are %s", what, key, strings.Join(known, ", "))
		}
	}
	return members, nil
}

// decodeAnyObject decodes one JSON object.
func decodeAnyObject(text []byte) (members map[string]any, err error) {
	if trimmed := bytes.TrimSpace(text); len(text) > MaxFileBytes || len(trimmed) == 0 || trimmed[0] != '{' || !json.Valid(text) {
		return nil, errors.New("the text is not a JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return members, d.Decode(&members)
}

// DistinctKeys returns an error for a JSON text that is not UTF-8, or in which an object has a key twice: readers of JSON
// disagree about which one counts.
func DistinctKeys(text []byte) error {
	_, err := modelspec.ReadTree(text)
	return err
}

func claimsOf(members map[string]any) (Claims, error) {
	var c Claims
	if v, ok := members["name"]; ok {
		if c.Name, ok = v.(string); !ok || strings.TrimSpace(c.Name) == "" {
			return c, errors.New("name must be a string that is not blank")
		}
	}
	if v, ok := members["roles"]; ok {
		list, isList := v.([]any)
		if !isList {
			return c, errors.New("roles must be a list of strings")
		}
		for _, item := range list {
			role, ok := item.(string)
			if !ok {
				return c, errors.New("roles must be a list of strings")
			}
			c.Roles = append(c.Roles, role)
		}
	}
	if v, ok := members["attributes"]; ok {
		if c.Attributes, ok = v.(map[string]any); !ok {
			return c, errors.New("attributes must be an object")
		}
	}
	return c, nil
}

type identityKey struct{}

// WithIdentity returns a context in which the caller is known.
func WithIdentity(ctx context.Context, id Identity) context.Context {
	return context.WithValue(ctx, identityKey{}, id)
}

// IdentityFrom returns the caller of a context.
func IdentityFrom(ctx context.Context) (Identity, bool) {
	id, ok := ctx.Value(identityKey{}).(Identity)
	return id, ok
}
