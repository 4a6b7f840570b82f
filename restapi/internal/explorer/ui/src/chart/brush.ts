// Drawing over a plot with the pointer chooses a stretch of its axis; a press without
// moving picks the mark below it.

import type { TargetedPointerEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Drawn } from './canvas.tsx'

interface Options {
  chart: { current: Drawn | undefined }
  /** The stretch that was drawn over, by the indexes of its first and last stop; absent where the axis has no time. */
  onStretch?: (from: number, to: number) => void
  /** The mark that was picked: the series and the stop. */
  onMark?: (series: number, stop: number, at: { x: number; y: number }) => void
}

/** A press that leaves the plot still ends where it was begun. */
const capture = (e: TargetedPointerEvent<HTMLElement>) => e.currentTarget.hasPointerCapture(e.pointerId) || e.currentTarget.setPointerCapture(e.pointerId)

/** Less than this is a hand that shakes. */
const shortest = 6

export interface Stretch {
  left: number
  width: number
}

export function useBrush({ chart, onStretch, onMark }: Options) {
  const begin = useRef<number | undefined>(undefined)
  const [stretch, setStretch] = useState<Stretch>()
  const place = (e: TargetedPointerEvent<HTMLElement>) => {
    const box = e.currentTarget.getBoundingClientRect()
    return { x: e.clientX - box.left, y: e.clientY - box.top }
  }
  const end = () => {
    begin.current = undefined
    setStretch(undefined)
  }
  return {
    stretch,
    handlers: {
      onPointerDown: (e: TargetedPointerEvent<HTMLElement>) => {
        if (e.button === 0) begin.current = place(e).x
      },
      onPointerMove: (e: TargetedPointerEvent<HTMLElement>) => {
        if (begin.current === undefined || !onStretch) return
        if (e.buttons === 0) return end() // it was released where the page did not see it
        const x = Math.max(0, Math.min(place(e).x, e.currentTarget.clientWidth))
        if (Math.abs(x - begin.current) <= shortest) return
        capture(e)
        setStretch({ left: Math.min(x, begin.current), width: Math.abs(x - begin.current) })
      },
      onPointerUp: (e: TargetedPointerEvent<HTMLElement>) => {
        const drawn = chart.current
        const { x } = place(e)
        if (drawn && begin.current !== undefined) {
          if (onStretch && Math.abs(x - begin.current) > shortest) {
            const index = (at: number) => Math.max(0, Math.min((drawn.data.labels?.length ?? 1) - 1, Number(drawn.scales.x.getValueForPixel(at))))
            onStretch(index(Math.min(x, begin.current)), index(Math.max(x, begin.current)))
          } else {
            const [found] = drawn.getElementsAtEventForMode(e as unknown as Event, 'nearest', { intersect: false, axis: 'xy' }, false)
            if (found) onMark?.(found.datasetIndex, found.index, { x: e.clientX, y: e.clientY })
          }
        }
        end()
      },
      onPointerCancel: end,
    },
  }
}
