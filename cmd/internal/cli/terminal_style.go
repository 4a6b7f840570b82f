package cli

import (
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"

	"github.com/semlayer/semlayer/cmd/internal/logqueue"
)

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	if q, ok := stream.(*logqueue.Queue); ok {
		stream = q.Unwrap()
	}
	f, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// terminalWidth returns the number of columns the terminal of a stream has; 0 where the stream
// is not a terminal or does not report it.
func terminalWidth(stream any) int {
	f, ok := stream.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// textStyle paints text. The zero value leaves it as it is.
type textStyle struct{ colour bool }

// styleOfStream returns the style of a stream: colours on a terminal that has them, unless NO_COLOR
// (https://no-color.org) is set.
func styleOfStream(stream io.Writer) textStyle {
	return textStyle{isTerminal(stream) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

func (s textStyle) colorText(code, text string) string {
	if !s.colour || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s textStyle) bold(text string) string   { return s.colorText("1", text) }
func (s textStyle) dim(text string) string    { return s.colorText("2", text) }
func (s textStyle) red(text string) string    { return s.colorText("1;31", text) }
func (s textStyle) yellow(text string) string { return s.colorText("1;33", text) }
func (s textStyle) green(text string) string  { return s.colorText("32", text) }

// The rhythm of the progress line.
const (
	progressDelay    = 500 * time.Millisecond // a shorter wait needs no progress line
	progressInterval = 100 * time.Millisecond
)

// startProgress shows on a terminal that an execution is running, and for how long,
// until the function that it returns is called. That clears the line.
func (a *app) startProgress() (done func()) {
	if !isTerminal(a.std.Err) {
		return func() {}
	}
	return startSpinner(a.std.Err, time.Now, progressDelay, progressInterval)
}

func startSpinner(w io.Writer, now func() time.Time, delay, every time.Duration) (done func()) {
	const frames = "|/-\\"
	stop, stopped := make(chan struct{}), make(chan struct{})
	begin := now()
	go func() {
		defer close(stopped)
		next := time.NewTimer(delay)
		defer next.Stop()
		shown := 0
		for {
			select {
			case <-stop:
				if shown > 0 {
					_, _ = io.WriteString(w, "\r\x1b[K")
				}
				return
			case <-next.C:
				seconds := strconv.FormatFloat(now().Sub(begin).Seconds(), 'f', 1, 64)
				_, _ = io.WriteString(w, "\r"+frames[shown%len(frames):shown%len(frames)+1]+" running for "+seconds+" s, Ctrl-C to cancel\x1b[K")
				shown++
				next.Reset(every)
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-stopped
	})
}
