import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './root.ts'

const FOLDERS = ['api', 'domain', 'engine', 'daemon']
/** Texts of the reference, which no response has. */
const DOCUMENTATION = ['operation-descriptions.ts', 'openapi-webhooks.ts']
const TEXT = /`((?:[^`\\]|\\.)*)`|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/g
const SENTENCE = /^[A-Za-z$].* .*\.$/

/** Every text of the service that is a sentence or more, with `x_1` for whatever is put into it. */
export const MESSAGES: readonly string[] = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !DOCUMENTATION.some((file) => name.endsWith(file)))
    .flatMap((name) => sentencesOf(readFileSync(join(ROOT, 'src', folder, name), 'utf8'))),
)

function sentencesOf(source: string): string[] {
  const texts = [...source.matchAll(TEXT)].map(([, ...quoted]) => quoted.find((text) => text !== undefined))
  return texts.map(filledIn).filter((text) => SENTENCE.test(text))
}

function filledIn(text = ''): string {
  return text.replace(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, 'x_1')
}
