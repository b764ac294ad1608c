import { resolve } from 'node:path'
import { BaseCommand } from '../src/cli/command/base-command.ts'
import { EXIT_CODES } from '../src/cli/output/exit-codes.ts'
import { isTerminal, printData, printNote, renderJson, renderText } from '../src/cli/output/output.ts'
import { createProgress } from '../src/cli/output/progress.ts'
import { boolean, string } from '../src/cli/parse/options.ts'
import { chosenDatabase, databaseFlag } from '../src/cli/serve/chosen-database.ts'
import { type Diagnosis, examine, type SalvageReport, salvageInto } from '../src/daemon/doctor.ts'

/** How many suspect records the text of a salvage names; the JSON names all of them. */
const MOST_NAMED = 100

export default class Doctor extends BaseCommand {
  static override summary = 'Checks the database: its files, and every rule on what they hold.'
  static override description =
    'Changes nothing, and may run beside a daemon. Exits with 8 when something is wrong, and says what and where.'
  static override baseFlags = {}
  static override flags = {
    db: databaseFlag,
    salvage: string({
      description: 'Copy all that can still be read into this new file.',
      helpValue: '<new file>',
    }),
    json: boolean({ description: 'Print JSON, on a terminal too.' }),
  }
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --db ./payments.json --json',
    '<%= config.bin %> <%= command.id %> --db ./payments.json --salvage ./saved.json',
  ]

  override async run(): Promise<void> {
    const { flags } = await this.parse(Doctor)
    const database = await chosenDatabase(flags.db)
    const isJson = flags.json || !isTerminal()
    if (flags.salvage !== undefined) {
      const report = await salvageInto(database, resolve(flags.salvage))
      printData(isJson ? renderJson(report) : renderText(salvageText(report)))
      if (report.saved === 0 || report.lost.length > 0 || report.suspect.length > 0)
        process.exitCode = EXIT_CODES.assertion
      return
    }
    const progress = createProgress('Reading the database', process.stderr)
    const diagnosis = await examine(database, progress.show)
    progress.clear()
    printData(isJson ? renderJson(diagnosis) : renderText(diagnosisText(diagnosis)))
    for (const note of diagnosis.notes) printNote(renderText(note))
    if (diagnosis.problems.length > 0) process.exitCode = EXIT_CODES.assertion
  }
}

function diagnosisText({ database, records, rules, problems }: Diagnosis): string {
  const counts = Object.entries(records).map(([name, count]) => `  ${String(count).padStart(9)}  ${name}`)
  const verdict =
    problems.length === 0
      ? `All ${rules} rules hold.`
      : `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}:\n${problems.map((one) => `  ${one}`).join('\n')}`
  return `${database}\n${[...counts, verdict].join('\n')}\n`
}

function salvageText({ target, saved, lost, suspect }: SalvageReport): string {
  const places = lost.map((place) => `  ${place}\n`).join('')
  const named = suspect
    .slice(0, MOST_NAMED)
    .map(({ object, id, reason }) => `  ${object} ${id} (${reason})\n`)
  const unnamed = suspect.length - named.length
  const more = unnamed === 0 ? '' : `  and ${unnamed} more, which --json lists\n`
  return `${saved} records were saved in ${target}; ${lost.length} places were lost.
${places}${suspect.length} of the saved records may be wrong: read from damaged bytes (unverified), or older than a lost change (outdated).
${named.join('')}${more}`
}
