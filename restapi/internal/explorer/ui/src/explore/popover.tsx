// A chip that opens what it is about.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { px } from '../px.ts'

interface Props {
  /** What the chip shows, and what the opened part is called. */
  text: string
  label: string
  /** It holds something that differs from an empty query. */
  on?: boolean
  title?: string
  children: ComponentChildren
}

/** keepInSight moves what would begin or end beyond the edge of the page. */
function keepInSight(part: HTMLDivElement | null) {
  if (!part) return
  part.style.marginLeft = ''
  const { right } = part.getBoundingClientRect()
  const beyond = right - document.documentElement.clientWidth + 8
  if (beyond > 0) part.style.marginLeft = px(-beyond)
}

/** Popover closes on Escape, and when a person presses elsewhere or goes on with the keys. */
export function Popover({ text, label, on = false, title, children }: Props) {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (!open) return
    // A part that the press itself has removed was within.
    const outside = (e: Event) => e.target instanceof Node && e.target.isConnected && !box.current?.contains(e.target) && setOpen(false)
    const settle = () => keepInSight(box.current?.querySelector<HTMLDivElement>('.popover') ?? null)
    settle()
    addEventListener('pointerdown', outside)
    addEventListener('resize', settle)
    return () => {
      removeEventListener('pointerdown', outside)
      removeEventListener('resize', settle)
    }
  }, [open])
  return (
    <span
      class="popbox"
      ref={box}
      onKeyDown={(e) => {
        if (e.key !== 'Escape' || !open) return
        setOpen(false)
        box.current?.querySelector('button')?.focus()
      }}
      onFocusOut={(e) => e.relatedTarget instanceof Node && !e.currentTarget.contains(e.relatedTarget) && setOpen(false)}
    >
      <button type="button" class={on ? 'pop on' : 'pop'} data-part={label} aria-haspopup="dialog" aria-expanded={open} aria-label={`${label}: ${text}`} title={title} onClick={() => setOpen(!open)}>
        <span class="name">{text}</span>
        <span aria-hidden="true">▾</span>
      </button>
      {open && (
        <div class="popover" role="dialog" aria-label={label}>
          {children}
        </div>
      )}
    </span>
  )
}
