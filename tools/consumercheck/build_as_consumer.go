package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/tools/internal/modproxy"
	"github.com/semlayer/semlayer/tools/workspace"
)

// consumerGoEnvironment is a Go user without the workspace: an own module
// cache, no go.work, and a proxy that has our modules.
type consumerGoEnvironment struct {
	tmp   string
	proxy string
	env   []string
}

func newConsumer(ctx context.Context, tmp string) (*consumerGoEnvironment, error) {
	c := &consumerGoEnvironment{tmp: tmp, proxy: filepath.Join(tmp, "proxy")}
	current, err := readGoEnvVariables(ctx, "GOPROXY", "GOMODCACHE", "GOFLAGS")
	if err != nil {
		return nil, err
	}
	// The developer's module cache has the layout of a proxy, so third-party
	// modules come from there first and from the network only when it lacks one.
	downloaded := filepath.Join(current["GOMODCACHE"], "cache", "download")
	c.env = append(os.Environ(),
		"GOWORK=off",
		"GOPROXY=file://"+filepath.ToSlash(c.proxy)+",file://"+filepath.ToSlash(downloaded)+","+current["GOPROXY"],
		"GOMODCACHE="+filepath.Join(tmp, "modcache"),
		"GOFLAGS="+strings.TrimSpace(current["GOFLAGS"]+" -modcacherw"),
		// No checksum database has a version before it is published. What is
		// third-party is still held to the go.sum of the module being built.
		"GOSUMDB=off",
	)
	return c, nil
}

func (c *consumerGoEnvironment) publishModule(dir, modulePath, version string) error {
	return modproxy.PublishModule(c.proxy, dir, modulePath, version)
}

// buildModuleOutsideWorkspace downloads a released module and builds a copy of it, because the
// go command must be able to write what it misses: go.mod may not change at
// all, and go.sum may only gain the siblings, whose sums exist once published.
func (c *consumerGoEnvironment) buildModuleOutsideWorkspace(ctx context.Context, w *workspace.Workspace, m workspace.Module, version string) error {
	empty, err := os.MkdirTemp(c.tmp, "empty-")
	if err != nil {
		return err
	}
	out, err := c.runCommandForOutput(ctx, empty, "go", "mod", "download", "-json", m.Path+"@"+version)
	if err != nil {
		return err
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil {
		return err
	}
	alone, err := os.MkdirTemp(c.tmp, "alone-")
	if err != nil {
		return err
	}
	if err := os.CopyFS(alone, os.DirFS(got.Dir)); err != nil {
		return err
	}
	modBefore, sumBefore, err := readGoModAndGoSum(alone)
	if err != nil {
		return err
	}
	if _, err := c.runCommandForOutput(ctx, alone, "go", "build", "-trimpath", "-mod=mod", "./..."); err != nil {
		return err
	}
	packages, err := c.runCommandForOutput(ctx, alone, "go", "list", "-mod=mod", "./...")
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(packages)) == 0 {
		return errors.New("the module has no packages")
	}
	modAfter, sumAfter, err := readGoModAndGoSum(alone)
	if err != nil {
		return err
	}
	if !bytes.Equal(modBefore, modAfter) {
		return fmt.Errorf("go.mod is not complete; `make tidy` fixes it. A build alone adds:\n%s", strings.Join(linesOnlyInSecond(modBefore, modAfter), "\n"))
	}
	if missing := addedThirdPartySumLines(w, sumBefore, sumAfter); len(missing) > 0 {
		return fmt.Errorf("go.sum is not complete; `make tidy` fixes it. Missing:\n%s", strings.Join(missing, "\n"))
	}
	return nil
}

// installAndCheckBinary follows the instructions of the README, and asks the binary for the
// version, which it can only read from its build information.
func (c *consumerGoEnvironment) installAndCheckBinary(ctx context.Context, pkg, version string) error {
	binary := path.Base(pkg)
	bin := filepath.Join(c.tmp, "bin")
	c.env = append(c.env, "GOBIN="+bin)
	if _, err := c.runCommandForOutput(ctx, c.tmp, "go", "install", "-trimpath", pkg+"@"+version); err != nil {
		return err
	}
	out, err := c.runCommandForOutput(ctx, c.tmp, filepath.Join(bin, binary), "version")
	if err != nil {
		return err
	}
	if !strings.Contains(string(out), strings.TrimPrefix(version, "v")) {
		return fmt.Errorf("`%s version` after an install of %s prints %q", binary, version, out)
	}
	return nil
}

// runCommandForOutput returns standard output; the command's standard error becomes
// part of the error.
func (c *consumerGoEnvironment) runCommandForOutput(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, c.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s%s", filepath.Base(name), strings.Join(args, " "), err, stderr.Bytes(), out)
	}
	return out, nil
}

func readGoEnvVariables(ctx context.Context, names ...string) (map[string]string, error) {
	out, err := exec.CommandContext(ctx, "go", append([]string{"env", "-json"}, names...)...).Output()
	if err != nil {
		return nil, err
	}
	var env map[string]string
	return env, json.Unmarshal(out, &env)
}

func readGoModAndGoSum(dir string) (mod, sum []byte, err error) {
	mod, err = os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil, nil, err
	}
	sum, err = os.ReadFile(filepath.Join(dir, "go.sum"))
	if os.IsNotExist(err) {
		err = nil // a module without requirements has none
	}
	return mod, sum, err
}

// addedThirdPartySumLines returns what a build added to go.sum about other people's modules.
func addedThirdPartySumLines(w *workspace.Workspace, before, after []byte) []string {
	return slices.DeleteFunc(linesOnlyInSecond(before, after), func(line string) bool {
		modulePath, _, _ := strings.Cut(line, " ")
		_, ours := w.ModuleByPath(modulePath)
		return ours
	})
}

func linesOnlyInSecond(before, after []byte) []string {
	known := strings.Split(string(before), "\n")
	return slices.DeleteFunc(strings.Split(string(after), "\n"), func(line string) bool {
		return slices.Contains(known, line)
	})
}
