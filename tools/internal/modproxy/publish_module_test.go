package modproxy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/tools/internal/modproxy"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestProxy_GoCommandDownloads(t *testing.T) {
	src, proxy, consumer := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, filepath.Join(src, "go.mod"), "module example.com/Lib/part\n\ngo 1.26.0\n")
	write(t, filepath.Join(src, "part.go"), "package part\n")
	write(t, filepath.Join(src, "nested", "go.mod"), "module example.com/Lib/part/nested\n\ngo 1.26.0\n")
	write(t, filepath.Join(src, "nested", "n.go"), "package nested\n")
	if err := modproxy.PublishModule(proxy, src, "example.com/Lib/part", "v0.3.0"); err != nil {
		t.Fatal(err)
	}

	cache := filepath.Join(t.TempDir(), "mod")
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "example.com/Lib/part@latest")
	cmd.Dir = consumer
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-modcacherw", "GOPROXY=file://"+filepath.ToSlash(proxy), "GOSUMDB=off", "GOMODCACHE="+cache)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := filepath.Join(cache, "example.com", "!lib", "part@v0.3.0")
	if _, err := os.Stat(filepath.Join(got, "part.go")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(got, "nested")); !os.IsNotExist(err) {
		t.Errorf("the nested module came along: %v", err)
	}
}

func TestPublish_RejectsInvalidVersion(t *testing.T) {
	src := t.TempDir()
	write(t, filepath.Join(src, "go.mod"), "module example.com/lib\n\ngo 1.26.0\n")
	err := modproxy.PublishModule(t.TempDir(), src, "example.com/lib", "newest")
	if err == nil || !strings.Contains(err.Error(), "newest") {
		t.Errorf("error = %v; want one that names the version", err)
	}
}
