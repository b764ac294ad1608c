import { importsOf, layers, lineAt, type SourceFile } from './source.ts'

const FILE_LINES = 300
const COMMENT_SHARE = { least: 0.04, most: 0.12 }
const FORBIDDEN_NAMES = /^(?:utils?|helpers?|common|managers?|misc)$/
const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9-]+)*$/
const BARRELS: readonly string[] = ['src/api/index.ts']
/** Its suites end tests that never settle and tell when they are not run. */
const SUITE_DOOR = 'test/support/suite.ts'

function lineCount(text: string): number {
  return text.replace(/\n$/, '').split('\n').length
}

/** Finds files longer than the house allows. */
export function sizes(files: SourceFile[]): string[] {
  return files
    .filter(({ text }) => lineCount(text) > FILE_LINES)
    .map(
      ({ path, text }) =>
        `${path} has ${lineCount(text)} lines, the most is ${FILE_LINES}: split it by topic`,
    )
}

/** Finds names that say nothing, names that are not kebab-case, and files that only pass on other files. */
export function names(files: SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const parts = path.split('/')
    const vague = parts.flatMap((part) => part.split(/[.-]/)).filter((word) => FORBIDDEN_NAMES.test(word))
    const problems = vague.map((word) => `${path}: '${word}' says nothing, name what it holds`)
    if (!parts.every((part) => KEBAB_CASE.test(part))) problems.push(`${path} is not kebab-case`)
    const { code } = layers({ path, text })
    const rest = code.replace(
      /\bexport\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*(['"]) *\1;?/g,
      '',
    )
    const isBarrel = code.trim() !== '' && rest.trim() === ''
    if (isBarrel && !BARRELS.includes(path)) problems.push(`${path} only passes on other files: import those`)
    return problems
  })
}

function isSource({ path }: SourceFile): boolean {
  return path.startsWith('src/') || path.startsWith('commands/')
}

/** Checks the share of lines that are only comment, one figure for src and commands together. */
export function commentShare(files: SourceFile[]): string[] {
  let all = 0
  let commented = 0
  for (const file of files.filter(isSource)) {
    const code = layers(file).code.split('\n')
    for (const [index, line] of file.text.split('\n').entries()) {
      if (line.trim() === '') continue
      all += 1
      if (code[index]?.trim() === '') commented += 1
    }
  }
  const share = all === 0 ? COMMENT_SHARE.least : commented / all
  if (share >= COMMENT_SHARE.least && share <= COMMENT_SHARE.most) return []
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`
  const wanted = `${percent(COMMENT_SHARE.least)} to ${percent(COMMENT_SHARE.most)}`
  return [`${commented} of ${all} lines in src and commands are comment: ${percent(share)}, wanted ${wanted}`]
}

/** Finds comments that put work off. */
export function promises(files: SourceFile[]): string[] {
  return files.flatMap((file) => {
    const { comments } = layers(file)
    return [...comments.matchAll(/\b(?:TODO|FIXME|XXX)\b/g)].map(
      ({ index, 0: word }) => `${file.path}:${lineAt(comments, index)} says ${word}: do it, or open an issue`,
    )
  })
}

/** Where the values a file exports are declared, by name; further overloads of a function are left out. */
function exportsOf(code: string): Map<string, number> {
  const found = new Map<string, number>()
  const keep = (name: string, index: number) => {
    if (!found.has(name)) found.set(name, index)
  }
  const kinds = '(?:async\\s+)?(?:abstract\\s+)?(?:function\\s*\\*?|const|let|class)'
  for (const { 1: name = 'default', index } of code.matchAll(
    new RegExp(`^export\\s+(?:default\\s+)?${kinds}\\s*([\\w$]+)?`, 'gm'),
  )) {
    keep(name, index)
  }
  for (const { 1: list = '' } of code.matchAll(/^export\s*\{([^}]*)\}(?!\s*from)/gm)) {
    for (const item of list.split(',')) {
      const name = item.trim().split(/\s/)[0] ?? ''
      const declared = code.search(new RegExp(`^${kinds}\\s+${name.replace('$', '\\$')}\\b`, 'm'))
      if (name !== '' && declared !== -1) keep(name, declared)
    }
  }
  return found
}

/** Finds functions, classes and constants that src exports without a doc comment directly above. */
export function sentences(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap((file) => {
      const { code, comments } = layers(file)
      const isBare = ([, index]: [string, number]) => {
        const above = comments.slice(0, index).trimEnd()
        const gap = file.text.slice(above.length, index)
        return !(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/$/.test(above) && /^[^\S\n]*\n$/.test(gap))
      }
      return [...exportsOf(code)]
        .filter(isBare)
        .map(
          ([name, index]) =>
            `${file.path}:${lineAt(code, index)} exports ${name} without a sentence above it`,
        )
    })
}

/**
 * Finds suites in test that are never run, which uvu passes over in silence, suites made past support/suite.ts,
 * and tests left on `.only`.
 */
export function suites(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('test/') && path.endsWith('.ts') && path !== SUITE_DOOR)
    .flatMap((file) => {
      const { code } = layers(file)
      const made = [...code.matchAll(/\b(?:const|let)\s+(\w+)\s*=\s*suite\s*(?:<[^(]*>)?\(/g)].map(
        ([, name]) => name,
      )
      const calls = code.match(/(?<![.\w]|function )suite\s*(?:<[^(]*>)?\(/g)?.length ?? 0
      const past = importsOf(file).filter(({ specifier }) => /^uvu(?:\/|$)/.test(specifier))
      return [
        ...made
          .filter((name) => !new RegExp(`\\b${name}\\.run\\(\\)`).test(code))
          .map((name) => `${file.path} makes the suite '${name}' and never calls ${name}.run()`),
        ...(calls > made.length ? [`${file.path} makes a suite without keeping it in a constant`] : []),
        ...past.map(
          ({ specifier, line }) => `${file.path}:${line} imports '${specifier}': import ${SUITE_DOOR}`,
        ),
        ...[...code.matchAll(/\.only\(/g)].map(
          ({ index }) => `${file.path}:${lineAt(code, index)} leaves every other test out with .only()`,
        ),
      ]
    })
}
