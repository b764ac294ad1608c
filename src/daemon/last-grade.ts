import { join } from 'node:path'
import { StartupError } from '../domain/core/startup-error.ts'
import { maskSecretsAndCardNumbers } from '../domain/text/secret-masking.ts'
import type { LastGrade } from './dashboard/dashboard.ts'
import { readJson, writeJson } from './private-json.ts'

/** Replaces the last report of `paycli grade` in a home folder; the file has mode 0600. */
export async function writeLastGrade(home: string, report: object, newSuffix: () => string): Promise<void> {
  await writeJson(fileIn(home), report, newSuffix)
}

/** Reads the last report of `paycli grade` in a home folder, without secrets that an app logged. */
export async function readLastGrade(home: string): Promise<LastGrade> {
  const mask = (_: string, value: unknown) =>
    typeof value === 'string' ? maskSecretsAndCardNumbers(value) : value
  try {
    const report = await readJson(fileIn(home))
    if (report === null || Array.isArray(report['classes']))
      return { data: JSON.parse(JSON.stringify(report), mask), problem: null }
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    if (error.code !== 'file_damaged') return { data: null, problem: error.message }
  }
  const problem = `${fileIn(home)} is damaged. Run paycli grade again: it replaces the file.`
  return { data: null, problem }
}

function fileIn(home: string): string {
  return join(home, 'grade.json')
}
