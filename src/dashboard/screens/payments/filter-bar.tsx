import type { TestClock } from '../../../domain/time/test-clocks.ts'
import { toWords } from '../../../presentation/words.ts'
import {
  ChoiceFilterField,
  DateFilterField,
  FilterBar,
  TextFilterField,
} from '../../components/filter-fields.tsx'
import { formatDate } from '../../format/format-time.ts'
import { INTERVALS, type PaymentFilters, REAL_TIME_FILTER, STATUSES } from './payment-filters.ts'

interface PaymentFilterBarProps {
  readonly filters: PaymentFilters
  readonly clocks: readonly TestClock[]
  readonly onChange: (changes: Partial<PaymentFilters>) => void
}

const STATUS_CHOICES = [
  ['', 'All'],
  ...STATUSES.map((status) => [status, status === 'failed' ? 'Declined' : toWords(status)] as const),
] as const

/** Shows the filters of the screen. */
export function PaymentFilterBar({ filters, clocks, onChange }: PaymentFilterBarProps) {
  const { test_clock, status, customer, from, to } = filters
  const isFiltered = status !== '' || customer !== '' || from !== '' || to !== ''
  const times = [
    ...(customer === '' ? [] : [['', 'Any clock'] as const]),
    [REAL_TIME_FILTER, 'Real time'] as const,
    ...clockChoices(clocks, test_clock),
  ]
  return (
    <FilterBar>
      <ChoiceFilterField
        label="Time"
        value={test_clock}
        choices={times}
        onChange={(value) => onChange({ test_clock: value })}
      />
      <ChoiceFilterField
        label="Status"
        value={status}
        choices={STATUS_CHOICES}
        onChange={(value) => onChange({ status: STATUSES.find((one) => one === value) ?? '' })}
      />
      <TextFilterField
        label="Customer"
        value={customer}
        placeholder="cus_…"
        reportsOn="onChange"
        onChange={(value) => onChange({ customer: value.trim() })}
      />
      <DateFilterField label="From" value={from} onChange={(value) => onChange({ from: value })} />
      <DateFilterField label="To" value={to} onChange={(value) => onChange({ to: value })} />
      {isFiltered && (
        <button type="button" onClick={() => onChange({ status: '', customer: '', from: '', to: '' })}>
          Clear filters
        </button>
      )}
    </FilterBar>
  )
}

function clockChoices(
  clocks: readonly TestClock[],
  selected: string,
): (readonly [id: string, text: string])[] {
  const isListed =
    selected === '' || selected === REAL_TIME_FILTER || clocks.some(({ id }) => id === selected)
  const listed = clocks.map(({ id, name, frozen_time }) => {
    const shown = name === null ? id : `${name.slice(0, 60)} (${id})`
    return [id, `${shown}, ${formatDate(frozen_time)}`] as const
  })
  return isListed ? listed : [[selected, selected], ...listed]
}

/** Shows a switch of the interval of the plot. */
export function IntervalSwitch({ filters, onChange }: Pick<PaymentFilterBarProps, 'filters' | 'onChange'>) {
  return (
    <fieldset class="switch">
      <legend class="visually-hidden">Interval</legend>
      {INTERVALS.map((interval) => (
        <label key={interval}>
          <input
            type="radio"
            name="interval"
            checked={filters.interval === interval}
            onChange={() => onChange({ interval })}
          />
          <span>{toWords(interval)}</span>
        </label>
      ))}
    </fieldset>
  )
}
