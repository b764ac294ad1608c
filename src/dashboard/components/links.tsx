import type { ComponentChildren } from 'preact'
import { PAGE_REQUEST_PREFIX } from '../../domain/core/changes.ts'
import { isCouponReference, isObjectId } from '../format/format-field.ts'
import { screenUrl } from '../routing/router.ts'

/** Shows a link to the screen of an object. A request to a hosted page is not logged, so its id is text. */
export function ObjectLink({ id, children }: { readonly id: string; readonly children?: ComponentChildren }) {
  if (id.startsWith(PAGE_REQUEST_PREFIX)) return <code>{id}</code>
  return (
    <a href={objectUrl(id)} {...(children === undefined ? { class: 'id', title: id } : {})}>
      {children ?? id}
    </a>
  )
}

/** The screens of objects that have their own screen, by the prefix of the id. */
const SCREENS: Readonly<Record<string, string>> = { whd: 'webhooks', req: 'requests', clock: 'clocks' }

/** Returns the URL of the screen of an object. */
export function objectUrl(id: string): string {
  if (isCouponReference('coupon', id) && !isObjectId(id)) return screenUrl(['objects', `coupons/${id}`])
  return screenUrl([SCREENS[id.split('_')[0] ?? ''] ?? 'objects', id])
}
