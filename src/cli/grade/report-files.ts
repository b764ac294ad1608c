import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import {
  type GradedClass,
  type GradeReport,
  SEVERITIES,
  type Severity,
} from '../../presentation/grade-report.ts'
import { formatCountWithNoun } from '../../presentation/words.ts'
import { toGradeJUnit } from './grade-report.ts'
import { GRADE_CLASSES, type RunReport } from './grade-result.ts'

/** The reports that grade writes to files, by the flag with the name of the file. */
export const REPORT_FILES = {
  junit: { description: 'Also write the result as a JUnit report.', render: toGradeJUnit },
  sarif: {
    description: 'Also write the findings as a SARIF report, for example for code scanning on GitHub.',
    render: toGradeSarif,
  },
  badge: { description: 'Also write a badge with the result as an SVG image.', render: toGradeBadge },
} as const satisfies Readonly<
  Record<string, { readonly description: string; readonly render: (report: RunReport) => string }>
>

const LEVELS: Readonly<Record<Severity, string>> = { high: 'error', medium: 'warning', low: 'note' }

/** Returns the findings as a SARIF 2.1.0 log with a rule for each finding. */
export function toGradeSarif({ classes, hasBaseline, appFile }: RunReport): string {
  const findings = classes.flatMap((one) => one.findings)
  const all = classes.flatMap(({ title, findings: own }) => own.map((one) => toRule(one, title)))
  const rules = [...new Map(all.map((one) => [one.id, one])).values()]
  const location = { artifactLocation: { uri: toRepositoryUri(appFile) }, region: { startLine: 1 } }
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'paycli grade', rules } },
        results: findings.map(({ id, severity, problem, evidence, fix, known }) => ({
          ruleId: id,
          ruleIndex: rules.findIndex((rule) => rule.id === id),
          level: LEVELS[severity],
          message: { text: [problem, ...evidence, `Fix: ${fix}`].join('\n') },
          locations: [{ physicalLocation: location }],
          // Code scanning on GitHub recognizes a finding of an earlier run by this fingerprint only.
          partialFingerprints: { primaryLocationLineHash: id },
          ...(hasBaseline && { baselineState: known ? 'unchanged' : 'new' }),
        })),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function toRule({ id, severity, problem, fix, guide }: GradedClass['findings'][number], title: string) {
  return {
    id,
    shortDescription: { text: problem },
    fullDescription: { text: `${problem} ${fix}` },
    help: { text: `${fix} Guide: ${guide}`, markdown: `${fix} [Guide](${guide})` },
    helpUri: guide,
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: [title] },
  }
}

/** Returns the address of a file relative to the root of its repository, which code scanning requires. */
function toRepositoryUri(file: string): string {
  const path = resolve(file)
  let root = dirname(path)
  while (!existsSync(join(root, '.git')) && dirname(root) !== root) root = dirname(root)
  const name = relative(existsSync(join(root, '.git')) ? root : process.cwd(), path)
  return name.split(sep).map(encodeURIComponent).join('/')
}

const COLORS: Readonly<Record<Severity, string>> = { high: '#a81e19', medium: '#8a4b00', low: '#6b5b00' }
const LABEL = 'integration'
const CHARACTER_WIDTH = 7
const PADDING = 6

/** Returns an SVG badge with the number of new findings, or the number of passed classes. */
export function toGradeBadge({ classes }: GradeReport): string {
  const found = classes.flatMap((one) => one.findings).filter(({ known }) => !known)
  const worst = SEVERITIES.find((one) => found.some(({ severity }) => severity === one))
  const passed = classes.filter(({ state }) => state === 'passed').length
  const total = Object.keys(GRADE_CLASSES).length
  const isReady = passed === total
  const text =
    worst === undefined
      ? isReady
        ? 'ready'
        : `${passed} of ${total} classes passed`
      : formatCountWithNoun(found.length, 'finding')
  const color = worst === undefined ? (isReady ? '#17693c' : '#566074') : COLORS[worst]
  const [start, end] = [LABEL, text].map(({ length }) => length * CHARACTER_WIDTH + 2 * PADDING) as [
    number,
    number,
  ]
  // The attribute textLength fits the text into the badge with any font.
  const part = (x: number, width: number, content: string) =>
    `<text x="${x + PADDING}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${content}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${start + end}" height="20" role="img" aria-labelledby="title">
<title id="title">${LABEL}: ${text}</title>
<rect width="${start}" height="20" fill="#3b4252"/>
<rect x="${start}" width="${end}" height="20" fill="${color}"/>
<g fill="#fff" font-family="sans-serif" font-size="12" aria-hidden="true">
${part(0, start, LABEL)}
${part(start, end, text)}
</g>
</svg>
`
}
