import type { ComponentChildren } from 'preact'
import { PORTAL_REQUEST_ID_PREFIX } from '../../domain/core/changes.ts'
import { formatAmount } from '../../domain/core/currencies.ts'
import type { JsonObject } from '../../domain/core/json-object.ts'
import { findCurrency, findFieldValue, getFieldName } from '../../presentation/field-values.ts'
import { findStatusTone } from '../../presentation/status-tones.ts'
import { getFieldLabel } from '../format/differences.ts'
import { createFieldText, type FieldText, isCouponReference, isObjectId } from '../format/format-field.ts'
import { formatDateTime, formatTimeDistance } from '../format/format-time.ts'
import { getScreenUrl } from '../routing/router.ts'
import type { DataTableColumn } from './data-table.tsx'

/** Shows an amount, given in minor units, with its currency. */
export function Amount({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  return <span class="amount">{formatAmount(amount, currency)}</span>
}

interface AmountsProps {
  readonly amounts: readonly { readonly currency: string; readonly amount: number; readonly count?: number }[]
}

/**
 * Shows amounts, one line for each currency, because amounts in different currencies cannot be added. If there are
 * several currencies, each amount has its count.
 */
export function Amounts({ amounts }: AmountsProps) {
  const shown = amounts.filter(({ amount }) => amount !== 0)
  if (shown.length === 0) return <>–</>
  return shown.map(({ count, ...one }) => (
    <div key={one.currency}>
      <Amount {...one} />{' '}
      {count !== undefined && shown.length > 1 && <span class="quiet small">({count})</span>}
    </div>
  ))
}

interface TimeProps {
  /** The shown time in Unix seconds. */
  readonly at: number
  /** The current time in Unix seconds, of real time or of a test clock, for a comparison (default: no comparison). */
  readonly now?: number | undefined
}

/** Shows a time in UTC and, when `now` is given, its distance from `now`. */
export function UtcTime({ at, now }: TimeProps) {
  const distance = now === undefined ? null : formatTimeDistance(at, now)
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title="UTC">
      {formatDateTime(at)}
      {distance !== null && <span class="quiet"> {distance}</span>}
    </time>
  )
}

/** Shows a link to the screen of an object. The id of an unlogged request to a hosted page is text. */
export function ObjectLink({ id, children }: { readonly id: string; readonly children?: ComponentChildren }) {
  if (id.startsWith(PORTAL_REQUEST_ID_PREFIX)) return <code>{id}</code>
  return (
    <a href={getObjectUrl(id)} {...(children === undefined ? { class: 'id', title: id } : {})}>
      {children ?? id}
    </a>
  )
}

/** The screens of objects that have their own screen, by the prefix of the id. */
const SCREENS: Readonly<Record<string, string>> = { whd: 'webhooks', req: 'requests', clock: 'clocks' }

/** Returns the URL of the screen of an object. */
export function getObjectUrl(id: string): string {
  if (isCouponReference('coupon', id) && !isObjectId(id)) return getScreenUrl(['objects', `coupons/${id}`])
  return getScreenUrl([SCREENS[id.split('_')[0] ?? ''] ?? 'objects', id])
}

/** Shows the status of an object or of a response as text on a color; the color adds no information. */
export function StatusBadge({ status }: { readonly status: string | number | null }) {
  const tone = status === null ? 'bad' : (findStatusTone(status) ?? 'quiet')
  return <span class={`badge ${tone}`}>{String(status ?? 'no response').replaceAll('_', ' ')}</span>
}

/** Shows the status of an object and of its response, if present. */
export function ObjectStatusBadges({ object }: { readonly object: JsonObject }) {
  const statuses = [object['status'], object['http_status']]
  return statuses.map((status) => isStatus(status) && <StatusBadge key={status} status={status} />)
}

function isStatus(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

interface FieldValueProps {
  readonly value: FieldText
  /** Unix seconds with which times are compared. */
  readonly now?: number | undefined
}

/** Shows the value of a field: ids are links, and the writing direction of other text is isolated. */
export function FieldValue({ value: { kind, text, at }, now }: FieldValueProps) {
  if (kind === 'id') return <ObjectLink id={text} />
  if (kind === 'url')
    return (
      <a href={text} class="clip" rel="noreferrer" target="_blank">
        {text}
      </a>
    )
  if (at !== undefined) return <UtcTime at={at} now={now} />
  return <bdi class={kind === 'none' ? 'quiet none' : 'clip'}>{text}</bdi>
}

/** Returns the column of a field, such as `card.brand`. */
export function createFieldColumn<T extends object>(path: string): DataTableColumn<T> {
  return {
    label: path.split('|').map(getFieldLabel).join(' / '),
    cell: (item) => {
      const object = { ...item } as Readonly<Record<string, unknown>>
      const [name, value] = [getFieldName(object, path), findFieldValue(object, path)]
      if (name.endsWith('status') && isStatus(value)) return <StatusBadge status={value} />
      // A coupon may have its own id, which has no prefix.
      const isCoupon = name === 'id' && object['object'] === 'coupon'
      return <FieldValue value={createFieldText(isCoupon ? 'coupon' : name, value, findCurrency(object))} />
    },
  }
}
