// Columns at the left that stay in view when the others scroll.

import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { px } from '../px.ts'

/** The part of the width that sticky columns may take. The first column is sticky in any case. */
const mostOfWidth = 0.5

/** stickyAt are the attributes of a heading at a distance from the left; none for a column that scrolls. */
export const stickyAt = (left: number | undefined) => (left === undefined ? {} : { class: 'sticky', style: { left: px(left) } })

/** useStickyColumns measures the first headings of a row, those of the names, and returns the distance of each sticky one from the left. */
export function useStickyColumns(head: RefObject<HTMLTableRowElement | null>, scroller: RefObject<HTMLDivElement | null>, names: string[]): number[] {
  const [sticky, setSticky] = useState<number[]>([])
  useLayoutEffect(() => {
    const cells = [...head.current!.children].slice(0, names.length)
    const measure = () => {
      const found: number[] = []
      let right = 0
      for (const cell of cells) {
        const left = right
        right += cell.getBoundingClientRect().width
        if (found.length > 0 && right > scroller.current!.clientWidth * mostOfWidth) break
        found.push(left)
      }
      setSticky((before) => (JSON.stringify(before) === JSON.stringify(found) ? before : found))
    }
    measure()
    const watch = new ResizeObserver(measure)
    for (const element of [...cells, scroller.current!]) watch.observe(element)
    return () => watch.disconnect()
  }, [JSON.stringify(names)])
  return sticky
}
