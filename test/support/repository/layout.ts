import type { SourceFile } from './source-files.ts'

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
const ALSO_ALLOWED = ['package-lock.json', 'biome.json', 'LICENSE', 'CHANGELOG.md']
/** Test folders named after a subject or a tool, not after a source folder. */
const FREE_TEST_FOLDERS = [
  'support',
  'scenarios',
  'browser',
  'bench',
  'property',
  'mutations',
  'repository',
  'guides',
  'explore',
]

/** Returns a problem for each test without a source file, or test folder without a source folder, of its name. */
export function testsWithoutSource(files: SourceFile[]): string[] {
  const paths = files.map(({ path }) => path)
  return paths.flatMap((path) => {
    const [top, folder, ...rest] = path.split('/')
    if (top !== 'test' || rest.length === 0 || FREE_TEST_FOLDERS.includes(folder ?? '')) return []
    const inside = path.slice('test/'.length)
    const source = inside.startsWith('commands/') ? inside : `src/${inside}`
    const isTest = path.endsWith('.test.ts')
    // money.test.ts and money.rounding.test.ts both test money.ts; a shared suite needs only its folder.
    const wanted = isTest ? source.replace(/\.[^/]*$/, '') : source.slice(0, source.lastIndexOf('/'))
    const exists = paths.some(
      (other) => other.startsWith(`${wanted}/`) || /^\.tsx?$/.test(other.replace(wanted, '')),
    )
    return exists ? [] : [`${path} has no source: expected ${wanted}${isTest ? '.ts' : '/'}`]
  })
}

/** Returns a problem for each missing or unexpected name at the root; `ignored` has the lines of .gitignore. */
export function topLevel(names: string[], ignored: string[]): string[] {
  const isIgnored = (name: string) =>
    ignored.some(
      (line) => name === line.replace(/\/$/, '') || (line.startsWith('*') && name.endsWith(line.slice(1))),
    )
  const extra = names.filter(
    (name) =>
      !name.startsWith('.') && !isIgnored(name) && !TOP_LEVEL.includes(name) && !ALSO_ALLOWED.includes(name),
  )
  return [
    ...extra.map((name) => `${name} does not belong at the top level`),
    ...TOP_LEVEL.filter((name) => !names.includes(name)).map((name) => `${name} is missing at the top level`),
  ]
}
