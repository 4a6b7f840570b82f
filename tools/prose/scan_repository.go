package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// skippedFolders are folders without prose of this project.
var skippedFolders = []string{".git", ".cache", ".library", "node_modules", "testdata", "bin", "dist", "static"}

// scanRepository returns the prose of a repository.
func scanRepository(root string) ([]Text, error) {
	var out []Text
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains(skippedFolders, entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		file, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		texts, err := readFileProse(path, filepath.ToSlash(file))
		out = append(out, texts...)
		return err
	})
	return out, err
}

func readFileProse(path, file string) ([]Text, error) {
	isGo, isPage := strings.HasSuffix(file, ".go"), strings.HasSuffix(file, ".md")
	isValues := strings.HasSuffix(file, "/values.yaml")
	if _, skip := skippedFiles[file]; skip || !isGo && !isPage && !isValues {
		return nil, nil
	}
	content, err := os.ReadFile(path)
	switch {
	case err != nil:
		return nil, err
	case isGo:
		return proseOfGoFile(file, content)
	case isPage:
		return proseOfMarkdownFile(file, string(content)), nil
	}
	return proseOfYAMLFile(file, string(content)), nil
}
