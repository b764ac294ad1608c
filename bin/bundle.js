// The second step of `npm run build`, after tsc. Bundles the compiled program of a folder (default: dist) into its
// folder `bundle`. Bundles the scripts and style sheets of the pages, and the guides, into its folder `pages`. The file
// is not published.
import { copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { renderGuides } from './guides.js'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, process.argv[2] ?? 'dist')
const BUNDLE = join(DIST, 'bundle')
const PAGES = join(DIST, 'pages')
const PAGE_SOURCES = join(ROOT, 'src', 'pages', 'browser')
const DASHBOARD_SOURCES = join(ROOT, 'src', 'dashboard')
const PACKAGES = join(ROOT, 'node_modules')
/**
 * Minimum number of entries that use the code of a shared file. Loading a file takes about 0.6 ms. With a smaller
 * minimum, commands would load much code that they do not use.
 */
const MIN_SHARED = 20
/** The entry of the command that runs the server. */
const SERVER = 'commands/serve'
/** The entry of `paycli exec`, whose load time delays the command that it runs. */
const EXEC = 'commands/exec'

/** Bundles the compiled program with the packages that it uses. `browserFiles` are files of packages in other bundles. */
async function bundleProgram(browserFiles) {
  const commands = globSync('commands/**/*.js', { cwd: DIST })
  const entries = {
    run: 'src/cli/launch/run.js',
    help: 'src/cli/help/help.js',
    'command-not-found': 'src/cli/help/command-not-found.js',
    client: 'src/client/index.js',
    ...Object.fromEntries(commands.map((file) => [file.replace(/\.js$/, ''), file])),
  }
  const { [SERVER]: server, [EXEC]: exec, run, ...others } = entries
  rmSync(BUNDLE, { recursive: true, force: true })
  const isOwnFile = (file) => file.startsWith(join(DIST, 'src'))
  const output = [
    ...(await bundle(others, {
      groups: [{ name: 'shared', test: isOwnFile, minShareCount: MIN_SHARED, tags: ['$initial'] }],
    })),
    // The launcher shares no files, because shared files contain much more code than the launcher uses.
    ...(await bundle({ run }, true)),
    // Most of the shared file defines resources, which `paycli exec` does not use.
    ...(await bundle({ [EXEC]: exec }, { groups: [{ name: 'exec', tags: ['$initial'] }] })),
    // The server uses most of the program. With shared files, the server would load sixty files.
    ...(await bundle({ [SERVER]: server }, { groups: [{ name: 'server', tags: ['$initial'] }] })),
  ]
  for (const { name, fileName, code } of output)
    if (['shared', 'exec', 'server'].includes(name)) writeFileSync(join(BUNDLE, fileName), toAscii(code))
  // The package open runs this copy on systems without xdg-open.
  copyFileSync(join(PACKAGES, 'open', 'xdg-open'), join(BUNDLE, 'chunks', 'xdg-open'))
  writeFileSync(
    join(BUNDLE, 'THIRD-PARTY-LICENSES'),
    licenses([...browserFiles, ...output.flatMap(({ moduleIds = [] }) => moduleIds)]),
  )
}

/** Bundles entries and writes their files; returns the files. */
async function bundle(entries, codeSplitting) {
  const built = await rolldown({
    // Comments and hashes contain the paths below the folder `dist`, which are equal in every build.
    cwd: DIST,
    platform: 'node',
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(DIST, file)])),
    // Optional packages of pg, Ink and oclif, which paycli does not use.
    external: ['pg-native', 'react-devtools-core', 'typescript'],
    plugins: [httpModule, standardFonts],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    checks: { eval: false, ineffectiveDynamicImport: false },
  })
  const { output } = await built.write({
    dir: BUNDLE,
    comments: { legal: true, annotation: false, jsdoc: false },
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting,
  })
  await built.close()
  return output
}

/**
 * Replaces imports of node:http: an import reads every property, which loads the HTTP and WebSocket clients of Node.js.
 */
const httpModule = {
  name: 'node:http',
  resolveId: (id, _, { kind }) =>
    kind === 'import-statement' && /^(node:)?http$/.test(id) ? '\0http' : null,
  load: (id) =>
    id === '\0http'
      ? "const http = process.getBuiltinModule('node:http'); export default http; export const { Agent, createServer, request, STATUS_CODES } = http"
      : null,
}

/**
 * Bundles the standard fonts of receipts, which pdfkit requires by a name of its own package. Omits fontkit, the
 * largest dependency of pdfkit, because fontkit only reads font files.
 */
const standardFonts = {
  name: 'pdfkit',
  resolveId: (id) => (id === 'fontkit' ? '\0fontkit' : null),
  load: (id) => (id === '\0fontkit' ? 'export const create = null' : null),
  transform: (code, id) =>
    /[\\/]pdfkit\.node\.mjs$/.test(id)
      ? code.replace(/require\$1\('#(standard-fonts\/Helvetica(?:Bold)?)'\)/g, "require('pdfkit/$1')")
      : null,
}

/** Escapes the characters that are not ASCII. Decoding them takes Node.js several milliseconds in a large file. */
function toAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Returns the names, versions and licenses of the packages that contain these files. */
function licenses(files) {
  const folders = files.map((file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0])
  const found = [...new Set(folders.filter((folder) => folder !== undefined))].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one))
    const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
    return `${name} ${version}${license ? ` (${license})` : ''}${text}\n`
  })
  return [...new Set(found)].sort().join(`\n${'-'.repeat(78)}\n\n`)
}

/** Builds the scripts and style sheets of the pages, and the guides. */
async function buildPages() {
  mkdirSync(PAGES, { recursive: true })
  for (const name of ['page.css', 'plain.css'])
    writeFileSync(join(PAGES, name), minifyStyleSheet(readStyleSheet(name)))
  for (const name of ['form', 'live', 'page', 'reference']) {
    const { code } = await bundleForBrowser(join(PAGE_SOURCES, `${name}.ts`), 'iife')
    writeFileSync(join(PAGES, `${name}.js`), code)
  }
  writeFileSync(join(PAGES, 'guides.json'), JSON.stringify(renderGuides(ROOT)))
}

/** Builds the script and the style sheet of the dashboard; returns the files of the packages in them. */
async function buildDashboard() {
  mkdirSync(PAGES, { recursive: true })
  const style = readStyleSheet('dashboard.css', join(DASHBOARD_SOURCES, 'styles'))
  writeFileSync(join(PAGES, 'dashboard.css'), minifyStyleSheet(style))
  const { code, moduleIds } = await bundleForBrowser(join(DASHBOARD_SOURCES, 'main.tsx'), 'esm')
  writeFileSync(join(PAGES, 'dashboard.js'), code)
  return { packages: moduleIds.filter((file) => file.startsWith(PACKAGES)) }
}

/** Returns a style sheet with the style sheets that it imports. */
function readStyleSheet(path, folder = PAGE_SOURCES) {
  const text = readFileSync(join(folder, path), 'utf8')
  return text.replace(/^@import "(.*)";$/gm, (_, imported) => readStyleSheet(imported, folder))
}

/** Returns a style sheet without comments and optional characters. A colon in a selector keeps the space before it. */
function minifyStyleSheet(text) {
  return text
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>/]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .replace(/(?<=[ :,(/-])0(?=\.\d)/g, '')
    .trim()
}

/** Returns one script with the modules that a file imports. */
async function bundleForBrowser(input, format) {
  const bundle = await rolldown({
    ...{ cwd: ROOT, platform: 'browser', input },
    transform: { target: 'es2022' },
  })
  const { output } = await bundle.generate({ format, minify: true, comments: false })
  await bundle.close()
  return output[0]
}

const dashboard = await buildDashboard()
await bundleProgram(dashboard.packages)
await buildPages()
