package profile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/profile"
)

func TestRollupWriting_HasAConnectionOfItsOwn(t *testing.T) {
	p, warnings := entry(t, `type: postgres
host: h
username: reader
password_file: /secret
schema: sales
rollups: {schema: agg, writable: true, grant_to: [readers, "${ROLE:-other}"], username: builder, password: p}`, noVariables)
	if p.Err != nil || len(warnings) > 0 || p.Rollups == nil || p.Rollups.Err != nil {
		t.Fatalf("%+v %v", p, warnings)
	}
	own, ok := p.Settings.(*profile.Postgres)
	w, isPostgres := p.Rollups.Settings.(*profile.Postgres)
	if !ok || !isPostgres || own.Username != "reader" || w.Username != "builder" || w.Host != "h" || w.Schema != "sales" || w.PasswordSource != nil {
		t.Errorf("%+v, %+v", own, w)
	}
	if p.Rollups.Schema != "agg" || !p.Rollups.Writable || !cmp.Equal(p.Rollups.GrantTo, []string{"readers", "other"}) {
		t.Errorf("%+v", p.Rollups)
	}
	p, _ = entry(t, "type: postgres\nhost: h\nrollups: {uri: 'postgresql://w@other/d'}", noVariables)
	if w, ok := p.Rollups.Settings.(*profile.Postgres); !ok || w.URI.IsZero() || p.Rollups.Writable || p.Rollups.Err != nil {
		t.Errorf("%+v", p.Rollups)
	}
	p, _ = entry(t, "type: sqlite\npath: x.db\nrollups: {writable: true}", noVariables)
	if p.Rollups.Settings != nil || !p.Rollups.Writable {
		t.Errorf("%+v", p.Rollups)
	}
	if p, _ = entry(t, "type: sqlite\npath: x.db", noVariables); p.Rollups != nil {
		t.Errorf("%+v", p.Rollups)
	}
}

func TestRollupWriting_RejectsUnknownMembers(t *testing.T) {
	for text, want := range map[string]string{
		"rollups: {writable: maybe}":      "rollups has a writable that is neither true nor false",
		"rollups: {grant_to: readers}":    "rollups has a grant_to that is not a list",
		"rollups: {grant_to: ['']}":       "rollups has an empty role",
		"rollups: true":                   "rollups must be a mapping",
		"rollups: {schema: a, schema: b}": "a key twice",
	} {
		p, _ := entry(t, "type: postgres\nhost: h\n"+text, noVariables)
		if e := wantConfig(t, p.Err); !strings.Contains(e.Message, want) {
			t.Errorf("%s: %v", text, e)
		}
	}
	// What only a refresh needs leaves queries alone.
	for text, want := range map[string]string{
		"host: h\nrollups: {user: w}":                             "rollups has user, which is not one of its keys",
		"uri: postgresql://u@h/d\nrollups: {username: w}":         "uri is set together with username",
		"host: h\nrollups: {password: hunter2, password_file: f}": "are both given",
	} {
		p, _ := entry(t, "type: postgres\n"+text, noVariables)
		if p.Err != nil || p.Rollups == nil || p.Rollups.Settings != nil {
			t.Errorf("%s: %+v", text, p)
			continue
		}
		if e := wantConfig(t, p.Rollups.Err); e.Code != executor.CodeConfig || !strings.Contains(e.Message, want) || strings.Contains(e.Message, "hunter2") {
			t.Errorf("%s: %v", text, e)
		}
	}
}
