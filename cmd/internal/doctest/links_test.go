package doctest

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	markdownLink  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	pageHeading   = regexp.MustCompile(`(?m)^#+ (.*)$`)
	namedAnchor   = regexp.MustCompile(`<a id="([^"]+)"`)
	linkOfHeading = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	notInAnchor   = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
)

// anchorsOf returns the anchors of a page as GitHub makes them of its headings.
func anchorsOf(t *testing.T, path string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	prose := fencedBlock.ReplaceAllString(string(text), "")
	out := map[string]bool{}
	for _, heading := range pageHeading.FindAllStringSubmatch(prose, -1) {
		words := notInAnchor.ReplaceAllString(strings.ToLower(linkOfHeading.ReplaceAllString(strings.TrimSpace(heading[1]), "$1")), "")
		anchor := strings.ReplaceAll(words, " ", "-")
		name := anchor
		for n := 1; out[name]; n++ {
			name = anchor + "-" + strconv.Itoa(n)
		}
		out[name] = true
	}
	for _, named := range namedAnchor.FindAllStringSubmatch(prose, -1) {
		out[named[1]] = true
	}
	return out
}

func TestLinks_LeadToFilesAndHeadings(t *testing.T) {
	checked := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range markdownLink.FindAllStringSubmatch(fencedBlock.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(link[1], "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			checked++
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s: %v", page, link[1], err)
			} else if anchor != "" && filepath.Ext(target) == ".md" && !anchorsOf(t, target)[anchor] {
				t.Errorf("%s: %s has no heading %s", page, target, anchor)
			}
		}
	}
	if checked < 300 {
		t.Errorf("%d links", checked)
	}
}
