package profile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/profile"
)

func TestSession_IsReadWithItsAttributes(t *testing.T) {
	p, warnings := entry(t, `type: greenplum
host: h
session:
  role: ":user.pg_role"
  allowed_roles: [emea, apac]
  set: {app.tenant: ":user.tenant", app.level: 3, app.text: ":user.tenant and more", app.name: "${NAME:-x}"}`, noVariables)
	if p.Err != nil || len(warnings) > 0 {
		t.Fatal(p.Err, warnings)
	}
	want := &profile.Session{
		Role: &profile.SessionValue{Attribute: "pg_role"}, AllowedRoles: []string{"emea", "apac"},
		Set: []profile.SessionSetting{
			{Name: "app.tenant", Value: profile.SessionValue{Attribute: "tenant"}}, {Name: "app.level", Value: profile.SessionValue{Constant: "3"}},
			{Name: "app.text", Value: profile.SessionValue{Constant: ":user.tenant and more"}}, {Name: "app.name", Value: profile.SessionValue{Constant: "x"}},
		},
	}
	if diff := cmp.Diff(want, p.Settings.(*profile.Postgres).Session); diff != "" {
		t.Error(diff)
	}
}

func TestSession_RejectsWhatItCannotPromise(t *testing.T) {
	for text, want := range map[string]string{
		`type: mysql
host: h
session: {role: r}`: "session is a key of postgres and greenplum alone",
		`type: cockroachdb
host: h
session: {role: r}`: "session is a key of postgres and greenplum alone",
		session(`{role: ":user.r"}`):                           "no allowed_roles",
		session(`{role: none}`):                                "the role none",
		session(`{role: ":user.r", allowed_roles: [a, None]}`): "the role none",
		session(`{allowed_roles: [a]}`):                        "allowed_roles and no role",
		session(`{}`):                                          "neither a role nor a setting",
		session(`{role: ""}`):                                  "an empty role",
		session(`{rol: x}`):                                    "has rol, which is not one of its keys",
		session(`{set: {TimeZone: UTC}}`):                      "has TimeZone, which is not one of its keys",
		session(`{set: {"a.b'; --": x}}`):                      "which is not one of its keys",
		session(`{set: {a.b: [x]}}`):                           "must be a single value",
		session(`{set: {a.b: x, a.b: y}}`):                     "a key twice",
		session(`{role: r, allowed_roles: a}`):                 "not a list",
		session(`[a]`):                                         "must be a mapping",
		session(`text`):                                        "must be a mapping",
		session(`{role: "a\0b"}`):                              "NUL",
	} {
		p, _ := entry(t, text, noVariables)
		if e := wantConfig(t, p.Err); !strings.Contains(e.Message, want) {
			t.Errorf("%s: %s, want %s", text, e.Message, want)
		}
	}
}

func session(text string) string { return "type: postgres\nhost: h\nsession: " + text }
