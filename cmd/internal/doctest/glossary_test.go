package doctest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// glossaryTerms are the terms of this project that are not terms of SQL, with their anchors.
var glossaryTerms = map[string]string{
	"plane": "plane", "home dataset": "home-dataset", "fan-out": "fan-out", "conformed dimension": "conformed-dimension", "semi-additive": "semi-additive",
	"mode vendor": "mode-vendor", "time axis": "time-axis",
}

// pagesWithoutGlossary are about the code, or made from it.
var pagesWithoutGlossary = []string{"architecture.md", "benchmarks.md", "errors.md", "glossary.md", "promises.md"}

var (
	fencedBlock   = regexp.MustCompile("(?s)```.*?```")
	codeInProse   = regexp.MustCompile("`[^`\n]*`")
	headingOfPage = regexp.MustCompile(`(?m)^#.*$`)
)

func TestGlossary_IsLinkedAtTheFirstMention(t *testing.T) {
	glossary, err := os.ReadFile(root + "/docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	for term, anchor := range glossaryTerms {
		if !strings.Contains(string(glossary), `<a id="`+anchor+`"></a>`+term+" |") {
			t.Errorf("docs/glossary.md has no %s", term)
		}
	}
	linked := 0
	for _, page := range pages(t) {
		if filepath.Base(page) == "README.md" || slices.Contains(pagesWithoutGlossary, filepath.Base(page)) {
			continue
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		prose := headingOfPage.ReplaceAllString(codeInProse.ReplaceAllString(fencedBlock.ReplaceAllString(string(text), ""), "``"), "")
		for term, anchor := range glossaryTerms {
			first := regexp.MustCompile(`(?i)\b` + strings.ReplaceAll(regexp.QuoteMeta(term), " ", `\s`) + `\b`).FindStringIndex(prose)
			if first == nil {
				continue
			}
			if !regexp.MustCompile(`^(e?s)?\]\((\.\./)?glossary\.md#` + anchor + `\)`).MatchString(prose[first[1]:]) {
				t.Errorf("%s: the first %q is not linked to glossary.md#%s", filepath.Base(page), term, anchor)
			}
			linked++
		}
	}
	if linked < 5 {
		t.Errorf("%d terms are linked", linked)
	}
}
