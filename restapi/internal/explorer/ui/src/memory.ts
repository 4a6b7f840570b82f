// What a browser keeps from visit to visit: the theme, the last model and the views of a person. Never a token.

type Key = 'theme' | 'model' | `views.${string}`

/** remember is whether the browser keeps a value: it may keep nothing, or be full. */
export function remember(key: Key, value: string): boolean {
  try {
    localStorage.setItem('semlayer.' + key, value)
    return true
  } catch {
    return false
  }
}

export function remembered(key: Key): string | null {
  try {
    return localStorage.getItem('semlayer.' + key)
  } catch {
    return null
  }
}
