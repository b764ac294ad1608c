// Bundles the compiled program with the packages that it uses into dist/bundle. Not published.
import { cpSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
const BUNDLE = join(DIST, 'bundle')
const PACKAGES = join(ROOT, 'node_modules')
/**
 * Loading a file takes about 0.6 ms of processor time, so all code that at least this many entries use is one file. With a
 * smaller number, commands would load much code that they do not use.
 */
const MIN_SHARED = 20

const commands = globSync('commands/**/*.js', { cwd: DIST })
const entries = {
  run: 'src/cli/launch/run.js',
  help: 'src/cli/help/help.js',
  'command-not-found': 'src/cli/help/command-not-found.js',
  client: 'src/client/index.js',
  ...Object.fromEntries(commands.map((file) => [file.replace(/\.js$/, ''), file])),
}

const bundle = await rolldown({
  cwd: ROOT,
  platform: 'node',
  input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(DIST, file)])),
  // Optional packages of pg, Ink and oclif, which paycli does not use.
  external: ['pg-native', 'react-devtools-core', 'typescript'],
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  checks: { eval: false, ineffectiveDynamicImport: false },
})
const { output } = await bundle.write({
  dir: BUNDLE,
  cleanDir: true,
  comments: { legal: true, annotation: false, jsdoc: false },
  chunkFileNames: 'chunks/[name]-[hash].js',
  codeSplitting: {
    groups: [
      { name: 'shared', test: /[\\/]dist[\\/]src[\\/]/, minShareCount: MIN_SHARED, tags: ['$initial'] },
    ],
  },
})
await bundle.close()
// The package open runs this script where the system has none.
cpSync(join(PACKAGES, 'open', 'xdg-open'), join(BUNDLE, 'chunks', 'xdg-open'))
writeFileSync(
  join(BUNDLE, 'THIRD-PARTY-LICENSES'),
  licenses(output.flatMap(({ moduleIds = [] }) => moduleIds)),
)

/** Returns the names, versions and licences of the packages that contain these files. */
function licenses(files) {
  const folders = files.map((file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0])
  const found = [...new Set(folders.filter((folder) => folder !== undefined))].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one))
    const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
    return `${name} ${version} (${license})${text}\n`
  })
  return [...new Set(found)].sort().join(`\n${'-'.repeat(78)}\n\n`)
}
