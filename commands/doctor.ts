import { resolve } from 'node:path'
import { BaseCommand, sandboxFlag, toExamples } from '../src/cli/command/base-command.ts'
import { EXIT_CODES } from '../src/cli/output/exit-codes.ts'
import { isStdoutTerminal, printNote, renderJson, writeTextToStdout } from '../src/cli/output/output.ts'
import { createProgressDisplay } from '../src/cli/output/progress.ts'
import { boolean, string } from '../src/cli/parse/flag-builders.ts'
import { databaseFlag, resolveServerDatabase } from '../src/cli/serve/resolve-database.ts'
import {
  checkDatabase,
  type DatabaseDiagnosis,
  type SalvageReport,
  salvageIntoFile,
} from '../src/daemon/doctor.ts'
import { resolveSandboxId } from '../src/daemon/resolve-sandbox-id.ts'

/** Maximum number of suspect records in text output. JSON output lists every suspect record. */
const MAX_LISTED = 100

export default class Doctor extends BaseCommand {
  static override summary = 'Check the files and the data of a database'
  static override description =
    'Changes nothing, and can run while a server uses the database. With --sandbox, checks a durable sandbox. Exits with 8 if there are problems.'
  static override baseFlags = {}
  static override flags = {
    db: databaseFlag,
    sandbox: sandboxFlag,
    salvage: string({
      description: 'Copy all readable records to this new file.',
      helpValue: '<new file>',
    }),
    json: boolean({ description: 'Print JSON, even on a terminal.' }),
  }
  static override examples = toExamples([
    '',
    '--db ./payments.json --json',
    '--db ./payments.json --salvage ./saved.json',
  ])

  override async run(): Promise<void> {
    const { flags } = await this.parse(Doctor)
    const database = await resolveServerDatabase(flags.db)
    const sandbox = await resolveSandboxId(database, flags.sandbox)
    const isJson = flags.json || !isStdoutTerminal()
    if (flags.salvage !== undefined) {
      const report = await salvageIntoFile(database, resolve(flags.salvage), sandbox)
      writeTextToStdout(isJson ? renderJson(report) : salvageText(report))
      if (report.saved === 0 || report.lost.length > 0 || report.suspect.length > 0)
        process.exitCode = EXIT_CODES.assertion
      return
    }
    const progress = createProgressDisplay('Reading the database', process.stderr)
    const diagnosis = await checkDatabase(database, progress.show, sandbox)
    progress.clear()
    writeTextToStdout(isJson ? renderJson(diagnosis) : diagnosisText(diagnosis))
    for (const note of diagnosis.notes) printNote(note)
    if (diagnosis.problems.length > 0) process.exitCode = EXIT_CODES.assertion
  }
}

function diagnosisText({ database, records, rules, problems }: DatabaseDiagnosis): string {
  const counts = Object.entries(records).map(([name, count]) => `  ${String(count).padStart(9)}  ${name}`)
  const verdict =
    problems.length === 0
      ? `All ${rules} rules hold.`
      : `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}:\n${problems.map((one) => `  ${one}`).join('\n')}`
  return `${database}\n${[...counts, verdict].join('\n')}\n`
}

function salvageText({ target, saved, lost, suspect }: SalvageReport): string {
  const losses = lost.map((loss) => `  ${loss}\n`).join('')
  const listed = suspect
    .slice(0, MAX_LISTED)
    .map(({ object, id, reason }) => `  ${object} ${id} (${reason})\n`)
  const omitted = suspect.length - listed.length
  const more = omitted === 0 ? '' : `  and ${omitted} more, see --json\n`
  const places = lost.length === 1 ? '1 place' : `${lost.length} places`
  return `Saved ${saved} records in ${target}. Lost records in ${places}.
${losses}${suspect.length} of the saved records may be wrong: read from damaged bytes (unverified) or older than a lost change (outdated).
${listed.join('')}${more}`
}
