//go:build linux

package memorybudget

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/testwait"
)

const (
	requireCgroupVariable = "SEMLAYER_REQUIRE_CGROUP"
	containerBytes        = 1 << 30
)

// controlGroup is a control group of memory, of version 1 or 2.
type controlGroup struct {
	folder string
	peak   string // file of the most bytes so far
}

// newControlGroup makes a control group with the memory of the container, until the test ends. Where none can be made the
// test is skipped, or fails if the environment requires it.
func newControlGroup(t *testing.T) controlGroup {
	t.Helper()
	g, err := makeControlGroup(fmt.Sprintf("semlayer-test-%d-%d", os.Getpid(), time.Now().UnixNano()))
	switch {
	case err != nil && os.Getenv(requireCgroupVariable) == "1":
		t.Fatalf("no control group of memory, which %s=1 requires: %v", requireCgroupVariable, err)
	case err != nil:
		t.Skipf("no control group of memory can be made: %v", err)
	}
	t.Cleanup(func() {
		testwait.Until(t, "the group has no process", func() bool { return os.Remove(g.folder) == nil })
	})
	return g
}

func makeControlGroup(name string) (controlGroup, error) {
	const root = "/sys/fs/cgroup"
	first := makeControlGroupAt(filepath.Join(root, "memory", name), "memory.limit_in_bytes")
	if first == nil {
		return controlGroup{filepath.Join(root, "memory", name), "memory.max_usage_in_bytes"}, nil
	}
	if err := os.WriteFile(filepath.Join(root, "cgroup.subtree_control"), []byte("+memory"), 0o600); err != nil {
		return controlGroup{}, errors.Join(first, err)
	}
	if err := makeControlGroupAt(filepath.Join(root, name), "memory.max"); err != nil {
		return controlGroup{}, errors.Join(first, err)
	}
	return controlGroup{filepath.Join(root, name), "memory.peak"}, nil
}

func makeControlGroupAt(folder, limit string) error {
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, limit), []byte(strconv.Itoa(containerBytes)), 0o600); err != nil {
		return errors.Join(err, os.Remove(folder))
	}
	return nil
}

// peakMiB returns the most memory that the group has had, with the cache of files; 0 where the kernel does not count it.
func (g controlGroup) peakMiB() int {
	text, _ := os.ReadFile(filepath.Join(g.folder, g.peak))
	n, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return n >> 20
}
