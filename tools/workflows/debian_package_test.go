package workflows

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The package is built, installed into an empty root and removed by Debian's own tools. SEMLAYER_DEB is a package to install in
// place of one that holds a small script.
func TestDebianPackage_InstallsAndIsRemoved(t *testing.T) {
	for _, tool := range []string{"dpkg", "dpkg-deb"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("dpkg installs as root only")
	}
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return strings.TrimSpace(string(out))
	}
	file := os.Getenv("SEMLAYER_DEB")
	if file == "" {
		binary := filepath.Join(dir, "semlayer")
		if err := os.WriteFile(binary, []byte("#!/bin/sh\necho semlayer \"$1\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(run(filepath.Join(root(t), "tools/scripts/debian-package.sh"), binary, "v0.1.0-dev+abc", filepath.Join(dir, "out")), "\n")
		file = lines[len(lines)-1]
		if got := run("dpkg-deb", "--field", file, "Version"); got != "0.1.0~dev+abc" {
			t.Errorf("the version is %s", got)
		}
		run("dpkg", "--compare-versions", "0.1.0~dev+abc", "lt", "0.1.0")
	}
	system := filepath.Join(dir, "root")
	database := filepath.Join(system, "var/lib/dpkg")
	for _, folder := range []string{"info", "updates", "triggers"} {
		if err := os.MkdirAll(filepath.Join(database, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(database, "status"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// The empty root has no C library, which is there on every Debian.
	run("dpkg", "--root="+system, "--force-depends", "--install", file)
	if got := run(filepath.Join(system, "usr/bin/semlayer"), "version"); !strings.HasPrefix(got, "semlayer ") {
		t.Errorf("the program prints %q", got)
	}
	for _, name := range []string{"usr/share/doc/semlayer/copyright", "usr/share/doc/semlayer/THIRD_PARTY_LICENSES.gz", "usr/lib/systemd/system/semlayer.service"} {
		info, err := os.Stat(filepath.Join(system, name))
		if err != nil {
			t.Error(err)
		} else if info.Mode().Perm() != 0o644 || info.Size() == 0 {
			t.Errorf("%s has the mode %v and %d bytes", name, info.Mode(), info.Size())
		}
	}
	if got := run("dpkg", "--root="+system, "--verify", "semlayer"); got != "" {
		t.Errorf("files differ from their sums: %s", got)
	}
	run("dpkg", "--root="+system, "--purge", "semlayer")
	if _, err := os.Stat(filepath.Join(system, "usr/bin/semlayer")); !os.IsNotExist(err) {
		t.Errorf("the program is still there: %v", err)
	}
}
