import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathsIn } from './repository/source-files.ts'
import { ROOT } from './root.ts'

const FOLDERS = ['api', 'domain', 'engine', 'daemon']
/** Folders with texts of the reference, which no response contains. */
const DOCUMENTATION = ['src/api/resources/', 'src/api/openapi/']
const DESCRIPTION = /\b(?:summary|description):\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g
const TEXT = /`((?:[^`\\]|\\.)*)`|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/g
const SENTENCE = /^[A-Za-z$].* .*\.$/

/** Every text of the service of at least one sentence, with `x_1` for each inserted value. */
export const MESSAGES: readonly string[] = FOLDERS.flatMap((folder) =>
  pathsIn(ROOT, `src/${folder}`, ['.ts'])
    .filter((path) => !DOCUMENTATION.some((folder) => path.startsWith(folder)))
    .flatMap((path) => sentencesOf(readFileSync(join(ROOT, path), 'utf8').replace(DESCRIPTION, ''))),
)

function sentencesOf(source: string): string[] {
  const texts = [...source.matchAll(TEXT)].map(([, ...quoted]) => quoted.find((text) => text !== undefined))
  return texts.map(filledIn).filter((text) => SENTENCE.test(text))
}

function filledIn(text = ''): string {
  return text.replace(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, 'x_1')
}
