package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/tools/workspace"
)

func TestRun_SameSeedSameList(t *testing.T) {
	root := fixture(t)
	first, again, other := printed(t, root, 7), printed(t, root, 7), printed(t, root, 8)
	if first != again {
		t.Errorf("seed 7 printed\n%s\nand then\n%s", first, again)
	}
	if first == other {
		t.Errorf("seeds 7 and 8 both printed\n%s", first)
	}
	lines := strings.Split(strings.TrimSuffix(first, "\n"), "\n")
	if len(lines) != 5 {
		t.Fatalf("%d lines instead of 2 files and 3 identifiers:\n%s", len(lines), first)
	}
	for i, line := range lines {
		if isFile := strings.Fields(line)[1] == "file"; isFile != (i < 2) {
			t.Errorf("line %d is %q", i, line)
		}
	}
}

func TestCollect_FilesAndDeclarations(t *testing.T) {
	work, err := workspace.Load(fixture(t))
	if err != nil {
		t.Fatal(err)
	}
	got, err := collectNames(work)
	if err != nil {
		t.Fatal(err)
	}
	want := []Name{
		{"shop", "const", "limit"}, {"shop", "file", "basket.go"}, {"shop", "file", "price.go"}, {"shop", "file", "tax.go"},
		{"shop", "func", "addTax"}, {"shop", "func", "newBasket"},
		{"shop", "method", "Basket.Add"}, {"shop", "method", "list.sorted"},
		{"shop", "type", "Basket"}, {"shop", "type", "list"}, {"shop", "var", "rates"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func printed(t *testing.T, root string, seed uint64) string {
	t.Helper()
	var out bytes.Buffer
	if err := printDrawnNames(&out, root, seed, 2, 3); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// fixture writes a workspace of one module and returns its root.
func fixture(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range map[string]string{
		"go.work":            "go 1.26\n\nuse ./shop\n",
		"versions.yaml":      "modules:\n  shop: v0.1.0\n",
		"shop/go.mod":        "module example.com/shop\n\ngo 1.26\n",
		"shop/doc.go":        "// Package shop sells.\npackage shop\n",
		"shop/basket.go":     "package shop\n\ntype Basket struct{}\n\nfunc newBasket() *Basket { return nil }\n\nfunc (b *Basket) Add() {}\n\nfunc (b Basket) String() string { return \"\" }\n",
		"shop/price.go":      "package shop\n\nconst limit = 3\n\nvar rates, _ = 1, 2\n",
		"shop/tax.go":        "package shop\n\ntype list[T any] []T\n\nfunc (l list[T]) sorted() {}\n\nfunc addTax() {}\n\nfunc init() {}\n",
		"shop/price_test.go": "package shop\n\nfunc helper() {}\n",
		"shop/testdata/x.go": "package x\n\nfunc unseen() {}\n",
	} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
