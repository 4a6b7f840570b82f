// Lists of which only the part in sight is drawn, by TanStack Virtual.

import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import { useLayoutEffect, useReducer, useState } from 'preact/hooks'

interface Options {
  count: number
  /** The height of an entry in pixels. */
  size: number
  scroller: { current: HTMLElement | null }
  /** How much of the scrolled part lies above the entries. */
  above?: number
}

export function useVirtual({ count, size, scroller, above = 0 }: Options): Virtualizer<HTMLElement, Element> {
  const [, draw] = useReducer((n: number) => n + 1, 0)
  const options = {
    count,
    estimateSize: () => size,
    getScrollElement: () => scroller.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    overscan: 8,
    scrollMargin: above,
    onChange: () => draw(undefined as never),
  }
  const [virtual] = useState(() => new Virtualizer<HTMLElement, Element>(options))
  virtual.setOptions(options)
  useLayoutEffect(() => virtual._didMount(), [])
  useLayoutEffect(() => virtual._willUpdate())
  return virtual
}
