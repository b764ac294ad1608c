import type { SourceFile } from './source.ts'

const TOP_LEVEL = [
  'bin',
  'src',
  'commands',
  'test',
  'oclif.manifest.json',
  'package.json',
  'tsconfig.json',
  'README.md',
]
const BESIDE = ['package-lock.json', 'biome.json', 'LICENSE', 'CHANGELOG.md']
/** Folders of test that follow a story or a tool, not a source. */
const FREE_TEST_FOLDERS = ['support', 'scenarios', 'browser', 'bench', 'property', 'mutations']
const REPOSITORY_PATH = /^(?:src|commands|test|bin|\.github|\.ci)\//
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/

/** Finds tests whose source, or whose folder of sources, is not there. */
export function mirrors(files: SourceFile[]): string[] {
  const paths = files.map(({ path }) => path)
  return paths.flatMap((path) => {
    const [top, folder, ...rest] = path.split('/')
    if (top !== 'test' || rest.length === 0 || FREE_TEST_FOLDERS.includes(folder ?? '')) return []
    const inside = path.slice('test/'.length)
    const home = inside.startsWith('commands/') ? inside : `src/${inside}`
    const isTest = path.endsWith('.test.ts')
    // money.test.ts and money.rounding.test.ts both mirror money.ts; a shared suite needs only its folder.
    const wanted = isTest ? home.replace(/\.[^/]*$/, '') : home.slice(0, home.lastIndexOf('/'))
    const isThere = paths.some(
      (other) => other.startsWith(`${wanted}/`) || /^\.tsx?$/.test(other.replace(wanted, '')),
    )
    return isThere ? [] : [`${path} mirrors nothing: there is no ${wanted}${isTest ? '.ts' : '/'}`]
  })
}

/** Compares the names at the root, given the lines of .gitignore, with the ones the owner fixed. */
export function topLevel(names: string[], ignored: string[]): string[] {
  const isIgnored = (name: string) =>
    ignored.some(
      (line) => name === line.replace(/\/$/, '') || (line.startsWith('*') && name.endsWith(line.slice(1))),
    )
  const extra = names.filter(
    (name) =>
      !name.startsWith('.') && !isIgnored(name) && !TOP_LEVEL.includes(name) && !BESIDE.includes(name),
  )
  return [
    ...extra.map((name) => `${name} does not belong at the top level`),
    ...TOP_LEVEL.filter((name) => !names.includes(name)).map((name) => `${name} is missing at the top level`),
  ]
}

/** Finds paths in backticks in documents that `exists` denies; patterns and placeholders are left out. */
export function documentPaths(documents: SourceFile[], exists: (path: string) => boolean): string[] {
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(/`([^`\s]+)`/g)]
      .map(([, name = '']) => name.replace(/:\d+$/, ''))
      .filter((name) => REPOSITORY_PATH.test(name) && !/[*<>{}…]/.test(name) && !exists(name))
      .map((name) => `${path} names ${name}, which does not exist`),
  )
}

/** Finds rows of a table that name a test, as `file`: title, which the file does not have. */
export function missingProofs(table: string, read: (path: string) => string | undefined): string[] {
  return [...table.matchAll(/\| `(test\/[^`]+)`: (.+?) \|$/gm)].flatMap(([, path = '', title = '']) =>
    read(path)?.includes(title) ? [] : [`${path} has no test that says: ${title}`],
  )
}

/** Finds versions in package.json that are not exact. */
export function pins(packageJson: string): string[] {
  const json = JSON.parse(packageJson) as Record<string, Record<string, string> | undefined>
  return ['dependencies', 'devDependencies', 'optionalDependencies']
    .flatMap((group) => Object.entries(json[group] ?? {}))
    .filter(([, version]) => !EXACT_VERSION.test(version))
    .map(([name, version]) => `package.json asks for ${name} ${version}: pin one version`)
}

/** Finds hosts in package-lock.json: every machine installs from the registry it is set up for. */
export function lockHosts(lock: string): string[] {
  const hosts = new Set([...lock.matchAll(/"resolved": "(?:[a-z+]+:)?\/\/([^/"]+)/g)].map(([, host]) => host))
  return [...hosts].map(
    (host) => `package-lock.json names the host ${host}: lock with omit-lockfile-registry-resolved`,
  )
}

type Lock = { packages: Record<string, { optionalDependencies?: Record<string, string> }> }

/** Whether a package at `path` finds `name` in its own node_modules or in one further up. */
function isLocked({ packages }: Lock, path: string, name: string): boolean {
  if (packages[`${path && `${path}/`}node_modules/${name}`]) return true
  const up = path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')))
  return path !== '' && isLocked({ packages }, up, name)
}

/** Finds optional packages package-lock.json leaves out: npm ci refuses such a lock. */
export function lockGaps(lock: string): string[] {
  const json = JSON.parse(lock) as Lock
  return Object.entries(json.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(json, path, name))
      .map((name) => `package-lock.json leaves out ${name}, which ${path} names: npm ci would refuse`),
  )
}

type Integrities = { packages: Record<string, { integrity?: string; link?: boolean; inBundle?: boolean }> }

/** Returns a problem for each registry package in package-lock.json without a SHA-512 integrity value. */
export function lockIntegrity(lock: string): string[] {
  const { packages } = JSON.parse(lock) as Integrities
  return Object.entries(packages)
    .filter(([path, { link, inBundle }]) => path !== '' && !link && !inBundle)
    .filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))
    .map(([path]) => `package-lock.json has no integrity for ${path}: lock a version the registry serves`)
}

type Engines = { packages: Record<string, { dev?: boolean; engines?: { node?: string } }> }

/** Finds packages users install whose Node our own oldest one is not. */
export function lockEngines(lock: string): string[] {
  const { packages } = JSON.parse(lock) as Engines
  const oldest = placeOf(packages['']?.engines?.node ?? '')
  return Object.entries(packages)
    .filter(([, { dev, engines }]) => dev !== true && engines?.node !== undefined)
    .filter(([, { engines }]) => !engines?.node?.split('||').some((range) => isWithin(oldest, range)))
    .map(([path, { engines }]) => `${path} wants Node ${engines?.node}, and paycli promises an older one`)
}

const COMPARATOR = /(>=|<|\^)?\s*(\d[\dx.]*)/g

function isWithin(version: number, range: string): boolean {
  return [...range.matchAll(COMPARATOR)].every(([, comparator, text = '']) => {
    if (comparator === '<') return version < placeOf(text)
    const isOfMajor = comparator === '>=' || Math.floor(version / 1e6) === Number(text.split('.')[0])
    return isOfMajor && version >= placeOf(text)
  })
}

// Versions as numbers that can be compared.
function placeOf(text: string): number {
  const [major = 0, minor = 0, patch = 0] = text
    .replace(/^\D+/, '')
    .split('.')
    .map((part) => Number(part) || 0)
  return major * 1e6 + minor * 1e3 + patch
}
