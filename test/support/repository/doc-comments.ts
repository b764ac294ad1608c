import { layers, lineAt } from './code-text.ts'
import type { SourceFile } from './source-files.ts'

/** Returns the position of each exported value by name; only the first overload of a function counts. */
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

/** Returns a problem for each function, class and constant that src exports without a doc comment. */
export function missingDocComments(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap((file) => {
      const { code, comments } = layers(file)
      const isUndocumented = ([, index]: [string, number]) => {
        const above = comments.slice(0, index).trimEnd()
        const gap = file.text.slice(above.length, index)
        return !(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/$/.test(above) && /^[^\S\n]*\n$/.test(gap))
      }
      return [...exportsOf(code)]
        .filter(isUndocumented)
        .map(([name, index]) => `${file.path}:${lineAt(code, index)} exports ${name} without a doc comment`)
    })
}
