package modelspec

import (
	"encoding/json"
	"strings"
)

// ExtensionVendors lists the vendor names whose payloads are honoured, the
// preferred one first. They compare without regard to case.
func ExtensionVendors() []string { return []string{"SEMLAYER", "DATUS"} }

// Honoured reports whether the entry is a payload of the vendor extension.
func (x *CustomExtension) Honoured() bool {
	for _, name := range ExtensionVendors() {
		if strings.EqualFold(x.VendorName, name) {
			return true
		}
	}
	return false
}

// Alias reports whether the entry is a payload under another name than the
// vendor's own.
func (x *CustomExtension) Alias() bool {
	return x.Honoured() && !strings.EqualFold(x.VendorName, ExtensionVendors()[0])
}

// Field finds a field by name, ignoring case; nil when there is none.
func (d *Dataset) Field(name string) *Field {
	return d.byName[strings.ToLower(name)]
}

// CoversKey reports whether the columns, taken as a set, contain the primary
// key or a unique key of the dataset: then at most one row matches them. A
// column covers the key column of the same name, and the key column that is its
// field's expression.
func (d *Dataset) CoversKey(columns []Text) bool {
	covered := make(map[string]bool, 2*len(columns))
	for _, c := range columns {
		covered[strings.ToLower(c.Value)] = true
		if f := d.Field(c.Value); f != nil {
			if entry := f.Expression.Default(); entry != nil {
				if column := plainColumnName(entry.Expression.Value, d.Name.Value); column != "" {
					covered[strings.ToLower(column)] = true
				}
			}
		}
	}
	contained := func(key []Text) bool {
		for _, column := range key {
			if !covered[strings.ToLower(strings.Trim(column.Value, `"`))] {
				return false
			}
		}
		return len(key) > 0
	}
	if contained(d.PrimaryKey) {
		return true
	}
	for _, key := range d.UniqueKeys {
		if contained(key) {
			return true
		}
	}
	return false
}

// maxColumnName is more than the bytes that any name of a column has.
const maxColumnName = 4096

// plainColumnName strips quotes and the dataset's own name from an expression, so
// that the rest is a column's name exactly when the expression is one.
func plainColumnName(expression, dataset string) string {
	if len(expression) > maxColumnName {
		return ""
	}
	s := strings.TrimSpace(expression)
	if qualifier, rest, ok := strings.Cut(s, "."); ok && strings.EqualFold(strings.Trim(qualifier, `"`), dataset) {
		s = rest
	}
	return strings.Trim(s, `"`)
}

// DeclaredCardinality is the relationship's own cardinality, else, unless basic,
// the one its extension payload declares; "" when neither does.
func (r *Relationship) DeclaredCardinality(basic bool) string {
	if r.Cardinality.Value != "" || basic {
		return r.Cardinality.Value
	}
	for _, x := range r.Extensions {
		if !x.Honoured() {
			continue
		}
		var payload struct{ Cardinality string }
		if err := json.Unmarshal([]byte(x.Data.Value), &payload); err != nil || !containsString(Cardinalities(), payload.Cardinality) {
			return ""
		}
		return payload.Cardinality
	}
	return ""
}
