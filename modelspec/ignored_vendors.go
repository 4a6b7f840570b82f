package modelspec

import "strings"

// VendorEntryCount counts the custom_extensions entries of one vendor.
type VendorEntryCount struct {
	Name    string // as its first entry spells it
	Entries int
}

// IgnoredExtensionVendors lists the vendors whose entries the vendor extension ignores, in document
// order. Names that differ in case alone are one vendor.
func (m *SemanticModel) IgnoredExtensionVendors() []VendorEntryCount {
	var list []VendorEntryCount
	known := map[string]int{}
	add := func(entries []*CustomExtension) {
		for _, x := range entries {
			if x.IsVendorPayload() {
				continue
			}
			key := strings.ToLower(x.VendorName)
			at, ok := known[key]
			if !ok {
				at = len(list)
				known[key] = at
				list = append(list, VendorEntryCount{Name: x.VendorName})
			}
			list[at].Entries++
		}
	}
	add(m.Extensions)
	for _, d := range m.Datasets {
		add(d.Extensions)
		for _, f := range d.Fields {
			add(f.Extensions)
		}
	}
	for _, r := range m.Relationships {
		add(r.Extensions)
	}
	for _, x := range m.Metrics {
		add(x.Extensions)
	}
	return list
}
