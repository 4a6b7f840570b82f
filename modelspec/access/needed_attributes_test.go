package access_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNeededAttributes_OfRulesAndMasks(t *testing.T) {
	p := parsed(t, `version: 1
required: {datasets: {orders: {rows: "tenant = :user.tenant"}}}
roles:
  a: {datasets: {orders: {rows: "region IN (:user.regions) AND note <> ':user.text' -- :user.comment", fields: all, mask: {email: "CASE WHEN :user.plain THEN email::VARCHAR END"}}}}
  b: {datasets: {orders: {rows: all, fields: all}, "*": {rows: "\":user.quoted\" = /* :user.block */ :user.regions", fields: all}}}
  c: {all: true}
`).PoliciesOf("")
	for _, tt := range []struct {
		roles []string
		want  []string
	}{
		{nil, []string{"tenant"}},
		{[]string{"c"}, []string{"tenant"}},
		{[]string{"a"}, []string{"plain", "regions", "tenant"}},
		{[]string{"b", "a", "unknown"}, []string{"plain", "regions", "tenant"}},
		{[]string{"b"}, []string{"regions", "tenant"}},
	} {
		if d := cmp.Diff(tt.want, p.NeededAttributes(tt.roles)); d != "" {
			t.Errorf("%v: %s", tt.roles, d)
		}
	}
}
