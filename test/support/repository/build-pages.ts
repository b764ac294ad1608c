import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import scalar from '@scalar/fastify-api-reference'
import { build } from 'esbuild'
import fastify from 'fastify'
import { ROOT } from '../root.ts'

const SOURCES = join(ROOT, 'src', 'pages', 'browser')
const BUILT = join(ROOT, 'dist', 'pages')

/** Returns Scalar's API reference as one script without imports, as its plugin for Fastify serves it. */
async function readScalar(): Promise<string> {
  const app = fastify()
  await app.register(scalar, { configuration: { url: '/openapi.json' } })
  const { statusCode, body } = await app.inject('/reference/js/scalar.js')
  if (statusCode !== 200) throw new Error(`the plugin of Scalar returned ${statusCode}`)
  return body
}

/** Builds the scripts and style sheets of the pages: `src/pages/browser` to `dist/pages`. */
async function buildPages(): Promise<void> {
  const options = {
    outdir: BUILT,
    bundle: true,
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    target: 'es2022',
  } as const
  const sources = ['form.ts', 'live.ts', 'page.css', 'plain.css', 'reference.css'].map((name) =>
    join(SOURCES, name),
  )
  await build({ ...options, entryPoints: sources })
  await build({
    ...options,
    entryPoints: [join(SOURCES, 'reference.ts')],
    banner: { js: await readScalar() },
  })
  const plugin = fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference'))
  copyFileSync(join(plugin, '..', '..', 'LICENSE'), join(BUILT, 'reference.LICENSE.txt'))
}

await buildPages()
