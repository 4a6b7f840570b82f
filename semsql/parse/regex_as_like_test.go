package parse

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

func TestParse_SuggestsLikeForAPlainRegularExpression(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT kiln FROM firings WHERE kiln ~ '^nor'":                      "SELECT kiln FROM firings WHERE kiln LIKE 'nor%'",
		"SELECT kiln FROM firings WHERE NOT kiln !~* 'th$' AND pieces > 1":  "SELECT kiln FROM firings WHERE NOT kiln NOT ILIKE '%th' AND pieces > 1",
		"SELECT kiln FROM firings WHERE kiln ~ '^(n.*th)$'":                 "SELECT kiln FROM firings WHERE kiln LIKE 'n%th'",
		"SELECT kiln FROM firings WHERE kiln ~ 'a.b' OR kiln ~* '^it''s.*'": "SELECT kiln FROM firings WHERE kiln LIKE '%a_b%' OR kiln ILIKE 'it''s%%'",
		"SELECT kiln FROM firings WHERE kiln ~ 'a+'":                        "",
		"SELECT kiln FROM firings WHERE kiln ~ '^(a|b)$'":                   "",
		"SELECT kiln FROM firings WHERE kiln ~ '100%'":                      "",
		"SELECT kiln FROM firings WHERE kiln ~ other":                       "",
	} {
		e := refusalOf(t, sql)
		if e.Code != CodeUnsupported || !strings.HasPrefix(e.Message, "the operator ") {
			t.Errorf("%s: %v", sql, e)
		}
		if e.Statement != want {
			t.Errorf("%s suggests\n%s, want\n%s", sql, e.Statement, want)
		}
	}
}

// A pattern of LIKE matches what its regular expression matches, by Go's own expressions for both.
func TestLikeOfRegex_MatchesTheSameTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := func(alphabet string, most int) string {
		var out strings.Builder
		for range random.IntN(most + 1) {
			out.WriteByte(alphabet[random.IntN(len(alphabet))])
		}
		return out.String()
	}
	wildcards := strings.NewReplacer("%", ".*", "_", ".")
	translated := 0
	for range 20_000 {
		regex := letters("ab.*^$(", 6)
		if random.IntN(3) == 0 {
			regex = "^(" + letters("ab.*", 4) + ")$"
		}
		pattern, ok := likeOfRegex(regex)
		if !ok {
			continue
		}
		original, err := regexp.Compile("(?s)" + regex)
		if err != nil {
			t.Fatalf("%s has the pattern %s and is no regular expression: %v", regex, pattern, err)
		}
		like := regexp.MustCompile("(?s)^" + wildcards.Replace(pattern) + "$")
		translated++
		for range 20 {
			text := letters("abc", 6)
			if original.MatchString(text) != like.MatchString(text) {
				t.Fatalf("%s and LIKE %s differ for %q", regex, pattern, text)
			}
		}
	}
	if translated < 2_000 {
		t.Errorf("only %d expressions have a pattern", translated)
	}
}
