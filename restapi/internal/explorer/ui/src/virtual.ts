// Lists of which only the part in sight is drawn, by TanStack Virtual.

import { defaultRangeExtractor, elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import { useLayoutEffect, useReducer, useState } from 'preact/hooks'
import { px } from './px.ts'

/** No more entries are printed; they are some forty pages. */
const mostPrinted = 1000

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
  const printing = usePrinting()
  const options = {
    count,
    estimateSize: () => size,
    getScrollElement: () => scroller.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    overscan: 8,
    // Paper does not scroll: it has every entry.
    rangeExtractor: printing ? () => Array.from({ length: Math.min(count, mostPrinted) }, (_, i) => i) : defaultRangeExtractor,
    scrollMargin: above,
    onChange: () => draw(undefined as never),
  }
  const [virtual] = useState(() => new Virtualizer<HTMLElement, Element>(options))
  virtual.setOptions(options)
  useLayoutEffect(() => virtual._didMount(), [])
  useLayoutEffect(() => virtual._willUpdate())
  useLayoutEffect(() => (printing && scroller.current ? fitOnPaper(scroller.current) : undefined), [printing])
  return virtual
}

/** The width of A4 within its margins, in pixels; other paper is wider. */
const paper = 700

/** fitOnPaper makes a table smaller that paper would cut, and returns how to undo that. */
function fitOnPaper(box: HTMLElement): (() => void) | undefined {
  const table = box.querySelector('table')
  if (!table) return undefined
  box.style.width = px(paper)
  const width = Math.max(box.scrollWidth, table.scrollWidth)
  box.style.width = ''
  if (width <= paper) return undefined
  table.style.zoom = String(paper / width)
  return () => {
    table.style.zoom = ''
  }
}

/** usePrinting is whether the page is being printed. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useLayoutEffect(() => {
    const follow = (e: Event) => setPrinting(e.type === 'beforeprint')
    addEventListener('beforeprint', follow)
    addEventListener('afterprint', follow)
    return () => {
      removeEventListener('beforeprint', follow)
      removeEventListener('afterprint', follow)
    }
  }, [])
  return printing
}
