import { join } from 'node:path'
import { maskSecretsAndCardNumbers } from '../domain/text/secret-masking.ts'
import { readJson, writeJson } from './private-json.ts'

/** Replaces the last report of `paycli grade` in a home folder; the file has mode 0600. */
export async function writeLastGrade(home: string, report: object, newSuffix: () => string): Promise<void> {
  await writeJson(fileIn(home), report, newSuffix)
}

/** Reads the last report of `paycli grade` in a home folder, without secrets that an app logged; null without a report. */
export async function readLastGrade(home: string): Promise<unknown> {
  const mask = (_: string, value: unknown) =>
    typeof value === 'string' ? maskSecretsAndCardNumbers(value) : value
  return JSON.parse(JSON.stringify(await readJson(fileIn(home)), mask))
}

function fileIn(home: string): string {
  return join(home, 'grade.json')
}
