// The page in a frame of another one.

/** isBare is whether the page has no header. */
export const isBare = new URLSearchParams(location.search).get('bare') === '1'

const allowed = (document.documentElement.dataset.embedOrigins ?? '').split(' ').filter(Boolean)

/** embedder is the origin of the page around this one, where it is one that may show this page. */
export function embedder(): string | undefined {
  if (parent === window) return undefined
  const around = location.ancestorOrigins?.[0] ?? (document.referrer && new URL(document.referrer).origin)
  return allowed.includes(around) ? around : undefined
}

/** takeTokens takes tokens of the page around this one, and announces that it does. It returns how to stop. */
export function takeTokens(take: (token: string) => void): () => void {
  const origin = embedder()
  if (!origin) return () => {}
  const read = (e: MessageEvent) => {
    if (e.source === parent && e.origin === origin && e.data?.type === 'semlayer:token' && typeof e.data.token === 'string') take(e.data.token)
  }
  addEventListener('message', read)
  parent.postMessage({ type: 'semlayer:ready' }, origin)
  return () => removeEventListener('message', read)
}
