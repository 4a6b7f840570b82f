package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// describeMachine describes where figures were taken: processor, cores, memory, system and Go.
func describeMachine() string {
	cpu := "an unknown processor"
	if text := kernelFileValue("/proc/cpuinfo", "model name"); text != "" {
		cpu = text
	}
	cores := fmt.Sprintf("%d cores", runtime.NumCPU())
	if runtime.NumCPU() == 1 {
		cores = "1 core"
	}
	memory := ""
	if kb, err := strconv.ParseFloat(strings.TrimSuffix(kernelFileValue("/proc/meminfo", "MemTotal"), " kB"), 64); err == nil {
		memory = fmt.Sprintf(", %.0f GiB", math.Round(kb/(1<<20)))
	}
	return fmt.Sprintf("%s, %s%s, %s/%s, %s", cpu, cores, memory, runtime.GOOS, runtime.GOARCH, runtime.Version())
}

// kernelFileValue returns a value of a file of the kernel, "" where it has none.
func kernelFileValue(path, name string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// currentCommit returns the short name of what is checked out, with ".dirty" when sources differ
// from it. The pages themselves do not count.
func currentCommit(ctx context.Context, root string) string {
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = root
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	name, err := git("rev-parse", "--short=12", "HEAD")
	if err != nil {
		return "unknown"
	}
	changed, err := git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs")
	if err != nil || changed != "" {
		name += ".dirty"
	}
	return name
}

// systemProcessorBusyTime is how long the processors of the machine have worked so far, and whether
// the system reports it.
func systemProcessorBusyTime() (d time.Duration) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	// user, nice, system, idle, iowait, irq, softirq, steal, in hundredths of a second.
	for i, f := range strings.Fields(first) {
		if i == 0 || i == 4 || i == 5 || i > 8 {
			continue
		}
		ticks, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0
		}
		d += time.Duration(ticks) * 10 * time.Millisecond
	}
	return d
}

// otherProcessesShare returns the share of the machine's processors that went to processes which are
// none of the command's, servers that it only talks to among them.
func otherProcessesShare(before, took time.Duration, ended *os.ProcessState) float64 {
	after := systemProcessorBusyTime()
	if before == 0 || after == 0 || took <= 0 {
		return 0
	}
	rest := after - before - ended.UserTime() - ended.SystemTime()
	share := rest.Seconds() / took.Seconds() / float64(runtime.NumCPU())
	return math.Round(math.Min(math.Max(share, 0), 1)*100) / 100
}
