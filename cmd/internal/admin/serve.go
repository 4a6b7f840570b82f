package admin

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// The limits of a connection. A response may take long: a profile does.
const (
	headTimeout  = 10 * time.Second
	idleTimeout  = 2 * time.Minute
	maxHeadBytes = 16 << 10
)

// Serve answers on a listener until ctx ends, and then closes all connections.
func Serve(ctx context.Context, ln net.Listener, h http.Handler, log *slog.Logger) {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeadBytes,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(ln); ctx.Err() == nil {
		log.Error("the admin address has ended", "error", err)
	}
}
