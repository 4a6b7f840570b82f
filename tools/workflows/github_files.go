package workflows

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// dependencyFileEcosystems are the files that name dependencies, with Dependabot's word for each.
var dependencyFileEcosystems = map[string]string{"go.mod": "gomod", "package.json": "npm", "pyproject.toml": "pip", "Dockerfile": "docker"}

// skippedFolders are folders without sources of the project.
var skippedFolders = []string{".git", ".cache", "node_modules", "testdata", "bin"}

type dependabotConfig struct {
	Updates []struct {
		Ecosystem   string   `yaml:"package-ecosystem"`
		Directories []string `yaml:"directories"`
	} `yaml:"updates"`
}

// CheckDependabotFolders compares the folders of dependabot.yml with those of the repository.
func CheckDependabotFolders(root string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(root, ".github/dependabot.yml"))
	if err != nil {
		return nil, err
	}
	var file dependabotConfig
	if err := yaml.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	listed := map[string]bool{}
	for _, u := range file.Updates {
		for _, dir := range u.Directories {
			listed[u.Ecosystem+" "+dir] = true
		}
	}
	wanted, err := findDependencyFolders(root)
	if err != nil {
		return nil, err
	}
	wanted["github-actions /"] = true
	var found []string
	for _, entry := range slices.Sorted(maps.Keys(wanted)) {
		if !listed[entry] {
			found = append(found, fmt.Sprintf("dependabot.yml does not list %s", entry))
		}
	}
	for _, entry := range slices.Sorted(maps.Keys(listed)) {
		if !wanted[entry] {
			found = append(found, fmt.Sprintf("dependabot.yml lists %s, where there is nothing to update", entry))
		}
	}
	return found, nil
}

// findDependencyFolders returns the set of "ecosystem /folder" that the repository has.
func findDependencyFolders(root string) (map[string]bool, error) {
	out := map[string]bool{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(skippedFolders, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if ecosystem, ok := dependencyFileEcosystems[d.Name()]; ok {
			rel, err := filepath.Rel(root, filepath.Dir(name))
			if err != nil {
				return err
			}
			out[ecosystem+" "+path.Join("/", filepath.ToSlash(rel))] = true
		}
		return nil
	})
	return out, err
}

// CheckCodeOwners reads CODEOWNERS: organisation is the one that its teams belong to.
func CheckCodeOwners(root, organisation string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(root, ".github/CODEOWNERS"))
	if err != nil {
		return nil, err
	}
	var found []string
	all := false
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		pattern, owners := fields[0], fields[1:]
		if len(owners) == 0 {
			found = append(found, fmt.Sprintf("CODEOWNERS: %s has no owner", pattern))
		}
		for _, owner := range owners {
			if team, ok := strings.CutPrefix(owner, "@"+organisation+"/"); !ok || team == "" {
				found = append(found, fmt.Sprintf("CODEOWNERS: %s is not a team of %s", owner, organisation))
			}
		}
		if pattern == "*" {
			all = true
			continue
		}
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(pattern))); err != nil {
			found = append(found, fmt.Sprintf("CODEOWNERS: %s does not exist", pattern))
		}
	}
	if !all {
		found = append(found, "CODEOWNERS: no line owns every file")
	}
	return found, nil
}
