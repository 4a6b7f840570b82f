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
	firstPort = 20000
	lastPort  = 32000
)

// portTries limits the ports that freePort tries, portStarts the starts of one server.
const (
	portTries  = 100
	portStarts = 5
)

var (
	errPortTaken   = errors.New("another program listens on the port")
	errServerEnded = errors.New("see its log")
)

// freePort returns a port on which no program listens.
func freePort(ctx context.Context) (int, error) {
	var err error
	for range portTries {
		port := firstPort + rand.IntN(lastPort-firstPort)
		var l net.Listener
		if l, err = (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(Host, strconv.Itoa(port))); err == nil {
			return port, l.Close()
		}
	}
	return 0, err
}

// withFreePort starts a server, again with another port if its port was taken meanwhile.
func withFreePort(start func() (*Server, error)) (*Server, error) {
	for try := 1; ; try++ {
		s, err := start()
		if !errors.Is(err, errPortTaken) || try == portStarts {
			return s, err
		}
	}
}

// causeOfEnd returns errPortTaken if the log of a server that ended names it.
func causeOfEnd(log string) error {
	if strings.Contains(strings.ToLower(log), "address already in use") {
		return errPortTaken
	}
	return errServerEnded
}
