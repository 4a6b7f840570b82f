package access_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/access"
)

func TestLimitsOf_GreatestOfRolesBelowTheCeiling(t *testing.T) {
	const roles = `version: 1
roles:
  small: {limits: {rows: 10, concurrent: 1, requests_per_second: 1, queue_ms: 100, bytes_billed: 9007199254740993}}
  large: {limits: {rows: 20, concurrent: 3, requests_per_second: 2, burst: 9, queue_ms: 50}}
  free: {}
`
	f := parsed(t, roles)
	capped := parsed(t, roles+"required: {limits: {rows: 15, concurrent: 8, requests_per_second: 1.5, burst: 4, queue_ms: 30}}\n")
	limitsOnly := parsed(t, "version: 1\nrequired: {limits: {rows: 7}}\n")
	wait := func(ms int) *int { return &ms }
	for _, tt := range []struct {
		name  string
		file  *access.File
		roles []string
		want  access.Limits
	}{
		{"one role", f, []string{"small"}, access.Limits{Rows: 10, Concurrent: 1, RequestsPerSecond: 1, Burst: 1, BytesBilled: 9007199254740993, QueueMS: wait(100)}},
		{"the greatest counts, and absence is no limit", f, []string{"small", "large"}, access.Limits{Rows: 20, Concurrent: 3, RequestsPerSecond: 2, Burst: 9, QueueMS: wait(100)}},
		{"a role without limits frees", f, []string{"small", "free"}, access.Limits{QueueMS: wait(100)}},
		{"an unknown role frees nothing", f, []string{"small", "stranger"}, access.Limits{Rows: 10, Concurrent: 1, RequestsPerSecond: 1, Burst: 1, BytesBilled: 9007199254740993, QueueMS: wait(100)}},
		{"the wait of the service", f, []string{"free"}, access.Limits{QueueMS: wait(40)}},
		{"a ceiling", capped, []string{"small", "large"}, access.Limits{Rows: 15, Concurrent: 3, RequestsPerSecond: 1.5, Burst: 4, QueueMS: wait(30)}},
		{"a ceiling without limits of a role", capped, []string{"free"}, access.Limits{Rows: 15, Concurrent: 8, RequestsPerSecond: 1.5, Burst: 4, QueueMS: wait(30)}},
		{"a ceiling without roles", limitsOnly, nil, access.Limits{Rows: 7, QueueMS: wait(40)}},
	} {
		got := tt.file.LimitsOf(tt.file.PoliciesOf(""), access.Identity{Roles: tt.roles}, 40)
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
	}
}
