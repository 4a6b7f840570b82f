package access_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/semlayer/semlayer/modelspec/access"
)

func parsed(t *testing.T, text string) *access.File {
	t.Helper()
	f, findings := access.Parse("policies.yaml", []byte(text))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return f
}

func TestParse_ReadsRolesAndRequirements(t *testing.T) {
	f := parsed(t, `version: 1
attributes: {regions: {type: string, list: true}, tenant: {type: int}}
required:
  datasets: {orders: {rows: "NOT is_test"}, "*": {hide: [ssn]}}
  limits: {rows: 1000, queue_ms: 0}
roles:
  regional:
    datasets:
      orders: {rows: "customers.region IN (:user.regions)", fields: all, hide: [margin]}
      customers: {rows: all, fields: [customer_id, email], mask: {email: "'***'"}}
    metrics: [revenue]
    connections: ["", lake]
    limits: {requests_per_second: 2.5, concurrent: 3}
  admin: {all: true}
`)
	want := access.Policies{
		HasRoles: true,
		Roles: []access.Role{
			{
				Name: access.Text{Value: "regional", Line: 7, Column: 3},
				Datasets: []access.Grant{
					{
						Dataset: access.Text{Value: "orders", Line: 9, Column: 7}, Rows: access.Text{Value: "customers.region IN (:user.regions)", Line: 9, Column: 22},
						FieldsAll: true, Hide: []access.Text{{Value: "margin", Line: 9, Column: 81}},
					},
					{
						Dataset: access.Text{Value: "customers", Line: 10, Column: 7}, RowsAll: true,
						Fields: []access.Text{{Value: "customer_id", Line: 10, Column: 39}, {Value: "email", Line: 10, Column: 52}},
						Mask:   []access.Mask{{Field: access.Text{Value: "email", Line: 10, Column: 67}, Expr: access.Text{Value: "'***'", Line: 10, Column: 74}}},
					},
				},
				Metrics:     []access.Text{{Value: "revenue", Line: 11, Column: 15}},
				Connections: []access.Text{{Line: 12, Column: 19}, {Value: "lake", Line: 12, Column: 23}},
				Limits:      &access.Limits{Concurrent: 3, RequestsPerSecond: 2.5, Burst: 3},
			},
			{Name: access.Text{Value: "admin", Line: 14, Column: 3}, All: true, ConnectionsAll: true},
		},
		Required: &access.Required{Datasets: []access.Grant{
			{Dataset: access.Text{Value: "orders", Line: 4, Column: 14}, Rows: access.Text{Value: "NOT is_test", Line: 4, Column: 29}},
			{Dataset: access.Text{Value: "*", Line: 4, Column: 45}, Hide: []access.Text{{Value: "ssn", Line: 4, Column: 58}}},
		}},
	}
	if d := cmp.Diff(want, f.Policies, cmpopts.IgnoreUnexported(access.Grant{})); d != "" {
		t.Error(d)
	}
	if f.RequiredLimits.Rows != 1000 || f.RequiredLimits.QueueMS == nil || *f.RequiredLimits.QueueMS != 0 {
		t.Errorf("%+v", f.RequiredLimits)
	}
	if len(f.Hash) != 12 || f.PoliciesOf("any") != &f.Policies || !f.HasRoles() {
		t.Errorf("hash %q", f.Hash)
	}
}

func TestParse_GroupsRolesByModel(t *testing.T) {
	f := parsed(t, `{"version": 1, "models": {"shop": {"roles": {"a": {"all": true}}}, "lab": {"roles": {}}}, "required": {"limits": {"rows": 5}}}`)
	if p := f.PoliciesOf("shop"); p == nil || p.RoleNamed("a") == nil || p.RoleNamed("b") != nil {
		t.Errorf("%+v", p)
	}
	if f.PoliciesOf("other") != nil || f.PoliciesOf("") != nil {
		t.Error("a model that the file does not name has policies")
	}
	if one := f.ForModel("shop"); one.PoliciesOf("any").RoleNamed("a") == nil || one.Models != nil {
		t.Errorf("%+v", one.Policies)
	}
	if one := f.ForModel("other"); !one.HasRoles() || len(one.Policies.Roles) > 0 {
		t.Error("a model that the file does not name is open")
	}
	if len(f.CheckSeveralModels()) > 0 || f.RequiredLimits.Rows != 5 {
		t.Error("the file does not fit several models")
	}
	for _, text := range []string{"version: 1\nroles: {a: {all: true}}", "version: 1\nroles: {}"} {
		if got := parsed(t, text).CheckSeveralModels(); len(got) != 1 || got[0].Code != "invalid_policy" || got[0].Position.Line == 0 {
			t.Errorf("%v", got)
		}
	}
	if got := parsed(t, "version: 1\nrequired: {limits: {rows: 1}}"); len(got.CheckSeveralModels()) > 0 || got.HasRoles() {
		t.Error("limits alone need no grouping")
	}
}

func TestParse_Issuers(t *testing.T) {
	f := parsed(t, `
version: 1
attributes: {tenant: {type: int}}
resource: "https://sem.example.com/api/"
roles: {reader: {all: true}}
issuers:
  - {issuer: "https://id.example.com/realm", audience: [semlayer]}
  - issuer: cron
    audience: [semlayer, jobs]
    jwks_file: keys.json
    algorithms: [ES256]
    clock_skew_seconds: 0
    name_claim: azp
    roles: [reader]
    roles_claim: groups
    roles_map: {"/team/a": [reader], nobody: []}
    attributes: {tenant: org.tenant_id}
`)
	if d := cmp.Diff([]string{"RS256", "ES256", "EdDSA"}, f.Issuers[0].Algorithms); d != "" || f.Issuers[0].ClockSkewSeconds != 60 || f.Issuers[0].NameClaim != "sub" {
		t.Errorf("%+v", f.Issuers[0])
	}
	second := f.Issuers[1]
	if second.ClockSkewSeconds != 0 || second.NameClaim != "azp" || !second.HasRolesMap || len(second.RolesMap) != 2 || second.Attributes[0].Claim.Value != "org.tenant_id" {
		t.Errorf("%+v", second)
	}
	if f.Resource.Value != "https://sem.example.com/api" {
		t.Errorf("%q", f.Resource.Value)
	}
}

func TestParse_RefusesWithPlaceAndNearestKey(t *testing.T) {
	role := func(keys string) string { return "version: 1\nroles:\n  a: " + keys + "\n" }
	grant := func(keys string) string { return role("{datasets: {orders: " + keys + "}}") }
	issuer := func(keys string) string { return "version: 1\nissuers:\n  - " + keys + "\n" }
	const valid = `{issuer: "https://a", audience: [x]`
	for _, tt := range []struct{ name, text, want string }{
		{"an empty file", "", `1:1 the text is empty`},
		{"a file that is not an object", "- 1", `1:1 the file must be an object, is a list`},
		{"a file that is not YAML", "version: 1\n  x: [", `2:4`},
		{"a key twice", "version: 1\nversion: 1", `2:1 the key "version" is given twice`},
		{"no version", "roles: {}", `1:1 version is missing`},
		{"another version", "version: 2", `1:10 version must be the number 1, is the number 2`},
		{"a version in quotes", `version: "1"`, `1:10 version must be the number 1, is "1"`},
		{"an unknown key", "version: 1\nrole: {}", `2:1 the file has no key "role" | did you mean roles? | roles`},
		{"roles that are null", "version: 1\nroles:", `2:7 roles must be an object, is null`},
		{"a role that is null", role(""), `3:5 a role must be an object, is null`},
		{"an unknown key of a role", role("{metric: all}"), `3:7 a role has no key "metric" | did you mean metrics?`},
		{"all with another key", role("{all: true, sql: true}"), `3:23 sql cannot be combined with all: true`},
		{"all in quotes", role(`{all: "true"}`), `3:12 all must be true or false, is a string`},
		{"an empty grant", grant("{}"), `3:26 rows is missing; it must be all or a row rule`},
		{"a grant without fields", grant("{rows: all}"), `3:26 fields is missing; it must be all or a list of fields`},
		{"a grant without rows", grant("{fields: all}"), `3:26 rows is missing`},
		{"a rule that is a boolean", grant("{rows: true, fields: all}"), `3:33 rows must be a string, is the boolean true | put it in quotes`},
		{"a rule that is null", grant("{rows: , fields: all}"), `rows must be a string, is null`},
		{"a blank rule", grant(`{rows: " ", fields: all}`), `3:33 rows is blank`},
		{"another word than all", grant("{rows: all, fields: every}"), `3:46 fields must be the word all, or a list of names, is "every"`},
		{"a field that is a number", grant("{rows: all, fields: [1]}"), `3:47 an item of fields must be a string, is the number 1`},
		{"hide beside a list of fields", grant("{rows: all, fields: [a], hide: [b]}"), `hide needs fields: all`},
		{"a mask of a field that is not listed", grant(`{rows: all, fields: [a], mask: {b: "1"}}`), `the mask is for the field b, which the grant does not show`},
		{"a mask of a hidden field", grant(`{rows: all, fields: all, hide: [b], mask: {b: "1"}}`), `the mask is for the field b, which the grant does not show`},
		{"a mask that is a number", grant("{rows: all, fields: all, mask: {b: 1}}"), `a mask must be a string, is the number 1 | put it in quotes`},
		{"metrics that are a text", role("{metrics: revenue}"), `metrics must be the word all, or a list of names, is "revenue"`},
		{"a required dataset without roles", "version: 1\nrequired: {datasets: {orders: {hide: [a]}}}", `required.datasets needs roles`},
		{"a rule of every dataset", "version: 1\nroles: {}\nrequired: {datasets: {\"*\": {rows: \"x\"}}}", `an entry of required.datasets has no key "rows"`},
		{"fields in required", "version: 1\nroles: {}\nrequired: {datasets: {o: {fields: all}}}", `an entry of required.datasets has no key "fields"`},
		{"roles beside models", "version: 1\nroles: {}\nmodels: {}", `roles and models are both given`},
		{"required datasets beside models", "version: 1\nmodels: {}\nrequired: {datasets: {}}", `required.datasets and models are both given`},
		{"limits below a model", "version: 1\nmodels: {m: {roles: {}, required: {limits: {rows: 1}}}}", `the limits of required are at the top`},
		{"issuers below a model", "version: 1\nmodels: {m: {issuers: []}}", `a model has no key "issuers"`},
		{"limits of zero", role("{limits: {rows: 0}}"), `rows must be an integer of at least 1, is the number 0`},
		{"limits in quotes", role(`{limits: {concurrent: "3"}}`), `concurrent must be an integer`},
		{"a negative rate", role("{limits: {requests_per_second: -1}}"), `requests_per_second must be a number above 0`},
		{"a rate that is no number", role("{limits: {requests_per_second: .nan}}"), `requests_per_second must be a number above 0`},
		{"a burst without a rate", role("{limits: {burst: 3}}"), `burst needs requests_per_second`},
		{"a long wait", role("{limits: {queue_ms: 60001}}"), `queue_ms must be an integer from 0 to 60000`},
		{"an attribute without a type", "version: 1\nattributes: {a: {}}", `type is missing; it must be one of int, float, string, bool, date`},
		{"another type", "version: 1\nattributes: {a: {type: text}}", `an attribute has no type "text"`},
		{"a predefined attribute", "version: 1\nattributes: {roles: {type: string}}", `2:14 the attribute roles is predefined and cannot be declared`},
		{"a name that no rule can hold", "version: 1\nattributes: {\"a b\": {type: int}}", `the attribute name "a b" cannot be written in a rule`},
		{"an issuer without an audience", issuer(`{issuer: "https://a"}`), `audience is missing`},
		{"an empty audience", issuer(`{issuer: "https://a", audience: []}`), `audience is empty`},
		{"an audience that is a text", issuer(`{issuer: "https://a", audience: x}`), `audience must be a list of strings`},
		{"an issuer that has no address", issuer(`{issuer: a, audience: [x]}`), `the key set of the issuer cannot be discovered | give jwks_file or jwks_url`},
		{"an issuer without TLS", issuer(`{issuer: "http://a.example", audience: [x]}`), `the key set of the issuer cannot be discovered`},
		{"a key set without TLS", issuer(valid + `, jwks_url: "http://10.0.0.1/k"}`), `jwks_url must be an address with https`},
		{"a key set with a password", issuer(valid + `, jwks_url: "https://u:p@h/k"}`), `jwks_url must be an address with https`},
		{"two key sets", issuer(valid + `, jwks_url: "https://h/k", jwks_file: k}`), `jwks_file and jwks_url are both given`},
		{"none", issuer(valid + `, algorithms: [none]}`), `algorithms cannot hold "none"`},
		{"a shared secret", issuer(valid + `, algorithms: [ES256, HS256]}`), `algorithms cannot hold "HS256"`},
		{"no algorithm", issuer(valid + `, algorithms: []}`), `algorithms is empty`},
		{"a large skew", issuer(valid + `, clock_skew_seconds: 301}`), `clock_skew_seconds must be an integer from 0 to 300`},
		{"an issuer twice", issuer(valid + "}\n  - " + valid + "}"), `4:5 a second issuer is "https://a"`},
		{"a role that no model has", issuer(valid + ", roles_claim: g, roles_map: {x: [admin]}}"), `roles_map names the role "admin", which no model has`},
		{"a map without its claim", issuer(valid + ", roles_map: {}}"), `roles_map needs roles_claim`},
		{"an undeclared attribute", issuer(valid + ", attributes: {tenant: t}}"), `unknown_attribute: 3:55 the file does not declare the attribute "tenant"`},
		{"a resource without issuers", "version: 1\nresource: \"https://a\"", `resource needs an issuer`},
		{"a resource without TLS", issuer(valid+"}") + "resource: \"http://a.example\"", `resource must be the public address`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, findings := access.Parse("", []byte(tt.text))
			if f != nil || len(findings) == 0 {
				t.Fatalf("accepted: %+v", f)
			}
			var all []string
			for _, i := range findings {
				if i.Position.Line < 1 || i.Position.Column < 1 || i.Severity != "error" {
					t.Errorf("incomplete: %+v", i)
				}
				all = append(all, fmt.Sprintf("%s: %d:%d %s | %s | %s", i.Code, i.Position.Line, i.Position.Column, i.Message, i.Hint, strings.Join(i.Candidates, ",")))
			}
			// The parts of a wanted finding are in this order in one line.
			found := false
			for _, line := range all {
				rest, ok := line, true
				for _, part := range strings.Split(tt.want, " | ") {
					_, after, has := strings.Cut(rest, part)
					rest, ok = after, ok && has
				}
				found = found || ok
			}
			if !found {
				t.Errorf("want %s\n got %s", tt.want, strings.Join(all, "\n     "))
			}
		})
	}
}

func TestParse_Limits(t *testing.T) {
	if _, findings := access.Parse("", make([]byte, access.MaxFileBytes+1)); len(findings) != 1 || findings[0].Code != "invalid_policy" {
		t.Errorf("%v", findings)
	}
	if _, findings := access.Parse("", []byte("version: 1\nroles: {"+strings.Repeat("a: 1, ", 1)+"b: "+strings.Repeat("[", 100)+strings.Repeat("]", 100)+"}")); len(findings) == 0 {
		t.Error("a deep file is accepted")
	}
	var many strings.Builder
	many.WriteString("version: 1\n")
	for i := range 20_000 {
		fmt.Fprintf(&many, "unknown_key_%d: 1\n", i)
	}
	if _, findings := access.Parse("", []byte(many.String())); len(findings) != 500 {
		t.Errorf("%d findings", len(findings))
	}
}

// FuzzParse: any text is a file, or findings with code and place.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"version: 1\nroles: {a: {all: true}}",
		"version: 1\nattributes: &a {b: {type: int}}\nroles: {x: {datasets: {o: {<<: *a, rows: all, fields: [f]}}}}",
		`{"version":1,"issuers":[{"issuer":"https://a","audience":["x"],"jwks_file":"k","attributes":{"a":"b.c"}}],"resource":"http://localhost"}`,
		"version: 1\nmodels: {m: {roles: {r: {limits: {rows: 1}}}}}\nrequired: {limits: {queue_ms: 5}}",
		"a: &a [*a]", "version: !!binary aGk=\nroles: {? [a] : b}", "", "\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, findings := access.Parse("f", text)
		if (file == nil) == (len(findings) == 0) {
			t.Fatalf("file %v, findings %v", file, findings)
		}
		for _, i := range findings {
			if i.Code == "" || i.Message == "" || i.Position.Line < 1 || i.Position.Column < 1 {
				t.Fatalf("incomplete: %+v", i)
			}
		}
		if file == nil {
			return
		}
		for _, role := range file.Policies.Roles {
			for _, g := range role.Datasets {
				if !g.RowsAll && strings.TrimSpace(g.Rows.Value) == "" {
					t.Fatalf("a grant without a rule: %+v", g)
				}
			}
		}
	})
}
