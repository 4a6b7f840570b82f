package access

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each test that the comment of the package names exists in its folder.
func TestPackageComment_NamesTests(t *testing.T) {
	named := regexp.MustCompile(`(?:([a-z/]+)/)?(Test\w+)`).FindAllStringSubmatch(read(t, "doc.go"), -1)
	if len(named) < 40 {
		t.Errorf("the comment names %d tests", len(named))
	}
	sources := map[string]string{} // by folder
	for _, one := range named {
		folder, test := one[1], one[2]
		if folder == "" {
			folder = "integration/access"
		}
		if _, known := sources[folder]; !known {
			files, err := filepath.Glob(filepath.Join("../..", folder, "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, file := range files {
				texts = append(texts, read(t, file))
			}
			sources[folder] = strings.Join(texts, "\n")
		}
		if !strings.Contains(sources[folder], "\nfunc "+test+"(t *testing.T) {") {
			t.Errorf("%s has no test %s", folder, test)
		}
	}
}
