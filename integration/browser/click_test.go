package browser_test

import (
	"context"
	"fmt"

	"github.com/chromedp/chromedp"
)

// aimScript finds an element, waits until it stays where it is, and gives the middle of it where a press
// would land on it. From then on presses that land elsewhere are stopped and counted: a page
// whose parts still move is not one that a person clicks at.
const aimScript = `(async () => {
	const e = %s
	if (!e || e.disabled) return null
	const place = () => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.width, b.height] }
	const [, top, , height] = place()
	if (top < 0 || top + height > innerHeight) e.scrollIntoView({block: "center", inline: "nearest"})
	const before = String(place())
	await new Promise(done => setTimeout(done, 30))
	if (!e.isConnected || String(place()) !== before) return null
	const [left, upper, width, tall] = place(), x = left + width / 2, y = upper + tall / 2
	if (!e.contains(document.elementFromPoint(x, y))) return null
	const types = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]
	window.pressed = {hit: false, missed: false, end: () => { for (const t of types) removeEventListener(t, guard, true) }}
	const guard = event => {
		if (e.contains(event.target)) { window.pressed.hit ||= event.type === "click"; return }
		window.pressed.missed = true
		event.stopImmediatePropagation()
		event.preventDefault()
	}
	for (const t of types) addEventListener(t, guard, true)
	return {x, y}
})()`

// landed is whether the press reached the element. A page that was left by it has no record of it.
const landed = `(() => { const p = window.pressed; if (!p) return true; p.end(); delete window.pressed; return p.hit || !p.missed })()`

// click presses the mouse on an element as soon as it is in sight, stays where it is and is covered by nothing.
func click(selector string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		return repeat(ctx, func() error {
			at, err := evaluate[*struct{ X, Y float64 }](ctx, fmt.Sprintf(aimScript, element(selector)))
			if err != nil {
				return err
			}
			if at == nil {
				return fmt.Errorf("%s cannot be clicked: it is absent, disabled, covered, or moves", selector)
			}
			if err := chromedp.MouseClickXY(at.X, at.Y).Do(ctx); err != nil {
				return err
			}
			hit, err := evaluate[bool](ctx, landed)
			if err != nil {
				return nil //nolint:nilerr // the click has led to another page
			}
			if !hit {
				return fmt.Errorf("a press on %s landed elsewhere", selector)
			}
			return nil
		})
	})
}

// choose picks an option of a list once it is there.
func choose(selector, value string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		return repeat(ctx, func() error {
			done, err := evaluate[bool](ctx, fmt.Sprintf(`(() => {
				const list = %s
				if (!list || list.disabled || ![...list.options].some(o => o.value === %q)) return false
				list.value = %q
				list.dispatchEvent(new Event("input", {bubbles: true}))
				list.dispatchEvent(new Event("change", {bubbles: true}))
				return true
			})()`, element(selector), value, value))
			if err == nil && !done {
				err = fmt.Errorf("%s has no option %q", selector, value)
			}
			return err
		})
	})
}
