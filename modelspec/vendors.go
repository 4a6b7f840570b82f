package modelspec

import "strings"

// VendorEntries counts the custom_extensions entries of one vendor.
type VendorEntries struct {
	Name    string // as its first entry spells it
	Entries int
}

// OtherVendors lists the vendors whose entries the vendor extension ignores, in document
// order. Names that differ in case alone are one vendor.
func (m *SemanticModel) OtherVendors() []VendorEntries {
	var list []VendorEntries
	known := map[string]int{}
	add := func(entries []*CustomExtension) {
		for _, x := range entries {
			if x.Honoured() {
				continue
			}
			key := strings.ToLower(x.VendorName)
			at, ok := known[key]
			if !ok {
				at = len(list)
				known[key] = at
				list = append(list, VendorEntries{Name: x.VendorName})
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
