package localdb

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
)

// Servers listen below the ports that Linux gives to outgoing connections (32768 and above):
// between the choice of a port and the start of a server, a connection of another test could take
// a port of that range.
const (
	firstServerPort = 20000
	lastServerPort  = 32000
)

// maxPortAttempts limits the ports that findFreePort tries, maxStartAttempts the starts of one server.
const (
	maxPortAttempts  = 100
	maxStartAttempts = 5
)

var (
	errPortTaken   = errors.New("another program listens on the port")
	errServerEnded = errors.New("see its log")
)

// findFreePort returns a port on which no program listens.
func findFreePort(ctx context.Context) (int, error) {
	var err error
	for range maxPortAttempts {
		port := firstServerPort + rand.IntN(lastServerPort-firstServerPort)
		var l net.Listener
		if l, err = (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(ListenHost, strconv.Itoa(port))); err == nil {
			return port, l.Close()
		}
	}
	return 0, err
}

// startOnFreePort starts a server, again with another port if its port was taken meanwhile.
func startOnFreePort(start func() (*Server, error)) (*Server, error) {
	for try := 1; ; try++ {
		s, err := start()
		if !errors.Is(err, errPortTaken) || try == maxStartAttempts {
			return s, err
		}
	}
}

// portTakenOrServerEndedError returns errPortTaken if the log of a server that ended names it.
func portTakenOrServerEndedError(log string) error {
	if strings.Contains(strings.ToLower(log), "address already in use") {
		return errPortTaken
	}
	return errServerEnded
}
