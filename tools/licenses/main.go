// Command licenses writes the licences of the third-party code in the semlayer binary.
//
//	go list -deps (each platform) ─► modules ─► licence files ─┐
//	Go's own licence, npm packages, DuckDB's libraries ────────┴─► THIRD_PARTY_LICENSES.gz
//
// Run it at the root of the repository after a change of dependencies. A text that several
// modules share is written once.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	compressedLicensesPath = "cmd/internal/licenses/THIRD_PARTY_LICENSES.gz"
	ownModulePrefix        = "github.com/semlayer/semlayer"
)

// releasePlatforms are those that the binary is released for.
var releasePlatforms = [][2]string{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}}

// bundledLicenses are files of third-party code in the repository, with what they are about.
var bundledLicenses = [][2]string{
	{"swagger-ui-dist (npm), in the page at /docs", "restapi/internal/docs/swagger-ui/LICENSE"},
	{"swagger-ui-dist (npm), notice", "restapi/internal/docs/swagger-ui/NOTICE"},
	{"packages in the bundle of swagger-ui-dist (npm)", "restapi/internal/docs/swagger-ui/swagger-ui-bundle.js.LICENSE.txt"},
	{"npm packages in the page at / (the explorer)", "restapi/internal/explorer/dist/LICENSES.txt"},
}

// duckDBLibrariesNotice is the text about what DuckDB links statically. Its Go module carries the
// licence of DuckDB alone.
const duckDBLibrariesNotice = `The library of DuckDB contains code of other projects: FastPFor, fmt, FSST, HyperLogLog,
ICU, jemalloc, Mbed TLS, miniz, libpg_query, RE2, a skip list, utf8proc, yyjson, Zstandard, and the
Parquet format with its compression libraries. Their licences are in the directories of
https://github.com/duckdb/duckdb/tree/v1.5.5/third_party and
https://github.com/duckdb/duckdb/tree/v1.5.5/extension/icu/third_party; the Go module that brings the library
does not carry their texts.
`

var licenceFilePattern = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice|copyright|patents|unlicense|third_?party)`)

func main() {
	text, err := collectLicenseTexts(context.Background())
	if err == nil {
		err = writeCompressedLicenses(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

func writeCompressedLicenses(text []byte) error {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(text); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(compressedLicensesPath, packed.Bytes(), 0o600)
}

// licenseTexts are licence texts with the components that they hold for, in order.
type licenseTexts struct {
	order []string
	of    map[string][]string // by text
}

func (t *licenseTexts) addText(component, text string) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if t.of == nil {
		t.of = map[string][]string{}
	}
	if t.of[text] == nil {
		t.order = append(t.order, text)
	}
	if !slices.Contains(t.of[text], component) {
		t.of[text] = append(t.of[text], component)
	}
}

func collectLicenseTexts(ctx context.Context) ([]byte, error) {
	var all licenseTexts
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	goLicence, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "LICENSE"))
	if err != nil {
		return nil, err
	}
	all.addText("The Go standard library", string(goLicence))
	modules, err := linkedModuleFolders(ctx)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(modules))
	for name := range modules {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		found := 0
		for _, dir := range modules[name] {
			n, err := all.addTextsOfFolder(name, dir)
			if err != nil {
				return nil, err
			}
			found += n
		}
		if found == 0 {
			return nil, fmt.Errorf("%s has no licence file", name)
		}
	}
	for _, b := range bundledLicenses {
		text, err := os.ReadFile(b[1])
		if err != nil {
			return nil, err
		}
		all.addText(b[0], string(text))
	}
	return all.renderLicenseTexts(), nil
}

// addTextsOfFolder adds the licence files of a directory and returns their number.
func (t *licenseTexts) addTextsOfFolder(component, dir string) (int, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	found := 0
	for _, e := range entries {
		if e.IsDir() || !licenceFilePattern.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return 0, err
		}
		t.addText(component, string(text))
		found++
	}
	return found, nil
}

func (t *licenseTexts) renderLicenseTexts() []byte {
	const rule = "--------------------------------------------------------------------------------\n"
	var b bytes.Buffer
	b.WriteString("Third-party code in the semlayer binary, with its licences. semlayer itself is under the Apache License 2.0.\n\n")
	for _, text := range t.order {
		b.WriteString(rule)
		for _, component := range t.of[text] {
			b.WriteString("* " + component + "\n")
		}
		b.WriteString(rule + "\n" + text + "\n\n")
	}
	b.WriteString(rule + "* Libraries inside DuckDB\n" + rule + "\n" + duckDBLibrariesNotice)
	return b.Bytes()
}

// linkedModuleFolders returns the directories of the modules in the binary, by path and version: the root, and
// each directory between it and a linked package.
func linkedModuleFolders(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	for _, p := range releasePlatforms {
		cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=Dir,Module", "./semlayer")
		cmd.Dir, cmd.Stderr = "cmd", os.Stderr
		cmd.Env = append(os.Environ(), "GOOS="+p[0], "GOARCH="+p[1], "CGO_ENABLED=1")
		list, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s/%s: %w", p[0], p[1], err)
		}
		for d := json.NewDecoder(bytes.NewReader(list)); ; {
			var pkg struct {
				Dir    string
				Module *struct{ Path, Version, Dir string }
			}
			if err := d.Decode(&pkg); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if pkg.Module == nil || pkg.Module.Path == ownModulePrefix || strings.HasPrefix(pkg.Module.Path, ownModulePrefix+"/") {
				continue
			}
			name := pkg.Module.Path + " " + pkg.Module.Version
			for dir := pkg.Dir; strings.HasPrefix(dir, pkg.Module.Dir); dir = filepath.Dir(dir) {
				if !slices.Contains(out[name], dir) {
					out[name] = append(out[name], dir)
				}
			}
		}
	}
	for name := range out {
		slices.Sort(out[name])
	}
	return out, nil
}
