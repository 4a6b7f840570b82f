package doctest

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var sectionOfRange = regexp.MustCompile(`(?s)\n## Ranges\n(.*?)\n## `)

// Each key of the extension has a section with its meaning and its rule of ranges on the page of the extension, and a section on the page of its family.
func TestExtension_EachKeyHasASectionAndARangeRule(t *testing.T) {
	overview, err := os.ReadFile(extensionPage)
	if err != nil {
		t.Fatal(err)
	}
	families, err := filepath.Glob(root + "/docs/extension/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var rules strings.Builder
	sections := map[string]bool{}
	for _, page := range families {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		rules.WriteString(strings.Join(sectionOfRange.FindStringSubmatch(string(text)), "\n"))
		for anchor := range anchorsOf(t, page) {
			sections[anchor] = true
		}
	}
	keys := 0
	for _, key := range servedExtensionKeys(t) {
		name, _, _ := strings.Cut(key, ".")
		keys++
		_, section, found := strings.Cut(string(overview), "\n## "+name+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		if !found || !strings.Contains(section, "Range: ") {
			t.Errorf("docs/extension.md has no section with a range rule of %s", name)
		}
		if !sections[name] || !strings.Contains(rules.String(), "| [`"+name+"`](#"+name+") |") {
			t.Errorf("no page of docs/extension has a section and a range rule of %s", name)
		}
	}
	if keys < 25 {
		t.Errorf("%d keys", keys)
	}
}

// servedExtensionKeys lists the keys in the capabilities of a server.
func servedExtensionKeys(t *testing.T) []string {
	t.Helper()
	response, err := http.Get("http://" + demo(t) + "/v1/capabilities")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var served struct {
		Extension struct {
			Keys []struct{ Key string }
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&served); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, key := range served.Extension.Keys {
		out = append(out, key.Key)
	}
	return out
}
