package docs_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/restapi/internal/docs"
	"github.com/semlayer/semlayer/restapi/internal/static"
)

func files(t *testing.T) map[string]static.File {
	t.Helper()
	all, err := docs.Files()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]static.File{}
	for _, f := range all {
		out[f.Path] = f
	}
	return out
}

func plain(t *testing.T, f static.File) string {
	t.Helper()
	content, err := f.UncompressedBytes()
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// The checksums are those of the files as they were published.
func TestFiles_MatchPublishedChecksums(t *testing.T) {
	sums, err := os.Open("swagger-ui/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	defer sums.Close()
	all := files(t)
	checked := 0
	for lines := bufio.NewScanner(sums); lines.Scan(); checked++ {
		want, name, _ := strings.Cut(lines.Text(), "  ")
		f, ok := all["/docs/"+name]
		if !ok {
			t.Errorf("%s is not served", name)
			continue
		}
		if sum := sha256.Sum256([]byte(plain(t, f))); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s is not the file that was published", name)
		}
	}
	if checked < 5 {
		t.Errorf("%d files are checked", checked)
	}
}

// The policy forbids inline scripts and styles, and files of other origins.
func TestPage_LoadsOnlyOwnFiles(t *testing.T) {
	all := files(t)
	page := plain(t, all["/docs"])
	loads := regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(page, -1)
	if len(loads) < 5 {
		t.Fatalf("%v", loads)
	}
	for _, l := range loads {
		if l[1] == "data:," || l[1] == "openapi.json" || l[1] == "./" {
			continue
		}
		if _, ok := all[path.Join("/", l[1])]; !ok {
			t.Errorf("%s is not served", l[1])
		}
	}
	for _, within := range []string{"<style", "style=", "onload", "onclick", "<script>"} {
		if strings.Contains(page, within) {
			t.Errorf("the page has %s in it", within)
		}
	}
	policy := static.ContentSecurityPolicy
	for _, directive := range []string{"default-src 'none'", "script-src 'self';", "style-src 'self';", "connect-src 'self';"} {
		if !strings.Contains(policy, directive) {
			t.Errorf("the policy lacks %s", directive)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Error("the policy allows what is unsafe")
	}
}

func TestFiles_UniqueETags(t *testing.T) {
	seen := map[string]string{}
	for p, f := range files(t) {
		for _, tag := range []string{f.ETag, f.PackedETag} {
			if other, taken := seen[tag]; taken && tag != "" {
				t.Errorf("%s and %s share %s", other, p, tag)
			}
			seen[tag] = p
		}
		if f.ETag == "" || (f.PackedETag == "") != (f.GzippedBytes() == nil) {
			t.Errorf("%s: %q, packed %q", p, f.ETag, f.PackedETag)
		}
	}
}
