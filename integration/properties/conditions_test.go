package properties_test

import (
	"fmt"
)

func jsonText(s string) string { return jsonOf(s) }

func parens(s string) string { return "(" + s + ")" }

// predicate returns a condition over the fields of one dataset; name spells a field.
func (r *maker) predicate(d *dataset, name func(*field) string) string {
	switch r.IntN(8) {
	case 0:
		return parens(r.predicate(d, name)) + " OR " + r.atom(d, name)
	case 1:
		return r.atom(d, name) + " AND " + r.atom(d, name)
	case 2:
		return "NOT " + parens(r.atom(d, name))
	}
	return r.atom(d, name)
}

// atom returns a comparison, or another test of a single field.
func (r *maker) atom(d *dataset, name func(*field) string) string {
	f := pick(r, d.fieldsOf(text, whole, quarters, truth, day, moment, zoned))
	return r.test(f, name(f))
}

// test returns a condition about one value of a kind.
func (r *maker) test(f *field, x string) string {
	if r.chance(15) {
		return x + pick(r, []string{" IS NULL", " IS NOT NULL"})
	}
	switch f.kind {
	case text:
		word := func() string { return quote(pick(r, []string{"a", "b", "c", "A", "it's", "x%y", "", "none", "high"})) }
		switch r.IntN(7) {
		case 0:
			return fmt.Sprintf("%s%s IN (%s, %s)", x, pick(r, []string{"", " NOT"}), word(), word())
		case 1:
			return x + pick(r, []string{" LIKE 'a%'", " NOT LIKE '%s'", " LIKE '_'", " ILIKE 'A'", ` LIKE 'x\%y'`})
		case 2:
			return fmt.Sprintf("COALESCE(%s, 'z') <> %s", x, word())
		case 3:
			return fmt.Sprintf("LENGTH(%s) %s 1", x, pick(r, []string{">", "=", "<="}))
		case 4:
			return fmt.Sprintf("%s IS DISTINCT FROM %s", x, word())
		}
		return fmt.Sprintf("%s %s %s", x, pick(r, []string{"=", "<>", "<", ">="}), word())
	case truth:
		return pick(r, []string{x, "NOT " + x, x + " IS TRUE", x + " IS NOT FALSE", x + " = FALSE"})
	case day, moment, zoned:
		bound := pick(r, []string{"2024-01-01", "2024-01-31", "2024-02-29", "2024-03-15"})
		switch r.IntN(5) {
		case 0:
			return fmt.Sprintf("%s BETWEEN DATE '2023-12-15' AND DATE '%s'", x, bound)
		case 1:
			return fmt.Sprintf("EXTRACT(MONTH FROM %s) = %d", x, 1+r.IntN(3))
		case 2:
			return fmt.Sprintf("YEAR(%s) = 2024", x)
		}
		return fmt.Sprintf("%s %s DATE '%s'", x, pick(r, []string{"<", ">=", ">", "<="}), bound)
	}
	switch n := r.IntN(8) - 2; r.IntN(7) {
	case 0:
		return fmt.Sprintf("%s BETWEEN %d AND %d", x, n-2, n+1)
	case 1:
		return fmt.Sprintf("%s IN (%d, %d, NULL)", x, n, n+2)
	case 2:
		return fmt.Sprintf("%s %% 2 = %d", x, r.IntN(2))
	case 3:
		return fmt.Sprintf("6 / %s > %d", x, n)
	case 4:
		return fmt.Sprintf("CASE WHEN %s > 3 THEN 1 WHEN %s < 0 THEN 2 END = 1", x, x)
	default:
		return fmt.Sprintf("%s %s %d", x, pick(r, []string{"=", "<>", "<", ">", ">=", "<="}), n)
	}
}
