import type { DunningFunnelStep } from '../../../domain/reports/dunning-funnel.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Panel } from '../../components/placeholders.tsx'
import { describeDunningFunnel } from './outcome-totals.ts'

const COLUMNS: readonly Column<DunningFunnelStep>[] = [
  { label: 'Charge', cell: ({ attempt }) => `Charge ${attempt}` },
  { label: 'Invoices', cell: ({ reached }) => formatCountWithNoun(reached, 'invoice') },
  { label: 'Recovered', isNumber: true, cell: ({ recovered }) => recovered },
  { label: 'Retried later', isNumber: true, cell: ({ open }) => open },
  { label: 'Lost', isNumber: true, cell: ({ lost }) => lost },
]

/** Shows the outcome of the invoices whose first charge failed, with one row per charge. */
export function DunningFunnel({ steps }: { readonly steps: readonly DunningFunnelStep[] }) {
  return (
    <Panel title="Retries of declined invoices">
      <p class={steps.length === 0 ? 'quiet' : ''}>{describeDunningFunnel(steps)}</p>
      {steps.length > 0 && (
        <DataTable label="Retries" columns={COLUMNS} items={steps} keyOf={({ attempt }) => String(attempt)} />
      )}
    </Panel>
  )
}
