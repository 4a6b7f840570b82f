package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// skippedFolders are folders without prose of this project.
var skippedFolders = []string{".git", ".cache", ".library", "node_modules", "testdata", "bin", "dist", "static", "swagger-ui"}

// proseOfRepository returns the prose of a repository.
func proseOfRepository(root string) ([]ProseText, error) {
	var out []ProseText
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

// readFileProse returns the prose of one file; a file of another kind has none.
func readFileProse(path, file string) ([]ProseText, error) {
	read := proseReaderOf(file)
	if _, skip := skippedFiles[file]; skip || read == nil {
		return nil, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return read(file, string(content))
}

type proseReader func(file, content string) ([]ProseText, error)

// proseReaderOf chooses the reader by the name of a file; nil if files of that name hold no prose.
func proseReaderOf(file string) proseReader {
	withoutError := func(read func(file, content string) []ProseText) proseReader {
		return func(file, content string) ([]ProseText, error) { return read(file, content), nil }
	}
	name := filepath.Base(file)
	switch filepath.Ext(name) {
	case ".go":
		return func(file, content string) ([]ProseText, error) { return proseOfGoFile(file, []byte(content)) }
	case ".md":
		return withoutError(proseOfMarkdownFile)
	case ".yaml", ".yml", ".tpl":
		return withoutError(func(file, content string) []ProseText {
			return append(proseOfYAMLFile(file, content), proseOfDescriptions(file, content, yamlDescriptionPattern)...)
		})
	case ".py":
		return withoutError(func(file, content string) []ProseText {
			return proseOfNonGoProgram(file, content, pythonTokenPattern, 1, 2, 5)
		})
	case ".ts", ".tsx", ".js":
		return withoutError(func(file, content string) []ProseText {
			return proseOfNonGoProgram(file, content, typeScriptTokenPattern, 4, 5)
		})
	case ".sh":
		return withoutError(func(file, content string) []ProseText {
			return proseOfNonGoProgram(file, content, shellCommentPattern, 1)
		})
	}
	switch {
	case name == "Makefile", name == "Dockerfile", file == ".ci/run":
		return withoutError(func(file, content string) []ProseText {
			return proseOfNonGoProgram(file, content, shellCommentPattern, 1)
		})
	case name == "NOTES.txt":
		return withoutError(proseOfPlainText)
	case strings.HasSuffix(name, ".schema.json"):
		return withoutError(func(file, content string) []ProseText {
			return proseOfDescriptions(file, content, jsonDescriptionPattern)
		})
	}
	return nil
}
