import type { Invoice } from '../../../domain/billing/invoices.ts'
import type { InvoicePreview } from '../../../domain/reports/invoice-preview.ts'
import type { Projection } from '../../../domain/reports/projections.ts'
import { DataTable } from '../../components/data-table.tsx'
import { LoadNote } from '../../components/placeholders.tsx'
import { Amount, createFieldColumn, UtcTime } from '../../components/values.tsx'
import { get, post } from '../../data/api-client.ts'
import { useLoad } from '../../data/use-load.ts'
import type { ActionPreviewRequest } from './object-actions.ts'
import { UpcomingStepList } from './step-list.tsx'
import { toUpcomingSteps } from './upcoming-steps.ts'

/** The number of projected events that are read. */
const MAX_EVENTS = 60
/** Maximum number of steps that are shown at first, so that the buttons of the dialog stay visible on a phone. */
const MAX_STEPS = 2

/** Shows the effect of an action: the next invoice, or the projected events that will happen or be prevented. */
export function ActionPreview({ effect }: { readonly effect: ActionPreviewRequest }) {
  const { data, error } = useLoad<InvoicePreview | Projection>(JSON.stringify(effect), (signal) =>
    effect.kind === 'invoice'
      ? post(`/v1/subscriptions/${effect.subscription}/preview`, effect.change, signal)
      : get('/v1/projections', { ...effect.query, limit: MAX_EVENTS }, signal),
  )
  return (
    <section class="stack tight" aria-label={effect.title}>
      <h3>{effect.title}</h3>
      <LoadNote data={data} error={error} />
      {data?.object === 'invoice_preview' && <PreviewView preview={data} />}
      {data?.object === 'projection' && <ProjectionView projection={data} />}
    </section>
  )
}

function PreviewView({ preview }: { readonly preview: InvoicePreview }) {
  const { amount_due, currency, invoice_date } = preview
  return (
    <>
      <p>
        <strong>
          <Amount amount={amount_due} currency={currency} />
        </strong>{' '}
        due on <UtcTime at={invoice_date} />
      </p>
      <InvoiceLineTable invoice={preview} paths={['description|type', 'total', 'quantity', 'proration']} />
    </>
  )
}

function ProjectionView({ projection }: { readonly projection: Projection }) {
  const steps = toUpcomingSteps(projection)
  if (steps.length === 0) return <p class="quiet">No upcoming events.</p>
  return <UpcomingStepList steps={steps} now={projection.from} pageSize={MAX_STEPS} />
}

interface LineTableProps {
  readonly invoice: Pick<Invoice, 'currency'> & { readonly lines: readonly object[] }
  /** The paths of the line fields to show. */
  readonly paths: readonly string[]
}

/** Shows the lines of an invoice or of a preview. */
export function InvoiceLineTable({ invoice: { lines, currency }, paths }: LineTableProps) {
  return (
    <DataTable
      label="Lines"
      columns={paths.map((path) => createFieldColumn<object>(path))}
      items={lines.map((line) => ({ ...line, currency }))}
      keyOf={(line) => JSON.stringify(line)}
    />
  )
}
