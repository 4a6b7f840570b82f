package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/cli"
)

// TestInit_OnAFullDiskLeavesNothing runs commands that write files on disks of several sizes: each ends with all of its
// files, readable by the owner only, or with an error about the space and no file.
func TestInit_OnAFullDiskLeavesNothing(t *testing.T) {
	trips := writeTrips(t)
	commands := map[string][]string{
		"bundled model": {"init", "DISK/shop"},
		"own model":     {"init", "DISK/shop", "--from", trips, "--name", strings.Repeat("n", 5000)},
		"output":        {"lineage", "--model", "../demo/retail.yaml", "--format", "json", "-o", "DISK/lineage.json"},
	}
	for name, args := range commands {
		t.Run(name, func(t *testing.T) {
			failed := 0
			for _, size := range []string{"4k", "16k", "512k", "1m", "16m"} {
				disk := mountTemporaryDisk(t, size)
				var out, errs strings.Builder
				in := make([]string, len(args))
				for i, a := range args {
					in[i] = strings.Replace(a, "DISK", disk, 1)
				}
				code := cli.Run(t.Context(), in, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, "v0.0.0-test")
				files := listFiles(t, disk)
				if code == 0 {
					if len(files) == 0 || name == "bundled model" && len(files) != 4 {
						t.Errorf("%s: wrote %v", size, files)
					}
					continue
				}
				failed++
				if !strings.Contains(errs.String(), "no space left on "+disk) || !strings.Contains(errs.String(), "nothing was written") {
					t.Errorf("%s: %s", size, errs.String())
				}
				if diff := cmp.Diff([]string(nil), files); diff != "" {
					t.Errorf("%s: left files: %s", size, diff)
				}
			}
			if failed == 0 {
				t.Error("every disk was large enough")
			}
		})
	}
}

// TestInit_KeepsTheOldModelOnAFullDisk overwrites a model on a disk without space for the new one.
func TestInit_KeepsTheOldModelOnAFullDisk(t *testing.T) {
	trips, disk := writeTrips(t), mountTemporaryDisk(t, "8k")
	model := filepath.Join(disk, "model.yaml")
	if err := os.WriteFile(model, []byte("the old model"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	args := []string{"init", disk, "--from", trips, "--force", "--name", strings.Repeat("n", 9000)}
	if code := cli.Run(t.Context(), args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, "v0.0.0-test"); code != 1 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	text, err := os.ReadFile(model)
	if err != nil || string(text) != "the old model" {
		t.Errorf("the model has %d bytes, %v", len(text), err)
	}
}

// writeTrips makes a folder with one data file.
func writeTrips(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "trips.csv"), []byte("trip_id,fare\n1,4.50\n2,3.25\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// mountTemporaryDisk returns a folder on a separate disk.
func mountTemporaryDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("a separate disk needs root: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// listFiles lists the files and folders below a folder, and reports files that others can read.
func listFiles(t *testing.T, root string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			if filepath.Ext(path) != ".json" && info.Mode().Perm() != 0o600 {
				t.Errorf("%s has the mode %o", path, info.Mode().Perm())
			}
			names = append(names, path)
		} else {
			names = append(names, path+"/")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
