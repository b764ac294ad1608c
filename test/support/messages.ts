import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathsIn } from './repository/source-files.ts'
import { ROOT } from './root.ts'

const FOLDERS = ['api', 'domain', 'engine', 'daemon']
/** Texts of the reference, which no response has. */
const DOCUMENTATION = ['operation-descriptions.ts', 'openapi-webhooks.ts']
const TEXT = /`((?:[^`\\]|\\.)*)`|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/g
const SENTENCE = /^[A-Za-z$].* .*\.$/

/** Every text of the service that is a sentence or more, with `x_1` for whatever is put into it. */
export const MESSAGES: readonly string[] = FOLDERS.flatMap((folder) =>
  pathsIn(ROOT, `src/${folder}`, ['.ts'])
    .filter((path) => !DOCUMENTATION.some((name) => path.endsWith(name)))
    .flatMap((path) => sentencesOf(readFileSync(join(ROOT, path), 'utf8'))),
)

function sentencesOf(source: string): string[] {
  const texts = [...source.matchAll(TEXT)].map(([, ...quoted]) => quoted.find((text) => text !== undefined))
  return texts.map(filledIn).filter((text) => SENTENCE.test(text))
}

function filledIn(text = ''): string {
  return text.replace(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, 'x_1')
}
