import { layers, lineAt } from './code-text.ts'
import type { SourceFile } from './source-files.ts'

const REPOSITORY_PATH = /^(?:src|commands|test|bin|\.github|\.ci)\//

/** Returns a problem for each path in backticks that does not exist; patterns and placeholders are skipped. */
export function documentPaths(documents: SourceFile[], exists: (path: string) => boolean): string[] {
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(/`([^`\s]+)`/g)]
      .map(([, name = '']) => name.replace(/:\d+$/, ''))
      .filter((name) => REPOSITORY_PATH.test(name) && !/[*<>{}…]/.test(name) && !exists(name))
      .map((name) => `${path} names ${name}, which does not exist`),
  )
}

/** Returns a problem for each table row that names a test, as `file`: title, which the file does not contain. */
export function missingTests(table: string, read: (path: string) => string | undefined): string[] {
  return [...table.matchAll(/\| `(test\/[^`]+)`: (.+?) \|$/gm)].flatMap(([, path = '', title = '']) =>
    read(path)?.includes(title) ? [] : [`${path} has no test titled: ${title}`],
  )
}

/** The running process; files, folders and identifiers may keep the name. */
const DAEMON = /(?<![\w./'-])daemons?(?![\w=(']|[./-]\w)/gi

/** Returns a problem for each printed text or document that calls the running server a daemon. */
export function daemonTexts(files: SourceFile[]): string[] {
  return files.flatMap((file) => {
    const { path, text } = file
    const { code, comments } = path.endsWith('.md') ? { code: '', comments: '' } : layers(file)
    const isPrinted = ({ index }: RegExpExecArray) => !code[index]?.trim() && !comments[index]?.trim()
    return [...text.matchAll(DAEMON)]
      .filter(isPrinted)
      .map(({ index }) => `${path}:${lineAt(text, index)} calls the server a daemon`)
  })
}
