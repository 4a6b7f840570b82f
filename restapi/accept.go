package restapi

import (
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
)

// wantsArrow reports whether the client asks for an Arrow stream by its name,
// and does not like JSON better. Whoever sends wildcards only gets JSON.
func wantsArrow(c *fiber.Ctx) bool {
	arrow, json, wild := preference{}, preference{}, preference{}
	place := 0
	for _, line := range c.Request().Header.PeekAll(fiber.HeaderAccept) {
		for part := range strings.SplitSeq(string(line), ",") {
			media, parameters, _ := strings.Cut(part, ";")
			p := preference{quality(parameters), place}
			place++
			switch strings.ToLower(strings.TrimSpace(media)) {
			case engine.ArrowStreamType:
				arrow.improve(p)
			case fiber.MIMEApplicationJSON:
				json.improve(p)
			case "application/*", "*/*":
				wild.improve(p)
			}
		}
	}
	if json.quality == 0 {
		// A name says more than a wildcard, wherever the two stand.
		return arrow.quality > 0 && arrow.quality >= wild.quality
	}
	return arrow.quality > json.quality || arrow.quality == json.quality && arrow.place < json.place
}

// preference is how much a media type is wanted, in thousandths, and where in
// the header it stands.
type preference struct{ quality, place int }

func (p *preference) improve(by preference) {
	if by.quality > p.quality {
		*p = by
	}
}

// quality reads the weight among the parameters of a media range: 1 when there
// is none, 0 when it is no weight.
func quality(parameters string) int {
	const whole = 1000
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return 0
		}
		return int(q*whole + 0.5)
	}
	return whole
}
