import {
  compareSeverities,
  type GradedClass,
  type GradeFinding,
  type GradeReport,
} from '../../../presentation/grade-report.ts'
import { formatCountWithNoun, humanizeName } from '../../../presentation/words.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { DataTable, type DataTableColumn } from '../../components/data-table.tsx'
import { EmptyState, ErrorNote, LoadNote } from '../../components/placeholders.tsx'
import { UtcTime } from '../../components/values.tsx'
import { SIGNED_IN_SANDBOX } from '../../data/api-client.ts'
import { getRealTime } from '../../data/real-time.ts'
import { useApi } from '../../data/use-load.ts'
import { DEFAULT_SANDBOX_ID } from '../../routing/router.ts'

const TONES: Readonly<Record<string, string>> = {
  ...{ passed: 'good', failed: 'bad', partly_tried: 'waiting', not_tried: 'quiet' },
  ...{ high: 'bad', medium: 'waiting', low: 'quiet' },
}

/** The report of the last run. */
interface StoredReport extends GradeReport {
  /** The folder in which the command ran. */
  readonly folder: string
}

interface LastGrade {
  readonly data: StoredReport | null
  /** Why the report cannot be read, and the fix. */
  readonly problem: string | null
}

/** Shows the last report of `paycli grade`, which is read again every five seconds. */
export function GradeScreen() {
  const { data, error, reload } = useApi<LastGrade>('/grade', {}, { isPolled: true, pollMs: 5000 })
  const { data: report = null, problem = null } = data ?? {}
  return (
    <div class="stack">
      <h1>Grade</h1>
      <LoadNote data={data} error={error} reload={reload} />
      {problem !== null && <ErrorNote error={{ message: problem }} />}
      {data !== null && report === null && problem === null && (
        <EmptyState title="No integration was graded yet" command="paycli grade -- node app.js">
          <p class="quiet">
            {SIGNED_IN_SANDBOX === DEFAULT_SANDBOX_ID
              ? 'Starts your app, tries what breaks integrations, and shows the report here. Run it on the machine of this server, as its user.'
              : 'Reports are shown to browsers that a key of the sandbox default signed in.'}
          </p>
        </EmptyState>
      )}
      {report !== null && <Report report={report} />}
    </div>
  )
}

function Report({ report }: { readonly report: StoredReport }) {
  const findings = report.classes
    .flatMap((one) => one.findings.map((finding) => [finding, one] as const))
    .sort(([a], [b]) => compareSeverities(a, b))
  const notes = report.classes.filter((one) => one.notes.length > 0)
  return (
    <>
      <div class="stack tight">
        <p class="quiet">
          {formatCountWithNoun(findings.length, 'finding')} ·{' '}
          <UtcTime at={report.created} now={getRealTime()} /> · <bdi>{report.folder}</bdi>
        </p>
        <CopyText text={report.repeat} />
      </div>
      <DataTable label="Classes" columns={COLUMNS} items={report.classes} keyOf={(one) => one.class} />
      {findings.map(([finding, owner]) => (
        <FindingPanel key={`${finding.id} ${finding.problem}`} {...{ finding, owner }} />
      ))}
      {notes.length > 0 && (
        <section class="panel stack tight" aria-label="Notes">
          <h2>Notes</h2>
          {notes.map(({ class: name, title, notes: texts }) => (
            <p key={name}>
              <strong>{humanizeName(title)}:</strong> {texts.join(' ')}
            </p>
          ))}
        </section>
      )}
    </>
  )
}

const COLUMNS: readonly DataTableColumn<GradedClass>[] = [
  { label: 'Class', cell: ({ title }) => humanizeName(title) },
  { label: 'Result', cell: ({ state }) => <Badge text={state} /> },
  { label: 'Findings', isNumber: true, cell: ({ findings }) => findings.length },
  { label: 'Checks', isNumber: true, cell: ({ checks }) => checks },
]

function Badge({ text }: { readonly text: string }) {
  return <span class={`badge ${TONES[text] ?? 'quiet'}`}>{text.replaceAll('_', ' ')}</span>
}

interface FindingPanelProps {
  readonly finding: GradeFinding
  readonly owner: GradedClass
}

function FindingPanel({ finding: { severity, problem, evidence, fix }, owner }: FindingPanelProps) {
  return (
    <article class="panel stack">
      <div class="stack tight">
        <p class="row">
          <Badge text={severity} /> <span class="quiet">{humanizeName(owner.title)}</span>
        </p>
        <h2>{problem}</h2>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll the output. */}
      <pre class="json" tabIndex={0}>
        {evidence.join('\n')}
      </pre>
      <p>
        <strong>Fix:</strong> {fix}{' '}
        <a href={`/docs/guides/grade#${owner.title.replaceAll(' ', '-')}`}>Guide</a>
      </p>
      <CopyText text={owner.repeat} />
    </article>
  )
}
