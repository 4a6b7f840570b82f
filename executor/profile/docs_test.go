package profile_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor/profile"
)

func TestConnectionsPage_NamesTypesKeysAndPaths(t *testing.T) {
	if _, err := os.Stat("../../go.work"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the module is outside of the repository, which has the page")
	}
	text, err := os.ReadFile("../../docs/connections.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	// Each type has a section or shares one.
	sections := map[string]string{}
	for _, s := range strings.Split(page, "\n### ")[1:] {
		title, body, _ := strings.Cut(s, "\n")
		for _, name := range strings.Split(title, ", ") {
			sections[strings.Trim(name, "`")] = body
		}
	}
	for _, k := range profile.DescribeWarehouseTypes() {
		for _, name := range append(k.Aliases, k.Name) {
			body, ok := sections[name]
			if !ok {
				t.Errorf("the type %s has no section", name)
			}
			for _, key := range k.Keys {
				if !strings.Contains(body, "`"+key+"`") {
					t.Errorf("%s: the key %s is not described", name, key)
				}
			}
		}
	}
	for _, place := range profile.ProfileSearchPaths("~") {
		if !strings.HasPrefix(place, "~") {
			place = "./" + place
		}
		if !strings.Contains(page, "`"+place+"`") {
			t.Errorf("the place %s is not described", place)
		}
	}
}
