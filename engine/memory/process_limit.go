package memory

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ProcessLimit returns the memory that the process may use: the least limit of its control groups, version 1 or 2, or
// four fifths of the machine where they have none; 0 where neither is known.
func ProcessLimit() int64 { return processLimit("/") }

// processLimit reads the files below a root folder.
func processLimit(root string) int64 {
	machine := machineBytes(filepath.Join(root, "proc/meminfo"))
	limit := int64(math.MaxInt64)
	for _, file := range controlGroupLimitFiles(root) {
		limit = min(limit, readLimitFile(file))
	}
	switch {
	case machine == 0 && limit == math.MaxInt64:
		return 0
	case machine == 0 || limit < machine:
		return limit
	}
	return machine / 5 * 4 // version 1 writes a number above every machine for no limit
}

// controlGroupLimitFiles lists the files that may hold a limit: those of the groups of the process and of their
// parents, and those at the root, which is the group itself within a container.
func controlGroupLimitFiles(root string) []string {
	var out []string
	add := func(controller, group, name string) {
		for {
			out = append(out, filepath.Join(root, "sys/fs/cgroup", controller, group, name))
			if group = filepath.Dir(group); group == "." || group == "/" {
				break
			}
		}
		out = append(out, filepath.Join(root, "sys/fs/cgroup", controller, name))
	}
	text, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		text = nil
	}
	const v1, v2 = "memory.limit_in_bytes", "memory.max"
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // 5:memory:/a/b, or 0::/a/b
		if len(fields) != 3 {
			continue
		}
		switch {
		case fields[1] == "":
			add("", fields[2], v2)
		case strings.Contains(","+fields[1]+",", ",memory,"):
			add("memory", fields[2], v1)
		}
	}
	return append(out, filepath.Join(root, "sys/fs/cgroup", v2), filepath.Join(root, "sys/fs/cgroup/memory", v1))
}

// readLimitFile returns the number in a file; the largest number for "max" and for a file that cannot be read.
func readLimitFile(path string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return math.MaxInt64
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || n <= 0 {
		return math.MaxInt64
	}
	return n
}

// machineBytes returns the memory of the machine; 0 where it is not known.
func machineBytes(path string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		fields := strings.Fields(lines.Text()) // MemTotal: 24683712 kB
		if len(fields) >= 2 && fields[0] == "MemTotal:" {
			n, _ := strconv.ParseInt(fields[1], 10, 64)
			return n << 10
		}
	}
	return 0
}
