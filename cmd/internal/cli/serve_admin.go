package cli

import (
	"context"
	"sync"

	"github.com/semlayer/semlayer/cmd/internal/admin"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi"
)

// serveAdmin serves the admin address, where there is one, until stop is called: probes see a server that drains.
func (c serverSettings) serveAdmin(ctx context.Context, server *restapi.Server, w *engine.Warehouses) (stop func(), err error) {
	if c.adminBind == "" {
		return func() {}, nil
	}
	ln, address, err := listenSecured(ctx, adminBindFlag, c.adminBind, c.adminTLS)
	if err != nil {
		return nil, err
	}
	c.log.Info("serving the admin address", "address", address)
	until, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var serving sync.WaitGroup
	serving.Go(func() { admin.Serve(until, ln, admin.NewHandler(server, w, isLoopback(ln.Addr())), c.log) })
	return func() {
		cancel()
		serving.Wait()
	}, nil
}
