import { currencyOf, fieldAt, fieldNameOf } from '../../presentation/field-values.ts'
import { fieldLabelOf } from '../format/differences.ts'
import { type FieldText, formatField } from '../format/format-field.ts'
import type { Column } from './data-table.tsx'
import { ObjectLink } from './links.tsx'
import { HttpStatus, StatusBadge } from './status-badge.tsx'
import { UtcTime } from './values.tsx'

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
export function fieldColumn<T extends object>(path: string): Column<T> {
  return {
    label: path.split('|').map(fieldLabelOf).join(' / '),
    cell: (item) => {
      const object = { ...item } as Readonly<Record<string, unknown>>
      const [name, value] = [fieldNameOf(object, path), fieldAt(object, path)]
      if (name.endsWith('status') && typeof value === 'string') return <StatusBadge status={value} />
      if (name.endsWith('status') && typeof value === 'number') return <HttpStatus status={value} />
      // A coupon may have its own id, which has no prefix.
      const isCoupon = name === 'id' && object['object'] === 'coupon'
      return <FieldValue value={formatField(isCoupon ? 'coupon' : name, value, currencyOf(object))} />
    },
  }
}
