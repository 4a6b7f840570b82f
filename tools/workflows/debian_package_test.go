package workflows

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The package is built, installed into an empty root and removed by Debian's own tools. SEMLAYER_DEB is a package to
// install and to start in place of one that holds a small script.
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
	if os.Getenv("SEMLAYER_DEB") != "" {
		startService(t, system)
	}
	run("dpkg", "--root="+system, "--purge", "semlayer")
	if _, err := os.Stat(filepath.Join(system, "usr/bin/semlayer")); !os.IsNotExist(err) {
		t.Errorf("the program is still there: %v", err)
	}
}

// startService runs the command of the unit below a root, asks the server whether it is ready, and stops it as systemd does.
func startService(t *testing.T, system string) {
	t.Helper()
	unit, err := os.ReadFile(filepath.Join(system, "usr/lib/systemd/system/semlayer.service"))
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(unit), "\nExecStart=")
	line, _, _ = strings.Cut(line, "\n")
	command := strings.Fields(strings.ReplaceAll(line, " /", " "+system+"/"))
	if len(command) < 2 {
		t.Fatalf("the unit has the command %q", line)
	}
	folder, socket := filepath.Join(system, "etc/semlayer"), filepath.Join(t.TempDir(), "http")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"settings.yaml": "model: shop.yaml\nbind: ['unix:" + socket + "']\n",
		"shop.yaml":     "version: 0.2.0.dev0\nname: shop\ndatasets:\n  - {name: orders, source: SELECT 1 AS id}\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// ExecStart is an absolute path, which has no blank in front of it.
	cmd := exec.CommandContext(t.Context(), system+command[0], command[1:]...)
	cmd.Dir = folder
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	lines := bufio.NewScanner(log)
	for !strings.Contains(printed.String(), "msg=serving") && lines.Scan() {
		printed.WriteString(lines.Text() + "\n")
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}}
	if got, err := client.Get("http://localhost/ready"); err != nil {
		t.Errorf("the installed server does not respond: %v\n%s", err, printed.String())
	} else if _ = got.Body.Close(); got.StatusCode != http.StatusOK {
		t.Errorf("the installed server has the status %s", got.Status)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	for lines.Scan() {
		printed.WriteString(lines.Text() + "\n")
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v\n%s", err, printed.String())
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Error(err)
	}
}
