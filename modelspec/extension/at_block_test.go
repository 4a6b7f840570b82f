package extension_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/extension"
)

func TestDerive_AtIsReadUnderTheVendorsOwnName(t *testing.T) {
	data := `{"v": "1.10", "derive": {"type": "at", "expr": "AVG(revenue)", "include": ["a.b:month"], "only": [], "unfiltered": ["c"]}}`
	m, d := extension.ReadMetric(owner, payloads(data))
	want := &extension.AtBlock{Include: []string{"a.b:month"}, HasOnly: true, Unfiltered: []string{"c"}}
	if len(found(d)) > 0 || m.Derive == nil {
		t.Fatal(found(d))
	}
	if diff := cmp.Diff(want, m.Derive.At); diff != "" {
		t.Error(diff)
	}
	alias := payloads(data)
	alias[0].VendorName = "DATUS"
	if m, d = extension.ReadMetric(owner, alias); m.Derive != nil && m.Derive.At != nil || len(found(d)) == 0 {
		t.Errorf("an alias of the vendor has the type: %+v %v", m.Derive, found(d))
	}
}
