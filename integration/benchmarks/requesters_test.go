package benchmarks

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// turn is how long each side of a comparison is asked at a time.
const turn = 2 * time.Second

// token is what the clients show. A server that needs none does not mind it.
const token = "token"

// measuredPace is how fast one side was.
type measuredPace struct {
	rate float64 // a second
	p99  time.Duration
	// cpu is the processor time of a request, client and server together: unlike
	// the rate it hardly depends on what else the machine does.
	cpu time.Duration
}

func (p *measuredPace) better(than measuredPace) {
	if than.rate > p.rate {
		*p = than
	}
}

// measureThroughput lets everyone ask over and over for a turn.
func measureThroughput(b *testing.B, askers []func() error) measuredPace {
	b.Helper()
	used, begun := processorTime(b), time.Now()
	all := runParallel(b, askers, func(_ int, ask func() error) ([]time.Duration, error) {
		var took []time.Duration
		for last := time.Now(); last.Sub(begun) < turn; {
			if err := ask(); err != nil {
				return nil, err
			}
			now := time.Now()
			took = append(took, now.Sub(last))
			last = now
		}
		return took, nil
	})
	lasted, used := time.Since(begun), processorTime(b)-used
	return measuredPace{float64(len(all)) / lasted.Seconds(), percentile(all, 99), used / time.Duration(len(all))}
}

// measureAtRate lets all together ask so many times a second for a turn, spread evenly,
// and returns what 99 of 100 requests took at most. One that is late because the
// last took long counts from when it was due; one whose sender overslept counts from
// when it was sent, since that is the time of the clients' clock (2 to 3 ms in one of
// a hundred sleeps on an idle machine) and not of the server.
func measureAtRate(b *testing.B, askers []func() error, rate int) time.Duration {
	b.Helper()
	every := time.Second * time.Duration(len(askers)) / time.Duration(rate)
	begun := time.Now()
	return percentile(runParallel(b, askers, func(i int, ask func() error) ([]time.Duration, error) {
		var took []time.Duration
		for due := begun.Add(every * time.Duration(i) / time.Duration(len(askers))); due.Sub(begun) < turn; due = due.Add(every) {
			sent := due
			if early := time.Until(due); early > 0 {
				time.Sleep(early)
				sent = time.Now()
			}
			if err := ask(); err != nil {
				return nil, err
			}
			took = append(took, time.Since(sent))
		}
		return took, nil
	}), 99)
}

// runParallel runs work for everyone and returns what their requests took, in order.
func runParallel(b *testing.B, askers []func() error, work func(i int, ask func() error) ([]time.Duration, error)) []time.Duration {
	b.Helper()
	var (
		mu  sync.Mutex
		all []time.Duration
		wg  sync.WaitGroup
	)
	for i, ask := range askers {
		wg.Go(func() {
			took, err := work(i, ask)
			if err != nil {
				b.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
		})
	}
	wg.Wait()
	if b.Failed() || len(all) == 0 {
		b.Fatal("no answers")
	}
	slices.Sort(all)
	return all
}

// percentile returns what n of a hundred took at most, of times in order.
func percentile(all []time.Duration, n int) time.Duration { return all[len(all)*n/100] }

// processorTime returns the processor time that this process has used so far.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// newRequesters are n connections that send one request and read its response. They parse no
// more than they must: a real client would take time from the server.
func newRequesters(b *testing.B, n int, address, path, body string) []func() error {
	b.Helper()
	request := post(path, body)
	out := make([]func() error, n)
	for i := range out {
		ask := connect(b, address)
		out[i] = func() error {
			_, err := ask(request)
			return err
		}
	}
	return out
}

// post returns the text of a request.
func post(path, body string) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, token, len(body), body)
}

// connect opens a connection that sends a request and reads the body of the response,
// which is good until the next.
func connect(b *testing.B, address string) func(request []byte) ([]byte, error) {
	b.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close() })
	in := bufio.NewReader(conn)
	var body bytes.Buffer
	return func(request []byte) ([]byte, error) {
		if _, err := conn.Write(request); err != nil {
			return nil, err
		}
		body.Reset()
		err := readAnswer(in, &body)
		return body.Bytes(), err
	}
}

func readAnswer(in *bufio.Reader, body *bytes.Buffer) error {
	status, err := in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200")) {
		return errors.New(string(status))
	}
	length := 0
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) <= 2 {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
	_, err = io.CopyN(body, in, int64(length))
	return err
}
