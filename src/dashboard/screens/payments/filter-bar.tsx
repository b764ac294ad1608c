import type { ComponentChildren } from 'preact'
import type { TestClock } from '../../../domain/time/test-clocks.ts'
import { toWords } from '../../../presentation/words.ts'
import { formatDate } from '../../format/format-time.ts'
import { INTERVALS, type PaymentFilters, REAL_TIME, STATUSES } from './payment-filters.ts'

interface FilterBarProps {
  readonly filters: PaymentFilters
  readonly clocks: readonly TestClock[]
  readonly onChange: (changes: Partial<PaymentFilters>) => void
}

/** The filters of the screen. */
export function FilterBar({ filters, clocks, onChange }: FilterBarProps) {
  const { test_clock, status, customer, from, to } = filters
  const isFiltered = status !== '' || customer !== '' || from !== '' || to !== ''
  return (
    <search class="panel filters" aria-label="Filters">
      <Field id="filter-time" label="Time">
        <select
          id="filter-time"
          value={test_clock}
          onChange={({ currentTarget }) => onChange({ test_clock: currentTarget.value })}
        >
          {customer !== '' && <option value="">Any clock</option>}
          <option value={REAL_TIME}>Real time</option>
          <ClockOptions clocks={clocks} selected={test_clock} />
        </select>
      </Field>
      <Field id="filter-status" label="Status">
        <select
          id="filter-status"
          value={status}
          onChange={({ currentTarget: { value } }) =>
            onChange({ status: STATUSES.find((one) => one === value) ?? '' })
          }
        >
          <option value="">All</option>
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {one === 'failed' ? 'Declined' : toWords(one)}
            </option>
          ))}
        </select>
      </Field>
      <Field id="filter-customer" label="Customer">
        <input
          id="filter-customer"
          value={customer}
          placeholder="cus_…"
          spellcheck={false}
          onChange={({ currentTarget }) => onChange({ customer: currentTarget.value.trim() })}
        />
      </Field>
      <Field id="filter-from" label="From">
        <input
          id="filter-from"
          type="date"
          value={from}
          onChange={({ currentTarget }) => onChange({ from: currentTarget.value })}
        />
      </Field>
      <Field id="filter-to" label="To">
        <input
          id="filter-to"
          type="date"
          value={to}
          onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
        />
      </Field>
      {isFiltered && (
        <button type="button" onClick={() => onChange({ status: '', customer: '', from: '', to: '' })}>
          Clear filters
        </button>
      )}
    </search>
  )
}

/** A switch of the interval of the plot. */
export function IntervalSwitch({ filters, onChange }: Pick<FilterBarProps, 'filters' | 'onChange'>) {
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

function ClockOptions({
  clocks,
  selected,
}: {
  readonly clocks: readonly TestClock[]
  readonly selected: string
}) {
  const isListed = selected === '' || selected === REAL_TIME || clocks.some(({ id }) => id === selected)
  return (
    <>
      {!isListed && <option value={selected}>{selected}</option>}
      {clocks.map(({ id, name, frozen_time }) => (
        <option key={id} value={id}>
          {`${name === null ? id : `${name.slice(0, 60)} (${id})`}, ${formatDate(frozen_time)}`}
        </option>
      ))}
    </>
  )
}

interface FieldProps {
  readonly id: string
  readonly label: string
  readonly children: ComponentChildren
}

function Field({ id, label, children }: FieldProps) {
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      {children}
    </div>
  )
}
