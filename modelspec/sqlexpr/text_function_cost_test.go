package sqlexpr

import (
	"strings"
	"testing"
)

// Each text passes with n and fails with n + 1. The sizes are worked out by hand: a
// stored text counts as 256 bytes.
func TestTextBounds_EdgePassesAndOneBeyondFails(t *testing.T) {
	rep := strings.Repeat
	x := func(n int) string { return "'" + rep("x", n) + "'" }
	tests := []struct {
		name       string
		text       func(n int) string
		last       int // the last n that passes
		wantBeyond string
	}{
		{"bytes of a pattern", func(n int) string { return "a LIKE " + x(n) }, 1024,
			"the pattern of LIKE is longer than 1024 bytes at position 8"},
		{"bytes of a pattern of ILIKE", func(n int) string { return "a NOT ILIKE " + x(n) }, 1024,
			"the pattern of LIKE is longer than 1024 bytes at position 13"},
		{"percent signs", func(n int) string { return "a LIKE '" + rep("%x", n) + "'" }, 32,
			"the pattern of LIKE has more than 32 wildcards at position 8"},
		{"underscores and percent signs", func(n int) string { return "a LIKE '%" + rep("_", n) + "'" }, 31,
			"the pattern of LIKE has more than 32 wildcards at position 8"},
		{"wildcards beside escaped ones", func(n int) string { return "a LIKE '" + rep("!%", 50) + rep("_", n) + "' ESCAPE '!'" }, 32,
			"the pattern of LIKE has more than 32 wildcards at position 8"},
		{"percent signs of a made pattern", func(n int) string { return "a LIKE '" + rep("%", n) + "' || b" }, 2,
			"the pattern of LIKE is not a literal and has more than 2 % at position 8: write the pattern as one literal"},
		{"percent signs of a pattern from a CASE", func(n int) string { return "a LIKE CASE WHEN b THEN '" + rep("%x", n) + "' ELSE 'y' END" }, 2,
			"the pattern of LIKE is not a literal and has more than 2 % at position 8: write the pattern as one literal"},
		// b is 256 bytes.
		{"bytes of a made pattern", func(n int) string { return "a LIKE CONCAT(b, " + x(n) + ")" }, 768,
			"the pattern of LIKE may be longer than 1024 bytes at position 8: a stored text counts as 256 bytes"},
		// 128 × 256 = 32768
		{"fields of CONCAT", func(n int) string { return "CONCAT(a" + rep(",a", n-1) + ") = 'q'" }, 128,
			"CONCAT, || and REPLACE may make more than 32768 bytes of text for a row; the last of them at position 1: a stored text counts as 256 bytes, and each replaced text as often as it fits in"},
		// 64 × 512 = 32768
		{"several texts that are made", func(n int) string { return "a || b = 'q'" + rep(" OR a || b = 'q'", n-1) }, 64,
			"CONCAT, || and REPLACE may make more than 32768 bytes of text for a row; the last of them at position 1025: a stored text counts as 256 bytes, and each replaced text as often as it fits in"},
		// 256 × 128 = 32768
		{"a replacement", func(n int) string { return "REPLACE(a, 'x', " + x(n) + ") = 'q'" }, 128,
			"CONCAT, || and REPLACE may make more than 32768 bytes of text for a row; the last of them at position 1: a stored text counts as 256 bytes, and each replaced text as often as it fits in"},
		// 256 / 4 × 512 = 32768
		{"a replacement of a longer text", func(n int) string { return "REPLACE(a, 'xxxx', " + x(n) + ") = 'q'" }, 512,
			"CONCAT, || and REPLACE may make more than 32768 bytes of text for a row; the last of them at position 1: a stored text counts as 256 bytes, and each replaced text as often as it fits in"},
		// The field that is searched for may have one byte: 256 × 128.
		{"a replacement of a field", func(n int) string { return "REPLACE(a, b, " + x(n) + ") = 'q'" }, 128,
			"CONCAT, || and REPLACE may make more than 32768 bytes of text for a row; the last of them at position 1: a stored text counts as 256 bytes, and each replaced text as often as it fits in"},
		// 256 × 2, and 512 × n: together 512 × 64 = 32768
		{"replacements of replacements", func(n int) string { return "REPLACE(REPLACE(a, 'x', 'xx'), 'x', " + x(n) + ") = 'q'" }, 63,
			"CONCAT, || and REPLACE may make more than 32768 bytes of text for a row; the last of them at position 1: a stored text counts as 256 bytes, and each replaced text as often as it fits in"},
		// 8192 × 4 = 32768
		{"a replacement in gathered texts", func(n int) string { return "REPLACE(LISTAGG(a, ','), 'x', " + x(n) + ") = 'q'" }, 4,
			"CONCAT, || and REPLACE may make more than 32768 bytes of text for a row; the last of them at position 1: a stored text counts as 256 bytes, and each replaced text as often as it fits in"},
		// 256 × 16 = 4096, and 4096 × n: together 4096 × 8 = 32768
		{"a replacement in a text of another row", func(n int) string {
			return "REPLACE(LAG(REPLACE(a, 'x', " + x(16) + ")) OVER (ORDER BY b), 'x', " + x(n) + ") = 'q'"
		}, 7,
			"CONCAT, || and REPLACE may make more than 32768 bytes of text for a row; the last of them at position 1: a stored text counts as 256 bytes, and each replaced text as often as it fits in"},
		// 8192 × 512 = 4194304
		{"a search in a long literal", func(n int) string { return "POSITION(" + x(n) + " IN CASE WHEN a = 'b' THEN " + x(8192) + " END) = 1" }, 512,
			"a string that the condition builds takes too long to search; the search at position 1: search in a field, or for a shorter string"},
		{"CONTAINS in a long literal", func(n int) string { return "CONTAINS(" + x(8192) + ", " + x(n) + ")" }, 512,
			"a string that the condition builds takes too long to search; the search at position 1: search in a field, or for a shorter string"},
		{"LIKE over a long literal", func(n int) string { return x(8192) + " LIKE '%" + rep("x", n) + "'" }, 511,
			"a string that the condition builds takes too long to search; the search at position 1: search in a field, or for a shorter string"},
		// 8192 × 64 × 8 = 4194304
		{"LIKE with _ over a long literal", func(n int) string { return x(8192) + " LIKE '%_" + rep("x", n) + "'" }, 62,
			"a string that the condition builds takes too long to search; the search at position 1: search in a field, or for a shorter string"},
		{"TRIM of a long literal", func(n int) string { return "TRIM(" + x(8192) + ", " + x(n) + ") = 'q'" }, 512,
			"a string that the condition builds takes too long to search; the search at position 1: search in a field, or for a shorter string"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := ParseLimited(test.text(test.last), QueryLimits()); err != nil {
				t.Errorf("%d are refused: %v", test.last, err)
			}
			beyond := test.text(test.last + 1)
			if _, err := ParseLimited(beyond, QueryLimits()); err == nil || err.Error() != test.wantBeyond {
				t.Errorf("beyond the limit\n got %v\nwant %s", err, test.wantBeyond)
			}
			if _, err := ParseLimited(beyond, ModelLimits()); err != nil {
				t.Errorf("refused in a model: %v", err)
			}
		})
	}
}

func TestTextBounds_MadePatternWithReplaceIsRefused(t *testing.T) {
	_, err := ParseLimited("a LIKE REPLACE('xyxy', 'x', '%')", QueryLimits())
	if err == nil || !strings.Contains(err.Error(), "the pattern of LIKE is made with REPLACE") {
		t.Errorf("got %v", err)
	}
}

func TestTextBounds_OrdinaryTextsPass(t *testing.T) {
	long := strings.Repeat("y", 30_000)
	for _, text := range []string{
		"CONTAINS(a, '" + long + "')",
		"REPLACE(a, '" + long + "', 'b') = 'q'",
		"a = '" + long + "'",
		"UPPER(TRIM(a)) LIKE '%ABC%' OR CONCAT(b, ' ', c) ILIKE 'x%'",
		"REPLACE(REPLACE(REPLACE(a, '-', ''), ' ', ''), '(', '[') LIKE '___-%'",
		"a LIKE CONCAT('%', b, '%')",
		"a LIKE '%abc%'" + strings.Repeat(" OR a LIKE '%abc%'", 3000),
		"LOWER(a) = 'x'" + strings.Repeat(" OR LOWER(a) = 'x'", 3000),
	} {
		if _, err := ParseLimited(text, QueryLimits()); err != nil {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}

// A function whose text is not estimated would make texts of any length.
func TestTextBounds_EveryTextFunctionIsEstimated(t *testing.T) {
	long := &String{Value: strings.Repeat("x", 1000)}
	for _, info := range functionTable {
		if info.result != resultTypeString || info.Fn == FnToChar { // the text of TO_CHAR has the length of the format
			continue
		}
		call := &Call{Fn: info.Fn}
		for range info.MinArgs {
			call.Args = append(call.Args, long)
		}
		if bytes, _ := CheckTextFunctionCostAndValueBytes(call, QueryLimits(), nil); bytes < len(long.Value) {
			t.Errorf("%s of texts of %d bytes is estimated at %d", info.Name, len(long.Value), bytes)
		}
	}
}
