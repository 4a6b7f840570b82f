// Lengths of styles. Preact writes a style as it is given: a number without its unit is no length.

export const px = (n: number) => `${n}px`
