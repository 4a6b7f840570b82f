package access_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/access"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

const typesFile = `
version: 1
attributes:
  s: {type: string}
  i: {type: int}
  f: {type: float}
  b: {type: bool}
  d: {type: date}
  list: {type: string, list: true}
  ints: {type: int, list: true}
roles: {reader: {all: true}, writer: {all: true}}
`

// needing returns the policies of a role reader whose rules name some attributes.
func needing(t *testing.T, names ...string) *access.Policies {
	text := "version: 1\nroles:\n  writer: {all: true}\n  reader:\n    datasets:\n      other: {rows: all, fields: all}\n"
	for _, name := range names {
		text += "      of_" + name + ": {rows: \"x IN (:user." + name + ")\", fields: all}\n"
	}
	return parsed(t, text).PoliciesOf("")
}

func identityOf(t *testing.T, f *access.File, text string) access.Identity {
	t.Helper()
	c, err := access.ParseIdentity([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f.NewIdentity(c)
}

func TestNewIdentity_TypesByJSONAndNeverConvertsText(t *testing.T) {
	f := parsed(t, typesFile)
	long := `["` + strings.Repeat(`x","`, 1000) + `x"]`
	for _, tt := range []struct {
		name, attribute, given string
		want                   []string // nil: the value is of another type
	}{
		{"a string", "s", `"north"`, []string{"north"}},
		{"a string with quotes", "s", `"' OR 1=1 --"`, []string{"' OR 1=1 --"}},
		{"an empty string", "s", `""`, []string{""}},
		{"a string with NUL", "s", `"a\u0000b"`, nil},
		{"a number for a string", "s", `5`, nil},
		{"a list for a string", "s", `["a"]`, nil},
		{"an object for a string", "s", `{"a": 1}`, nil},
		{"null", "s", `null`, nil},
		{"an integer", "i", `-42`, []string{"-42"}},
		{"an integer with a fraction of zero", "i", `5.0`, []string{"5"}},
		{"an integer with an exponent", "i", `1e3`, []string{"1000"}},
		{"the greatest integer", "i", `9223372036854775807`, []string{"9223372036854775807"}},
		{"an integer beyond 64 bits", "i", `9223372036854775808`, nil},
		{"an integer with an endless exponent", "i", `1e999999999`, nil},
		{"a fraction for an integer", "i", `5.5`, nil},
		{"text for an integer", "i", `"5"`, nil},
		{"a boolean for an integer", "i", `true`, nil},
		{"a float", "f", `1.50`, []string{"1.5"}},
		{"an integer for a float", "f", `3`, []string{"3"}},
		{"a float that is not finite", "f", `1e400`, nil},
		{"minus zero", "f", `-0.0`, []string{"0"}},
		{"a boolean", "b", `false`, []string{"false"}},
		{"text for a boolean", "b", `"true"`, nil},
		{"a number for a boolean", "b", `1`, nil},
		{"a day", "d", `"2024-02-29"`, []string{"2024-02-29"}},
		{"a day that does not exist", "d", `"2023-02-29"`, nil},
		{"a day with a time", "d", `"2024-02-29T00:00:00Z"`, nil},
		{"the year 0", "d", `"0000-01-01"`, nil},
		{"a list", "list", `["a","b"]`, []string{"a", "b"}},
		{"one value for a list", "list", `"a"`, []string{"a"}},
		{"an empty list", "list", `[]`, []string{}},
		{"a list with null", "list", `["a",null]`, nil},
		{"a list in a list", "list", `[["a"]]`, nil},
		{"a list of 1001 items", "list", long, nil},
		{"a list of several types", "ints", `[1,"2"]`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id := identityOf(t, f, `{"roles":["reader"],"attributes":{"`+tt.attribute+`":`+tt.given+`}}`)
			v, ok := id.Attributes[tt.attribute]
			if ok != (tt.want != nil) {
				t.Fatalf("value %+v, present %v", v, ok)
			}
			if d := cmp.Diff(tt.want, v.Items); d != "" {
				t.Error(d)
			}
			err := id.Check(needing(t, tt.attribute))
			if (err == nil) != ok {
				t.Errorf("Check: %v", err)
			}
			if err != nil && (!strings.Contains(err.Error(), tt.attribute) || strings.Contains(err.Error(), "north")) {
				t.Errorf("message %q", err)
			}
		})
	}
}

func TestIdentity_InvalidUTF8IsOfAnotherType(t *testing.T) {
	f := parsed(t, typesFile)
	id := f.NewIdentity(access.Claims{Roles: []string{"reader"}, Name: "\xff", Attributes: map[string]any{"s": "\xff"}})
	for _, name := range []string{"s", "name"} {
		if id.Check(needing(t, name)) == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestIdentity_Check(t *testing.T) {
	f := parsed(t, typesFile)
	for _, tt := range []struct {
		name, identity string
		needed         []string
		want           string // a part of the message; "" accepts
	}{
		{"a known role", `{"roles":["reader"]}`, nil, ""},
		{"an unknown role beside a known one", `{"roles":["reader","stranger"]}`, nil, ""},
		{"no role", `{"name":"ana"}`, nil, "has no role"},
		{"unknown roles", `{"roles":["stranger"]}`, nil, `none of the roles of the identity is known: "stranger"`},
		{"a role in another case", `{"roles":["Reader"]}`, nil, `"Reader"`},
		{"a missing attribute", `{"roles":["reader"]}`, []string{"s"}, "the attribute s of the identity is missing"},
		{"an empty list is not missing", `{"roles":["reader"],"attributes":{"list":[]}}`, []string{"list"}, ""},
		{"an attribute that is not declared", `{"roles":["reader"],"attributes":{"other":1}}`, []string{"other"}, "is missing"},
		{"a name that is needed", `{"roles":["reader"]}`, []string{"name"}, "the attribute name of the identity is missing"},
		{"roles are always there", `{"roles":["reader"]}`, []string{"roles"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := identityOf(t, f, tt.identity).Check(needing(t, tt.needed...))
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v", err)
			}
		})
	}
	many := f.NewIdentity(access.Claims{Roles: strings.Split(strings.Repeat("role ", 5000), " ")})
	if err := many.Check(f.PoliciesOf("")); err == nil || len(err.Error()) > 1000 {
		t.Error("the message names thousands of roles")
	}
}

func TestIdentity_RolesHoldKnownOnesAlone(t *testing.T) {
	f := parsed(t, typesFile)
	id := identityOf(t, f, `{"roles":["writer","stranger","reader","writer"],"attributes":{"roles":["admin"],"name":"root"}}`)
	v, ok := id.Attribute(f.PoliciesOf(""), "roles")
	if d := cmp.Diff([]string{"reader", "writer"}, v.Items); d != "" || !ok || !v.List {
		t.Error(d)
	}
	if _, ok := id.Attribute(f.PoliciesOf(""), "name"); ok {
		t.Error("an attribute replaces the name")
	}
}

func TestValue_Literals(t *testing.T) {
	f := parsed(t, typesFile)
	id := identityOf(t, f, `{"attributes":{"s":"it's","i":-3,"f":1.5,"b":true,"d":"2024-01-31","ints":[1,-2]}}`)
	want := map[string]string{"s": "'it''s'", "i": "-3", "f": "1.5", "b": "TRUE", "d": "DATE '2024-01-31'", "ints": "1 -2"}
	for name, want := range want {
		var got []string
		for _, e := range id.Attributes[name].Literals() {
			got = append(got, sqlexpr.Format(e))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	text, err := json.Marshal([]any{id.Attributes["s"].JSON(), id.Attributes["ints"].JSON(), id.Attributes["b"].JSON(), id.Attributes["f"].JSON()})
	if err != nil || string(text) != `["it's",[1,-2],true,1.5]` {
		t.Errorf("%s %v", text, err)
	}
}

func TestParseIdentity_Refuses(t *testing.T) {
	for _, text := range []string{
		``, `[]`, `null`, `"a"`, `{`, `{"roles":["a"]} {}`, `{"role":["a"]}`, `{"Roles":["a"]}`, `{"roles":"a"}`, `{"roles":[1]}`, `{"roles":null}`,
		`{"name":""}`, `{"name":5}`, `{"attributes":[]}`, `{"roles":[],"roles":["admin"]}`, `{"attributes":{"a":1,"a":2}}`, "roles: [a]", "{roles: [a]}",
	} {
		if c, err := access.ParseIdentity([]byte(text)); err == nil {
			t.Errorf("%s: %+v", text, c)
		}
	}
}

func TestClaimAt_OwnNameWithDotsWins(t *testing.T) {
	var claims map[string]any
	text := `{"org.tenant": 1, "org": {"tenant": 2, "a.b": {"c": 3}, "x": null}, "https://a.example/roles": ["r"], "deep": {"a": {"b": 4}}, "text": "t"}`
	if err := json.Unmarshal([]byte(text), &claims); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]any{
		"org.tenant": 1.0, "org.a.b.c": 3.0, "deep.a.b": 4.0, "org.x": nil, "text": "t",
	} {
		if got, ok := access.ClaimAt(claims, path); !ok || got != want {
			t.Errorf("%s: %v %v", path, got, ok)
		}
	}
	if got, ok := access.ClaimAt(claims, "https://a.example/roles"); !ok || len(got.([]any)) != 1 {
		t.Errorf("%v", got)
	}
	for _, path := range []string{"", ".", "org.", ".org", "org.tenant.x", "text.a", "deep.a.c", "other"} {
		if got, ok := access.ClaimAt(claims, path); ok {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestIdentityFrom_ReturnsTheCallerOfTheContext(t *testing.T) {
	if _, ok := access.IdentityFrom(context.Background()); ok {
		t.Error("an empty context has a caller")
	}
	ctx := access.WithIdentity(context.Background(), access.Identity{Name: "ana"})
	if id, ok := access.IdentityFrom(ctx); !ok || id.Name != "ana" {
		t.Errorf("%+v", id)
	}
}
