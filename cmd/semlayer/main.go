// Command semlayer serves a semantic model and runs queries on it.
//
// `semlayer help` lists the commands; docs/ describes them.
package main

import (
	"context"
	"os"
	"runtime/debug"

	"github.com/semlayer/semlayer/cmd/internal/cli"
)

// version is stamped by the linker; a binary that `go install` built has its module's
// version instead.
var version = ""

func currentVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

func main() {
	ctx, stop := cli.ContextUntilSignal(context.Background())
	code := cli.Run(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, currentVersion())
	stop()
	os.Exit(code)
}
