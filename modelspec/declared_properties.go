package modelspec

import (
	"encoding/json"
	"strings"
)

// ExtensionVendors lists the vendor names whose payloads are honoured, the
// preferred one first. They compare without regard to case.
func ExtensionVendors() []string { return []string{"SEMLAYER", "DATUS"} }

// IsVendorPayload reports whether the entry is a payload of the vendor extension.
func (x *CustomExtension) IsVendorPayload() bool {
	for _, name := range ExtensionVendors() {
		if strings.EqualFold(x.VendorName, name) {
			return true
		}
	}
	return false
}

// UsesVendorAlias reports whether the entry is a payload under another name than the
// vendor's own.
func (x *CustomExtension) UsesVendorAlias() bool {
	return x.IsVendorPayload() && !strings.EqualFold(x.VendorName, ExtensionVendors()[0])
}

// Field finds a field by name, ignoring case; nil when there is none.
func (d *Dataset) Field(name string) *Field {
	return d.byName[strings.ToLower(name)]
}

// HasKeyInColumns reports whether the columns, taken as a set, contain the primary
// key or a unique key of the dataset: then at most one row matches them. A
// column covers the key column of the same name, and the key column that is its
// field's expression.
func (d *Dataset) HasKeyInColumns(columns []LocatedText) bool {
	covered := make(map[string]bool, 2*len(columns))
	for _, c := range columns {
		covered[strings.ToLower(c.Value)] = true
		if f := d.Field(c.Value); f != nil {
			if entry := f.Expression.DefaultEntry(); entry != nil {
				if column := columnNameOfExpression(entry.Expression.Value, d.Name.Value); column != "" {
					covered[strings.ToLower(column)] = true
				}
			}
		}
	}
	contained := func(key []LocatedText) bool {
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

// maxColumnNameBytes is more than the bytes that any name of a column has.
const maxColumnNameBytes = 4096

// columnNameOfExpression strips quotes and the dataset's own name from an expression, so
// that the rest is a column's name exactly when the expression is one.
func columnNameOfExpression(expression, dataset string) string {
	if len(expression) > maxColumnNameBytes {
		return ""
	}
	s := strings.TrimSpace(expression)
	if qualifier, rest, ok := strings.Cut(s, "."); ok && strings.EqualFold(strings.Trim(qualifier, `"`), dataset) {
		s = rest
	}
	return strings.Trim(s, `"`)
}

// DeclaredCardinality returns the relationship's own cardinality, else, unless basic,
// the one its extension payload declares; unproven when neither does.
func (r *Relationship) DeclaredCardinality(basic bool) Cardinality {
	if r.Cardinality.Value != "" || basic {
		return ParseCardinality(r.Cardinality.Value)
	}
	return ParseCardinality(r.readFirstVendorPayload().Cardinality)
}

// DeclaresValidity reports whether, unless basic, the extension payload declares when the
// rows of the target are valid: no key then has to prove that one row matches.
func (r *Relationship) DeclaresValidity(basic bool) bool {
	return !basic && len(r.readFirstVendorPayload().Valid) > 0
}

// validatedRelationshipPayload is what validation reads of an extension payload.
type validatedRelationshipPayload struct {
	Cardinality string
	Valid       map[string]any
}

// readFirstVendorPayload reads the first honoured payload. It is zero where that has no text that can be
// read: the compiler reports it.
func (r *Relationship) readFirstVendorPayload() validatedRelationshipPayload {
	for _, x := range r.Extensions {
		if !x.IsVendorPayload() {
			continue
		}
		var p validatedRelationshipPayload
		if err := json.Unmarshal([]byte(x.Data.Value), &p); err != nil {
			return validatedRelationshipPayload{}
		}
		if x.UsesVendorAlias() {
			p.Valid = nil // payloads of the alias do not have the key
		}
		return p
	}
	return validatedRelationshipPayload{}
}
