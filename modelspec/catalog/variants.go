package catalog

// Variants holds a compiled expression per SQL dialect. Models may write an
// expression once for all dialects and again for single ones; most never do,
// so the common case is a default and an empty map.
type Variants[T any] struct {
	Default   T
	ByDialect map[string]T // by canonical lower-case dialect name
}

// For returns the variant for a target dialect (lower case), else the default.
func (v Variants[T]) For(dialect string) T {
	if len(v.ByDialect) > 0 {
		if x, ok := v.ByDialect[dialect]; ok {
			return x
		}
	}
	return v.Default
}
