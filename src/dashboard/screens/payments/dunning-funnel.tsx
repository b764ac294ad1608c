import type { DunningFunnelStep } from '../../../domain/reports/dunning-funnel.ts'
import { formatCountWithNoun } from '../../../presentation/words.ts'
import { Panel } from '../../components/placeholders.tsx'
import { describeDunningFunnel, formatOrdinal } from './funnel-description.ts'

const RESULTS = [
  { name: 'recovered', label: 'recovered', tone: 'good' },
  { name: 'open', label: 'retried later', tone: 'waiting' },
  { name: 'lost', label: 'lost', tone: 'bad' },
] as const

/** Shows the outcome of the invoices whose first charge failed, with one bar per attempt. */
export function DunningFunnel({ steps }: { readonly steps: readonly DunningFunnelStep[] }) {
  const reached = steps[0]?.reached ?? 0
  return (
    <Panel title="Retries of declined invoices">
      <p class={steps.length === 0 ? 'quiet' : ''}>{describeDunningFunnel(steps)}</p>
      <ol class="funnel stack">
        {steps.map((step) => (
          <li key={step.attempt}>
            <span>{formatOrdinal(step.attempt)} charge</span>
            <div>
              <div class="funnel-bar" style={{ width: `${(100 * step.reached) / Math.max(1, reached)}%` }}>
                {RESULTS.map(({ name, tone }) => (
                  <span key={name} class={`funnel-part ${tone}`} style={{ flexGrow: step[name] }} />
                ))}
                <span class="funnel-part next" style={{ flexGrow: nextOf(step) }} />
              </div>
              <span class="quiet">{describeStep(step)}</span>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** Returns the number of invoices that reached the next attempt. */
function nextOf({ reached, recovered, open, lost }: DunningFunnelStep): number {
  return reached - recovered - open - lost
}

function describeStep(step: DunningFunnelStep): string {
  const results = RESULTS.filter(({ name }) => step[name] > 0).map(
    ({ name, label }) => `${step[name]} ${label}`,
  )
  const next = nextOf(step)
  const words = next > 0 ? [...results, `${next} charged again`] : results
  return `${formatCountWithNoun(step.reached, 'invoice')}: ${words.join(', ')}`
}
