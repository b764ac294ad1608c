import { appendFileSync, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { FlagInput } from '@oclif/core/interfaces'
import { BaseCommand, toExamples } from '../src/cli/command/base-command.ts'
import { removeDatabasePasswords } from '../src/cli/databases/app-database.ts'
import { getErrorMessage } from '../src/cli/errors/error-fields.ts'
import { UsageError } from '../src/cli/errors/usage-error.ts'
import { globalExploreFlags } from '../src/cli/explore/explore-flags.ts'
import { printReport } from '../src/cli/explore/report/print-report.ts'
import { splitAtDoubleDash } from '../src/cli/fixtures/child-command.ts'
import { type GradeOptions, gradeApp, gradeRunningApp } from '../src/cli/grade/grade.ts'
import {
  DEFAULT_CONFIG_FILE,
  findAppFile,
  gradeFlags,
  readBaselineFindingIds,
  readGradeClasses,
  readGradeConfig,
} from '../src/cli/grade/grade-config.ts'
import { formatGrade, toGradeJson, toGradeMarkdown } from '../src/cli/grade/grade-report.ts'
import { type ClassResult, createGradeReport, type RunReport } from '../src/cli/grade/grade-result.ts'
import { initGrade } from '../src/cli/grade/init/init-grade.ts'
import { REPORT_FILES } from '../src/cli/grade/report-files.ts'
import { parseTargetUrl } from '../src/cli/listen/forward-flags.ts'
import { EXIT_CODES } from '../src/cli/output/exit-codes.ts'
import { printWarning } from '../src/cli/output/output.ts'
import { createStatusLine } from '../src/cli/output/progress.ts'
import { toShellCommand } from '../src/cli/output/shell-command.ts'
import { parseDurationSeconds } from '../src/cli/parse/duration.ts'
import { type FlagValues, findFlagText } from '../src/cli/parse/params.ts'
import { INTERRUPT_EXIT_CODE, runInterruptibly } from '../src/cli/serve/interrupts.ts'
import { getWritableHomeFolder } from '../src/cli/service/home.ts'
import { writePrivateFileOrUsageError } from '../src/cli/service/user-file.ts'
import { readSigningSecret } from '../src/cli/webhook-tools/webhook-secret.ts'
import { writeLastGrade } from '../src/daemon/last-grade.ts'
import { getUnixSeconds, monotonicMs, systemClock } from '../src/daemon/system/clock.ts'
import { createIdGenerators } from '../src/daemon/system/ids.ts'
import { SEVERITIES, type Severity } from '../src/presentation/grade-report.ts'
import { createHandlerTestClient } from '../src/webhooks/handler-test-client.ts'

export default class Grade extends BaseCommand {
  static override summary = 'Find out whether an integration is ready'
  static override description =
    'Starts your app with PAYCLI_API_BASE, PAYCLI_API_KEY, PAYCLI_WEBHOOK_SECRET, PAYCLI_CHECKOUT_URL and PORT in new sandboxes, and tests common causes of broken integrations: forged, repeated and reordered webhooks, load, faults, refunds, and the life of subscriptions on a test clock. With --access and --paid, it compares the state of the app with the state of paycli. Reports the problems by class, worst first, with their evidence and their fix. A class counts as passed only if one of its checks was conclusive. Exits with 0 without findings at or above --fail-on, with 8 with such findings, and with 2 if no check was conclusive, the scenario failed, or the configuration is invalid.'
  static override strict = false
  static override baseFlags: FlagInput = globalExploreFlags
  static override flags: FlagInput = gradeFlags
  static override usage = 'grade [flags] -- COMMAND…'
  static override examples = toExamples([
    '-- node app.js',
    "--access '/access?customer={customer}' --paid '/paid/{customer}' -- npm start",
    '--init -- npm start',
    '--only money,life --json -- python3 app.py',
    '--url http://localhost:3000/webhooks --secret whsec_…',
  ])

  override async run(): Promise<void> {
    const { own, command } = splitAtDoubleDash(this.argv)
    const { words, flags } = await this.readInput(own)
    const classes = readGradeClasses(findFlagText(flags['only']))
    const known = readBaselineFindingIds(findFlagText(flags['baseline']))
    requireReportFolders(flags)
    const isInit = flags['init'] === true
    if (words.length > 0 || (command.length === 0 && flags['url'] === undefined && !isInit))
      throw new UsageError('argument_missing', 'The command after -- that starts the app is missing.', {
        hint: 'For instance: paycli grade -- node app.js. For an app that runs: paycli grade --url http://localhost:3000/webhooks --secret whsec_…',
      })
    const { result, isInterrupted } = await runInterruptibly((signal) =>
      grade(flags, { command, classes, signal }),
    )
    if (result === null) return
    // ^C ends a recording as Enter does.
    if (isInit && process.exitCode === INTERRUPT_EXIT_CODE) process.exitCode = EXIT_CODES.ok
    if (isInit) return
    // Logs must not contain the secret, and a repetition must not replace the report.
    const rest = own.filter(
      (word, index) => !OMITTED.test(word) && OMITTED.exec(own[index - 1] ?? '')?.[1] !== '',
    )
    const app = command.length === 0 ? [] : ['--', ...command]
    const repeat = (name = findFlagText(flags['only'])) => {
      const only = name === undefined ? [] : ['--only', name]
      return toShellCommand(['paycli', 'grade', ...[...rest, ...only, ...app].map(removeDatabasePasswords)])
    }
    const created = getUnixSeconds(systemClock)
    const report = createGradeReport(result, { classes, known, repeat, created, appFile: findAppFile(flags) })
    printReport(
      flags,
      () => toGradeJson(report),
      (view) => formatGrade(report, view),
    )
    await storeForDashboard(report)
    await writeReportFiles(flags, report)
    appendJobSummary(toGradeMarkdown(report))
    if (!isInterrupted) process.exitCode = exitCodeOf(report, String(flags['fail-on']))
  }
}

/** Throws a UsageError before the run, which takes minutes, if a report cannot be written after the run. */
function requireReportFolders(flags: FlagValues): void {
  for (const flag of Object.keys(REPORT_FILES)) {
    const file = resolve(findFlagText(flags[flag]) ?? '.')
    if (existsSync(dirname(file))) continue
    throw new UsageError('file_invalid', `'${file}' cannot be written: its folder does not exist.`, {
      ...{ param: flag, hint: 'Choose a file in an existing folder.' },
    })
  }
}

async function writeReportFiles(flags: FlagValues, report: RunReport): Promise<void> {
  for (const [flag, { render }] of Object.entries(REPORT_FILES)) {
    const file = findFlagText(flags[flag])
    if (file !== undefined) await writePrivateFileOrUsageError(resolve(file), render(report))
  }
}

/** Stores the report for the dashboard of a server of this user. A read-only home folder is not an error. */
async function storeForDashboard(report: RunReport): Promise<void> {
  const stored = { ...toGradeJson(report), folder: process.cwd() }
  try {
    await writeLastGrade(getWritableHomeFolder(process.env), stored, createIdGenerators().newToken)
  } catch (error) {
    printWarning(`The dashboard does not get the report: ${getErrorMessage(error)}`)
  }
}

/** Adds Markdown to the summary of a job on GitHub Actions. */
function appendJobSummary(text: string): void {
  const file = process.env['GITHUB_STEP_SUMMARY'] ?? ''
  if (file === '') return
  try {
    appendFileSync(file, text)
  } catch (error) {
    throw new UsageError(
      'file_invalid',
      `The summary of the job cannot be written: ${getErrorMessage(error)}.`,
      {
        hint: 'Set GITHUB_STEP_SUMMARY to a file in an existing folder, or unset it.',
      },
    )
  }
}

/** The flags that are omitted from the command that repeats a class. */
const OMITTED = /^--(?:only|secret|junit|sarif|badge|baseline)(=|$)/

function exitCodeOf({ classes }: RunReport, failOn: string): number {
  const limit = SEVERITIES.indexOf(failOn as Severity)
  const isFailing = classes
    .flatMap((one) => one.findings)
    .some(({ known, severity }) => !known && SEVERITIES.indexOf(severity) <= limit)
  if (isFailing) return EXIT_CODES.assertion
  if (classes.some(({ incomplete }) => incomplete === 'error')) return EXIT_CODES.usage
  return classes.some(({ checks }) => checks > 0) ? EXIT_CODES.ok : EXIT_CODES.usage
}

/** Runs the classes and returns their results; with --init, writes the configuration and returns no result. */
async function grade(
  flags: FlagValues,
  { command, classes, signal }: Pick<GradeOptions, 'command' | 'classes' | 'signal'>,
): Promise<ClassResult[]> {
  const isInit = flags['init'] === true
  const url = findFlagText(flags['url'])
  const config = isInit ? { ...(url !== undefined && { url }) } : readGradeConfig(flags)
  const given = findFlagText(flags['time']) ?? (isInit ? '10m' : config.time)
  const timeMs = parseDurationSeconds('time', given ?? '60s') * 1000
  const { nowMs } = systemClock
  const line = createStatusLine(process.stderr)
  const onClass = (text: string) => line.show(`Grading: ${text}…`)
  const ids = createIdGenerators()
  const tools = createHandlerTestClient({ nowMs, newEventId: () => ids.newId('evt_') })
  // An interruption ends deliveries in flight and prevents further deliveries.
  signal.addEventListener('abort', () => void tools.close(), { once: true })
  const options = {
    flags,
    env: process.env,
    nowMs,
    monotonicMs,
    portSeed: process.pid,
    command,
    config,
    classes,
    tools,
    timeMs,
    signal,
    onClass,
  }
  try {
    if (isInit) {
      await initGrade(findFlagText(flags['config']) ?? DEFAULT_CONFIG_FILE, options)
      return []
    }
    if (command.length > 0) return await gradeApp(options)
    const handler = {
      url: parseTargetUrl(config.url ?? '', 'url'),
      secret: readSigningSecret(flags, process.env),
    }
    return await gradeRunningApp(handler, options)
  } finally {
    line.clear()
    await tools.close()
  }
}
