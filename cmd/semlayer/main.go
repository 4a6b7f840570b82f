// Command semlayer serves a semantic model and asks it questions.
//
// `semlayer help` lists the commands; docs/ describes them.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/semlayer/semlayer/cmd/internal/cli"
)

// version is stamped by the linker.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Run(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, version)
	stop()
	os.Exit(code)
}
