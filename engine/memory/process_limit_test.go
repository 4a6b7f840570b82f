package memory

import (
	"os"
	"path/filepath"
	"testing"
)

func TestProcessLimit_ReadsControlGroups(t *testing.T) {
	const machine = "proc/meminfo"
	for _, test := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"four fifths of a machine", map[string]string{machine: "MemFree: 1 kB\nMemTotal: 1000 kB\n"}, 819200},
		{"version 2, a parent has the limit", map[string]string{
			machine: "MemTotal: 1048576 kB\n", "proc/self/cgroup": "0::/pods/one\n",
			"sys/fs/cgroup/pods/one/memory.max": "max\n", "sys/fs/cgroup/pods/memory.max": "4096\n",
		}, 4096},
		{"version 2 within a container", map[string]string{machine: "MemTotal: 1048576 kB\n", "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "8192\n"}, 8192},
		{"version 1", map[string]string{
			machine: "MemTotal: 1048576 kB\n", "proc/self/cgroup": "9:cpu,cpuacct:/x\n5:memory:/a/b\n0::/y\n",
			"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "2048\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, 2048},
		{"version 1 within a container", map[string]string{
			machine: "MemTotal: 1048576 kB\n", "proc/self/cgroup": "5:memory:/docker/abc\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "1024\n",
		}, 1024},
		{"version 1 without a limit", map[string]string{
			machine: "MemTotal: 1000 kB\n", "proc/self/cgroup": "5:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
		}, 819200},
		{"nothing is known", nil, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range test.files {
				path := filepath.Join(root, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got := processLimit(root); got != test.want {
				t.Fatalf("%d bytes, want %d", got, test.want)
			}
		})
	}
}
