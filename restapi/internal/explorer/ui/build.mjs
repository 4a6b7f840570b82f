// Bundles the page into ../dist, or into the folder that is named: one script, one style sheet, the
// document and an icon. The output is the same for the same sources and lock file.
import { build } from 'esbuild'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

const out = process.argv[2] ? pathToFileURL(process.argv[2] + '/') : new URL('../dist/', import.meta.url)
await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })
await build({
  entryPoints: { app: 'src/main.tsx', style: 'src/style.css' },
  outdir: out.pathname,
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['es2022'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  charset: 'utf8',
})
for (const name of ['index.html', 'icon.svg']) await cp(new URL(`src/${name}`, import.meta.url), new URL(name, out))

// The licences of what is bundled travel with it.
const { dependencies } = JSON.parse(await readFile(new URL('package.json', import.meta.url), 'utf8'))
const parts = []
for (const name of [...Object.keys(dependencies), '@kurkle/color', 'hyparquet'].sort()) {
  const folder = new URL(`node_modules/${name}/`, import.meta.url)
  const { version } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'))
  const license = await firstOf(folder, ['LICENSE', 'LICENSE.md'])
  parts.push(`${name} ${version}\n\n${license.trim()}\n`)
}
await writeFile(new URL('LICENSES.txt', out), parts.join('\n----\n\n'))

let total = 0
for (const name of ['app.js', 'style.css', 'index.html', 'icon.svg']) {
  const file = new URL(name, out)
  const packed = gzipSync(await readFile(file), { level: 9 })
  total += packed.length
  console.log(`${name.padEnd(12)} ${String(packed.length).padStart(7)} bytes gzipped`)
  if (name === 'app.js' || name === 'style.css') {
    await writeFile(new URL(name + '.gz', out), packed)
    await rm(file)
  }
}
if (total > 250_000) throw new Error(`the page weighs ${total} bytes gzipped; 250,000 are allowed`)

async function firstOf(folder, names) {
  for (const n of names) {
    try {
      return await readFile(new URL(n, folder), 'utf8')
    } catch {
      // the next spelling
    }
  }
  throw new Error(`no licence in ${folder}`)
}
