package extension_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/extension"
)

func TestLOD_ReadsThePathToTheCarrier(t *testing.T) {
	for _, c := range []struct {
		what, vendor, data string
		via                []string
		found              []string
	}{
		{"none", "SEMLAYER", `{"v": "1.10", "lod": {"grain": ["day"]}}`, nil, nil},
		{"null", "SEMLAYER", `{"v": "1.10", "lod": {"grain": ["day"], "via": null}}`, nil, nil},
		{"two relationships", "SEMLAYER", `{"v": "1.10", "lod": {"grain": ["day"], "via": ["a", "b"]}}`, []string{"a", "b"}, nil},
		{"newer than declared", "SEMLAYER", `{"v": "1.9", "lod": {"grain": ["day"], "via": ["a"]}}`, []string{"a"},
			[]string{"vendor_ext_key_newer_than_declared .lod.via"}},
		{"a string", "SEMLAYER", `{"v": "1.10", "lod": {"grain": ["day"], "via": "a"}}`, nil, []string{"invalid_vendor_extension .lod.via"}},
		{"an empty list", "SEMLAYER", `{"v": "1.10", "lod": {"grain": ["day"], "via": []}}`, nil, []string{"invalid_vendor_extension .lod.via"}},
		{"an empty name", "SEMLAYER", `{"v": "1.10", "lod": {"grain": ["day"], "via": ["a", " "]}}`, nil, []string{"invalid_vendor_extension .lod.via[1]"}},
		{"under the alias", "DATUS", `{"v": "1.9", "lod": {"grain": ["day"], "via": ["a"]}}`, nil, []string{"invalid_vendor_extension .lod.via"}},
		{"under the alias and newer than it", "DATUS", `{"v": "1.10", "lod": {"grain": ["day"], "via": ["a"]}}`, nil,
			[]string{"vendor_ext_version_ahead m.custom_extensions[0]"}},
		{"required under the alias", "datus", `{"v": "1.10", "requires": ["lod.via"], "lod": {"grain": ["day"], "via": ["a"]}}`, nil,
			[]string{"vendor_ext_key_required .requires[0]", "vendor_ext_version_ahead m.custom_extensions[0]"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			entries := payloads(c.data)
			entries[0].VendorName = c.vendor
			got, d := extension.ReadField(owner, entries)
			var via []string
			if got.LOD != nil {
				for _, ref := range got.LOD.Via {
					via = append(via, ref.Name)
				}
			}
			if diff := cmp.Diff(c.found, found(d)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.via, via); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLOD_NamesTheVendorThatHasTheKey(t *testing.T) {
	entries := payloads(`{"v": "1.9", "lod": {"grain": ["day"], "via": ["a"]}}`)
	entries[0].VendorName = "DATUS"
	_, d := extension.ReadField(owner, entries)
	want := "write vendor_name SEMLAYER: the key came with version 1.10, and payloads of DATUS have the keys up to 1.9"
	if hint := d.Errors[0].Hint; !strings.HasPrefix(hint, want) {
		t.Error(hint)
	}
	entries = payloads(`{"v": "1.10", "lod": {"grain": ["day"], "via": ["a"]}}`)
	entries[0].VendorName = "DATUS"
	_, d = extension.ReadField(owner, entries)
	if got := d.Warnings[0].Message; got != "the payload declares version 1.10, newer than 1.9; dropped: lod.via" {
		t.Error(got)
	}
}
