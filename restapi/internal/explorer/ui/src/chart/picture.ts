// The plots of the page as one picture, below the words that say what they show.

import { save } from '../table/download.ts'

const [titleSize, lineSize, margin] = [18, 13, 16]

/** savePicture puts the plots below a title and lines of text, on the colour of the page. */
export function savePicture(name: string, title: string, lines: string[]) {
  const plots = [...document.querySelectorAll<HTMLCanvasElement>('.plot canvas')]
  if (plots.length === 0) return
  const scale = plots[0].width / plots[0].clientWidth
  const words = [title, ...lines]
  const height = (i: number) => (i === 0 ? titleSize : lineSize) * 1.5 * scale
  const top = words.reduce((sum, _, i) => sum + height(i), 2 * margin * scale)
  const picture = document.createElement('canvas')
  picture.width = Math.max(...plots.map((p) => p.width))
  picture.height = plots.reduce((sum, p) => sum + p.height, Math.ceil(top))
  const pen = picture.getContext('2d')!
  const style = getComputedStyle(document.body)
  pen.fillStyle = style.backgroundColor
  pen.fillRect(0, 0, picture.width, picture.height)
  pen.fillStyle = style.color
  let y = margin * scale
  words.forEach((text, i) => {
    y += height(i)
    pen.font = `${i === 0 ? 600 : 400} ${(i === 0 ? titleSize : lineSize) * scale}px ${style.fontFamily}`
    pen.fillText(text, margin * scale, y - height(i) * 0.3, picture.width - 2 * margin * scale)
  })
  y = Math.ceil(top)
  for (const p of plots) {
    pen.drawImage(p, 0, y)
    y += p.height
  }
  save(name + '.png', picture.toDataURL('image/png'), '')
}
